/**
 * Begins an authorization: by an address at the service, by a page of this server that leads there, or by a code for
 * another device.
 */
import type { Connector, OAuth as OAuthTerms } from '@atrium/connectors'
import type { Scope } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import { randomToken } from '../../../platform/crypto/tokens.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import {
  deleteAuthorizations,
  deleteExpiredAuthorizations,
  deletePageStates,
  insertConnectLink,
  insertDevice,
  insertOAuthState,
} from '../records/authorizations-store.ts'
import type { Vault } from '../records/vault.ts'
import type { OAuthClients, OAuthConnection } from './clients-service.ts'
import { deviceJob } from './device.ts'
import { newVerifier, type OAuth } from './oauth.ts'
import type { OAuthClient } from './oauth-result.ts'

/** What a person needs to authorize a connection. */
export type ShownAuthorization =
  | { authorizationUrl: string; connectUrl: string }
  | { userCode: string; verificationUrl: string }

export type Begun = {
  shown: ShownAuthorization
  expiresAt: number
  /**
   * Writes the authorization in the transaction that writes the connection. Earlier authorizations of the connection
   * end.
   */
  insert(tx: Tx): Promise<void>
}

type Wish = {
  connection: OAuthConnection
  flow: 'browser' | 'device'
  redirectUrl: string | null
  isReconnect: boolean
}

export type Authorizations = ReturnType<typeof createAuthorizations>

/** How long a person may take to grant access. */
const authorizationMs = 10 * minuteMs
/** A device's code is not waited for longer than this, even if the service allows more. */
const longestDeviceMs = 30 * minuteMs

export function createAuthorizations(
  dependencies: Pick<Platform, 'clock' | 'keyring' | 'jobs' | 'publicUrl'> & {
    vault: Vault
    oauth: OAuth
    clients: OAuthClients
  },
) {
  const { clock, keyring, jobs, vault, oauth, clients, publicUrl } = dependencies

  const requireClient = async (
    scope: Scope,
    connector: Connector,
    connection: OAuthConnection,
  ): Promise<OAuthClient> => {
    const client = await clients.of(scope, connection)
    if (client === null) throw notConfigured(connector)
    return client
  }

  const beginBrowser = async (
    scope: Scope,
    terms: OAuthTerms,
    client: OAuthClient,
    wish: Wish,
  ): Promise<Begun> => {
    const { connection, redirectUrl, isReconnect } = wish
    const expiresAt = clock() + authorizationMs
    const token = randomToken(32)
    const state = await beginState(dependencies, scope, terms, client, {
      ...wish,
      browserHash: null,
      expiresAt,
    })
    return {
      shown: { authorizationUrl: state.url, connectUrl: `${publicUrl()}/connect/${token}` },
      expiresAt,
      async insert(tx) {
        await state.insert(tx)
        await insertConnectLink(scope, tx, {
          token_hash: keyring.keyedHash('token', token),
          connection_id: connection.id,
          workspace_id: scope.workspaceId,
          environment: scope.environment,
          redirect_url: redirectUrl,
          is_reconnect: isReconnect ? 1 : 0,
          expires_at: expiresAt,
          created_at: clock(),
        })
      },
    }
  }

  const beginDevice = async (
    scope: Scope,
    connector: Connector,
    terms: OAuthTerms,
    client: OAuthClient,
    { connection: { id: connectionId }, isReconnect }: Wish,
  ): Promise<Begun> => {
    const started = await oauth.startDevice(scope, terms, client)
    if (!started.ok) throw cannotStart(connector, started.code)
    const { deviceCode, userCode, verificationUrl, intervalSeconds } = started
    const expiresAt = clock() + Math.min(started.expiresInSeconds * secondMs, longestDeviceMs)
    const sealedCode = await vault.sealDeviceCode(scope, connectionId, deviceCode)
    return {
      shown: { userCode, verificationUrl },
      expiresAt,
      async insert(tx) {
        await insertDevice(scope, tx, {
          connection_id: connectionId,
          workspace_id: scope.workspaceId,
          environment: scope.environment,
          device_code: sealedCode,
          client_id: client.id,
          interval_seconds: intervalSeconds,
          is_reconnect: isReconnect ? 1 : 0,
          expires_at: expiresAt,
          created_at: clock(),
        })
        await jobs.enqueue(tx, deviceJob(scope, connectionId, intervalSeconds))
      },
    }
  }

  return {
    /**
     * Throws `integration_not_configured` without a client, `integration_unreachable` if a device flow cannot begin.
     */
    async begin(scope: Scope, connector: Connector, terms: OAuthTerms, wish: Wish): Promise<Begun> {
      const client = await requireClient(scope, connector, wish.connection)
      const begun =
        wish.flow === 'device'
          ? await beginDevice(scope, connector, terms, client, wish)
          : await beginBrowser(scope, terms, client, wish)
      return {
        ...begun,
        async insert(tx) {
          await deleteExpiredAuthorizations(tx, clock())
          await deleteAuthorizations(scope, tx, wish.connection.id)
          await begun.insert(tx)
        },
      }
    },
    /** Leads the person at this server's page to the service. The answer has to come from the same browser. */
    async beginAt(
      scope: Scope,
      connector: Connector,
      terms: OAuthTerms,
      page: Omit<Wish, 'flow'> & { browserHash: string; expiresAt: number },
    ): Promise<BegunState> {
      const client = await requireClient(scope, connector, page.connection)
      const state = await beginState(dependencies, scope, terms, client, page)
      return {
        url: state.url,
        async insert(tx) {
          await deletePageStates(scope, tx, page.connection.id)
          await state.insert(tx)
        },
      }
    },
  }
}

type StateParts = Pick<Platform, 'clock' | 'keyring'> & {
  vault: Vault
  oauth: OAuth
}
type BegunState = { url: string; insert(tx: Tx): Promise<void> }

async function beginState(
  { clock, keyring, vault, oauth }: StateParts,
  scope: Scope,
  terms: OAuthTerms,
  client: OAuthClient,
  state: Omit<Wish, 'flow'> & { browserHash: string | null; expiresAt: number },
): Promise<BegunState> {
  const text = randomToken(32)
  const verifier = newVerifier()
  const url = await oauth.authorizationUrl(scope, terms, client, { state: text, verifier })
  const sealedVerifier = await vault.sealVerifier(scope, state.connection.id, verifier)
  return {
    url,
    insert: tx =>
      insertOAuthState(scope, tx, {
        state_hash: keyring.keyedHash('token', text),
        connection_id: state.connection.id,
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        code_verifier: sealedVerifier,
        redirect_url: state.redirectUrl,
        browser_hash: state.browserHash,
        client_id: client.id,
        is_reconnect: state.isReconnect ? 1 : 0,
        expires_at: state.expiresAt,
        created_at: clock(),
      }),
  }
}

const notConfigured = (connector: Connector): ServiceError =>
  new ServiceError(
    'integration_not_configured',
    `There is no OAuth client for ${connector.name}: the operator sets one for the server, or an admin one for the workspace by PUT /oauth-clients/${connector.id}`,
    { details: { integrationId: connector.id } },
  )

const cannotStart = (connector: Connector, code: string): ServiceError =>
  new ServiceError('integration_unreachable', `${connector.name} gave no code for a device: ${code}`, {
    headers: { 'retry-after': '30' },
  })
