/** The end of an authorization: the service has sent the person back, and the connection becomes active or failed. */
import type { Connector } from '@atrium/connectors'
import type { Platform } from '../../../platform/platform.ts'
import type { Page } from '../../../platform/text/html.ts'
import { type OAuthStateRow, takeOAuthState } from '../records/authorizations-store.ts'
import { findConnection } from '../records/store.ts'
import type { Vault } from '../records/vault.ts'
import type { OAuthClients, TermsOf } from './clients-service.ts'
import { browserHash } from './connect-page.ts'
import type { Ended, Grants, Outcome } from './grants.ts'
import type { OAuth } from './oauth.ts'
import { brokenPage, endPage, invalidLink, otherBrowser } from './pages.ts'

/** `query` is what the service appended to the callback's address. Never throws: each end is a page or a redirect. */
export type HandleCallback = (query: URLSearchParams, cookie: string | undefined) => Promise<Page>

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
