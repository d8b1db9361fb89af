/** The page of an invitation's link: shows the inviter and the workspace, and takes the answer. Needs no scripts. */
import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { type Html, html, type Page, page } from '../../../platform/text/html.ts'
import { maxNameLength } from '../records/invitations-schemas.ts'
import type { AcceptanceService, ShownInvitation } from './acceptance-service.ts'
import { statusOf } from './invitations-service.ts'

/** The fields of the page's forms, as the browser sends them. */
type InvitationForm = { decision?: string; name?: string; password?: string }

/** The visitor of the page, as far as the request identifies them. */
type InvitationVisitor = {
  requestId: string
  address: string | null
  cookie: string | undefined
  userAgent: string | undefined
}

/** The feature that knows how people sign in hands this in. */
type InvitationAccounts = {
  /** The address of the person who is signed in. */
  signedInAs(cookie: string | undefined): Promise<string | null>
  hasAccount(userId: string): Promise<boolean>
  /** Checks and hashes a password for this address; throws a 400 for `password`. */
  prepare(password: string, email: string, clientAddress: string | null): Promise<string>
  /** Sets the password of a person without an account and signs them in; returns the cookie. */
  open(tx: Tx, userId: string, passwordHash: string, visitor: InvitationVisitor): Promise<string>
}

/** How the visitor can accept. */
type Door =
  /** Just accept: the address is theirs, or no person joins. */
  | { kind: 'open'; asksName: boolean }
  | { kind: 'new'; asksName: boolean }
  | { kind: 'sign-in' }
  | { kind: 'other'; email: string }
  | { kind: 'no-password' }

export function createInvitationPages(dependencies: {
  acceptance: AcceptanceService
  accounts: InvitationAccounts
  clock: Clock
}) {
  const { acceptance, accounts, clock } = dependencies

  const doorOf = async (
    { invitation, personId }: ShownInvitation,
    visitor: InvitationVisitor,
  ): Promise<Door> => {
    if (invitation.environment === 'test') return { kind: 'open', asksName: personId === null }
    const signedInAs = await accounts.signedInAs(visitor.cookie)
    if (signedInAs === invitation.email) return { kind: 'open', asksName: false }
    if (signedInAs !== null) return { kind: 'other', email: signedInAs }
    if (personId === null) return { kind: 'new', asksName: true }
    if (await accounts.hasAccount(personId)) return { kind: 'sign-in' }
    // The inviter has seen a link that was not mailed. The link must not give the inviter another person's account.
    return invitation.delivery === 'link' ? { kind: 'no-password' } : { kind: 'new', asksName: false }
  }

  const show = async (
    token: string,
    visitor: InvitationVisitor,
    status = 200,
    error: string | null = null,
  ) => {
    const shown = await acceptance.show(token)
    const current = statusOf(shown.invitation, clock())
    if (current !== 'pending') return closedPage(shown, current)
    return openPage(token, shown, await doorOf(shown, visitor), status, error)
  }

  const accept = async (token: string, form: InvitationForm, visitor: InvitationVisitor): Promise<Page> => {
    const { requestId, address } = visitor
    const shown = await acceptance.show(token)
    if (statusOf(shown.invitation, clock()) !== 'pending') return show(token, visitor)
    const door = await doorOf(shown, visitor)
    if (door.kind === 'open') {
      const { memberId } = await acceptance.acceptAsGuest(token, form.name, { requestId, address })
      return memberId === null ? simulatedPage() : toConsole()
    }
    if (door.kind !== 'new') return openPage(token, shown, door, 403, null)
    const hash = await accounts.prepare(form.password ?? '', shown.invitation.email, address)
    let cookie = ''
    await acceptance.acceptAsGuest(token, form.name, { requestId, address }, async (tx, userId) => {
      cookie = await accounts.open(tx, userId, hash, visitor)
    })
    return toConsole(cookie)
  }

  return {
    show: (token: string, visitor: InvitationVisitor): Promise<Page> =>
      show(token, visitor).catch(problemPage),
    async answer(token: string, form: InvitationForm, visitor: InvitationVisitor): Promise<Page> {
      try {
        if (form.decision === 'decline') {
          const { requestId, address } = visitor
          await acceptance.declineAsGuest(token, { requestId, address })
          return page(200, 'Invitation declined', html`<p>You can close this page.</p>`)
        }
        if (form.decision !== 'accept') return await show(token, visitor, 400, 'Please accept or decline.')
        return await accept(token, form, visitor)
      } catch (error) {
        const problem = error instanceof ServiceError ? error : null
        const [field] = problem?.errors ?? []
        if (field !== undefined) return show(token, visitor, 400, `Your ${field.field} ${field.message}.`)
        // The page shows the invitation's new state.
        if (problem?.statusCode === 409) {
          return show(token, visitor, 409, problem.message).catch(problemPage)
        }
        return problemPage(error)
      }
    },
  }
}

function openPage(
  token: string,
  { invitation }: ShownInvitation,
  door: Door,
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
${answerOf(token, door)}
<p>The invitation can be answered until ${new Date(invitation.expires_at).toUTCString()}.</p>`,
  )
}

function answerOf(token: string, door: Door): Html {
  switch (door.kind) {
    case 'open':
      return html`${form('accept', 'Accept', door.asksName ? nameField : [])}${declineForm}`
    case 'new':
      return html`${form('accept', 'Accept', [...(door.asksName ? [nameField] : []), passwordField])}${declineForm}`
    case 'sign-in':
      return html`<p>This address has an account here. <a href="/sign-in?next=${encodeURIComponent(`/invitations/${token}`)}">Sign in</a>
with it to accept.</p>${declineForm}`
    case 'other':
      return html`<p role="alert">You are signed in as <strong>${door.email}</strong>, and the invitation is for somebody
else. Sign out in the <a href="/">console</a> first, or open the link in another browser.</p>`
    case 'no-password':
      return html`<p>This address has no password here yet. Ask the operator of this server for a link to choose one, sign
in, and open this page again.</p>${declineForm}`
  }
}

const form = (decision: string, button: string, fields: Html | Html[]): Html => html`<form method="post">
<input type="hidden" name="decision" value="${decision}">
${fields}
<button type="submit">${button}</button>
</form>
`

const declineForm: Html = form('decline', 'Decline', [])

const nameField: Html = html`<label for="name">Your name</label>
<input id="name" name="name" required maxlength="${maxNameLength}" autocomplete="name">`

const passwordField: Html = html`<label for="password">A password for your account here, of at least 10 characters</label>
<input id="password" name="password" type="password" required minlength="10" maxlength="128" autocomplete="new-password">`

const closedPage = (
  { invitation }: ShownInvitation,
  status: 'accepted' | 'declined' | 'revoked' | 'expired',
): Page =>
  page(
    status === 'accepted' ? 200 : 410,
    `This invitation is ${status}`,
    html`<p>It was an invitation to the workspace <strong>${invitation.workspace_name}</strong>.
${status === 'accepted' ? html`It is yours in the <a href="/">console</a>.` : html`Ask the sender for a new one.`}</p>`,
  )

/** Sends the new member to the console, signed in. */
function toConsole(cookie?: string): Page {
  const { headers, body } = page(303, 'Welcome', html`<p>Go on in the <a href="/">console</a>.</p>`)
  const more: Record<string, string> = cookie === undefined ? {} : { 'set-cookie': cookie }
  return { status: 303, headers: { ...headers, ...more, location: '/' }, body }
}

const simulatedPage = (): Page =>
  page(
    200,
    'Invitation accepted',
    html`<p>It was made with a test key, so it is only marked as accepted: no person has joined the workspace.</p>`,
  )

/** The same page for every unknown link; unexpected errors go on to the server's own page. */
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
