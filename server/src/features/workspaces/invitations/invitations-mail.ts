/** The mail that carries an invitation's link, and the queue that sends it. */
import { minuteMs } from '../../../platform/clock.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { NewJob, Queue } from '../../../platform/jobs/job.ts'
import { type Mail, mailQueue } from '../../../platform/mail/mailer.ts'
import type { Platform } from '../../../platform/platform.ts'
import { html } from '../../../platform/text/html.ts'
import { findByTokenHash, type LinkedInvitation, updateInvitation } from '../records/invitations-store.ts'

export const invitationMailQueue = 'invitation-mail'

type Payload = { invitationId: string; sealedToken: string }

/** The job holds the only copy of the token, encrypted: what is stored must not open the invitation. */
export const invitationMailJob = (
  keyring: Keyring,
  workspaceId: string,
  invitationId: string,
  token: string,
): NewJob => ({
  queue: invitationMailQueue,
  workspaceId,
  payload: { invitationId, sealedToken: keyring.sealSystem(fieldOf(invitationId), token) } satisfies Payload,
})

/** Tries for about an hour. An invitation that was answered, revoked or sent again meanwhile gets no mail. */
export function createInvitationMailQueue(
  dependencies: Pick<Platform, 'database' | 'clock' | 'keyring' | 'mailer' | 'publicUrl'>,
): Queue<Payload> {
  const { database, clock, keyring, mailer, publicUrl } = dependencies

  const tokenOf = ({ invitationId, sealedToken }: Payload): string =>
    keyring.openSystem(fieldOf(invitationId), sealedToken)

  const note = async (tx: Tx, payload: Payload, delivery: 'sent' | 'failed', error: string | null) => {
    const invitation = await findByTokenHash(tx, keyring.keyedHash('token', tokenOf(payload)))
    if (invitation === undefined) return
    const { id, workspace_id: workspaceId, environment } = invitation
    const change = { delivery, delivery_error: error, updated_at: clock() }
    await updateInvitation({ workspaceId, environment }, tx, id, change)
  }

  return mailQueue<Payload>({
    mailer,
    maxAttempts: 8,
    maxBackoffMs: 20 * minuteMs,
    async write(payload) {
      const token = tokenOf(payload)
      const invitation = await findByTokenHash(database.read, keyring.keyedHash('token', token))
      if (invitation?.status !== 'pending' || invitation.expires_at <= clock()) return null
      return invitationMail(invitation, `${publicUrl()}/invitations/${token}`)
    },
    sent: job => job.complete(tx => note(tx, job.payload, 'sent', null)),
    refused: (job, error) => job.complete(tx => note(tx, job.payload, 'failed', error.message)),
    onDead: (job, error, tx) => note(tx, job.payload, 'failed', error.message),
  })
}

const fieldOf = (invitationId: string): string => `${invitationId}.token`

type MailedInvitation = Pick<
  LinkedInvitation,
  'email' | 'workspace_name' | 'inviter_name' | 'role' | 'message' | 'expires_at'
>

export function invitationMail(invitation: MailedInvitation, url: string): Mail {
  const {
    workspace_name: workspace,
    inviter_name: inviter,
    role,
    message,
    expires_at: expiresAt,
  } = invitation
  const invites = `${inviter ?? 'The operator'} invites you to the workspace ${workspace} as ${role}.`
  const until = `The link works once, until ${new Date(expiresAt).toUTCString()}. If you did not expect this mail, ignore it.`
  return {
    to: invitation.email,
    subject: `Invitation to ${workspace}`,
    text: [invites, ...(message === null ? [] : [message]), `Accept or decline: ${url}`, until].join('\n\n'),
    html: html`<p>${invites}</p>
${message === null ? [] : html`<blockquote style="white-space: pre-line">${message}</blockquote>`}
<p><a href="${url}">Accept or decline</a></p>
<p>${until}</p>`.html,
  }
}
