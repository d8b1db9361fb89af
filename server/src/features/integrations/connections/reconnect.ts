/** Reopens a connection. It keeps its id, its sync and its name, and its old credentials until new ones work. */
import type { Connector } from '@atrium/connectors'
import type { Caller } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { found, invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { Authorizations } from '../credentials/authorizations.ts'
import type { Discover } from '../credentials/discovered.ts'
import { forAnother } from '../credentials/grants.ts'
import type { RevokeGrant } from '../credentials/keeper.ts'
import { accountOf, type TryCredentials } from '../credentials/trial.ts'
import type { Reconnection } from '../records/access-schemas.ts'
import { changeable } from '../records/changeable.ts'
import { withDefaults } from '../records/config-check.ts'
import { recordConnectionEvent } from '../records/connection-outbox.ts'
import {
  type ConnectionChange,
  type ConnectionRow,
  changeConnection,
  findConnection,
  integrationRemoved,
  lockConnection,
} from '../records/store.ts'
import type { Vault } from '../records/vault.ts'
import { type OnActive, type Started, simulate } from './connect.ts'
import type { AccessCheck } from './input.ts'

/**
 * Throws 400 for faulty input, `not_found`, `integration_removed` if the integration is no longer offered, and what
 * starting a connection throws. Credentials that are not accepted change nothing.
 */
export type Reconnect = (
  caller: Caller,
  id: string,
  body: Reconnection,
  ifMatch: string | null,
) => Promise<Started>

export function createReconnect(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    audit: AuditService
    outbox: Outbox
    tryCredentials: TryCredentials
    discover: Discover
    onActive: OnActive
    vault: Vault
    authorizations: Authorizations
    checkAccess: AccessCheck
    connectorOf: (integrationId: string) => Connector | null
    revokeGrant: RevokeGrant
  },
): Reconnect {
  const { database, clock, audit, outbox, tryCredentials, discover, onActive, vault } = dependencies
  const { authorizations, checkAccess, connectorOf, revokeGrant } = dependencies

  /** Writes the change, its audit row, and what `alongside` does under the connection's lock, in one transaction. */
  const change = (
    caller: Caller,
    id: string,
    ifMatch: string | null,
    changes: ConnectionChange,
    alongside: (tx: Tx, before: ConnectionRow) => Promise<void> = async () => undefined,
  ): Promise<ConnectionRow> =>
    database.write(async tx => {
      const before = changeable(caller.scope, await lockConnection(caller.scope, tx, id))
      checkRevision(ifMatch, before)
      await alongside(tx, before)
      const row = found(await changeConnection(caller.scope, tx, id, {}, { ...changes, updated_at: clock() }))
      await audit.record(tx, caller, {
        action: 'integration.reconnect',
        resourceId: id,
        details: { integrationId: row.integration_id, status: row.status },
      })
      if (row.status === 'active' && before.status !== 'active') {
        await recordConnectionEvent(tx, outbox, caller, row, { status: 'active', at: clock() })
      }
      return row
    })

  return async (caller, id, body, ifMatch) => {
    const row = changeable(caller.scope, await findConnection(caller.scope, database.read, id))
    checkRevision(ifMatch, row)
    const connector = connectorOf(row.integration_id)
    if (connector === null) throw integrationRemoved(row.integration_id)
    const { credentials, terms, isDiscovered, clientSecret, flow, redirectUrl } = checkAccess(connector, body)
    if (caller.scope.environment === 'test') {
      const account = encodeJson(simulate(credentials))
      const active = await change(caller, id, ifMatch, { ...opened, account })
      return { row: active, authorization: null }
    }
    const config = withDefaults(connector, decodeJson(row.config))
    const client = { clientSecret, before: row.oauth, isOpen: row.credentials !== null }
    const asked = isDiscovered ? await discover(caller.scope, id, connector, config, client) : null
    if (asked?.kind === 'open' && row.credentials !== null) {
      throw invalidField(
        'credentials',
        'must be given: the connection has credentials, and is not opened without any',
      )
    }
    const oauth = asked?.kind === 'oauth' ? asked.oauth : null
    const where = asked?.kind === 'oauth' ? asked.terms : terms
    if (where !== null) {
      // A connection that never worked, or is still pending, begins from the beginning.
      const isReconnect = row.status === 'active' || row.status === 'needs_reauth'
      const connection = { id, integration_id: connector.id, oauth }
      const wish = { connection, flow, redirectUrl, isReconnect }
      const begun = await authorizations.begin(caller.scope, connector, where, wish)
      const { expiresAt } = begun
      const changes = isReconnect
        ? {}
        : ({ status: 'pending', expires_at: expiresAt, last_error: null } as const)
      const changed = await change(caller, id, ifMatch, { ...changes, oauth }, async (tx, before) => {
        // The client was registered for the server that this config names.
        if (before.config !== row.config) throw configChanged(before.id)
        await begun.insert(tx)
      })
      return { row: changed, authorization: { ...begun.shown, expiresAt } }
    }
    const account = accountOf(await tryCredentials(caller.scope, connector, config, credentials), connector)
    const changes = {
      ...opened,
      account: encodeJson(account),
      ...forAnother(row, account),
      oauth: null,
      credentials: credentials === null ? null : await vault.seal(caller.scope, id, credentials),
    }
    const active = await change(caller, id, ifMatch, changes, async (_tx, before) => {
      // The credentials were tried at the origins of this config.
      if (before.config !== row.config) throw configChanged(before.id)
    })
    // If the old credentials are an OAuth grant, the key replaces the grant.
    if (row.credentials !== null) await revokeGrant(caller.scope, row)
    await onActive(caller.scope, active)
    return { row: active, authorization: null }
  }
}

const opened = {
  status: 'active',
  scopes: encodeJson<string[]>([]),
  credentials_expire_at: null,
  refresh_lease_until: null,
  expires_at: null,
  last_error: null,
} as const

const configChanged = (id: string): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'The config of the connection has changed meanwhile: reconnect once more',
    { details: { resource: 'connection', id } },
  )
