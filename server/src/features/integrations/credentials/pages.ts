/** What a person who connects a service sees of this server: before they go there, and after they come back. */
import type { Connector, OAuth as OAuthTerms } from '@atrium/connectors'
import { html, type Page, page } from '../../../platform/text/html.ts'
import type { ConnectionRow } from '../records/store.ts'
import type { Outcome } from './grants.ts'

export const invalidLink = page(
  400,
  'This link is no longer valid',
  html`<p>It was used already, has expired, or belongs to a connection that is gone. Start the connection again.</p>`,
)

export const otherBrowser = page(
  400,
  'This was begun in another browser',
  html`<p>Nothing was connected. The person who sent you here would have connected your account to a workspace of theirs. If you
began this yourself, open the link of the connection again, in this browser.</p>`,
)

export const brokenPage = page(
  500,
  'Something went wrong',
  html`<p>The connection could not be finished. Start it again in a moment.</p>`,
)

/** What is about to be connected to what, with the button that leads to the service. */
export function startPage(shown: {
  connector: Connector
  terms: OAuthTerms
  row: ConnectionRow
  workspaceName: string
  isReconnect: boolean
  expiresAt: number
  /** Where the person is sent in the end; null if the end is a page of this server. */
  redirectUrl: string | null
}): Page {
  const { connector, terms, row, workspaceName, isReconnect, expiresAt, redirectUrl } = shown
  const { host, origin } = new URL(terms.authorizationUrl)
  return page(
    200,
    `Connect ${connector.name} to ${workspaceName}`,
    html`<p>The workspace <strong>${workspaceName}</strong> ${isReconnect ? 'renews its' : 'asks for a'} connection
<strong>${row.name}</strong> to ${connector.name}. Its members and agents then work there with your account.</p>
${terms.scopes.length === 0 ? [] : html`<p>It asks for these rights:</p><ul>${terms.scopes.map(scope => html`<li>${scope}</li>`)}</ul>`}
<p>You go on at <strong>${host}</strong>, which asks you itself. Only go on if you know this workspace.</p>
<form method="post">
<input type="hidden" name="decision" value="continue">
<button type="submit">Go on to ${connector.name}</button>
</form>
<form method="post">
<input type="hidden" name="decision" value="cancel">
<button type="submit">Cancel</button>
</form>
<p>The link works until ${new Date(expiresAt).toUTCString()}.</p>`,
    // Both forms may lead on to the customer's page: cancelling does, and so does a service that asks nothing.
    redirectUrl === null ? [origin] : [...new Set([origin, new URL(redirectUrl).origin])],
  )
}

/** To the service, with the cookie by which the browser is known when it comes back. */
export const toService = (location: string, setCookie: string): Page => ({
  ...redirection(location),
  headers: { ...redirection(location).headers, 'set-cookie': setCookie },
})

export function endPage(outcome: Outcome, redirectUrl: string | null): Page {
  if (redirectUrl !== null) return redirection(returnUrl(redirectUrl, outcome))
  return outcome.ok ? connectedPage(outcome) : failedPage(outcome)
}

/** For a person who opens the link of a connection that needs nothing more. */
export const doneAlready = (connector: Connector, row: ConnectionRow): Page =>
  page(
    200,
    `${connector.name} needs nothing from you`,
    html`<p>The connection <strong>${row.name}</strong> is ${row.status}. You can close this page.</p>`,
  )

export const problemPage = (status: number, message: string): Page =>
  page(status, 'The connection cannot be started', html`<p class="error" role="alert">${message}</p>`)

const connectedPage = ({ connector, row }: Outcome): Page =>
  page(
    200,
    `${connector.name} is connected`,
    html`<p>The connection <strong>${row.name}</strong> is active. You can close this page.</p>`,
  )

const failedPage = ({ connector, row, message }: Outcome & { ok: false }): Page =>
  page(
    400,
    `${connector.name} was not connected`,
    html`<p>The connection <strong>${row.name}</strong> ${row.status === 'failed' ? 'failed' : `stays ${row.status}`}.</p>
<p class="error" role="alert">${message}</p>
<p>You can close this page and start the connection again.</p>`,
  )

const redirection = (location: string): Page => ({
  status: 303,
  // The address of this page held the service's answer.
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
})

function returnUrl(redirectUrl: string, outcome: Outcome): string {
  const url = new URL(redirectUrl)
  url.searchParams.set('connectionId', outcome.row.id)
  url.searchParams.set('status', outcome.row.status)
  if (!outcome.ok) url.searchParams.set('error', outcome.code)
  return url.href
}
