/** Starting a connection: by credentials that are tried first, or by sending a person to the service. */
import type { Account, Connector } from '@atrium/connectors'
import type { Insertable } from 'kysely'
import type { Caller, Scope } from '../../../platform/caller.ts'
import { dayMs } from '../../../platform/clock.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { limitReached, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { Authorizations, ShownAuthorization } from '../credentials/authorizations.ts'
import type { Discover } from '../credentials/discovered.ts'
import { accountOf, type TryCredentials } from '../credentials/trial.ts'
import { recordConnectionEvent } from '../records/connection-outbox.ts'
import type { NewConnection } from '../records/schemas.ts'
import {
  type ConnectionRow,
  countConnections,
  deleteExpiredConnections,
  insertConnection,
} from '../records/store.ts'
import type { Vault } from '../records/vault.ts'
import type { ConnectionInput, GivenCredentials, InputCheck } from './input.ts'

/** `authorization` is null if nothing has to be authorized. */
export type Started = {
  row: ConnectionRow
  authorization: (ShownAuthorization & { expiresAt: number }) | null
}

export type Connect = (caller: Caller, connector: Connector, body: NewConnection) => Promise<Started>

const expiredKeptMs = dayMs
const maxConnections = 1_000
const maxNameCharacters = 200

export function createConnect(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    audit: AuditService
    outbox: Outbox
    tryCredentials: TryCredentials
    discover: Discover
    vault: Vault
    authorizations: Authorizations
    checkInput: InputCheck
    onActive: OnActive
  },
): Connect {
  const { database, clock, newId, audit, outbox, tryCredentials, discover, vault } = dependencies
  const { authorizations, checkInput } = dependencies

  /** Writes the row, its audit row, and what `alongside` adds, in one transaction. */
  const insert = (
    caller: Caller,
    row: Insertable<Tables['connections']>,
    alongside: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<ConnectionRow> =>
    database.write(async tx => {
      const { workspaceId, environment } = caller.scope
      await takeTurn(tx, `connections ${workspaceId} ${environment}`)
      await deleteExpiredConnections(caller.scope, tx, clock() - expiredKeptMs)
      // The limit also counts connections that the caller does not reach.
      if ((await countConnections({ workspaceId, environment }, tx)) >= maxConnections) {
        throw limitReached(
          'connections',
          maxConnections,
          'There can be at most 1,000 connections; disconnect one first',
        )
      }
      const inserted = await insertConnection(caller.scope, tx, row)
      await alongside(tx)
      await audit.record(tx, caller, {
        action: 'integration.connect',
        resourceId: inserted.id,
        details: { integrationId: inserted.integration_id, name: inserted.name, status: inserted.status },
      })
      if (inserted.status === 'active') {
        await recordConnectionEvent(tx, outbox, caller, inserted, { status: 'active', at: clock() })
      }
      return inserted
    })

  const newRow = (
    caller: Caller,
    connector: Connector,
    body: NewConnection,
    { config }: ConnectionInput,
  ): Insertable<Tables['connections']> => ({
    id: newId('connection'),
    workspace_id: caller.scope.workspaceId,
    environment: caller.scope.environment,
    integration_id: connector.id,
    name: body.name ?? connector.name,
    status: 'active',
    config: encodeJson(config),
    scopes: encodeJson<string[]>([]),
    created_by: caller.userId,
    created_at: clock(),
    updated_at: clock(),
    revision: 1,
  })

  /** If the service already has a connection, the name includes the account. */
  const tellingName = async ({ scope }: Caller, { id, name }: Connector, account: Account) => {
    const others = await countConnections(scope, database.read, { integrationId: id })
    return others === 0 ? name : `${name} (${account.name})`.slice(0, maxNameCharacters).toWellFormed()
  }

  return async (caller, connector, body) => {
    const input = checkInput(connector, body)
    const { config, credentials, terms, isDiscovered, clientSecret, redirectUrl, flow } = input
    const row = newRow(caller, connector, body, input)
    if (caller.scope.environment === 'test') {
      const account = simulate(credentials)
      const inserted = await insert(caller, { ...row, account: encodeJson(account) })
      await dependencies.onActive(caller.scope, inserted)
      return { row: inserted, authorization: null }
    }
    const asked = isDiscovered
      ? await discover(caller.scope, row.id, connector, config, { clientSecret, before: null, isOpen: false })
      : null
    const oauth = asked?.kind === 'oauth' ? asked.oauth : null
    const where = asked?.kind === 'oauth' ? asked.terms : terms
    if (where !== null) {
      const connection = { id: row.id, integration_id: connector.id, oauth }
      const wish = { connection, flow, redirectUrl, isReconnect: false }
      const begun = await authorizations.begin(caller.scope, connector, where, wish)
      const pending = { ...row, oauth, status: 'pending', expires_at: begun.expiresAt } as const
      const inserted = await insert(caller, pending, tx => begun.insert(tx))
      return { row: inserted, authorization: { ...begun.shown, expiresAt: begun.expiresAt } }
    }
    const account =
      asked?.kind === 'open'
        ? asked.account
        : accountOf(await tryCredentials(caller.scope, connector, config, credentials), connector)
    const sealed = credentials === null ? null : await vault.seal(caller.scope, row.id, credentials)
    const name = body.name ?? (await tellingName(caller, connector, account))
    const active = { ...row, name, account: encodeJson(account), credentials: sealed }
    const inserted = await insert(caller, active)
    await dependencies.onActive(caller.scope, inserted)
    return { row: inserted, authorization: null }
  }
}

/**
 * Reads what else is to be known of a connection that works now. Never throws: a later look finds what this one
 * missed.
 */
export type OnActive = (scope: Scope, row: ConnectionRow) => Promise<void>

/** The account that a sandbox connection shows. */
export const sandboxAccount: Account = { id: 'sandbox', name: 'Sandbox' }

/** In the sandbox nothing is called and no credentials are kept; two special keys force the failures. */
export function simulate(credentials: GivenCredentials | null): Account {
  const apiKey = credentials?.kind === 'api_key' ? credentials.apiKey : null
  if (apiKey === 'sim:rejected') throw new ServiceError('credentials_rejected')
  if (apiKey === 'sim:unreachable') throw new ServiceError('integration_unreachable')
  return sandboxAccount
}
