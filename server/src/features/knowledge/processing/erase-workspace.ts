/** Erases what a workspace has uploaded, imported and collected. */
import type { Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { ErasureJob, Slice, WorkspaceData } from '../../../platform/workspace-data.ts'
import { type ErasePayload, purgeJob } from '../records/document-jobs.ts'

type Dependencies = Pick<Platform, 'database' | 'blobs' | 'partialFiles' | 'jobs' | 'clock'>

const filesAtOnce = 100

/** `collections` erases one collection per job. */
export const createKnowledgeData = (
  dependencies: Dependencies,
  collections: Queue<ErasePayload>,
): WorkspaceData => ({
  async erase(job) {
    await eraseUploads(dependencies, job)
    await eraseImports(dependencies, job)
    await eraseCollections(dependencies, job, collections)
  },
  slices: [
    { table: 'search_terms', key: ['index_number', 'term'], of: ofIndex },
    { table: 'search_languages', key: ['index_number', 'language'], of: ofIndex },
    { table: 'search_indexes', key: ['number'] },
    { table: 'embedding_usage', key: ['environment', 'model'] },
  ],
  async afterwards(tx) {
    const { database, jobs, clock } = dependencies
    if (database.emptyLog !== null) await jobs.enqueue(tx, purgeJob(clock()))
  },
})

const ofIndex: NonNullable<Slice['of']> = {
  column: 'index_number',
  parent: 'search_indexes',
  parentKey: 'number',
}

/** A file goes before its row, so that what a crash leaves is found again. */
async function eraseUploads({ database, partialFiles }: Dependencies, job: ErasureJob): Promise<void> {
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

async function eraseImports({ database, blobs }: Dependencies, job: ErasureJob): Promise<void> {
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
  { database }: Dependencies,
  job: ErasureJob,
  collections: Queue<ErasePayload>,
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
