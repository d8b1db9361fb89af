/** Erases a workspace whose days of grace are over: every row and every file, by a job, piece by piece. */
import type { Dependencies } from './dependencies.ts'
import type { AuditService } from './features/audit/service.ts'
import { createEraseQueue } from './features/knowledge/processing/erase.ts'
import { purgeJob } from './features/knowledge/records/purge-job.ts'
import type { IndexWriter } from './features/knowledge/search/index-writer.ts'
import { hourMs, minuteMs, secondMs } from './platform/clock.ts'
import type { Tx } from './platform/database/database.ts'
import type { Job, Queue, Queues } from './platform/jobs/job.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import { eraseSlice, firstSlices, lastSlices, type Slice } from './workspace-slices.ts'

export type WorkspaceErasure = {
  queues: Queues
  /** Adds a job for each workspace that is due; answers how many they are. */
  sweep(): Promise<number>
}

type ErasurePayload = { workspaceId: string }
type ErasureJob = Job<ErasurePayload>

type Given = Pick<Dependencies, 'database' | 'blobs' | 'partialFiles' | 'clock' | 'faults' | 'log'> & {
  jobs: Jobs
  audit: AuditService
  index: IndexWriter
}

const queueName = 'workspace-erasure'
/** In place of a time: from then on there is nothing to be restored any more. */
const begun = 0
const filesAtOnce = 100

export const createWorkspaceErasure = (given: Given): WorkspaceErasure => ({
  queues: { [queueName]: createErasureQueue(given) },
  async sweep() {
    const { database, clock, jobs } = given
    const due = await database.read
      .selectFrom('workspaces')
      .select('id')
      .where('deletes_at', '<=', clock())
      .execute()
    for (const { id: workspaceId } of due) {
      const payload: ErasurePayload = { workspaceId }
      // Not in the workspace's lane, whose jobs are removed.
      const job = { queue: queueName, workspaceId: null, payload, uniqueKey: workspaceId }
      await database.write(tx => jobs.enqueue(tx, job))
    }
    return due.length
  },
})

/** Every step can be done again, so an attempt that was cut short is simply begun anew. */
function createErasureQueue(given: Given): Queue<ErasurePayload> {
  const { database, clock, log, jobs } = given
  // The runs that words could have been left in are erased themselves.
  const collections = createEraseQueue({
    ...given,
    eraseTraces: [],
    remembersCollection: async () => false,
  })
  return {
    concurrency: 1,
    leaseMs: 30 * secondMs,
    maxAttempts: 20,
    timeoutMs: 2 * hourMs,
    backoffMs: 5 * secondMs,
    maxBackoffMs: 10 * minuteMs,
    async handle(job) {
      const { workspaceId } = job.payload
      const workspace = await begin(given, job)
      if (workspace === null) return
      const { slug, deletion } = workspace
      log.info('A workspace is being erased', { workspaceId, slug, deletion })
      await stopJobs(given, job)
      let rows = await eraseSlices(firstSlices, job)
      await eraseUploads(given, job)
      await eraseImports(given, job)
      await eraseCollections(given, job, collections)
      rows += await eraseSlices(lastSlices, job)
      await job.complete(async tx => {
        await eraseRest(tx, workspaceId, clock())
        if (database.emptyLog !== null) await jobs.enqueue(tx, purgeJob(clock()))
      })
      log.info('A workspace was erased', { workspaceId, slug, rows })
    },
  }
}

/** Null where there is nothing to erase, or not yet. Whoever restores the workspace locks the same row. */
const begin = ({ clock }: Given, job: ErasureJob) =>
  job.write(async tx => {
    const { workspaceId } = job.payload
    const row = await tx
      .updateTable('workspaces')
      .set({ deletes_at: begun })
      .where('id', '=', workspaceId)
      .where('deletes_at', '<=', clock())
      .returning('slug')
      .executeTakeFirst()
    if (row === undefined) return null
    const deletion = await tx
      .selectFrom('audit_log')
      .select(['actor', 'user_id as userId', 'key_id as keyId', 'request_id as requestId'])
      .where('workspace_id', '=', workspaceId)
      .where('action', '=', 'workspace.delete')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return { slug: row.slug, deletion: deletion ?? null }
  })

/** Nobody may write behind our back: what waits goes, and what runs is waited for. */
async function stopJobs({ jobs }: Given, job: ErasureJob): Promise<void> {
  const { workspaceId } = job.payload
  const running = await job.write(async tx => {
    await tx.deleteFrom('jobs').where('lane', '=', workspaceId).where('state', '<>', 'running').execute()
    const rows = await tx.selectFrom('jobs').select('id').where('lane', '=', workspaceId).execute()
    for (const { id } of rows) await jobs.cancel(tx, id)
    return rows.length
  })
  if (running > 0) throw new Error(`${running} jobs of the workspace still run; it is erased after them`)
}

async function eraseSlices(slices: readonly Slice[], job: ErasureJob): Promise<number> {
  const { workspaceId } = job.payload
  let rows = 0
  for (const slice of slices) {
    const erase = () => job.write(tx => eraseSlice(tx, slice, workspaceId))
    for (let erased = await erase(); erased > 0; erased = await erase()) {
      rows += erased
      job.signal.throwIfAborted()
    }
  }
  return rows
}

/** A file goes before its row, so that what a crash leaves is found again. */
async function eraseUploads({ database, partialFiles }: Given, job: ErasureJob): Promise<void> {
  const next = () =>
    database.read
      .selectFrom('uploads')
      .select('id')
      .where('workspace_id', '=', job.payload.workspaceId)
      .limit(filesAtOnce)
      .execute()
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const ids = rows.map(({ id }) => id)
    for (const id of ids) await partialFiles.remove(id)
    await job.write(tx => tx.deleteFrom('uploads').where('id', 'in', ids).execute())
  }
}

async function eraseImports({ database, blobs }: Given, job: ErasureJob): Promise<void> {
  const next = () =>
    database.read
      .selectFrom('imports')
      .select(['id', 'blob_id'])
      .where('workspace_id', '=', job.payload.workspaceId)
      .limit(filesAtOnce)
      .execute()
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const ids = rows.map(({ id }) => id)
    for (const row of rows) await blobs.remove(row.blob_id)
    await job.write(tx => tx.deleteFrom('imports').where('id', 'in', ids).execute())
  }
}

async function eraseCollections(
  { database }: Given,
  job: ErasureJob,
  collections: ReturnType<typeof createEraseQueue>,
): Promise<void> {
  const { workspaceId } = job.payload
  const next = () =>
    database.read
      .selectFrom('collections')
      .select(['id', 'environment'])
      .where('workspace_id', '=', workspaceId)
      .limit(1)
      .executeTakeFirst()
  for (let collection = await next(); collection !== undefined; collection = await next()) {
    const { id: collectionId, environment } = collection
    const payload = { scope: { workspaceId, environment }, collectionId }
    // Its end is not the end of this job.
    await collections.handle({ ...job, payload, complete: job.write })
    job.signal.throwIfAborted()
  }
}

/** What is few, and what the rest hung on. */
async function eraseRest(tx: Tx, workspaceId: string, now: number): Promise<void> {
  const accounts = await tx
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'service')
    .execute()
  // Replies that are kept for repetition are older than their day: nobody was let in since.
  await tx.deleteFrom('idempotency').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('jobs').where('lane', '=', workspaceId).execute()
  await tx.deleteFrom('members').where('workspace_id', '=', workspaceId).execute()
  await tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
  const userIds = accounts.map(({ user_id }) => user_id)
  if (userIds.length > 0) await tx.deleteFrom('users').where('id', 'in', userIds).execute()
}
