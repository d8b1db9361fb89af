/** Archives of collections made and taken in through the API, as a test needs them. */
import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack as tar } from 'tar-stream'
import type { CollectionImport } from '../../features/knowledge/archive/archives-service.ts'
import type { TestApp, TestKey } from '../test-app.ts'
import { putAndWait } from './knowledge.ts'

export async function putDocument(
  app: TestApp,
  collectionId: string,
  {
    externalId,
    content,
    name,
    metadata,
  }: { externalId: string; content: string | Buffer; name: string; metadata: object },
): Promise<void> {
  const fields = { metadata: JSON.stringify(metadata) }
  const { status } = await putAndWait(app, { collectionId, externalId, content, name, fields })
  assert.equal(status, 'ready')
}

export async function exportOf(
  app: TestApp,
  collectionId: string,
  key: TestKey = app.liveKey,
): Promise<Buffer> {
  const reply = await app.app.server.inject({
    url: `/api/v1/knowledge/collections/${collectionId}/export`,
    headers: { authorization: `Bearer ${key.key}` },
  })
  assert.equal(reply.statusCode, 200, reply.payload)
  assert.equal(reply.headers['content-type'], 'application/gzip')
  return reply.rawPayload
}

export async function importInto(
  app: TestApp,
  archive: Buffer,
  key: TestKey = app.liveKey,
  name?: string,
): Promise<CollectionImport> {
  const form = new FormData()
  if (name !== undefined) form.append('name', name)
  form.append('file', new Blob([new Uint8Array(archive)]), 'archive.tar.gz')
  const reply = await app.request('POST', '/knowledge/imports', { form, key, headers: { prefer: 'wait=60' } })
  assert.equal(reply.status, 202, JSON.stringify(reply.body))
  return reply.body.data
}

/** Its entries, in their order. */
export async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const entries = extract()
  entries.end(gunzipSync(archive))
  const found = new Map<string, Buffer>()
  for await (const entry of entries) {
    const pieces: Buffer[] = []
    for await (const piece of entry) pieces.push(piece as Buffer)
    found.set(entry.header.name, Buffer.concat(pieces))
  }
  return found
}

export async function pack(entries: readonly (readonly (string | Buffer)[])[]): Promise<Buffer> {
  const archive = tar()
  for (const [name = '', content = ''] of entries) archive.entry({ name: String(name) }, content)
  archive.finalize()
  const pieces: Buffer[] = []
  for await (const piece of archive) pieces.push(piece as Buffer)
  return gzipSync(Buffer.concat(pieces), { level: 1 })
}
