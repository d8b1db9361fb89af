/** The job that ends a sync session: deletes what is gone, one document after the other, and clears the manifest away. */
import type { Caller } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Json } from '../../../platform/database/json.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import type { Job, NewJob, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { restoreCaller, storeCaller } from '../../../platform/stored-caller.ts'
import type { TrashService } from '../documents/trash-service.ts'
import { findDocument } from '../records/documents-store.ts'
import {
  deleteEntries,
  findSync,
  lockSync,
  nextDeletions,
  type SyncRow,
  settleDeletion,
  updateSync,
} from './sync-store.ts'

export const syncQueue = 'knowledge-sync'

type Payload = { syncId: string; caller: Json<Record<string, unknown>> }

const deletionsAtOnce = 100

/** The pause before a session whose job was given up is taken up again. */
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
   * Counts it in the same transaction, so that an attempt after a kill does not take it for the deletion of another caller.
   * False for one that was uploaded again meanwhile, or that another caller deleted.
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
    /** Left alone, a session that is `completing` would keep every other one from its collection. */
    async onDead({ payload }, error, tx) {
      const caller = restoreCaller(payload.caller)
      const sync = await findSync(caller.scope, tx, payload.syncId)
      if (sync?.status !== 'completing') return
      log.error('A sync session could not be completed and is tried again later', { syncId: sync.id, error })
      await jobs.enqueue(tx, { ...syncJob(caller, sync.id), delayMs: pauseAfterFailureMs })
    },
  }
}
