/**
 * The pages for a person who connects a service: what will be connected, the way to the service, and the way back.
 */
import type { Connector, OAuth as OAuthTerms } from '@atrium/connectors'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import { randomToken } from '../../../platform/crypto/tokens.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { html, type Page, page } from '../../../platform/text/html.ts'
import {
  type ConnectLinkRow,
  deleteAuthorizations,
  findConnectLink,
  type OAuthStateRow,
  takeOAuthState,
} from '../records/authorizations-store.ts'
import { type ConnectionRow, findConnection } from '../records/store.ts'
import type { Vault } from '../records/vault.ts'
import type { Authorizations } from './authorizations.ts'
import type { OAuthClients, TermsOf } from './clients-service.ts'
import type { Ended, Grants, Outcome } from './grants.ts'
import type { OAuth } from './oauth.ts'

const valuePattern = /^[0-9A-Za-z]{43}$/
/** A little longer than an authorization can take. */
const maxAgeSeconds = 900

/** The hash of the browser's cookie, whose value is not stored. Null if the request has no such cookie. */
function browserHash(keyring: Keyring, cookieHeader: string | undefined, publicUrl: string): string | null {
  const value = valueIn(cookieHeader, cookieName(publicUrl))
  return value === null ? null : hashOf(keyring, value)
}

/** A browser keeps its cookie, so that several authorizations can be in progress in it. */
function browserCookie(
  keyring: Keyring,
  cookieHeader: string | undefined,
  publicUrl: string,
): { hash: string; setCookie: string } {
  const value = valueIn(cookieHeader, cookieName(publicUrl)) ?? randomToken(32)
  const setCookie = [
    `${cookieName(publicUrl)}=${value}`,
    // The path covers the page that sets the cookie and the callback that reads it.
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    // The cookie has to come along when the service sends the browser back.
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
  return { hash: hashOf(keyring, value), setCookie }
}

/** A cookie that travels only over TLS says so in its name, so that no other host can plant it. */
const cookieName = (publicUrl: string): string =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}atrium.connect`

function valueIn(cookieHeader: string | undefined, wanted: string): string | null {
  for (const pair of cookieHeader?.split(';') ?? []) {
    const [name, value = ''] = pair.trim().split('=', 2)
    if (name === wanted && valuePattern.test(value)) return value
  }
  return null
}

const hashOf = (keyring: Keyring, value: string): string => keyring.keyedHash('token', `connect|${value}`)

type Opened = Ended & { link: ConnectLinkRow; terms: OAuthTerms }

const maxTokenLength = 200

/** Its pages never throw: each end is a page or a redirect. */
export function createConnectPages(
  dependencies: Pick<Platform, 'database' | 'clock' | 'keyring' | 'log' | 'publicUrl'> & {
    authorizations: Authorizations
    grants: Grants
    connectorOf: (integrationId: string) => Connector | null
    termsOf: TermsOf
    workspaceName: (workspaceId: string) => Promise<string>
  },
) {
  const { database, clock, keyring, log, authorizations, grants } = dependencies
  const { connectorOf, termsOf, workspaceName, publicUrl } = dependencies

  const open = async (token: string): Promise<Opened | null> => {
    if (token.length > maxTokenLength) return null
    const link = await findConnectLink(database.read, keyring.keyedHash('token', token))
    if (link === undefined || link.expires_at <= clock()) return null
    const scope = { workspaceId: link.workspace_id, environment: link.environment }
    const row = await findConnection(scope, database.read, link.connection_id)
    const connector = row === undefined ? null : connectorOf(row.integration_id)
    const terms = row === undefined ? null : termsOf(row)
    if (row === undefined || connector === null || terms === null) return null
    return { scope, link, row, connector, terms, isReconnect: link.is_reconnect === 1 }
  }

  const isDone = ({ isReconnect, row }: Opened): boolean => !isReconnect && row.status !== 'pending'

  const goOn = async (opened: Opened, cookie: string | undefined): Promise<Page> => {
    const { scope, connector, terms, row, link, isReconnect } = opened
    const { hash, setCookie } = browserCookie(keyring, cookie, publicUrl())
    const { url, insert } = await authorizations.beginAt(scope, connector, terms, {
      connection: row,
      redirectUrl: link.redirect_url,
      isReconnect,
      browserHash: hash,
      expiresAt: link.expires_at,
    })
    await database.write(insert)
    return toService(url, setCookie)
  }

  const cancel = async (opened: Opened): Promise<Page> => {
    const outcome = await grants.fail(opened, cancelled)
    if (outcome === null) return invalidLink
    await database.write(tx => deleteAuthorizations(opened.scope, tx, opened.row.id))
    return endPage(outcome, opened.link.redirect_url)
  }

  const explained = async (work: () => Promise<Page>): Promise<Page> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ServiceError && error.statusCode < 500) {
        return problemPage(error.statusCode, error.message)
      }
      log.error('The page of a connection could not be shown', { error })
      return brokenPage
    }
  }

  return {
    show: (token: string): Promise<Page> =>
      explained(async () => {
        const opened = await open(token)
        if (opened === null) return invalidLink
        if (isDone(opened)) return doneAlready(opened.connector, opened.row)
        const name = await workspaceName(opened.scope.workspaceId)
        const { expires_at: expiresAt, redirect_url: redirectUrl } = opened.link
        return startPage({ ...opened, workspaceName: name, expiresAt, redirectUrl })
      }),
    /** `form.decision` is `continue` or `cancel`. */
    answer: (
      token: string,
      { decision }: Record<string, string>,
      cookie: string | undefined,
    ): Promise<Page> =>
      explained(async () => {
        const opened = await open(token)
        if (opened === null) return invalidLink
        if (isDone(opened)) return doneAlready(opened.connector, opened.row)
        if (decision === 'cancel') return await cancel(opened)
        if (decision === 'continue') return await goOn(opened, cookie)
        return problemPage(400, 'Please go on or cancel.')
      }),
  }
}

const cancelled = { code: 'cancelled', message: 'It was cancelled before the service was asked' }

// The end of an authorization: the service has sent the person back, and the connection becomes active or failed.

/** `query` is what the service appended to the callback's address. Never throws: each end is a page or a redirect. */
type HandleCallback = (query: URLSearchParams, cookie: string | undefined) => Promise<Page>

const maxStateLength = 200

export function createCallback(
  dependencies: Pick<Platform, 'database' | 'clock' | 'keyring' | 'log' | 'publicUrl'> & {
    vault: Vault
    oauth: OAuth
    clients: OAuthClients
    grants: Grants
    connectorOf: (integrationId: string) => Connector | null
    termsOf: TermsOf
  },
): HandleCallback {
  const { database, clock, keyring, vault, oauth, log, clients, grants, connectorOf, termsOf, publicUrl } =
    dependencies

  /** The authorization that the answer belongs to. A state works once, and only until it expires. */
  const take = async (query: URLSearchParams): Promise<OAuthStateRow | null> => {
    const [state = '', ...more] = query.getAll('state')
    if (state === '' || state.length > maxStateLength || more.length > 0) return null
    const hash = keyring.keyedHash('token', state)
    const taken = await database.write(tx => takeOAuthState(tx, hash))
    return taken === undefined || taken.expires_at <= clock() ? null : taken
  }

  const finish = async (query: URLSearchParams, taken: OAuthStateRow): Promise<Outcome | null> => {
    const scope = { workspaceId: taken.workspace_id, environment: taken.environment }
    const row = await findConnection(scope, database.read, taken.connection_id)
    const connector = row === undefined ? null : connectorOf(row.integration_id)
    const terms = row === undefined ? null : termsOf(row)
    if (row === undefined || connector === null || terms === null) return null
    const isReconnect = taken.is_reconnect === 1
    if (!isReconnect && row.status !== 'pending') return null
    const ended: Ended = { scope, connector, row, isReconnect }
    const client = await clients.of(scope, row, { clientId: taken.client_id })
    if (client === null) return await grants.fail(ended, notConfigured)
    const request = {
      state: query.get('state') ?? '',
      verifier: await vault.openVerifier(scope, row.id, taken.code_verifier),
    }
    const result = await oauth.exchange(scope, terms, client, query, request)
    if (!result.ok) return await grants.fail(ended, result)
    return await grants.accept(ended, terms, client, result.tokens)
  }

  return async (query, cookie) => {
    try {
      const taken = await take(query)
      if (taken === null) return invalidLink
      if (taken.browser_hash !== null && taken.browser_hash !== browserHash(keyring, cookie, publicUrl())) {
        return otherBrowser
      }
      const outcome = await finish(query, taken)
      return outcome === null ? invalidLink : endPage(outcome, taken.redirect_url)
    } catch (error) {
      log.error('An authorization could not be finished', { error })
      return brokenPage
    }
  }
}

const notConfigured = {
  code: 'integration_not_configured',
  message: 'The OAuth client of this integration is not set up any more',
}

// What a person who connects a service sees of this server: before they go there, and after they come back.

const invalidLink = page(
  400,
  'This link is no longer valid',
  html`<p>It was used already, has expired, or belongs to a connection that is gone. Start the connection again.</p>`,
)

const otherBrowser = page(
  400,
  'This was begun in another browser',
  html`<p>Nothing was connected. The person who sent you here would have connected your account to a workspace of theirs. If you
began this yourself, open the link of the connection again, in this browser.</p>`,
)

const brokenPage = page(
  500,
  'Something went wrong',
  html`<p>The connection could not be finished. Start it again in a moment.</p>`,
)

/** What is about to be connected to what, with the button that leads to the service. */
function startPage(shown: {
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

/** Sends the browser to the service, with a cookie that identifies the browser when it comes back. */
const toService = (location: string, setCookie: string): Page => ({
  ...redirection(location),
  headers: { ...redirection(location).headers, 'set-cookie': setCookie },
})

function endPage(outcome: Outcome, redirectUrl: string | null): Page {
  if (redirectUrl !== null) return redirection(returnUrl(redirectUrl, outcome))
  return outcome.ok ? connectedPage(outcome) : failedPage(outcome)
}

/** For a person who opens the link of a connection that needs nothing more. */
const doneAlready = (connector: Connector, row: ConnectionRow): Page =>
  page(
    200,
    `${connector.name} needs nothing from you`,
    html`<p>The connection <strong>${row.name}</strong> is ${row.status}. You can close this page.</p>`,
  )

const problemPage = (status: number, message: string): Page =>
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
  // The address of this page holds the service's answer, so no referrer may pass it on.
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
