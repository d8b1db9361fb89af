/** No loop, allocation or counter follows a number that an archive states: it is refused, or it is what is there. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { exportOf, importInto, pack, putDocument, unpack } from '../../../testing/knowledge/archives.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import { ArchivedChunk, ArchivedCollection, ArchivedDocument, ArchiveEnd } from './format.ts'

type Path = (string | number)[]
type Schema = {
  type?: string
  minimum?: number
  maximum?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
}

let here: TestApp
let entries: Map<string, Buffer>
/** The documents as an unchanged archive brings them, and as a list shows them. */
let whole: unknown

before(async () => {
  here = await startTestApp()
  const collectionId = await createCollection(here, undefined, 'Whole')
  const put = (externalId: string, content: string | Buffer, name: string) =>
    putDocument(here, collectionId, { externalId, content, name, metadata: { name } })
  await put('ready', 'Wombats dig burrows.', 'ready.txt')
  await put('ready', 'Wombats dig deeper burrows.', 'ready.txt')
  await put('served', 'Wombats eat grass.', 'served.txt')
  await fail('served')
  await fail('failed')
  entries = await unpack(await exportOf(here, collectionId))
  const done = await importInto(here, await pack([...entries]))
  assert.equal(done.status, 'succeeded', JSON.stringify(done.error))
  whole = await shown(done.collectionId ?? '')

  /** Its latest version has no text. */
  async function fail(externalId: string): Promise<void> {
    const form = new FormData()
    form.append('file', new Blob(['%PDF-1.7 and nothing more']), `${externalId}.pdf`)
    const { status } = await here.request(
      'PUT',
      `/knowledge/collections/${collectionId}/documents/${externalId}`,
      { form, headers: { prefer: 'wait=30' } },
    )
    assert.ok([200, 201].includes(status))
    await eventually('it has failed', async () => {
      const { body } = await here.request('GET', '/knowledge/documents', { query: { externalId } })
      return body.data[0]?.status === 'failed'
    })
  }
})
after(() => here.close())

test('each integer of an archive is refused or is what is there, at both ends of its range and beyond', {
  timeout: 10 * 60_000,
}, async () => {
  const statuses = new Set<string>()
  let tried = 0
  for (const [name, bytes] of entries) {
    const schema = schemaOf(name)
    if (schema === null) continue
    const record = JSON.parse(String(bytes).split('\n')[0] ?? '')
    if (name.endsWith('document.json')) statuses.add(`${record.status} ${record.servedVersion !== null}`)
    for (const { path, minimum, maximum } of integersIn(schema, record)) {
      for (const value of new Set([0, -1, minimum, minimum - 1, maximum, maximum + 1])) {
        const changed = structuredClone(record)
        if (!set(changed, path, value)) continue
        const what = `${name} ${path.join('.')} = ${value} (${record.status ?? ''})`
        const done = await importInto(here, await withRecord(name, changed))
        tried += 1
        if (done.status === 'failed') {
          assert.ok(['archive_invalid', 'storage_limit'].includes(done.error?.code ?? ''), what)
          assert.equal(done.collectionId, null, what)
          continue
        }
        assert.deepEqual(await shown(done.collectionId ?? ''), whole, what)
      }
    }
  }
  assert.deepEqual([...statuses].sort(), ['failed false', 'failed true', 'ready true'])
  assert.ok(tried > 150, `${tried} archives`)
  await untilErased()
})

test('no status and no served version brings a document more chunks than the archive holds', async () => {
  const documents = [...entries].filter(([name]) => name.endsWith('document.json'))
  for (const [name, bytes] of documents) {
    const record = JSON.parse(String(bytes))
    for (const status of ['ready', 'failed', 'queued']) {
      for (const servedVersion of [null, ...record.versions.map(versionOf), record.version]) {
        for (const textLength of [null, 0, record.textLength]) {
          const changed = { ...record, status, servedVersion, textLength, chunkCount: 2 ** 40, segments: [] }
          const done = await importInto(here, await withRecord(name, changed))
          const what = `${name} ${JSON.stringify({ status, servedVersion, textLength })}`
          assert.deepEqual([done.status, done.error?.code], ['failed', 'archive_invalid'], what)
        }
      }
    }
  }
  await untilErased()
})

const versionOf = ({ version }: { version: number }) => version

const untilErased = () =>
  eventually('nothing of the refused archives is left', async () => {
    const hidden = here.dependencies.database.read
      .selectFrom('collections')
      .select('id')
      .where('deleted_at', 'is not', null)
    return (await hidden.execute()).length === 0
  })

function schemaOf(name: string): Schema | null {
  if (name.endsWith('/collection.json')) return ArchivedCollection
  if (name.endsWith('/document.json')) return ArchivedDocument as Schema
  if (name.endsWith('.jsonl')) return ArchivedChunk
  return name === 'end.json' ? ArchiveEnd : null
}

/** The integers that a schema names, each in the first item of a list. */
function* integersIn(
  { type, minimum, maximum, anyOf, properties, items }: Schema,
  value: unknown,
  path: Path = [],
): Generator<{ path: Path; minimum: number; maximum: number }> {
  if (type === 'integer') {
    assert.ok(minimum !== undefined && maximum !== undefined, `${path.join('.')} has no bounds`)
    // The pages of a file are known to its reader alone. They are shown, and nothing is counted by them.
    if (path.at(-1) !== 'pageCount') yield { path, minimum, maximum }
  }
  for (const one of anyOf ?? []) yield* integersIn(one, value, path)
  for (const [name, one] of Object.entries(properties ?? {})) yield* integersIn(one, value, [...path, name])
  if (items !== undefined) yield* integersIn(items, value, [...path, 0])
}

/** Returns false if the record has no such place, or has the value. */
function set(record: Record<string | number, unknown>, path: Path, value: number): boolean {
  const [name = '', ...rest] = path
  if (rest.length > 0) {
    const inner = record[name]
    return typeof inner === 'object' && inner !== null && set(inner as typeof record, rest, value)
  }
  if (record[name] === value || (Array.isArray(record) && record.length === 0)) return false
  record[name] = value
  return true
}

const withRecord = (name: string, record: object): Promise<Buffer> =>
  pack(
    [...entries].map(([known, bytes]) => [
      known,
      known === name ? [JSON.stringify(record), ...String(bytes).split('\n').slice(1)].join('\n') : bytes,
    ]),
  )

/** The collection as a client sees it, with each document's versions and chunks, and without ids. */
async function shown(collectionId: string): Promise<unknown> {
  const get = async (path: string) => (await here.request('GET', path)).body
  const { documentCount, chunkCount, sizeBytes } = (await get(`/knowledge/collections/${collectionId}`)).data
  const { data: documents } = await get(`/knowledge/documents?collectionId=${collectionId}`)
  const parts = []
  for (const { id } of documents) {
    parts.push((await get(`/knowledge/documents/${id}/chunks`)).data)
    parts.push((await get(`/knowledge/documents/${id}/versions`)).data)
  }
  const all = { documentCount, chunkCount, sizeBytes, documents, parts }
  return JSON.parse(JSON.stringify(all).replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1'))
}
