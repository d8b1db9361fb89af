/** `file_search` through HTTP: its items, results, citations and events. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { eventually } from '../../testing/eventually.ts'
import type { ModelBehaviour } from '../../testing/servers/model-server.ts'

let openAi: OpenAiApp
let store: string
let file: string

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const question = 'When does the ferry leave?'
const text = '# Harbour\n\nThe ferry leaves at noon.'

before(async () => {
  openAi = await startOpenAiApp()
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new Blob([text]), 'harbour.md')
  file = (await openAi.ask('POST', '/files', { body: form })).body.id
  store = (await openAi.ask('POST', '/vector_stores', { body: { name: 'Ships' } })).body.id
  const attributes = { town: 'Bergen' }
  await openAi.ask('POST', `/vector_stores/${store}/files`, { body: { file_id: file, attributes } })
  await eventually('the file can be searched', async () => {
    const { body } = await openAi.ask('GET', `/vector_stores/${store}/files/${file}`)
    return body.status === 'completed'
  })
})
after(() => openAi.close())

const fileSearch = (id = store) => ({ type: 'file_search', vector_store_ids: [id] })
const respond = async (more: object = {}): Promise<Json> => {
  const body = { model: 'sandbox', input: question, tools: [fileSearch()], ...more }
  const reply = await openAi.ask('POST', '/responses', { body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body
}
const withResults = { include: ['file_search_call.results'] }

test('a search is an item before the answer, which cites the file by the id that it was uploaded under', async () => {
  const response = await respond()
  const [search, message] = response.output
  assert.match(search.id, /^fs_/)
  assert.deepEqual(
    [search.type, search.status, search.results, search.queries.length],
    ['file_search_call', 'completed', null, 1],
  )
  assert.match(search.queries[0], /ferry/)
  const [{ text: answer, annotations }] = message.content
  const [{ citation, ...annotation }] = annotations
  const index = answer.indexOf('[1]')
  assert.deepEqual(annotation, { type: 'file_citation', index, file_id: file, filename: 'harbour.md' })
  assert.match(citation.quote, /noon/)
  assert.deepEqual((await openAi.ask('GET', `/responses/${response.id}`)).body, response)
})

test('results come to a request that asks for them, when the response is created or when it is read', async () => {
  const asked = await respond(withResults)
  const [{ results }] = asked.output
  const [{ score, ...result }] = results
  assert.deepEqual(result, {
    file_id: file,
    filename: 'harbour.md',
    attributes: { town: 'Bergen' },
    text: 'Harbour\n\nThe ferry leaves at noon.',
  })
  assert.ok(score > 0)
  const plain = await respond()
  for (const query of ['include[]=file_search_call.results', 'include=file_search_call.results']) {
    const { body } = await openAi.ask('GET', `/responses/${plain.id}?${query}`)
    assert.deepEqual(body.output[0].results, results, query)
  }
  const body = { model: 'sandbox', input: question, tools: [fileSearch()], stream: true, ...withResults }
  const streamed = await openAi.stream('/responses', body)
  const done = streamed.events.find(
    ({ type, item }) => type.endsWith('item.done') && item.type.includes('search'),
  )
  assert.deepEqual(done.item.results, results)
})

test('a stream tells each search from its beginning to its end, and tells the same when it is opened again', async () => {
  const body = { model: 'sandbox', input: question, tools: [fileSearch()], stream: true }
  const { events } = await openAi.stream('/responses', body)
  assert.deepEqual(
    events.slice(0, 8).map(({ type, output_index: at }) => [type.replace('response.', ''), at]),
    [
      ['created', undefined],
      ['in_progress', undefined],
      ['output_item.added', 0],
      ['file_search_call.in_progress', 0],
      ['file_search_call.searching', 0],
      ['file_search_call.completed', 0],
      ['output_item.done', 0],
      ['output_item.added', 1],
    ],
  )
  const { response } = events.at(-1)
  assert.deepEqual([events[6].item, events[3].item_id], [response.output[0], response.output[0].id])
  await isToldAgain(events)
})

/** Behind each number, the rest of the events is told, text by its pieces. */
async function isToldAgain(events: Json[]): Promise<void> {
  const { id } = events[0].response
  const isText = ({ type }: Json) => type.endsWith('_text.delta')
  const others = (list: Json[]) => list.filter(event => !isText(event)).slice(2)
  const again = await openAi.stream(`/responses/${id}?stream=true`, undefined, openAi.app.testKey)
  assert.deepEqual(others(again.events), others(events))
  for (const { sequence_number: number } of others(events)) {
    const rest = await openAi.stream(`/responses/${id}?stream=true&starting_after=${number}`)
    const expected = events.filter(event => event.sequence_number > number && !isText(event))
    assert.deepEqual(
      rest.events.filter(event => !isText(event)),
      expected,
      `behind ${number}`,
    )
  }
}

test('searches that run side by side are told one after the other, as the response lists them', async () => {
  const calls = ['ferry', 'harbour', 'noon'].map(query => ({
    name: 'search_knowledge',
    arguments: { query },
  }))
  openAi.modelServer.setScript(
    (request): ModelBehaviour =>
      request.messages.at(-1)?.role === 'tool'
        ? { kind: 'answer', text: 'It leaves at noon.' }
        : { kind: 'tool_calls', calls },
  )
  const body = {
    model: 'openai/test-model',
    input: question,
    tools: [fileSearch(openAi.collectionId)],
    stream: true,
  }
  const { events } = await openAi.stream('/responses', body, openAi.app.liveKey)
  const { response } = events.at(-1)
  const searches = response.output.slice(0, -1)
  assert.deepEqual(
    searches.map(({ queries }: Json) => queries),
    [['ferry'], ['harbour'], ['noon']],
  )
  const told = events.filter(({ item, item_id: id = item?.id }) => String(id).startsWith('fs_'))
  assert.deepEqual(
    told.map(({ item, item_id: id = item.id }) => id),
    searches.flatMap(({ id }: Json) => [id, id, id, id, id]),
  )
  const path = `/responses/${response.id}?stream=true`
  const again = await openAi.stream(path, undefined, openAi.app.liveKey)
  assert.deepEqual(again.events.at(-1), events.at(-1))
})

test('a client may send searches back, whole or by id, and continue the response', async () => {
  const first = await respond(withResults)
  const [search, message] = first.output
  for (const sent of [
    [search, message],
    [search, message].map(({ id }) => ({ type: 'item_reference', id })),
  ]) {
    const input = [{ role: 'user', content: question }, ...sent, { role: 'user', content: question }]
    const second = await respond({ input })
    assert.equal(second.output.at(-1).type, 'message')
  }
  const foreign = [
    { type: 'item_reference', id: `fs_${'0'.repeat(26)}_0` },
    { role: 'user', content: 'x' },
  ]
  const reply = await openAi.ask('POST', '/responses', { body: { model: 'sandbox', input: foreign } })
  assert.deepEqual([reply.status, reply.body.error.param], [400, 'input[0]'])
  assert.equal((await respond({ input: question, previous_response_id: first.id })).status, 'completed')
})
