import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportOf, importInto, pack, putDocument, unpack } from '../../../testing/knowledge/archives.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp } from '../../../testing/test-app.ts'

const documentName = 'collections/1/documents/1/document.json'
const chunksName = 'collections/1/documents/1/chunks-1.jsonl'

/** The archive of one small document, with other chunks beside the same file. */
async function swollen(archive: Buffer, chunkCount: number, charactersEach: number): Promise<Buffer> {
  const entries = await unpack(archive)
  const jsonOf = (name: string) => JSON.parse(String(entries.get(name)))
  const document = jsonOf(documentName)
  const chunk = jsonOf(chunksName)
  const textLength = chunkCount * charactersEach
  const lines = Array.from({ length: chunkCount }, (_, position) => {
    const startOffset = position * charactersEach
    const id = `${chunk.id.slice(0, -4)}${String(position).padStart(4, '0')}`
    const offsets = { startOffset, endOffset: startOffset + charactersEach }
    return JSON.stringify({ ...chunk, id, position, ...offsets, text: 'x'.repeat(charactersEach), gap: '' })
  })
  const changed = new Map(entries)
  changed.set(
    documentName,
    Buffer.from(JSON.stringify({ ...document, textLength, chunkCount, segments: [] })),
  )
  changed.set(chunksName, Buffer.from(lines.join('\n')))
  changed.set('end.json', Buffer.from(JSON.stringify({ ...jsonOf('end.json'), chunks: chunkCount })))
  return pack([...changed])
}

test('texts that an archive brings along are held against the plan, together with those of imports before', async t => {
  const app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'storageMb=1 uploadMb=10' } })
  t.after(() => app.close())
  const collectionId = await createCollection(app)
  const content = { externalId: 'a', content: 'Wombat.', name: 'a.txt', metadata: {} }
  await putDocument(app, collectionId, content)
  const archive = await exportOf(app, collectionId)

  const bomb = await swollen(archive, 700, 19_000)
  assert.ok(bomb.length < 200_000, `${bomb.length} bytes`)
  const refused = await importInto(app, bomb)
  assert.deepEqual([refused.status, refused.error?.code], ['failed', 'storage_limit'])
  assert.match(
    refused.error?.message ?? '',
    /texts are too large.* 10 times the plan's storage of 1048576 bytes/,
  )

  const half = await swollen(archive, 300, 19_000)
  assert.equal((await importInto(app, half)).status, 'succeeded')
  const second = await importInto(app, half)
  assert.deepEqual([second.status, second.error?.code], ['failed', 'storage_limit'])
  assert.equal((await importInto(app, archive)).status, 'succeeded')
})
