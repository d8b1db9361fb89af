/** Ends sync sessions: completed behind the guard, cancelled, or expired. A job then deletes the gone documents. */
import { type Caller, systemCaller } from '../../../platform/caller.ts'
import { dayMs, minuteMs, type Patience, secondMs, waitFor } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { Json } from '../../../platform/database/json.ts'
import { found, notFound, ServiceError } from '../../../platform/errors.ts'
import type { Job, NewJob, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import { restoreCaller, storeCaller } from '../../../platform/stored-caller.ts'
import type { AuditService } from '../../audit/service.ts'
import type { TrashService } from '../documents/trash-service.ts'
import { findDocument } from '../records/documents-store.ts'
import { sampledDeletes } from './sync-schemas.ts'
import {
  countEntries,
  countGone,
  deleteEntries,
  deleteSyncRow,
  findSync,
  firstGone,
  keepGone,
  listExpired,
  listForgettable,
  lockSync,
  markMissing,
  nextDeletions,
  type SyncRow,
  settleDeletion,
  updateSync,
} from './sync-store.ts'

export type SyncDependencies = Pick<Platform, 'database' | 'jobs' | 'runNow' | 'clock' | 'newId' | 'log'> & {
  audit: AuditService
}

const keptMs = 30 * dayMs

export function createSyncEnding(dependencies: SyncDependencies) {
  const { database, runNow, audit, clock, newId, log } = dependencies

  const expireOverdue = createRounds({
    list: range => listExpired(database.read, clock(), range),
    work: async ({ id, workspace_id: workspaceId, environment }) => {
      const caller = systemCaller({ workspaceId, environment }, newId('request'))
      await database.write(async tx => {
        const sync = await lockSync(caller.scope, tx, id)
        // A page that arrived meanwhile may have extended the session.
        if (sync?.status === 'open' && sync.expires_at <= clock())
          await endSync(dependencies, tx, caller, sync, expiry)
      })
      return id
    },
    log,
    failure: 'A sync session whose time is over could not be ended',
  })

  const forget = createRounds({
    list: range => listForgettable(database.read, clock() - keptMs, range),
    work: async ({ id }) => {
      let removed = 1
      while (removed > 0) removed = await database.write(tx => deleteEntries(tx, id, 'all'))
      await database.write(tx => deleteSyncRow(tx, id))
      return id
    },
    log,
    failure: 'An ended sync session could not be forgotten',
  })

  return {
    /** How many documents `complete` would delete now, and the first hundred of them. */
    async previewDeletes(sync: SyncRow): Promise<{ count: number; ids: string[] }> {
      if (sync.status !== 'open') throw notOpen(sync.status)
      const { prior } = await countEntries(database.read, sync)
      const { count } = await deletesOf(database.read, sync, prior)
      const first = await firstGone(database.read, sync, sampledDeletes)
      return { count, ids: first.map(({ id }) => id) }
    },

    async complete(caller: Caller, id: string, confirmed: number | null, patience: Patience): Promise<void> {
      const { ended } = await database.write(async tx => {
        const sync = await lockOpen(tx, caller, id, clock())
        const { prior, ...counts } = await countEntries(tx, sync)
        const deletes = await deletesOf(tx, sync, prior)
        const refusal = guardDeletes(deletes, confirmed)
        if (refusal !== null) throw refusal
        if (deletes.count > 0) await keepGone(tx, sync)
        if (counts.failed > 0) await markMissing(tx, sync)
        await updateSync(caller.scope, tx, id, { status: 'completing', updated_at: clock(), ...counts })
        await recordSync(audit, tx, caller, 'sync.complete', sync, { ...counts, deleting: deletes.count })
        return runNow(tx, syncJob(caller, id))
      })
      await waitFor(ended, patience)
    },

    cancel: (caller: Caller, id: string): Promise<void> =>
      database.write(async tx => {
        const sync = await lockOpen(tx, caller, id, clock())
        await endSync(dependencies, tx, caller, sync, cancellation)
      }),

    tidy: async (): Promise<number> => (await expireOverdue()).length + (await forget()).length,
  }
}

export const expiry = { status: 'expired', action: 'sync.expire' } as const
export const cancellation = { status: 'cancelled', action: 'sync.cancel' } as const

/** Ends an open session with its current counts, without deleting documents. */
export async function endSync(
  { jobs, audit, clock }: SyncDependencies,
  tx: Tx,
  caller: Caller,
  sync: SyncRow,
  { status, action }: typeof expiry | typeof cancellation,
): Promise<void> {
  const { prior: _prior, ...counts } = await countEntries(tx, sync)
  const now = clock()
  await updateSync(caller.scope, tx, sync.id, { status, ...counts, updated_at: now, finished_at: now })
  await jobs.enqueue(tx, syncJob(caller, sync.id))
  await recordSync(audit, tx, caller, action, sync, counts)
}

/** `prior` is how many documents of the manifest the collection had before. */
export async function deletesOf(query: Query, sync: SyncRow, prior: number): Promise<Deletes> {
  const count = await countGone(query, sync)
  return { count, of: prior + count, maxShare: sync.max_delete_share }
}

/** Throws 404 if the session does not exist, and `sync_ended` if it is not open. */
export async function lockOpen(tx: Tx, { scope }: Caller, id: string, nowMs: number) {
  const sync = found(await lockSync(scope, tx, id))
  if (sync.status !== 'open') throw notOpen(sync.status)
  if (sync.expires_at <= nowMs) throw notOpen('expired')
  return sync
}

const notOpen = (status: string): ServiceError =>
  new ServiceError('sync_ended', `The sync is ${status}: begin another one`, { details: { status } })

export const recordSync = (
  audit: AuditService,
  tx: Tx,
  caller: Caller,
  action: string,
  { id, collection_id: collectionId }: SyncRow,
  details: Record<string, unknown>,
): Promise<void> =>
  audit.record(tx, caller, { action, resourceId: id, details: { collectionId, ...details } })

type Deletes = {
  count: number
  /** How many documents the source had before. */
  of: number
  /** From 0 to 1. */
  maxShare: number
}

/** This many deletions are always allowed: for so few a share means nothing. */
const alwaysAllowed = 2

/**
 * Keeps a source that answers with half of its documents from emptying a collection. Returns why the deletion is
 * refused, or null. `confirmed` is the number of deletions that the caller confirmed, or null.
 */
export function guardDeletes(
  { count, of, maxShare }: Deletes,
  confirmed: number | null,
): ServiceError | null {
  if (confirmed === count) return null
  const isMuch = count > alwaysAllowed && count > of * maxShare
  if (confirmed === null && !isMuch) return null
  const message = `This would delete ${count} of ${of} documents. If that is meant, send {"confirmDeletes": ${count}}`
  return new ServiceError('delete_guard', message, {
    details: { confirmDeletes: count, of },
    errors: [{ field: 'confirmDeletes', message: `must be ${count}` }],
  })
}

// The job that ends a sync session: deletes the gone documents one after the other, then the manifest's entries.

export const syncQueue = 'knowledge-sync'

type Payload = { syncId: string; caller: Json<Record<string, unknown>> }

const deletionsAtOnce = 100

/** The pause before another job continues a session whose job was given up. */
const pauseAfterFailureMs = 10 * minuteMs

export const syncJob = (caller: Caller, syncId: string): NewJob => ({
  queue: syncQueue,
  workspaceId: caller.scope.workspaceId,
  payload: { syncId, caller: storeCaller(caller) } satisfies Payload,
})

/** Every step is idempotent, so an interrupted attempt starts again from the beginning. */
export function createSyncQueue(
  dependencies: Pick<Platform, 'database' | 'jobs' | 'clock' | 'log'> & {
    trash: TrashService
  },
): Queue<Payload> {
  const { database, trash, jobs, clock, log } = dependencies

  const remove = async (job: Job<Payload>, caller: Caller, sync: SyncRow): Promise<void> => {
    const next = () => nextDeletions(database.read, sync.id, deletionsAtOnce)
    for (let gone = await next(); gone.length > 0; gone = await next()) {
      for (const { document_id: id, version } of gone) {
        job.signal.throwIfAborted()
        const isGone = await moveToTrash(caller, sync.id, id, version)
        if (!isGone) await job.write(tx => settleDeletion(tx, sync.id, id))
      }
    }
  }

  /**
   * Counts the deletion in the same transaction, so that an attempt after a kill does not take it for another
   * caller's deletion. False if the document was uploaded again meanwhile, or deleted by another caller.
   */
  const moveToTrash = async (caller: Caller, syncId: string, id: string, version: number) => {
    const document = await findDocument(caller.scope, database.read, id)
    if (document?.version !== version) return false
    try {
      const removal = { ifMatch: null, dryRun: false, erase: false }
      await trash.remove(caller, id, removal, async tx => {
        if (!(await settleDeletion(tx, syncId, id))) throw notFound()
        await countDeleted(tx, caller, syncId)
      })
      return true
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return false
      throw error
    }
  }

  const countDeleted = async (tx: Tx, { scope }: Caller, id: string): Promise<void> => {
    const locked = await lockSync(scope, tx, id)
    if (locked !== undefined) await updateSync(scope, tx, id, { deleted: locked.deleted + 1 })
  }

  return {
    concurrency: 2,
    leaseMs: 30 * secondMs,
    maxAttempts: 20,
    timeoutMs: 60 * minuteMs,
    async handle(job) {
      const caller = restoreCaller(job.payload.caller)
      const sync = await findSync(caller.scope, database.read, job.payload.syncId)
      if (sync === undefined) return
      const isCompleting = sync.status === 'completing'
      if (isCompleting) await remove(job, caller, sync)
      const which = isCompleting ? 'settled' : 'all'
      while ((await job.write(tx => deleteEntries(tx, sync.id, which))) > 0) job.signal.throwIfAborted()
      if (!isCompleting) return
      const now = clock()
      await job.complete(tx =>
        updateSync(caller.scope, tx, sync.id, { status: 'completed', updated_at: now, finished_at: now }),
      )
    },
    /**
     * Queues another job, since a session that stays `completing` would keep all other sessions from its collection.
     */
    async onDead({ payload }, error, tx) {
      const caller = restoreCaller(payload.caller)
      const sync = await findSync(caller.scope, tx, payload.syncId)
      if (sync?.status !== 'completing') return
      log.error('A sync session could not be completed and is tried again later', { syncId: sync.id, error })
      await jobs.enqueue(tx, { ...syncJob(caller, sync.id), delayMs: pauseAfterFailureMs })
    },
  }
}
