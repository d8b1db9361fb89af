/** Invitations for the inviting side: made, mailed with their link, listed, sent again, revoked. */
import type { Caller, Plan, Role } from '../../../platform/caller.ts'
import { dayMs, minuteMs, toTimestamp } from '../../../platform/clock.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import { randomToken } from '../../../platform/crypto/tokens.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { type FieldError, found, ServiceError } from '../../../platform/errors.ts'
import type { NewJob, Queue } from '../../../platform/jobs/job.ts'
import { parseAddress } from '../../../platform/mail/address.ts'
import { type Mail, mailQueue } from '../../../platform/mail/mailer.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import { html } from '../../../platform/text/html.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Invitation, InvitationFilter, NewInvitation } from '../records/invitations-schemas.ts'
import {
  countPending,
  expireInvitations,
  findByTokenHash,
  findInvitation,
  findPendingByEmail,
  type InvitationRow,
  insertInvitation,
  type LinkedInvitation,
  listInvitations,
  updateInvitation,
} from '../records/invitations-store.ts'
import { countMembers, findMemberByEmail, lockWorkspace } from '../records/members-store.ts'
import { checkMayGive, checkMayGiveTeams, checkRoleWithinReach } from '../records/roles.ts'
import { existingTeamIds } from '../records/teams-store.ts'

/** An invitation, with its link unless that is sent by mail. The link is stored nowhere else. */
export type IssuedInvitationRow = { row: InvitationRow; acceptUrl: string | null }

export type InvitationService = ReturnType<typeof createInvitationService>

const lifetimeMs = 7 * dayMs
const tokenBytes = 32

export function createInvitationService(
  dependencies: Pick<
    Platform,
    'database' | 'clock' | 'newId' | 'keyring' | 'jobs' | 'mailer' | 'publicUrl'
  > & {
    audit: AuditService
    /** How many members a plan allows. */
    memberLimit: (plan: Plan) => number
  },
) {
  const { database, clock, newId, audit, keyring, jobs, mailer, publicUrl, memberLimit } = dependencies

  /** Makes a new token, the columns that follow from it, and the link if no mail is sent. */
  const issue = (caller: Caller) => {
    const token = randomToken(tokenBytes)
    const { environment } = caller.scope
    const delivery = environment === 'test' ? 'simulated' : mailer.available ? 'queued' : 'link'
    const columns = {
      token_hash: keyring.keyedHash('token', token),
      delivery,
      delivery_error: null,
      expires_at: clock() + lifetimeMs,
      updated_at: clock(),
    } as const
    return { token, columns, acceptUrl: delivery === 'queued' ? null : `${publicUrl()}/invitations/${token}` }
  }

  const mail = async (caller: Caller, tx: Tx, row: InvitationRow, token: string): Promise<void> => {
    if (row.delivery !== 'queued') return
    await jobs.enqueue(tx, invitationMailJob(keyring, caller.scope.workspaceId, row.id, token))
  }

  const record = (tx: Tx, caller: Caller, verb: 'resend' | 'revoke', { id, email }: InvitationRow) =>
    audit.record(tx, caller, { action: `invitation.${verb}`, resourceId: id, details: { email } })

  /** The invitation, with the workspace locked, after the checks that apply to every change of it. */
  const lockForChange = async (caller: Caller, tx: Tx, id: string, ifMatch: string | null) => {
    const { plan } = await lockWorkspace(caller.scope, tx)
    await expireInvitations(caller.scope, tx, clock())
    const row = found(await findInvitation(caller.scope, tx, id))
    checkRevision(ifMatch, row)
    checkRoleWithinReach(caller, row.role)
    return { row, plan }
  }

  return {
    list: (caller: Caller, filter: InvitationFilter, page: PageRequest): Promise<Page<InvitationRow>> =>
      listInvitations(caller.scope, database.read, filter, page, clock()),
    get: async (caller: Caller, id: string): Promise<InvitationRow> =>
      found(await findInvitation(caller.scope, database.read, id)),

    /**
     * Throws a 400 for the address and each unknown team, and `permission_missing` for a role or teams that give what
     * the caller lacks. Throws `already_member` or `already_invited` if the address is a member's or has a pending
     * invitation. Throws `member_limit` if members and pending invitations fill the plan.
     */
    async create(
      caller: Caller,
      { email: givenEmail, role = 'member', teamIds = [], message }: NewInvitation,
    ): Promise<IssuedInvitationRow> {
      checkGrant(caller, role, teamIds)
      return database.write(async tx => {
        const { plan } = await lockWorkspace(caller.scope, tx)
        await expireInvitations(caller.scope, tx, clock())
        const email = await checkFields(caller, tx, givenEmail, teamIds)
        await checkInvitable(caller, tx, email, memberLimit(plan))
        const { token, columns, acceptUrl } = issue(caller)
        const row: InvitationRow = {
          id: newId('invitation'),
          workspace_id: caller.scope.workspaceId,
          environment: caller.scope.environment,
          email,
          role,
          team_ids: encodeJson([...teamIds]),
          message: message ?? null,
          status: 'pending',
          invited_by: caller.userId,
          created_at: clock(),
          revision: 1,
          ...columns,
        }
        await insertInvitation(caller.scope, tx, row)
        await mail(caller, tx, row, token)
        const details = { email, role, teamIds }
        await audit.record(tx, caller, { action: 'invitation.create', resourceId: row.id, details })
        return { row, acceptUrl }
      })
    },

    /**
     * Makes a new link for seven days; the old one ends. Throws like `create`, and `invitation_ended` if the
     * invitation was answered.
     */
    resend: (caller: Caller, id: string, ifMatch: string | null): Promise<IssuedInvitationRow> =>
      database.write(async tx => {
        const { row, plan } = await lockForChange(caller, tx, id, ifMatch)
        checkGrant(caller, row.role, decodeJson(row.team_ids))
        if (row.status === 'expired') await checkInvitable(caller, tx, row.email, memberLimit(plan))
        else if (row.status !== 'pending') throw answered(row)
        const { token, columns, acceptUrl } = issue(caller)
        await updateInvitation(caller.scope, tx, id, { ...columns, status: 'pending' })
        const renewed = found(await findInvitation(caller.scope, tx, id))
        await mail(caller, tx, renewed, token)
        await record(tx, caller, 'resend', renewed)
        return { row: renewed, acceptUrl }
      }),

    /** Throws `invitation_ended` if the invitation is no longer pending. */
    revoke: (caller: Caller, id: string, ifMatch: string | null): Promise<InvitationRow> =>
      database.write(async tx => {
        const { row } = await lockForChange(caller, tx, id, ifMatch)
        if (row.status !== 'pending') throw answered(row)
        await updateInvitation(caller.scope, tx, id, { status: 'revoked', updated_at: clock() })
        await record(tx, caller, 'revoke', row)
        return found(await findInvitation(caller.scope, tx, id))
      }),
  }
}

/** Throws if the address cannot be invited now. Call it with the workspace locked. */
async function checkInvitable({ scope }: Caller, tx: Tx, email: string, limit: number): Promise<void> {
  if ((await findMemberByEmail(scope, tx, email)) !== undefined) {
    throw new ServiceError('already_member', `${email} is a member of the workspace already`)
  }
  const pending = await findPendingByEmail(scope, tx, email)
  if (pending !== undefined) {
    throw new ServiceError('already_invited', `${email} is invited already: resend or revoke ${pending.id}`, {
      details: { invitationId: pending.id },
    })
  }
  if ((await countMembers(scope, tx)) + (await countPending(scope, tx)) >= limit) {
    throw new ServiceError(
      'member_limit',
      `The plan allows ${limit} members, pending invitations included: remove a member, revoke an invitation, or change the plan`,
      { details: { limit } },
    )
  }
}

/** The link gives its role and teams to the person who opens it, so a new link is a grant too. */
function checkGrant(caller: Caller, role: Role, teamIds: readonly string[]): void {
  checkMayGive(caller, role)
  if (teamIds.length > 0) checkMayGiveTeams(caller)
}

export const presentInvitation = (row: InvitationRow, nowMs: number): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  teamIds: decodeJson(row.team_ids),
  message: row.message,
  status: statusOf(row, nowMs),
  delivery: row.delivery,
  deliveryError: row.delivery_error,
  invitedBy: row.invited_by,
  expiresAt: toTimestamp(row.expires_at),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

export const statusOf = (row: Pick<InvitationRow, 'status' | 'expires_at'>, nowMs: number) =>
  row.status === 'pending' && row.expires_at <= nowMs ? 'expired' : row.status

const answered = (row: InvitationRow): ServiceError =>
  new ServiceError('invitation_ended', `The invitation is ${row.status}: make a new one`, {
    details: { status: row.status },
  })

/** The address in its normal form; throws a 400 that names every faulty field. */
async function checkFields(caller: Caller, tx: Tx, givenEmail: string, teamIds: readonly string[]) {
  const known = await existingTeamIds(caller.scope, tx, teamIds)
  const errors: FieldError[] = teamIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `teamIds.${index}`, message: 'There is no team with this id' }],
  )
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  // The schema has checked the address's form.
  return parseAddress(givenEmail) ?? givenEmail
}

// The mail that carries an invitation's link, and the queue that sends it.

export const invitationMailQueue = 'invitation-mail'

type Payload = { invitationId: string; sealedToken: string }

/** The job holds the only copy of the token, encrypted: stored data must not open the invitation. */
const invitationMailJob = (
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
