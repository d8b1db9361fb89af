/** Indexes what an import has stored, in the order in which it was indexed where it comes from: equal matches then stay in theirs. */
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { readChunkSlice } from '../records/chunks-store.ts'
import { chunksPerSlice, type IndexWriter, prepareChunks } from '../search/index/index-writer.ts'
import type { ArchivedDocument } from './format.ts'

/** A document that is found by this version. */
export type Unindexed = { id: string; version: number; document: ArchivedDocument }

type Place = {
  database: Pick<Database, 'read'>
  index: IndexWriter
  scope: Scope
  collectionId: string
  signal: AbortSignal
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** About 10 ms of the one writer's time. */
const documentsAtOnce = 50

/** Nothing of it is found before the collection is shown. */
export async function indexInOrder(place: Place, documents: readonly Unindexed[]): Promise<void> {
  const { database, index, scope, collectionId, signal, write } = place
  for (const { of, position, count } of slicesOf(documents)) {
    signal.throwIfAborted()
    const { name, title } = contentOf(of)
    const document = { id: of.id, version: of.version, collectionId, name, title }
    const chunks = prepareChunks(document, await readChunkSlice(database.read, of, position, count))
    await write(async tx => {
      await index.writeChunks(scope, tx, document, chunks)
      await index.hideCollection(scope, tx, collectionId)
    })
  }
  for (let start = 0; start < documents.length; start += documentsAtOnce) {
    signal.throwIfAborted()
    const slice = documents.slice(start, start + documentsAtOnce)
    await write(async tx => {
      for (const { id, version } of slice) await index.publishVersion(scope, tx, id, version)
    })
  }
}

type Slice = { of: Unindexed; place: number; position: number; count: number }

/** Those whose place is known first, then the others by document and position; none of more chunks than are written at once. */
function slicesOf(documents: readonly Unindexed[]): Slice[] {
  const slices = documents.flatMap(of => {
    const { segments, chunkCount } = of.document
    const whole = { place: Number.MAX_SAFE_INTEGER, position: 0, count: chunkCount }
    return (segments.length > 0 ? segments : [whole]).flatMap(segment => cut(of, segment))
  })
  return slices.sort((one, other) => one.place - other.place || one.position - other.position)
}

function cut(of: Unindexed, segment: Omit<Slice, 'of'>): Slice[] {
  const slices: Slice[] = []
  for (let done = 0; done < segment.count; done += chunksPerSlice) {
    const count = Math.min(chunksPerSlice, segment.count - done)
    slices.push({ of, place: segment.place + done, position: segment.position + done, count })
  }
  return slices
}

const contentOf = ({ version, document }: Unindexed) =>
  document.versions.find(one => one.version === version) ?? document
