/** Makes a collection the same as its source: uploads what is new or changed, deletes what is gone. */
import { basename } from 'node:path'
import type { Atrium, Document } from '@atrium/sdk'
import type { SourceFile } from './documentation.ts'

export type Progress = { advance(): void; end(): void }

/** Uploads under way at once. */
const concurrency = 4

export async function synchronize(
  atrium: Atrium,
  collectionId: string,
  files: readonly SourceFile[],
  createProgress: (title: string, total: number) => Progress,
): Promise<{ uploaded: number; unchanged: number; deleted: number }> {
  const { documents } = atrium.knowledge
  const present = new Map<string | null, Document>()
  for await (const document of documents.list({ collectionId })) present.set(document.externalId, document)

  const isUnchanged = ({ externalId, sha256 }: SourceFile) => present.get(externalId)?.sha256 === sha256
  const toUpload = files.filter(file => !isUnchanged(file))
  const kept = new Set(files.filter(isUnchanged).map(({ externalId }) => externalId))
  const toDelete = [...present.values()].filter(document => !kept.has(document.externalId ?? ''))
  await forEach('Deleting', toDelete, document => documents.delete(document.id))

  const uploaded: string[] = []
  await forEach('Uploading', toUpload, async ({ externalId, content }) => {
    const file = { name: basename(externalId), content, mediaType: 'text/markdown' }
    const document = await documents.upload({
      collectionId,
      externalId,
      file,
      metadata: { path: externalId },
    })
    uploaded.push(document.id)
  })
  await forEach('Indexing', uploaded, id => documents.waitUntilReady(id))
  return { uploaded: uploaded.length, unchanged: kept.size, deleted: toDelete.length }

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
