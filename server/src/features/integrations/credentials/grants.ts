/** Ends an authorization: tokens are tried and make the connection active, or a refusal ends it. */

import type { Account, Connector, OAuth as OAuthTerms } from '@atrium/connectors'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Scope, systemCaller } from '../../../platform/caller.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { deleteAuthorizations } from '../records/authorizations-store.ts'
import { withDefaults } from '../records/config-check.ts'
import { recordConnectionEvent } from '../records/connection-outbox.ts'
import { type ConnectionChange, type ConnectionRow, changeConnection } from '../records/store.ts'
import type { Credentials, Vault } from '../records/vault.ts'
import { expiryOf } from './keeper.ts'
import type { OAuth } from './oauth.ts'
import type { OAuthClient, Tokens } from './oauth-result.ts'
import type { TryCredentials } from './trial.ts'

export type Outcome =
  | { ok: true; connector: Connector; row: ConnectionRow }
  | { ok: false; connector: Connector; row: ConnectionRow; code: string; message: string }

/** An authorization that came to its end. */
export type Ended = {
  scope: Scope
  connector: Connector
  row: ConnectionRow
  /** True if the connection was active before. It then stays as it is unless the new credentials work. */
  isReconnect: boolean
}

export type Grants = {
  /** Keeps tokens that work. Null if the connection is gone, or was authorized in another way meanwhile. */
  accept(ended: Ended, terms: OAuthTerms, client: OAuthClient, tokens: Tokens): Promise<Outcome | null>
  /** Null if the connection is gone, or was authorized in another way meanwhile. */
  fail(ended: Ended, error: { code: string; message: string }): Promise<Outcome | null>
}

export function createGrants(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId' | 'log'> & {
    audit: AuditService
    outbox: Outbox
    vault: Vault
    oauth: OAuth
    tryCredentials: TryCredentials
    /** Reads what else is to be known of a connection that works now. Never throws. */
    onActive: (scope: Scope, row: ConnectionRow) => Promise<void>
  },
): Grants {
  const { database, clock, newId, audit, outbox, vault, oauth, tryCredentials, log, onActive } = dependencies

  const end = (
    { scope, row, isReconnect }: Ended,
    change: ConnectionChange,
    told: { status: 'active' | 'failed'; errorCode?: string },
  ): Promise<ConnectionRow | undefined> =>
    database.write(async tx => {
      // Credentials belong to the origins where they were tried.
      const expected = withoutUndefined<{ status?: 'pending'; config?: string }>({
        status: isReconnect ? undefined : 'pending',
        config: told.status === 'active' ? row.config : undefined,
      })
      const changed = await changeConnection(scope, tx, row.id, expected, { ...change, updated_at: clock() })
      if (changed === undefined) return undefined
      // Other authorizations of the connection are of no use any more.
      if (told.status === 'active') await deleteAuthorizations(scope, tx, row.id)
      const caller = systemCaller(scope, newId('request'), row.created_by)
      await audit.record(tx, caller, {
        action: 'integration.authorize',
        resourceId: row.id,
        details: { integrationId: row.integration_id, ...told },
      })
      // A connection that was active and still is active causes no event.
      if (!isReconnect || (told.status === 'active' && row.status !== 'active')) {
        await recordConnectionEvent(tx, outbox, caller, row, { ...told, at: clock() })
      }
      return changed
    })

  const activate = async (
    ended: Ended,
    terms: OAuthTerms,
    granted: { tokens: Tokens; credentials: Credentials; account: Account },
  ): Promise<ConnectionRow | undefined> => {
    const { tokens, credentials, account } = granted
    const change: ConnectionChange = {
      status: 'active',
      account: encodeJson(account),
      scopes: encodeJson(tokens.scopes ?? [...terms.scopes]),
      credentials: await vault.seal(ended.scope, ended.row.id, credentials),
      credentials_expire_at: expiryOf(tokens.expiresInSeconds, clock()),
      last_error: null,
      refresh_lease_until: null,
      ...forAnother(ended.row, account),
      ...withoutEarlier(ended.row),
    }
    return await end(ended, change, { status: 'active' })
  }

  const fail: Grants['fail'] = async (ended, { code, message }) => {
    const { connector, row, isReconnect } = ended
    const last_error = encodeJson({ code, message, at: clock() })
    // A person who did not go on causes no error on a connection that works.
    const noted = row.status === 'active' ? {} : { last_error }
    const change = isReconnect ? noted : ({ status: 'failed', last_error } as const)
    const failed = await end(ended, change, { status: 'failed', errorCode: code })
    return failed === undefined ? null : { ok: false, connector, row: failed, code, message }
  }

  /** Ends a grant that nothing will use at the service. A failure is only logged. */
  const giveBack = async (
    scope: Scope,
    terms: OAuthTerms,
    client: OAuthClient,
    tokens: { accessToken: string; refreshToken: string | null },
  ): Promise<void> => {
    try {
      await oauth.revoke(scope, terms, client, tokens)
    } catch (error) {
      log.warn('A grant that is not used could not be revoked', { error })
    }
  }

  /**
   * Ends the grant that a reconnection replaces, if the grant is of another account. Some services end all grants of
   * a person together with one of them.
   */
  const giveBackReplaced = async (
    { scope, row }: Ended,
    account: Account,
    terms: OAuthTerms,
    client: OAuthClient,
  ): Promise<void> => {
    if (row.credentials === null || row.account === null || decodeJson(row.account).id === account.id) return
    const before = await vault.open(scope, row.id, row.credentials)
    if (before.kind !== 'oauth2') return
    const { clientId = client.id, tokenUrl = terms.tokenUrl } = before
    if (clientId === client.id && tokenUrl === terms.tokenUrl) await giveBack(scope, terms, client, before)
  }

  return {
    async accept(ended, terms, client, tokens) {
      const { connector, row } = ended
      const credentials = credentialsOf(row, terms, client, tokens)
      const tried = await tryCredentials(
        ended.scope,
        connector,
        withDefaults(connector, decodeJson(row.config)),
        credentials,
      )
      if (tried.kind !== 'ok') {
        await giveBack(ended.scope, terms, client, tokens)
        return await fail(ended, tried)
      }
      const active = await activate(ended, terms, { tokens, credentials, account: tried.account })
      if (active === undefined) {
        // The connection was disconnected, or given another config, while the person was away.
        await giveBack(ended.scope, terms, client, tokens)
        return null
      }
      await giveBackReplaced(ended, tried.account, terms, client)
      await onActive(ended.scope, active)
      return { ok: true, connector, row: active }
    },
    fail,
  }
}

/** The earlier terms are dropped, since the tokens that they gave are replaced. */
const withoutEarlier = ({ oauth }: ConnectionRow): Pick<ConnectionChange, 'oauth'> =>
  oauth === null ? {} : { oauth: encodeJson({ ...decodeJson(oauth), earlier: undefined }) }

const credentialsOf = (
  { oauth }: ConnectionRow,
  { tokenUrl }: OAuthTerms,
  { id: clientId }: OAuthClient,
  { accessToken, refreshToken }: Tokens,
): Credentials => ({
  kind: 'oauth2',
  accessToken,
  refreshToken,
  clientId,
  tokenUrl: oauth === null ? undefined : tokenUrl,
})

/** The position of a sync says nothing about another account, so everything is listed once. */
export const forAnother = (row: ConnectionRow, account: Account): Pick<ConnectionChange, 'sync_since'> =>
  row.account === null || decodeJson(row.account).id === account.id ? {} : { sync_since: null }
