/** The page behind a connection's own link: says what will be connected to what, and sends the person to the service. */
import type { Connector, OAuth as OAuthTerms } from '@atrium/connectors'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import { randomToken } from '../../../platform/crypto/tokens.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Page } from '../../../platform/text/html.ts'
import {
  type ConnectLinkRow,
  deleteAuthorizations,
  findConnectLink,
} from '../records/authorizations-store.ts'
import { findConnection } from '../records/store.ts'
import type { Authorizations } from './authorizations.ts'
import type { TermsOf } from './clients-service.ts'
import type { Ended, Grants } from './grants.ts'
import { brokenPage, doneAlready, endPage, invalidLink, problemPage, startPage, toService } from './pages.ts'

const valuePattern = /^[0-9A-Za-z]{43}$/
/** A little longer than an authorization can take. */
const maxAgeSeconds = 900

/** Known by its hash alone; null if the request has no such cookie. */
export function browserHash(
  keyring: Keyring,
  cookieHeader: string | undefined,
  publicUrl: string,
): string | null {
  const value = valueIn(cookieHeader, cookieName(publicUrl))
  return value === null ? null : hashOf(keyring, value)
}

/** The same browser keeps its cookie, so that several authorizations can be in progress in it. */
function browserCookie(
  keyring: Keyring,
  cookieHeader: string | undefined,
  publicUrl: string,
): { hash: string; setCookie: string } {
  const value = valueIn(cookieHeader, cookieName(publicUrl)) ?? randomToken(32)
  const setCookie = [
    `${cookieName(publicUrl)}=${value}`,
    // The page that sets it, and the callback that reads it.
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    // It has to come along when the service sends the browser back.
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
  return { hash: hashOf(keyring, value), setCookie }
}

/** One that travels over TLS only carries that in its name, so that no other host can plant it. */
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
