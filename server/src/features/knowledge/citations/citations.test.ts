import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { costRatio } from '../../../testing/costs/processor-time.ts'
import { createCollection, putAndWait, search } from '../../../testing/knowledge/knowledge.ts'
import { pdfOf } from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import { createQuoteSearch, wordsOf } from './citations-service.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

type Citation = Record<string, unknown>

const verify = async (citations: Citation[], key = app.liveKey) => {
  const reply = await app.request('POST', '/knowledge/citations/verify', { body: { citations }, key })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

const statusOf = async (citation: Citation): Promise<[string, number | null, number | null]> => {
  const [{ status, startOffset, endOffset }] = await verify([citation])
  return [status, startOffset, endOffset]
}

const text = ['😀 Rules of the house.', '', 'Ducks may   enter.', 'Geese pay two', 'euros a day.'].join('\n')
const offsetOf = (words: string): number => Array.from(text.slice(0, text.indexOf(words))).length

test('a quote is verified where it stands, moved where it stands elsewhere, and changed where it does not', async () => {
  const { id } = await putAndWait(app, { collectionId, externalId: 'rules', content: text })
  const at = offsetOf('Ducks')
  const quote = 'Ducks may enter.'
  const end = at + 'Ducks may   enter.'.length
  const stands = { documentId: id, quote, startOffset: at, endOffset: end }
  assert.deepEqual(await statusOf(stands), ['verified', at, end])
  assert.deepEqual(await statusOf({ documentId: id, quote }), ['verified', at, end])
  assert.deepEqual(await statusOf({ ...stands, startOffset: 0, endOffset: 10 }), ['moved', at, end])
  assert.deepEqual(await statusOf({ ...stands, startOffset: 900_000, endOffset: 900_009 }), [
    'moved',
    at,
    end,
  ])
  for (const other of ['ducks may enter.', 'Ducks may enter', 'Ducks may not enter.', 'enter. Geese pay 2']) {
    const [status] = await statusOf({ documentId: id, quote: other, startOffset: at, endOffset: end })
    assert.equal(status, other === 'Ducks may enter' ? 'moved' : 'changed', other)
  }
  const broken = ' enter.\tGeese pay\n\ntwo euros  '
  assert.deepEqual(await statusOf({ documentId: id, quote: broken }), [
    'verified',
    offsetOf('enter.'),
    offsetOf('euros') + 5,
  ])
  const emoji = await statusOf({ documentId: id, quote: '😀 Rules', startOffset: 0 })
  assert.deepEqual(emoji, ['verified', 0, 7])
})

test('what search finds verifies at its offsets, and after a change against the version that it was taken from', async () => {
  const target = { collectionId, externalId: 'changing' }
  const { id } = await putAndWait(app, { ...target, content: 'Intro.\n\nThe dhole hunts in packs of ten.' })
  const [hit] = await search(app, 'dhole')
  const { startOffset, endOffset } = hit.location
  const cited = { documentId: id, quote: hit.text, startOffset, endOffset }
  assert.equal((await statusOf(cited))[0], 'verified')
  await putAndWait(app, { ...target, content: 'Foreword.\n\nIntro.\n\nThe dhole hunts in packs of ten.' })
  const short = { documentId: id, quote: 'The dhole hunts in packs of ten.', startOffset: 8, endOffset: 40 }
  assert.deepEqual(await statusOf(short), ['moved', 19, 51])
  assert.deepEqual(await statusOf({ ...short, documentVersion: 1 }), ['verified', 8, 40])
  await putAndWait(app, { ...target, content: 'The dhole hunts alone.' })
  assert.deepEqual(await statusOf(short), ['changed', null, null])
  const [first] = await verify([{ ...short, documentVersion: 2 }])
  assert.deepEqual([first.status, first.documentVersion], ['moved', 2])
})

test('what is not there, has no text, is deleted or is not yours is missing alike, and the order is kept', async () => {
  const { id } = await putAndWait(app, { collectionId, externalId: 'here', content: 'Here I stand.' })
  const scan = await putAndWait(app, { collectionId, externalId: 'scan', name: 'a.pdf', content: pdfOf('') })
  const gone = await putAndWait(app, { collectionId, externalId: 'gone', content: 'Here I stand.' })
  await app.request('DELETE', `/knowledge/documents/${gone.id}`)
  const quote = 'Here I stand.'
  const citations = [
    { documentId: gone.id, quote },
    { documentId: id, quote },
    { documentId: scan.id, quote },
    { documentId: id, documentVersion: 2, quote },
    { documentId: id.replace(/.{3}$/, 'zzz'), quote },
  ]
  const statuses = (await verify(citations)).map(({ status }: Citation) => status)
  assert.deepEqual(statuses, ['missing', 'verified', 'missing', 'missing', 'missing'])
  const { workspaceId, ownerId } = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId, userId: ownerId })
  const narrowed = await app.createKey({ collectionIds: [await createCollection(app)] })
  for (const key of [stranger, narrowed, app.testKey]) {
    const [theirs, never] = await verify(
      [
        { documentId: id, quote },
        { documentId: gone.id, quote },
      ],
      key,
    )
    assert.deepEqual({ ...theirs, documentId: '' }, { ...never, documentId: '' })
    assert.equal(theirs.status, 'missing')
  }
})

test('faulty citations are refused by the name of the field', async () => {
  const { id } = await putAndWait(app, { collectionId, externalId: 'faulty' })
  const citation = { documentId: id, quote: 'x' }
  const faulty: [body: unknown, field: string][] = [
    [{ citations: [] }, 'citations'],
    [{ citations: Array(101).fill(citation) }, 'citations'],
    [{ citations: [{ ...citation, quote: ' \n' }] }, 'citations.0.quote'],
    [{ citations: [{ ...citation, quote: 'x'.repeat(10_001) }] }, 'citations.0.quote'],
    [{ citations: [citation, { ...citation, endOffset: 4 }] }, 'citations.1.endOffset'],
    [{ citations: [{ ...citation, startOffset: 4, endOffset: 4 }] }, 'citations.0.endOffset'],
    [{ citations: [{ ...citation, documentVersion: 0 }] }, 'citations.0.documentVersion'],
  ]
  for (const [body, field] of faulty) {
    const reply = await app.request('POST', '/knowledge/citations/verify', { body })
    assert.deepEqual([reply.status, reply.body.errors[0]?.field], [400, field])
  }
})

test('citations that would search through too much text are named, and those that stand where they stood are not counted', async () => {
  const { id } = await putAndWait(app, { collectionId, externalId: 'huge', content: 'As long as a library.' })
  await app.dependencies.database.write(tx =>
    tx.updateTable('documents').set({ text_length: 20_000_000 }).where('id', '=', id).execute(),
  )
  const sought = { documentId: id, quote: 'as a library.' }
  const standing = { ...sought, startOffset: 8 }
  const reply = await app.request('POST', '/knowledge/citations/verify', {
    body: { citations: [...Array(5).fill(sought), ...Array(20).fill(standing), sought, sought] },
  })
  assert.deepEqual([reply.status, reply.body.code], [400, 'validation_failed'])
  assert.deepEqual(
    reply.body.errors.map(({ field }: { field: string }) => field),
    ['citations.25', 'citations.26'],
  )
  assert.match(reply.body.errors[0].message, /more than 100000000 characters/)
  const statuses = (await verify([...Array(5).fill(sought), standing])).map(({ status }: Citation) => status)
  assert.deepEqual(statuses, Array(6).fill('verified'))
})

test('a quote is found wherever the pieces of the text are cut, at the place nearest to where it should stand', () => {
  const whole = `${'a b '.repeat(20)}needle   in\n\nthe 🪡 hay. ${'c d '.repeat(20)}needle in the 🪡 hay.`
  const words = wordsOf('needle in the 🪡 hay.')
  const characters = Array.from(whole)
  const firstAt = 80
  const lastAt = characters.length - 20
  for (let size = 1; size < 60; size++) {
    for (const [nearOffset, at] of [
      [0, firstAt],
      [characters.length, lastAt],
    ] as const) {
      const quotes = createQuoteSearch([
        { words, nearOffset },
        { words: 'nowhere', nearOffset: null },
      ])
      for (let start = 0; start < characters.length; start += size) {
        quotes.add(characters.slice(start, start + size).join(''))
      }
      const [place, none] = quotes.positions()
      assert.equal(place?.startOffset, at, `pieces of ${size}`)
      assert.equal(wordsOf(characters.slice(at, place?.endOffset).join('')), words)
      assert.equal(none, null)
    }
  }
})

test('a quote that repeats itself in a text that does takes no longer than another one', async () => {
  const count = 10
  const find = (words: string, before: string) => {
    const quotes = createQuoteSearch(Array.from({ length: count }, () => ({ words, nearOffset: null })))
    quotes.add(before)
    quotes.add(words)
    return quotes.positions()[count - 1]
  }
  const words = `${'a'.repeat(5_000)}b${'a'.repeat(4_999)}`
  const before = 'a'.repeat(100_000)
  assert.deepEqual(find(words, before), { startOffset: 100_000, endOffset: 110_000 })
  const ratio = await costRatio(
    () => find('abcdefghij'.repeat(1_000), 'klmnopqrst'.repeat(10_000)),
    () => find(words, before),
  )
  assert.ok(ratio < 10, `it costs ${ratio} times as much`)
})
