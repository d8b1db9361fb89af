/** Begins a sync, by a request or by the schedule, into an existing collection or a new one. */

import { randomInt } from 'node:crypto'
import { type Config, type Connector, needsFullListing } from '@atrium/connectors'
import type { Caller } from '../../../platform/caller.ts'
import { minuteMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { forbidden, invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import type { AuditService } from '../../audit/service.ts'
import type { ActingMember } from '../../authentication/callers-service.ts'
import type { CollectionService } from '../../knowledge/documents/collections-service.ts'
import { changeable } from '../records/changeable.ts'
import { withDefaults } from '../records/config-check.ts'
import { type ConnectionRow, findConnection, lockConnection, statusOf } from '../records/store.ts'
import type { NewConnectionSync } from '../records/sync-schemas.ts'
import { sandboxSource } from './sandbox-source.ts'
import { connectionSyncJob } from './sync-job.ts'
import {
  type ConnectionSyncRow,
  claimDue,
  findSyncUnderWay,
  insertSync,
  listDue,
  updateSyncSettings,
} from './syncs-store.ts'

export type StartDependencies = Pick<Platform, 'database' | 'jobs' | 'clock' | 'newId'> & {
  audit: AuditService
  collections: Pick<CollectionService, 'create' | 'missing'>
  connectorOf: (integrationId: string) => Connector | null
}

export type StartedBy = ConnectionSyncRow['started_by']

/**
 * Returns the id of the sync that is queued now. Throws 404, `nothing_to_sync`, `connection_not_active`,
 * `permission_missing`, `sync_in_progress` and `collection_deleted`. Throws 400 naming the field of the config
 * without which there is nothing to list. `also` belongs to the same transaction.
 */
export type StartSync = (
  caller: Caller,
  connectionId: string,
  wanted: NewConnectionSync,
  startedBy: StartedBy,
  also?: (tx: Tx) => Promise<void>,
) => Promise<string>

export function createStartSync(dependencies: StartDependencies): StartSync {
  const { database, jobs, audit, collections, connectorOf, clock, newId } = dependencies

  const isFull = (row: ConnectionRow, caller: Caller, wanted: NewConnectionSync): boolean => {
    const source =
      caller.scope.environment === 'test' ? sandboxSource : connectorOf(row.integration_id)?.source
    const { sync_since: since, last_full_at: lastFullAt } = row
    return (
      wanted.full === true ||
      needsFullListing(source, { since, lastFullAtMs: lastFullAt ?? 0, nowMs: clock() })
    )
  }

  /** Runs in the transaction that holds the connection, so that two requests cannot both find it free. */
  const begin = async (
    tx: Tx,
    caller: Caller,
    connectionId: string,
    collectionId: string,
    { wanted, startedBy }: { wanted: NewConnectionSync; startedBy: StartedBy },
  ): Promise<string> => {
    const { scope, userId } = caller
    const row = changeable(scope, await lockConnection(scope, tx, connectionId))
    const other = await findSyncUnderWay(scope, tx, connectionId)
    if (other !== undefined) throw underWay(other)
    if (row.sync_collection_id !== null && row.sync_collection_id !== collectionId)
      throw changedMeanwhile(connectionId)
    if (row.sync_collection_id === null) {
      await updateSyncSettings(scope, tx, connectionId, {
        sync_collection_id: collectionId,
        updated_at: clock(),
      })
    }
    const id = newId('connectionSync')
    const isWhole = isFull(row, caller, wanted)
    const jobId = await jobs.enqueue(tx, connectionSyncJob(scope, id))
    const now = clock()
    await insertSync(scope, tx, {
      id,
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      connection_id: connectionId,
      collection_id: collectionId,
      job_id: jobId,
      status: 'queued',
      phase: 'listing',
      started_by: startedBy,
      acting_user_id: userId,
      is_full: isWhole ? 1 : 0,
      since: isWhole ? null : row.sync_since,
      pages: 0,
      listed: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      deleted: 0,
      failed: 0,
      setbacks: 0,
      deleted_before: 0,
      confirm_deletes: wanted.confirmDeletes ?? null,
      created_at: now,
      updated_at: now,
      revision: 1,
    })
    await audit.record(tx, caller, {
      action: 'integration.sync',
      resourceId: connectionId,
      details: { syncId: id, collectionId, startedBy, full: isWhole },
    })
    return id
  }

  const requireReady = (row: ConnectionRow): void => {
    const connector = connectorOf(row.integration_id)
    if (connector?.source === undefined) {
      throw new ServiceError(
        'nothing_to_sync',
        `${connector?.name ?? row.integration_id} has nothing to keep in sync`,
        { details: { integrationId: row.integration_id } },
      )
    }
    if (row.status !== 'active') {
      throw new ServiceError(
        'connection_not_active',
        `The connection is ${statusOf(row, clock())}: reconnect it`,
        { details: { connectionId: row.id, status: statusOf(row, clock()) } },
      )
    }
    requireListable(connector, decodeJson(row.config))
  }

  return async (caller, connectionId, wanted, startedBy, also) => {
    requireWriter(caller)
    const row = changeable(caller.scope, await findConnection(caller.scope, database.read, connectionId))
    requireReady(row)
    const how = { wanted, startedBy }
    let id = ''
    const start = async (tx: Tx, collectionId: string): Promise<void> => {
      id = await begin(tx, caller, connectionId, collectionId, how)
      await also?.(tx)
    }
    const { sync_collection_id: collectionId } = row
    if (collectionId === null) await collections.create(caller, { name: row.name }, start)
    else {
      if ((await collections.missing(caller.scope, [collectionId])).length > 0)
        throw collectionGone(connectionId)
      await database.write(tx => start(tx, collectionId))
    }
    return id
  }
}

/** A caller may only start a sync if the caller could do by hand what the sync does. */
export function requireWriter({ permissions }: Caller): void {
  if (permissions.has('knowledge:write')) return
  throw forbidden('permission', 'A sync writes documents: the key lacks knowledge:write', {
    permission: 'knowledge:write',
  })
}

/** A config may suffice for calls without saying what to keep in sync. */
export function requireListable(connector: Connector, config: Config): void {
  const fault = connector.source?.refusal?.(withDefaults(connector, config)) ?? null
  if (fault !== null) throw invalidField(`config.${fault.field}`, fault.message)
}

const underWay = ({ id, status }: ConnectionSyncRow): ServiceError =>
  new ServiceError(
    'sync_in_progress',
    `The connection has the sync ${id}, which is ${status}: wait for it, or cancel it`,
    { details: { syncId: id, status } },
  )

const changedMeanwhile = (id: string): ServiceError =>
  new ServiceError('concurrent_change', 'The collection of the connection was changed just now: try again', {
    details: { resource: 'connection', id },
  })

const collectionGone = (connectionId: string): ServiceError =>
  new ServiceError(
    'collection_deleted',
    'The collection that the connection is kept in does not exist: name another with PATCH, or null for a new one',
    { details: { connectionId } },
  )

// Starts syncs by schedule: each minute, those of the connections whose time has come.

/** Spreads the turns, so that connections that were set up together do not ask their services at the same moment. */
const jitter = 0.1

/** The time of the next turn, after one at `nowMs`. On average, turns come as often as wanted. */
const nextTurn = (everyMinutes: number, nowMs: number): number => {
  const thousandths = randomInt(1_000 * (1 - jitter), 1_000 * (1 + jitter))
  return nowMs + Math.round((everyMinutes * minuteMs * thousandths) / 1_000)
}

/** The first turn after the schedule was set. It is at once if the last sync is longer ago than the interval. */
export const firstTurn = (everyMinutes: number, lastSyncAt: number | null, nowMs: number): number =>
  Math.max(nowMs, (lastSyncAt ?? 0) + everyMinutes * minuteMs)

/** Begins the due syncs of every workspace and returns their number. Several processes may do this at once. */
export function createScheduleSweep(
  dependencies: Pick<Platform, 'database' | 'clock' | 'log'> & {
    start: StartSync
    actingMember: ActingMember
  },
): () => Promise<number> {
  const { database, clock, start, actingMember, log } = dependencies

  const begin = async (row: ConnectionRow): Promise<boolean> => {
    const scope = { workspaceId: row.workspace_id, environment: row.environment }
    const caller = await actingMember(scope, row.sync_user_id ?? row.created_by)
    const nowMs = clock()
    const nextMs = row.sync_every_minutes === null ? null : nextTurn(row.sync_every_minutes, nowMs)
    if (caller === null || nextMs === null) {
      const message = 'The schedule is stopped: the member who set it has left. Set it again'
      log.warn(message, { connectionId: row.id })
      const last_error = encodeJson({ code: 'creator_gone', message, at: nowMs })
      await database.write(tx => updateSyncSettings(scope, tx, row.id, { next_sync_at: null, last_error }))
      return false
    }
    const turn = { id: row.id, nowMs, nextMs }
    try {
      await start(caller, row.id, {}, 'schedule', async tx => {
        if (!(await claimDue(scope, tx, turn))) throw new TurnTaken()
      })
      return true
    } catch (error) {
      if (error instanceof TurnTaken) return false
      if (!(error instanceof ServiceError)) throw error
      // A sync is in progress, or a person has to supply something that is missing. The next turn tries again.
      log.info('A scheduled sync was not begun', { connectionId: row.id, error })
      await database.write(tx => claimDue(scope, tx, turn))
      return false
    }
  }

  const round = createRounds({
    list: range => listDue(database.read, clock(), range),
    work: async (row: ConnectionRow) => ((await begin(row)) ? row.id : null),
    log,
    failure: 'A scheduled sync could not be begun',
  })
  return async () => (await round()).length
}

/** Another process began the sync a moment ago. */
class TurnTaken extends Error {
  override readonly name = 'TurnTaken'
}
