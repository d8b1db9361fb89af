/** Rebuilds the search index from the chunks that are stored: after a restore, or when the operator asks for it. */
import type { Scope } from '../../platform/caller.ts'
import type { Database, Query, Tx } from '../../platform/database/database.ts'
import { type DocumentRow, lockDocument } from './documents-store.ts'
import { chunksPerSlice, createIndexWriter, prepareChunks } from './search/index-writer.ts'

/** Runs work in a transaction: one of its own, or one that is under way. */
type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

export type ReindexService = {
  /**
   * Indexes every document that is ready again, oldest first, beside whatever else is going on; a long document is
   * not found while it is done. Answers how many there were; `onDocument` is called after each.
   */
  rebuild(options: { workspaceId?: string; onDocument?: (count: number) => void }): Promise<number>
  /** The same inside a transaction that has filled the tables and whose search index is empty. */
  rebuildWithin(tx: Tx): Promise<number>
}

/** A document of up to so many chunks is indexed in one transaction (a third of a second), so it is always found. */
const chunksAtOnce = 512
const documentsAtOnce = 200

export function createReindexService({ database }: { database: Database }): ReindexService {
  const { engine } = database
  const index = createIndexWriter({ engine })

  const rebuildDocument = async (run: Run, row: DocumentRow): Promise<void> => {
    const scope = { workspaceId: row.workspace_id, environment: row.environment }
    const document = {
      id: row.id,
      version: row.version,
      collectionId: row.collection_id,
      title: row.title,
      name: row.name,
    }
    /** Does nothing where the document was deleted or changed meanwhile: whoever did that sees to the index. */
    const step = (work: (tx: Tx) => Promise<number>): Promise<number | null> =>
      run(async tx => ((await isUnchanged(scope, tx, row)) ? work(tx) : null))

    let left = await step(tx => index.removeDocument(scope, tx, row.id))
    while (left !== null && left > 0) left = await step(tx => index.removeDocument(scope, tx, row.id))
    for (let position = 0; left !== null && position < row.chunk_count; position += chunksPerSlice) {
      left = await step(async tx => {
        const chunks = await readChunks(tx, row, position)
        await index.writeChunks(scope, tx, document, prepareChunks(document, chunks))
        return 0
      })
    }
    if (left !== null) await step(tx => index.publishVersion(scope, tx, row.id, row.version))
  }

  const isUnchanged = async (scope: Scope, tx: Tx, row: DocumentRow): Promise<boolean> => {
    const current = await lockDocument(scope, tx, engine, row.id)
    return current?.status === 'ready' && current.version === row.version
  }

  return {
    async rebuild({ workspaceId, onDocument }) {
      let count = 0
      for await (const row of readyDocuments(database.read, workspaceId)) {
        if (row.chunk_count > chunksAtOnce) await rebuildDocument(database.write, row)
        else await database.write(tx => rebuildDocument(work => work(tx), row))
        count += 1
        onDocument?.(count)
      }
      return count
    },
    async rebuildWithin(tx) {
      let count = 0
      for await (const row of readyDocuments(tx)) {
        await rebuildDocument(work => work(tx), row)
        count += 1
      }
      return count
    },
  }
}

async function* readyDocuments(query: Query, workspaceId?: string): AsyncGenerator<DocumentRow> {
  for (let after = ''; ; ) {
    let rows = query
      .selectFrom('documents')
      .selectAll()
      .where('status', '=', 'ready')
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
    if (workspaceId !== undefined) rows = rows.where('workspace_id', '=', workspaceId)
    const page = await rows.orderBy('id').limit(documentsAtOnce).execute()
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < documentsAtOnce) return
    after = last.id
  }
}

const readChunks = (tx: Tx, row: DocumentRow, position: number) =>
  tx
    .selectFrom('chunks')
    .select(['id', 'headings', 'text'])
    .where('document_id', '=', row.id)
    .where('document_version', '=', row.version)
    .where('position', '>=', position)
    .where('position', '<', position + chunksPerSlice)
    .orderBy('position')
    .execute()
