/** Retries of failed documents: one by id, or by a job all that a caller can reach. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Scope } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { previewedIds } from '../../../platform/database/page.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import type { Job, NewJob, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import { ingestJob, reindexJob } from '../records/document-jobs.ts'
import { type DocumentRow, findDocument, lockDocument, updateDocument } from '../records/documents-store.ts'
import { countFailed, type FailedFilter, listFailed } from '../records/ingest-store.ts'
import { requireCollection } from './document-uploads.ts'

export type RetryService = ReturnType<typeof createRetryService>

type Dependencies = Pick<Platform, 'database' | 'jobs' | 'clock'> & {
  audit: AuditService
}

export function createRetryService(dependencies: Dependencies) {
  const { database, jobs, audit } = dependencies
  return {
    /** Queues a failed document again. Throws `document_not_failed` for any other document. */
    retry: (caller: Caller, id: string): Promise<DocumentRow> =>
      database.write(async tx => {
        const row = found(await lockDocument(caller.scope, tx, id))
        if (row.status !== 'failed') {
          throw new ServiceError(
            'document_not_failed',
            `The document is ${row.status}: only a failed one can be tried again`,
            { details: { status: row.status } },
          )
        }
        await queueAgain(dependencies, caller.scope, tx, row)
        await audit.record(tx, caller, {
          action: 'document.retry',
          resourceId: id,
          details: { name: row.name, errorCode: row.error_code },
        })
        return found(await findDocument(caller.scope, tx, id))
      }),

    /**
     * Queues every failed document that the caller can reach and the filter selects. Returns their number. A dry run
     * also returns the first ids.
     */
    async retryAll(caller: Caller, filter: FailedFilter, { dryRun }: { dryRun: boolean }) {
      const { collectionId } = filter
      if (collectionId !== undefined) await requireCollection(caller.scope, database.read, collectionId)
      if (dryRun) {
        const { count, lastId } = await countFailed(caller.scope, database.read, filter)
        const range = { after: '', upTo: lastId ?? '', limit: previewedIds }
        const first = await listFailed(caller.scope, database.read, filter, range)
        return { count, ids: first.map(({ id }) => id) }
      }
      return database.write(async tx => {
        const { count, lastId } = await countFailed(caller.scope, tx, filter)
        if (lastId !== null) await jobs.enqueue(tx, retryJob(caller.scope, filter, lastId))
        await audit.record(tx, caller, {
          action: 'document.retry_all',
          resourceId: collectionId ?? null,
          details: { documents: count, ...filter },
        })
        return { count, ids: [] }
      })
    },
  }
}

export const retryQueue = 'knowledge-retry'

/** The scope keeps the key's limits. `upTo` is the greatest id of a failed document at the time of the request. */
type Payload = { scope: Scope; filter: FailedFilter; upTo: string }

const documentsAtOnce = 50

const retryJob = (
  { workspaceId, environment, collectionIds, withheld }: Scope,
  filter: FailedFilter,
  upTo: string,
): NewJob => ({
  queue: retryQueue,
  workspaceId,
  payload: {
    scope: withoutUndefined({
      workspaceId,
      environment,
      collectionIds,
      withheld,
    }),
    filter,
    upTo,
  } satisfies Payload,
})

/** Walks by id, so that it meets no document twice. A second attempt takes the documents that are still failed. */
export function createRetryQueue(dependencies: Dependencies): Queue<Payload> {
  const queueSlice = async (job: Job<Payload>, tx: Tx, after: string): Promise<string | null> => {
    const { scope, filter, upTo } = job.payload
    const failed = await listFailed(scope, tx, filter, { after, upTo, limit: documentsAtOnce })
    for (const { id } of failed) {
      const row = await lockDocument(scope, tx, id)
      if (row?.status === 'failed') await queueAgain(dependencies, scope, tx, row)
    }
    return failed.length < documentsAtOnce ? null : (failed.at(-1)?.id ?? null)
  }
  return {
    concurrency: 1,
    leaseMs: 30 * secondMs,
    maxAttempts: 10,
    timeoutMs: 30 * minuteMs,
    async handle(job) {
      for (let after: string | null = ''; after !== null; ) {
        job.signal.throwIfAborted()
        const from: string = after
        after = await job.write(tx => queueSlice(job, tx, from))
      }
    },
  }
}

async function queueAgain(
  { jobs, clock }: Dependencies,
  scope: Scope,
  tx: Tx,
  { id, version, served_version }: DocumentRow,
): Promise<void> {
  // The document failed while it was restored from the trash. Its text exists, so it is only indexed again.
  const isRead = version === served_version
  await updateDocument(scope, tx, id, {
    status: isRead ? 'indexing' : 'queued',
    progress: 0,
    error_code: null,
    error_message: null,
    updated_at: clock(),
  })
  await jobs.enqueue(tx, isRead ? reindexJob(scope, id, 'write') : ingestJob(scope, id, version))
}
