/** Changes an existing connection: its name, its config, and how it is kept in sync. */

import type { Config, Connector } from '@atrium/connectors'
import type { Caller } from '../../../platform/caller.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { found, invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { CollectionService } from '../../knowledge/documents/collections-service.ts'
import { changeable } from '../records/changeable.ts'
import type { ConfigCheck } from '../records/config-check.ts'
import { type ConnectionRow, findConnection, integrationRemoved, lockConnection } from '../records/store.ts'
import type { ConnectionChange } from '../records/sync-schemas.ts'
import { firstTurn, requireListable, requireWriter } from '../syncs/sync-start.ts'
import {
  findSyncUnderWay,
  findTargeting,
  type SyncSettings,
  updateSyncSettings,
} from '../syncs/syncs-store.ts'

/**
 * Throws 404, 400 naming the field, `precondition_failed`, `collection_taken`, and `sync_in_progress` for a change
 * that a sync in progress does not allow.
 */
export type UpdateConnection = (
  caller: Caller,
  id: string,
  change: ConnectionChange,
  ifMatch: string | null,
) => Promise<ConnectionRow>

export function createUpdateConnection(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    audit: AuditService
    collections: Pick<CollectionService, 'missing'>
    connectorOf: (integrationId: string) => Connector | null
    checkConfig: ConfigCheck
  },
): UpdateConnection {
  const { database, audit, clock, collections, connectorOf, checkConfig } = dependencies

  const readConfig = (row: ConnectionRow, given: object): Config => {
    const connector = connectorOf(row.integration_id)
    if (connector === null) throw integrationRemoved(row.integration_id)
    const { config, errors } = checkConfig(connector, given)
    if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
    if (row.credentials !== null) requireSameOrigins(connector, decodeJson(row.config), config)
    return config
  }

  const readSync = async (
    caller: Caller,
    row: ConnectionRow,
    { collectionId, everyMinutes }: NonNullable<ConnectionChange['sync']>,
  ): Promise<SyncSettings> => {
    requireWriter(caller)
    if (connectorOf(row.integration_id)?.source === undefined) {
      throw invalidField('sync', 'must be left out: the integration has nothing to keep in sync')
    }
    if (collectionId != null && (await collections.missing(caller.scope, [collectionId])).length > 0) {
      throw invalidField('sync.collectionId', 'There is no collection with this id')
    }
    const isMoved = collectionId !== undefined && collectionId !== row.sync_collection_id
    const settings: SyncSettings = {}
    if (isMoved) {
      settings.sync_collection_id = collectionId
      settings.sync_since = null
    }
    if (everyMinutes !== undefined) {
      settings.sync_every_minutes = everyMinutes
      settings.sync_user_id = caller.userId
      settings.next_sync_at =
        everyMinutes === null ? null : firstTurn(everyMinutes, row.last_sync_at, clock())
    }
    return settings
  }

  /** A schedule needs a config that says what to list. */
  const requireUse = (row: ConnectionRow, { config, sync_every_minutes: wanted }: SyncSettings): void => {
    const connector = connectorOf(row.integration_id)
    const everyMinutes = wanted === undefined ? row.sync_every_minutes : wanted
    if (connector === null || everyMinutes === null) return
    requireListable(connector, decodeJson(config ?? row.config))
  }

  /** A sync goes on from what it began with, so no sync may be in progress. */
  const requireRest = async (tx: Tx, { scope }: Caller, id: string): Promise<void> => {
    const sync = await findSyncUnderWay(scope, tx, id)
    if (sync === undefined) return
    throw new ServiceError(
      'sync_in_progress',
      `The sync ${sync.id} is ${sync.status}: wait for it, or cancel it first`,
      { details: { syncId: sync.id, status: sync.status } },
    )
  }

  return async (caller, id, { name, config, sync }, ifMatch) => {
    const before = changeable(caller.scope, await findConnection(caller.scope, database.read, id))
    const settings: SyncSettings = {}
    if (name !== undefined) settings.name = name
    if (config !== undefined) {
      settings.config = encodeJson(readConfig(before, config))
      settings.sync_since = null
      // The config may name another server now.
      settings.tools_listed_at = null
    }
    if (sync !== undefined) Object.assign(settings, await readSync(caller, before, sync))
    if (config !== undefined || sync?.everyMinutes !== undefined) requireUse(before, settings)
    return database.write(async tx => {
      const row = changeable(caller.scope, await lockConnection(caller.scope, tx, id))
      checkRevision(ifMatch, row)
      // Credentials may have been stored meanwhile, for the origins of the present config.
      if (config !== undefined) readConfig(row, config)
      if (row.sync_collection_id !== null && (config !== undefined || sync !== undefined)) {
        requireWriter(caller)
      }
      if ('sync_since' in settings) await requireRest(tx, caller, id)
      const target = settings.sync_collection_id
      if (typeof target === 'string') {
        await takeTurn(tx, `sync target ${target}`)
        const other = await findTargeting(caller.scope, tx, target)
        if (other !== undefined && other !== id) throw takenBy(other)
      }
      await audit.record(tx, caller, {
        action: 'integration.update',
        resourceId: id,
        details: { name, configChanged: config !== undefined, ...sync },
      })
      return found(await updateSyncSettings(caller.scope, tx, id, { ...settings, updated_at: clock() }))
    })
  }
}

/**
 * Stored credentials belong to the origins where they were given. Only a caller who knows them may send them
 * elsewhere.
 */
function requireSameOrigins(connector: Connector, before: Config, after: Config): void {
  const known = connector.origins(before)
  const foreign = connector.origins(after).find(origin => !known.includes(origin))
  if (foreign === undefined) return
  const field = connector.blamedField === undefined ? 'config' : `config.${connector.blamedField}`
  throw invalidField(
    field,
    `would send the stored credentials to ${foreign}: make another connection, with credentials for it`,
  )
}

const takenBy = (connectionId: string): ServiceError =>
  new ServiceError(
    'collection_taken',
    `The collection is kept in sync by ${connectionId} already: name another one`,
    {
      details: { connectionId },
    },
  )
