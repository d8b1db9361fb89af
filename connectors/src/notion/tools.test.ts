import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block } from '../../../server/src/testing/peers/notion-store.ts'
import { connectNotion, type NotionConnection } from '../testing/notion.ts'
import { tools } from './tools.ts'

/** Goes through JSON, as what a model reads does. */
async function call({ context }: NotionConnection, name: string, input: Record<string, unknown>) {
  const tool = tools.find(candidate => candidate.name === name)
  assert.ok(tool)
  return JSON.parse(JSON.stringify(await tool.run(context, input)))
}

const titlesOf = ({ pages }: { pages: { title: string }[] }) => pages.map(({ title }) => title)

test('pages are found by their titles, and read with what they hold', async t => {
  const connection = await connectNotion(t)
  const { notion } = connection
  const id = notion.put({ title: 'Route to Malta', blocks: [block('paragraph', 'South by east.')] })
  notion.put({ title: 'Recipes' })
  const found = await call(connection, 'search_pages', { query: 'malta' })
  assert.deepEqual(titlesOf(found), ['Route to Malta'])
  assert.equal(found.pages[0].id, id)
  const read = await call(connection, 'read_page', { pageId: id.replaceAll('-', '') })
  assert.equal(read.text, '# Route to Malta\n\nSouth by east.\n')
})

test('text is written at the end of a page, within the limits of a request', async t => {
  const connection = await connectNotion(t)
  const id = connection.notion.put({ title: 'Log', blocks: [block('paragraph', 'Day one')] })
  const text = `Day two\n\n${'🌊'.repeat(1_500)}`
  const answer = await call(connection, 'append_to_page', { pageId: id, text })
  assert.equal(answer.appendedParagraphs, 3)
  assert.equal(
    (await call(connection, 'read_page', { pageId: id })).text,
    `# Log\n\nDay one\n\nDay two\n\n${'🌊'.repeat(1_000)}\n\n${'🌊'.repeat(500)}\n`,
  )
  await assert.rejects(call(connection, 'append_to_page', { pageId: id, text: ' \n ' }), /nothing but space/)
  const long = Array.from({ length: 101 }, () => 'line').join('\n')
  await assert.rejects(
    call(connection, 'append_to_page', { pageId: id, text: long }),
    /more than 100 paragraphs/,
  )
})

test('writing is marked as a change and not made again after a failure, reading is neither', async t => {
  assert.deepEqual(
    tools.filter(tool => tool.changes).map(({ name }) => name),
    ['append_to_page'],
  )
  const connection = await connectNotion(t)
  const id = connection.notion.put({ title: 'Log' })
  connection.peer.interrupt = ({ method }) => (method === 'PATCH' ? { status: 502, json: {} } : null)
  await assert.rejects(call(connection, 'append_to_page', { pageId: id, text: 'once' }), {
    kind: 'unavailable',
  })
  assert.equal(connection.peer.requests.filter(({ method }) => method === 'PATCH').length, 1)
})

test('where databases were chosen, tools reach their rows and what lies in these, and nothing else', async t => {
  const connection = await connectNotion(t, store => [store.putDatabase('Chosen').id])
  const { notion } = connection
  const [chosen] = [...notion.databases.values()]
  const row = notion.put({ title: 'word row', parent: chosen?.dataSources[0] ?? '' })
  const child = notion.put({ title: 'word child', parent: row })
  const outside = notion.put({ title: 'word outside' })
  const found = titlesOf(await call(connection, 'search_pages', { query: 'word' }))
  assert.deepEqual(found.sort(), ['word child', 'word row'])
  assert.equal((await call(connection, 'read_page', { pageId: child })).title, 'word child')
  await assert.rejects(call(connection, 'read_page', { pageId: outside }), /does not reach it/)
  await assert.rejects(
    call(connection, 'append_to_page', { pageId: outside, text: 'x' }),
    /does not reach it/,
  )
})

test('a page that is in the trash, or is not there, is said to be neither', async t => {
  const connection = await connectNotion(t)
  const id = connection.notion.put({ title: 'Old' })
  connection.notion.edit(id, { inTrash: true })
  await assert.rejects(call(connection, 'read_page', { pageId: id }), /no such page/)
  const unknown = '00000000-0000-4000-8000-000000000000'
  await assert.rejects(call(connection, 'read_page', { pageId: unknown }), /no such page/)
})
