/** The page behind an invitation's link: shows who invites to what, and takes the answer. Works without script. */
import type { Clock } from '../../platform/clock.ts'
import { ServiceError } from '../../platform/errors.ts'
import { type Html, html, type Page, page } from '../../platform/html.ts'
import type { AcceptanceService, GuestRequest, ShownInvitation } from './acceptance-service.ts'
import { maxNameLength } from './invitations-schemas.ts'
import { statusOf } from './invitations-service.ts'

/** The fields of the page's forms, as the browser sends them. */
export type InvitationForm = { decision?: string; name?: string }

export type InvitationPages = {
  show(token: string): Promise<Page>
  answer(token: string, form: InvitationForm, request: GuestRequest): Promise<Page>
}

export function createInvitationPages(acceptance: AcceptanceService, clock: Clock): InvitationPages {
  const show = async (token: string, status = 200, error: string | null = null): Promise<Page> => {
    const shown = await acceptance.show(token)
    const current = statusOf(shown.invitation, clock())
    return current === 'pending' ? openPage(shown, status, error) : closedPage(shown, current)
  }

  return {
    show: token => show(token).catch(error => problemPage(error)),
    async answer(token, form, request) {
      try {
        const { invitation } = await acceptance.show(token)
        if (form.decision === 'decline') {
          await acceptance.declineAsGuest(token, request)
          return page(200, 'Invitation declined', html`<p>You can close this page.</p>`)
        }
        if (form.decision !== 'accept') return await show(token, 400, 'Please accept or decline.')
        const { memberId } = await acceptance.acceptAsGuest(token, form.name, request)
        return memberId === null ? simulatedPage() : welcomePage(invitation.workspace_name)
      } catch (error) {
        const problem = error instanceof ServiceError ? error : null
        const [field] = problem?.errors ?? []
        if (field !== undefined) return show(token, 400, `Your ${field.field} ${field.message}.`)
        // Whatever has become of the invitation meanwhile, its page says so.
        if (problem?.code === 'conflict') return show(token, 409, problem.message).catch(problemPage)
        return problemPage(error)
      }
    },
  }
}

function openPage(
  { invitation, isKnownPerson }: ShownInvitation,
  status: number,
  error: string | null,
): Page {
  const { workspace_name: workspace, inviter_name: inviter, role, message, email } = invitation
  return page(
    status,
    `Invitation to ${workspace}`,
    html`${error === null ? [] : html`<p class="error" role="alert">${error}</p>`}
<p>${inviter ?? 'The operator'} invites <strong>${email}</strong> to join the workspace
<strong>${workspace}</strong> as ${role}.</p>
${message === null ? [] : html`<blockquote>${message}</blockquote>`}
<form method="post">
<input type="hidden" name="decision" value="accept">
${isKnownPerson ? [] : nameField}
<button type="submit">Accept</button>
</form>
<form method="post">
<input type="hidden" name="decision" value="decline">
<button type="submit">Decline</button>
</form>
<p>The invitation can be answered until ${new Date(invitation.expires_at).toUTCString()}.</p>`,
  )
}

const nameField: Html = html`<label for="name">Your name</label>
<input id="name" name="name" required maxlength="${maxNameLength}" autocomplete="name">`

const closedPage = (
  { invitation }: ShownInvitation,
  status: 'accepted' | 'declined' | 'revoked' | 'expired',
): Page =>
  page(
    status === 'accepted' ? 200 : 410,
    `This invitation is ${status}`,
    html`<p>It was an invitation to the workspace <strong>${invitation.workspace_name}</strong>.
${status === 'accepted' ? [] : html`Ask whoever sent it for a new one.`}</p>`,
  )

const welcomePage = (workspace: string): Page =>
  page(
    200,
    `Welcome to ${workspace}`,
    html`<p>You are now a member. Ask the workspace's owner or the operator of this server for access.</p>`,
  )

const simulatedPage = (): Page =>
  page(
    200,
    'Invitation accepted',
    html`<p>It was made with a test key, so it is only marked as accepted: nobody has joined the workspace.</p>`,
  )

/** The same page for each link that opens nothing; what is not ours to explain goes on to the server's own page. */
function problemPage(error: unknown): Page {
  if (!(error instanceof ServiceError)) throw error
  if (error.code === 'not_found') {
    return page(
      404,
      'There is no such invitation',
      html`<p>The link is incomplete, or a newer one was sent.</p>`,
    )
  }
  return page(error.statusCode, 'The invitation cannot be answered', html`<p>${error.message}</p>`)
}
