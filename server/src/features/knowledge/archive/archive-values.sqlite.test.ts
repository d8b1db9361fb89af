/** Archives of few bytes that unpack to very many values: none holds the server up, and each is refused by name. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cheapestTurnMs } from '../../../testing/costs/processor-time.ts'
import { exportOf, importInto, pack, putDocument, unpack } from '../../../testing/knowledge/archives.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

const mostMs = 50
/** Parsing so many takes longer than a turn may. */
const unpackedBytes = 15_000_000
/** Some hundred megabytes are unpacked and looked through. */
const timeout = 10 * 60_000

let here: TestApp
let entries: Map<string, Buffer>

before(async () => {
  here = await startTestApp()
  const collectionId = await createCollection(here, undefined, 'Whole')
  const document = { externalId: 'a', content: 'Wombat text.', name: 'a.txt', metadata: {} }
  await putDocument(here, collectionId, document)
  entries = await unpack(await exportOf(here, collectionId))
})
after(() => here.close())

const manyValues: Record<string, string> = {
  'empty objects': `[${'{},'.repeat(unpackedBytes / 3)}{}]`,
  'empty lists': `[${'[],'.repeat(unpackedBytes / 3)}[]]`,
  numbers: `[${'1,'.repeat(unpackedBytes / 2)}1]`,
  depth: '['.repeat(unpackedBytes / 2) + ']'.repeat(unpackedBytes / 2),
  fields: `{${Array.from({ length: 1_000_000 }, (_, i) => `"${i}":1`).join(',')}}`,
}

/** With the field at the end of the record, or of its first line. */
const withField = (record: Buffer | undefined, value: string): string =>
  `${String(record).trimEnd().slice(0, -1)},"more":${value}}\n`

test('an entry of millions of values is refused before it is parsed, whichever entry it is', {
  timeout,
}, async () => {
  const names = [...entries.keys()].filter(name => name.endsWith('.json') || name.endsWith('.jsonl'))
  assert.equal(names.length, 5)
  const values = Object.entries(manyValues)
  for (const [index, name] of names.entries()) {
    // The entries have one door: each kind comes to one of them, and all to another.
    const sent = name.endsWith('document.json') ? values : values.slice(index, index + 1)
    for (const [what, value] of sent) {
      const record = withField(entries.get(name), value)
      const archive = await pack(
        [...entries].map(([known, bytes]) => [known, known === name ? record : bytes]),
      )
      let message: string | undefined
      const ms = await cheapestTurnMs(mostMs, async () => {
        message = (await importInto(here, archive)).error?.message
      })
      assert.match(
        message ?? '',
        /must not (hold more than 20000 values|be nested deeper)/,
        `${name}, ${what}`,
      )
      assert.ok(ms <= mostMs, `${name} of ${what} took ${ms} ms`)
    }
  }
})

test('a record of as many faults as it may have values is refused within 50 ms', { timeout }, async () => {
  const name = 'collections/1/documents/1/document.json'
  const record = JSON.parse(String(entries.get(name)))
  const faults = {
    versions: Array.from({ length: 70_000 }, () => 1),
    segments: Array.from({ length: 30_000 }, () => ({ x: 1 })),
    metadata: Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`field ${i}`, null])),
  }
  for (const [field, value] of Object.entries(faults)) {
    const text = JSON.stringify({ ...record, [field]: value })
    const archive = await pack([...entries].map(([known, bytes]) => [known, known === name ? text : bytes]))
    let message: string | undefined
    const ms = await cheapestTurnMs(mostMs, async () => {
      message = (await importInto(here, archive)).error?.message
    })
    assert.match(message ?? '', new RegExp(`not of the form atrium-archive-1: ${field}`))
    assert.ok(ms <= mostMs, `${field} took ${ms} ms`)
  }
})
