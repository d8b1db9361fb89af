/** Brings a collection in line with its source by a sync session: uploads what is new or changed, deletes what is gone. */
import { basename } from 'node:path'
import type { Atrium, Sync } from '@atrium/sdk'

export type SourceFile = {
  /** The path in the repository, which names the document for good. */
  externalId: string
  content: Buffer<ArrayBuffer>
  sha256: string
}

/** Uploads in progress at once. */
const concurrency = 4

/** Returns the completed session, whose counts tell what was done. */
export async function synchronize(
  atrium: Atrium,
  collectionId: string,
  files: readonly SourceFile[],
): Promise<Sync> {
  const { documents, syncs } = atrium.knowledge
  // Ten thousand entries fit into one page; a larger source sends further ones by `syncs.add`.
  const entries = files.map(({ externalId, sha256 }) => ({ externalId, sha256 }))
  const { sync, upload } = await syncs.open(collectionId, { entries, ifOpen: 'cancel' })
  try {
    const wanted = new Set(upload.map(({ externalId }) => externalId))
    const changed = files.filter(({ externalId }) => wanted.has(externalId))
    const uploaded: string[] = []
    await forEach('Uploading', changed, async ({ externalId, content }) => {
      const file = { name: basename(externalId), content, mediaType: 'text/markdown' }
      const { id } = await documents.put({ collectionId, externalId, file, metadata: { path: externalId } })
      uploaded.push(id)
    })
    await forEach('Indexing', uploaded, id => documents.waitUntilReady(id))
    return await syncs.complete(sync.id)
  } catch (error) {
    // What was uploaded stays.
    await syncs.cancel(sync.id)
    throw error
  }

  async function forEach<Thing>(
    title: string,
    things: readonly Thing[],
    work: (thing: Thing) => Promise<unknown>,
  ) {
    if (things.length === 0) return
    const progress = createProgress(title, things.length)
    const waiting = things.values()
    const worker = async () => {
      for (const thing of waiting) {
        await work(thing)
        progress.advance()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    progress.end()
  }
}

const width = 32

/** A progress bar in the terminal; elsewhere one line at the end. */
function createProgress(title: string, total: number) {
  const { stdout } = process
  let done = 0
  const draw = () => {
    const filled = Math.round((width * done) / total)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    stdout.write(`${stdout.isTTY ? '\r' : ''}${title.padEnd(11)} ${bar} ${done}/${total}`)
  }
  if (stdout.isTTY) draw()
  return {
    advance() {
      done += 1
      if (stdout.isTTY) draw()
    },
    end() {
      if (!stdout.isTTY) draw()
      stdout.write('\n')
    },
  }
}
