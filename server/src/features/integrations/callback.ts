/** The end of an authorization: the service has sent the person back, and the connection becomes active or failed. */
import { type Scope, systemCaller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../platform/database/json.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import { html, type Page, page } from '../../platform/html.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { recordConnectionEvent } from './connection-outbox.ts'
import { expiryOf } from './keeper.ts'
import type { Account, Manifest, OAuthTerms } from './manifest.ts'
import type { OAuth, OAuthClient, Tokens } from './oauth.ts'
import { probe } from './probe.ts'
import {
  type ConnectionChange,
  type ConnectionRow,
  changeConnection,
  findConnection,
  type OAuthStateRow,
  takeOAuthState,
} from './store.ts'
import type { Credentials, Vault } from './vault.ts'

/** `query` is what the service appended to the callback's address. Never throws: each end is a page or a redirect. */
export type HandleCallback = (query: URLSearchParams) => Promise<Page>

type Outcome =
  | { ok: true; manifest: Manifest; row: ConnectionRow }
  | { ok: false; manifest: Manifest; row: ConnectionRow; code: string; message: string }

const maxStateLength = 200

export function createCallback(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  outbox: Outbox
  keyring: Keyring
  safeFetch: SafeFetch
  vault: Vault
  oauth: OAuth
  log: Log
  manifestOf: (integrationId: string) => Manifest | null
  clientOf: (integrationId: string) => OAuthClient | null
}): HandleCallback {
  const { database, clock, newId, audit, outbox, keyring, safeFetch } = dependencies
  const { vault, oauth, log, manifestOf, clientOf } = dependencies

  /** The authorization that the answer belongs to; a state works once, and not after its time. */
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
    const manifest = row === undefined ? null : manifestOf(row.integration_id)
    if (row?.status !== 'pending' || manifest?.auth.kind !== 'oauth2') return null
    const client = clientOf(manifest.id)
    if (client === null) return await fail(scope, manifest, row, notConfigured)
    const request = {
      state: query.get('state') ?? '',
      verifier: await vault.openVerifier(scope, row.id, taken.code_verifier),
    }
    const result = await oauth.exchange(manifest.auth, client, query, request)
    if (!result.ok) return await fail(scope, manifest, row, result)
    const { tokens } = result
    const credentials: Credentials = {
      kind: 'oauth2',
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
    }
    const probed = await probe(safeFetch, manifest, decodeJson(row.config), credentials)
    if (probed.kind !== 'ok') {
      await giveBack(manifest.auth, client, tokens)
      return await fail(scope, manifest, row, probed)
    }
    const active = await activate(scope, row, manifest.auth, { tokens, credentials, account: probed.account })
    if (active !== undefined) return { ok: true, manifest, row: active }
    // It was disconnected while the person was away.
    await giveBack(manifest.auth, client, tokens)
    return null
  }

  const activate = async (
    scope: Scope,
    row: ConnectionRow,
    terms: OAuthTerms,
    granted: { tokens: Tokens; credentials: Credentials; account: Account },
  ): Promise<ConnectionRow | undefined> => {
    const sealed = await vault.seal(scope, row.id, granted.credentials)
    const nowMs = clock()
    return await end(scope, row, {
      status: 'active',
      account: encodeJson(granted.account),
      scopes: encodeJson(granted.tokens.scopes ?? [...terms.scopes]),
      credentials: sealed,
      credentials_expire_at: expiryOf(granted.tokens.expiresInSeconds, nowMs),
    })
  }

  const fail = async (
    scope: Scope,
    manifest: Manifest,
    row: ConnectionRow,
    { code, message }: { code: string; message: string },
  ): Promise<Outcome | null> => {
    const error = encodeJson({ code, message, at: clock() })
    const failed = await end(scope, row, { status: 'failed', last_error: error }, code)
    return failed === undefined ? null : { ok: false, manifest, row: failed, code, message }
  }

  const end = (
    scope: Scope,
    row: ConnectionRow,
    change: ConnectionChange & { status: 'active' | 'failed' },
    errorCode?: string,
  ): Promise<ConnectionRow | undefined> =>
    database.write(async tx => {
      const { status } = change
      const dated = { ...change, updated_at: clock() }
      const ended = await changeConnection(scope, tx, row.id, { status: 'pending' }, dated)
      if (ended !== undefined) {
        const caller = systemCaller(scope, newId('request'), row.created_by)
        await audit.record(tx, caller, {
          action: 'integration.authorize',
          resourceId: row.id,
          details: { integrationId: row.integration_id, status: ended.status },
        })
        await recordConnectionEvent(tx, outbox, caller, row, {
          ...{ status, at: clock() },
          ...(errorCode !== undefined && { errorCode }),
        })
      }
      return ended
    })

  /** A grant that nothing will use is ended at the service, as far as that works. */
  const giveBack = async (terms: OAuthTerms, client: OAuthClient, tokens: Tokens): Promise<void> => {
    try {
      await oauth.revoke(terms, client, tokens)
    } catch (error) {
      log.warn('A grant that is not used could not be revoked', { error })
    }
  }

  return async query => {
    try {
      const taken = await take(query)
      const outcome = taken === null ? null : await finish(query, taken)
      if (taken === null || outcome === null) return invalidLink
      if (taken.redirect_url !== null) return redirection(returnUrl(taken.redirect_url, outcome))
      return outcome.ok ? connectedPage(outcome) : failedPage(outcome)
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

const invalidLink = page(
  400,
  'This link is no longer valid',
  html`<p>It was used already, has expired, or belongs to a connection that is gone. Start the connection again.</p>`,
)

const brokenPage = page(
  500,
  'Something went wrong',
  html`<p>The connection could not be finished. Start it again in a moment.</p>`,
)

const connectedPage = ({ manifest, row }: Outcome): Page =>
  page(
    200,
    `${manifest.name} is connected`,
    html`<p>The connection <strong>${row.name}</strong> is active. You can close this page.</p>`,
  )

const failedPage = ({ manifest, row, message }: Outcome & { ok: false }): Page =>
  page(
    400,
    `${manifest.name} was not connected`,
    html`<p>The connection <strong>${row.name}</strong> failed.</p>
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
