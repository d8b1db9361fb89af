/** Rebuilds the search index from the chunks that are stored: after a restore, when the operator asks for it, or once the analysis has changed. */
import type { Selectable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { readChunkSlice } from '../records/chunks-store.ts'
import { reindexJob } from '../records/document-jobs.ts'
import { lockDocument } from '../records/documents-store.ts'
import { analysisVersion } from '../search/analysis/analyse.ts'
import { hideVersion } from '../search/index/index-store.ts'
import { chunksPerSlice, createIndexWriter, prepareChunks } from '../search/index/index-writer.ts'

/** Runs work in a transaction: one of its own, or one that is in progress. */
type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** A document of up to so many chunks is indexed in one transaction (a third of a second), so it is always found. */
const chunksAtOnce = 512
const documentsAtOnce = 200

export function createReindexService({ database }: { database: Database }) {
  const index = createIndexWriter(database)

  const rebuildDocument = async (run: Run, row: ServedRow): Promise<void> => {
    const scope = { workspaceId: row.workspace_id, environment: row.environment }
    const document = {
      id: row.id,
      version: row.served_version,
      collectionId: row.collection_id,
      title: row.title,
      name: row.name,
    }
    /** Does nothing if the document was deleted or changed meanwhile. That change also updates the index. */
    const step = (work: (tx: Tx) => Promise<number>): Promise<number | null> =>
      run(async tx => ((await isUnchanged(scope, tx, row)) ? work(tx) : null))

    // Not the whole document: a later version may be in progress.
    const clear = () =>
      step(async tx => {
        await hideVersion(tx, row.id, row.served_version)
        return index.discardVersion(scope, tx, row.id, row.served_version)
      })
    let left = await clear()
    while (left !== null && left > 0) left = await clear()
    for (let position = 0; left !== null && position < row.chunk_count; position += chunksPerSlice) {
      left = await step(async tx => {
        const chunks = await readChunkSlice(tx, document, position, chunksPerSlice)
        await index.writeChunks(scope, tx, document, prepareChunks(document, chunks))
        // Published at once, so that the sweep of leftovers does not remove it.
        await index.publishVersion(scope, tx, row.id, row.served_version)
        return 0
      })
    }
  }

  const isUnchanged = async (scope: Scope, tx: Tx, row: ServedRow): Promise<boolean> => {
    const current = await lockDocument(scope, tx, row.id)
    return current?.served_version === row.served_version
  }

  return {
    /**
     * Indexes every document that is served again, oldest first, beside everything else that goes on; of a long document
     * more and more is found while it is done. Returns how many there were; `onDocument` is called after each.
     */
    async rebuild({
      workspaceId,
      onDocument,
    }: {
      workspaceId?: string
      onDocument?: (count: number) => void
    }): Promise<number> {
      let count = 0
      for await (const row of servedDocuments(database.read, workspaceId)) {
        if (row.chunk_count > chunksAtOnce) await rebuildDocument(database.write, row)
        else await database.write(tx => rebuildDocument(work => work(tx), row))
        count += 1
        onDocument?.(count)
      }
      return count
    },

    /** The same inside a transaction that has filled the tables and whose search index is empty. */
    async rebuildWithin(tx: Tx): Promise<number> {
      let count = 0
      for await (const row of servedDocuments(tx)) {
        await rebuildDocument(work => work(tx), row)
        count += 1
      }
      return count
    },
  }
}

type ServedRow = Selectable<Tables['documents']> & { served_version: number }

async function* servedDocuments(query: Query, workspaceId?: string): AsyncGenerator<ServedRow> {
  for (let after = ''; ; ) {
    let rows = query
      .selectFrom('documents')
      .selectAll()
      .where('served_version', 'is not', null)
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .$narrowType<{ served_version: number }>()
    if (workspaceId !== undefined) rows = rows.where('workspace_id', '=', workspaceId)
    const page = await rows.orderBy('id').limit(documentsAtOnce).execute()
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < documentsAtOnce) return
    after = last.id
  }
}

/**
 * Brings the index up to date after a change of the analysis: queues a job for each document that was indexed by an
 * earlier one, which stays found meanwhile, and answers how many there are.
 */
export function createReanalysis({ database, jobs }: { database: Database; jobs: Jobs }) {
  const listOutdated = (after: string) =>
    database.read
      .selectFrom('search_segments')
      .innerJoin('search_indexes', 'search_indexes.number', 'search_segments.index_number')
      .select(['document_id as documentId', 'workspace_id as workspaceId', 'environment'])
      .distinct()
      .where('search_segments.analysis', '<', analysisVersion)
      .where('search_segments.live', '=', 1)
      .where('search_segments.document_id', '>', after)
      .orderBy('search_segments.document_id')
      .limit(documentsAtOnce)
      .execute()

  return async () => {
    let count = 0
    for (let after = ''; ; ) {
      const outdated = await listOutdated(after)
      const last = outdated.at(-1)
      if (last === undefined) return count
      await database.write(async tx => {
        for (const { documentId, ...scope } of outdated) {
          // Each start asks again, as long as any are left.
          const uniqueKey = `reanalysis:${documentId}`
          await jobs.enqueue(tx, { ...reindexJob(scope, documentId, 'rewrite'), uniqueKey })
        }
      })
      count += outdated.length
      after = last.documentId
    }
  }
}
