/** What can be asked for, and what is found for it: phrases, exclusions, prefixes, slips, compounds and languages. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary, type Library } from '../../../testing/knowledge/indexed-documents.ts'
import type { SearchResult } from './present.ts'

type Found = { text: string; marked: string[]; result: SearchResult }
type Setting = {
  library: Library
  find(query: string): Promise<Found[]>
  texts(query: string): Promise<string[]>
}

/** Each text is a document of its own. */
async function createSetting(t: TestContext, texts: readonly string[]): Promise<Setting> {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const collectionId = await library.createCollection(scope)
  for (const text of texts) await library.add(scope, { collectionId, chunks: [text] })
  const find = async (query: string): Promise<Found[]> => {
    const { results } = await library.search(scope, { query, limit: 50, explain: true })
    return results.map(result => ({
      text: result.text,
      marked: result.highlights.map(({ startOffset, endOffset }) =>
        Array.from(result.text).slice(startOffset, endOffset).join(''),
      ),
      result,
    }))
  }
  return { library, find, texts: async query => (await find(query)).map(({ text }) => text) }
}

const art = 'A survey of the state of the art in retrieval.'
const museums = 'The art of the state is kept in museums.'

test('a phrase in quotes is found word for word, with its stop words, and marked as a whole', async t => {
  const { find, texts } = await createSetting(t, [art, museums, 'State art.'])
  assert.deepEqual(await texts('"state of the art"'), [art])
  assert.deepEqual(await texts('“art of the state”'), [museums])
  assert.deepEqual((await texts('"of the"')).toSorted(), [art, museums])
  assert.deepEqual(await texts('"state of the museums"'), [])
  const [found] = await find('"state of the art" survey')
  assert.deepEqual(found?.marked, ['survey', 'state of the art'])
  assert.equal((await texts('state of the art')).length, 3)
})

test('in prose, quotes demand nothing', async t => {
  const { texts } = await createSetting(t, [art, museums])
  const prose = 'I would like to read about "what is kept" in museums or in retrieval systems of the world'
  assert.equal((await texts(prose)).length, 2)
})

test('what is excluded is not found, a word in each of its forms and a phrase word for word', async t => {
  const { texts } = await createSetting(t, [art, museums, 'A museum of retrieval.'])
  assert.deepEqual(await texts('retrieval -museums'), [art])
  assert.deepEqual(await texts('art -"state of the art"'), [museums])
  assert.deepEqual(await texts('retrieval -surv*'), ['A museum of retrieval.'])
  assert.deepEqual(await texts('-museums'), [])
})

test('phrases and exclusions leave a full page of results, however many chunks they rule out', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const collectionId = await library.createCollection(scope)
  const add = (...chunks: string[]) => library.add(scope, { collectionId, chunks })
  for (let i = 0; i < 14; i++) await add(...Array<string>(50).fill('heron nest heron nest draft'))
  for (let i = 0; i < 12; i++) await add(`a nest that a heron has built with much more than twigs ${i}`)
  assert.equal((await library.find(scope, 'heron nest -draft')).total, 12)
  assert.equal((await library.find(scope, 'heron -"nest draft"')).total, 12)
  assert.equal((await library.find(scope, 'nest "a heron"')).total, 12)
})

test('a star finds all words that begin so, also where their stem is shorter', async t => {
  const { find, texts } = await createSetting(t, [
    'Invoices are paid.',
    'An inventory.',
    'The organization.',
    'A cat.',
  ])
  assert.deepEqual((await texts('inv*')).toSorted(), ['An inventory.', 'Invoices are paid.'])
  assert.deepEqual(await texts('organiz*'), ['The organization.'])
  assert.deepEqual((await find('inven*'))[0]?.marked, ['inventory'])
  assert.deepEqual(await texts('cats inv'), ['A cat.'])
})

test('a word that no text has is corrected, and the explanation says so', async t => {
  const { find, texts } = await createSetting(t, [
    'The Kubernetes cluster is drained.',
    'Requests are received here.',
    'An address and an accommodation.',
    'Отпуск оформляется заранее.',
  ])
  const [found] = await find('kuberntes')
  assert.deepEqual(found?.marked, ['Kubernetes'])
  const parts = found?.result.explanation?.text?.parts ?? []
  assert.deepEqual(
    parts.map(({ terms, correctedTo }) => [terms, correctedTo]),
    [[['kuberntes'], 'kubernet']],
  )
  assert.deepEqual(await texts('recieved'), ['Requests are received here.'])
  assert.deepEqual(await texts('acomodation'), ['An address and an accommodation.'])
  assert.deepEqual(await texts('отпсук'), ['Отпуск оформляется заранее.'])
})

test('what is found as it is written is never corrected, nor are numbers', async t => {
  const { find, texts } = await createSetting(t, ['A house.', 'A horse.', 'Report 2019.'])
  assert.deepEqual(await texts('horse'), ['A horse.'])
  assert.deepEqual(await texts('2018'), [])
  assert.ok((await find('horse')).every(({ result }) => !JSON.stringify(result).includes('correctedTo')))
})

test('a correction never tells a word of what the search cannot reach', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const [open, closed] = [await library.createCollection(scope), await library.createCollection(scope)]
  await library.add(scope, { collectionId: closed, chunks: ['The project is called Nightingale.'] })
  await library.add(scope, { collectionId: open, chunks: ['The nightingales sing.', 'Nothing else.'] })
  await library.add(scope, { collectionId: closed, chunks: ['The takeover of Blackbird.'] })
  const narrowed = { ...scope, collectionIds: [open] }
  assert.equal((await library.find(narrowed, 'nightingal')).total, 1)
  assert.equal((await library.find(narrowed, 'blackbrid')).total, 0)
})

test('German compounds find their parts, and the parts the compound', async t => {
  const leave = 'Der Urlaubsantrag wird von der Leitung genehmigt.'
  const request = 'Wer Urlaub nimmt, stellt vorher einen Antrag bei der Leitung.'
  const travel = 'Die Reisekosten werden mit dem Gehalt erstattet.'
  const { find, texts } = await createSetting(t, [leave, request, travel])
  assert.deepEqual((await texts('Urlaub Antrag')).toSorted(), [leave, request])
  assert.deepEqual(await texts('Urlaubsanträge'), [leave, request])
  assert.deepEqual(await texts('Kosten der Reise'), [travel])
  assert.deepEqual((await find('Urlaub Antrag')).find(({ text }) => text === leave)?.marked, [
    'Urlaubsantrag',
  ])
  assert.deepEqual((await find('Urlaubsantrag')).find(({ text }) => text === request)?.marked, [
    'Urlaub',
    'Antrag',
  ])
})

test('codes, versions and compounds are found however they are spelled, best as they are written', async t => {
  const apart = 'The audit by ISO 27001 was passed.'
  const joined = 'The audit by ISO27001 was passed.'
  const form = 'Form 10-K was filed for version v2.3.1 of it.'
  const camel = 'It calls parseFilter of the module.'
  const words = 'We parse the filter of the module.'
  const snake = 'It calls parse_filter of the module.'
  const { find, texts } = await createSetting(t, [apart, joined, form, camel, words, snake])
  assert.deepEqual(await texts('ISO 27001'), [apart, joined])
  assert.deepEqual(await texts('iso27001'), [joined, apart])
  assert.deepEqual((await find('ISO 27001'))[1]?.marked, ['ISO27001'])
  for (const query of ['10-K', '10K', 'v2.3.1', 'v2']) assert.deepEqual(await texts(query), [form], query)
  // A part alone is another word.
  assert.deepEqual(await texts('ISO27002'), [])
  assert.equal((await texts('parseFilter'))[0], camel)
  assert.deepEqual((await texts('parseFilter')).toSorted(), [camel, snake, words])
  assert.deepEqual((await texts('parse_filter')).toSorted(), [camel, snake, words])
})

test('a word that two languages write alike counts as one, in whichever its text is', async t => {
  const german = 'Der Film ist heute im Kino und kostet nichts.'
  const english = 'The film is shown in the cinema and costs nothing.'
  const { find, texts } = await createSetting(t, [
    german,
    english,
    'Le film est dans la salle et ne coûte rien.',
  ])
  assert.equal((await texts('films')).length, 3)
  for (const { result } of await find('film')) {
    const parts = result.explanation?.text?.parts ?? []
    assert.deepEqual(
      parts.map(({ field, terms }) => [field, terms]),
      [['body', ['film']]],
    )
  }
})

test('characters of the same pair in other words are not found, and marks are exact behind wide characters', async t => {
  const { find, texts } = await createSetting(t, [
    '😀東京都に住んでいます',
    '京都は古い都市です',
    '대한민국의 수도는 서울입니다',
    '𝒳 พนักงานมีสิทธิลาพักร้อน',
  ])
  assert.deepEqual(await texts('東京都'), ['😀東京都に住んでいます'])
  assert.deepEqual((await find('東京'))[0]?.marked, ['東京'])
  assert.deepEqual((await find('수도'))[0]?.marked, ['수도'])
  assert.deepEqual((await find('พนักงาน'))[0]?.marked, ['พนักงาน'])
  assert.deepEqual(await texts('"京都は"'), ['京都は古い都市です'])
})

test('accents, stems and scripts of a language are marked where they stand', async t => {
  const { find } = await createSetting(t, [
    'Les congés payés sont demandés par écrit au responsable.',
    'Договоры с поставщиками хранятся в архиве.',
    'يحق لكل موظف ثلاثون يوما من الإجازة',
  ])
  assert.deepEqual((await find('conge paye'))[0]?.marked, ['congés', 'payés'])
  assert.deepEqual((await find('договор поставщик'))[0]?.marked, ['Договоры', 'поставщиками'])
  assert.deepEqual((await find('الإجازة'))[0]?.marked, ['الإجازة'])
})
