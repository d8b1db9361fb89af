/** Mirrors a folder in a collection: `node examples/folder-sync/main.ts FOLDER`. A second call sends only what changed. */
import { createHash } from 'node:crypto'
import { glob, readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Atrium } from '@atrium/sdk'

const atrium = new Atrium({ baseUrl: process.env.ATRIUM_URL, apiKey: process.env.ATRIUM_API_KEY })
const folder = resolve(process.argv[2] ?? '.')
const name = basename(folder)

const found: string[] = []
for await (const path of glob('**', { cwd: folder })) {
  if ((await stat(resolve(folder, path))).isFile()) found.push(path)
}
const entries = await Promise.all(
  found.sort().map(async path => ({
    externalId: path,
    sha256: createHash('sha256')
      .update(await readFile(resolve(folder, path)))
      .digest('hex'),
  })),
)

let collectionId: string | undefined
for await (const collection of atrium.knowledge.collections.list())
  if (collection.name === name) collectionId = collection.id
collectionId ??= (await atrium.knowledge.collections.create({ name })).id

// A run of this program that broke off leaves its session open.
const { sync, upload } = await atrium.knowledge.syncs.open(collectionId, { entries, ifOpen: 'cancel' })
for (const { externalId } of upload) {
  const content = await readFile(resolve(folder, externalId))
  await atrium.knowledge.documents.put({
    collectionId,
    externalId,
    file: { name: basename(externalId), content },
  })
}
const { added, changed, unchanged, deleted } = await atrium.knowledge.syncs.complete(sync.id)
console.log(`${added} added, ${changed} changed, ${unchanged} unchanged, ${deleted} deleted`)
