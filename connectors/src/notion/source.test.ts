import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  htmlPage,
  interruptTimes,
  outOfOrder,
  tooManyRequests,
} from '../../../server/src/testing/peers/loopback-peer.ts'
import { block } from '../../../server/src/testing/peers/notion-store.ts'
import type { HttpFailure } from '../http.ts'
import { isFailure } from '../testing/is-failure.ts'
import { connectNotion } from '../testing/notion.ts'
import { listSource } from '../testing/run-source.ts'
import { notion as connector } from './connector.ts'

const minute = 60_000
const hour = 60 * minute

test('pages and rows are synced with their address, author and times, and rows with their properties', async t => {
  const { notion, mirror } = await connectNotion(t)
  const page = notion.put({ title: 'Plans', blocks: [block('paragraph', 'We sail at dawn.')] })
  notion.publish(page)
  const { dataSources } = notion.putDatabase('Tasks')
  const row = notion.put({
    title: 'Fix the rudder',
    parent: dataSources[0] ?? '',
    blocks: [block('paragraph', 'It is loose.')],
    properties: {
      Status: { id: 'a', type: 'status', status: { id: '1', name: 'Doing', color: 'blue' } },
      Tags: { id: 'b', type: 'multi_select', multi_select: [{ name: 'ship' }, { name: 'urgent' }] },
      Due: { id: 'c', type: 'date', date: { start: '2026-03-01', end: null, time_zone: null } },
      Cost: { id: 'd', type: 'number', number: 12.5 },
      Done: { id: 'e', type: 'checkbox', checkbox: false },
      url: { id: 'f', type: 'url', url: 'https://example.com/rudder' },
      Sum: { id: 'g', type: 'formula', formula: { type: 'number', number: 3 } },
      Empty: { id: 'h', type: 'select', select: null },
    },
  })
  assert.equal((await mirror.sync()).added, 2)
  const { createdTime } = notion.pages.get(page) ?? {}
  assert.equal(mirror.documents.get(page)?.text, '# Plans\n\nWe sail at dawn.\n')
  assert.equal(mirror.documents.get(page)?.fileName, 'Plans.md')
  assert.deepEqual(mirror.documents.get(page)?.metadata, {
    url: `https://www.notion.so/Plans-${page.replaceAll('-', '')}`,
    author: 'Ada Lovelace',
    createdAt: createdTime,
    updatedAt: createdTime,
    readers: ['everyone'],
  })
  assert.equal(
    mirror.documents.get(row)?.text,
    [
      '# Fix the rudder\n',
      '**Status:** Doing  ',
      '**Tags:** ship, urgent  ',
      '**Due:** 2026-03-01  ',
      '**Cost:** 12.5  ',
      '**Done:** no  ',
      '**url:** https://example.com/rudder  ',
      '**Sum:** 3  ',
      '\nIt is loose.\n',
    ].join('\n'),
  )
  const { Status, Tags, Cost, Done, url, readers } = mirror.documents.get(row)?.metadata ?? {}
  assert.deepEqual([Status, Tags, Cost, Done, readers], ['Doing', ['ship', 'urgent'], 12.5, false, undefined])
  assert.match(String(url), /^https:\/\/www\.notion\.so\/Fix-the-rudder-/)
})

test('only what changed is fetched again, and what is in the trash or taken back is found missing', async t => {
  const { notion, mirror, pass, titles } = await connectNotion(t)
  const [kept, edited, trashed, taken] = ['kept', 'edited', 'trashed', 'taken'].map(title =>
    notion.put({ title }),
  ) as [string, string, string, string]
  const { dataSources } = notion.putDatabase('Tasks')
  const row = notion.put({ title: 'row', parent: dataSources[0] ?? '' })
  pass(2 * hour)
  await mirror.sync()
  pass(2 * hour)
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  notion.edit(edited, { blocks: [block('paragraph', 'new words')] })
  notion.edit(row, { title: 'row two' })
  notion.put({ title: 'added' })
  pass(10 * minute)
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 2, unchanged: 0, deleted: 0, failed: 0 })
  assert.match(mirror.documents.get(edited)?.text ?? '', /new words/)
  notion.edit(trashed, { inTrash: true })
  notion.takeBack(taken)
  assert.equal((await mirror.sync({ full: true })).deleted, 2)
  assert.deepEqual(titles(), ['added', 'edited', 'kept', 'row two'])
  assert.ok(mirror.documents.has(kept))
})

test('a second change within the minute that Notion tells times by is not missed', async t => {
  const { notion, mirror, pass } = await connectNotion(t)
  const page = notion.put({ title: 'Busy', blocks: [block('paragraph', 'first')] })
  await mirror.sync()
  pass(20_000)
  notion.edit(page, { blocks: [block('paragraph', 'second')] })
  await mirror.sync()
  assert.match(mirror.documents.get(page)?.text ?? '', /second/)
  pass(10 * minute)
  await mirror.sync()
  assert.deepEqual(mirror.fetched, [page])
  pass(10 * minute)
  await mirror.sync()
  assert.deepEqual(mirror.fetched, [])
})

test('rows that the search does not know of are found by their database', async t => {
  const { notion, mirror, titles } = await connectNotion(t)
  const { dataSources } = notion.putDatabase('Tasks', 30)
  for (const [at, parent] of dataSources.entries())
    notion.put({ title: `row ${at}`, parent, isUnindexed: true })
  await mirror.sync()
  assert.equal(titles().length, 30)
})

test('a page that the search has lost is asked for, and not taken for deleted', async t => {
  const { notion, mirror, pass, titles } = await connectNotion(t)
  const lost = notion.put({ title: 'lost' })
  const gone = notion.put({ title: 'gone' })
  pass(hour)
  await mirror.sync()
  for (const id of [lost, gone]) Object.assign(notion.pages.get(id) ?? {}, { isUnindexed: true })
  notion.edit(gone, { inTrash: true })
  assert.equal((await mirror.sync({ full: true })).deleted, 1)
  assert.deepEqual(titles(), ['lost'])
})

test('long lists are read page by page, also after their cursors have expired', async t => {
  const { notion, mirror, peer, context, titles } = await connectNotion(t)
  peer.rowsPerPage = 10
  for (let i = 0; i < 35; i++) notion.put({ title: `page ${i}` })
  const first = await connector.source?.list(context, { since: null, page: null })
  assert.ok(first?.nextPage)
  peer.forgetCursors()
  const again = await connector.source?.list(context, { since: null, page: first.nextPage })
  assert.ok(again?.nextPage)
  assert.equal(again.items.length, 0)
  assert.equal(
    (await connector.source?.list(context, { since: null, page: again.nextPage }))?.items.length,
    10,
  )
  await mirror.sync()
  assert.equal(titles().length, 35)
})

test('a data source with more rows than Notion goes through is read to its end', async t => {
  const { notion, mirror, peer, pass, titles } = await connectNotion(t, store => [
    store.putDatabase('Large').id,
  ])
  const [{ dataSources } = { dataSources: [] }] = [...notion.databases.values()]
  peer.queryLimit = 10
  for (let i = 0; i < 35; i++) {
    notion.put({ title: `row ${i}`, parent: dataSources[0] ?? '' })
    if (i % 3 === 0) pass(minute)
  }
  await mirror.sync()
  assert.equal(titles().length, 35)
})

test('with chosen databases only their rows are synced, however their ids are written', async t => {
  const { notion, mirror, titles, context } = await connectNotion(t, store => [
    store.putDatabase('Chosen', 2).id.replaceAll('-', '').toUpperCase(),
  ])
  const [chosen] = [...notion.databases.values()]
  const other = notion.putDatabase('Other')
  notion.put({ title: 'a', parent: chosen?.dataSources[0] ?? '' })
  notion.put({ title: 'b', parent: chosen?.dataSources[1] ?? '' })
  notion.put({ title: 'elsewhere', parent: other.dataSources[0] ?? '' })
  notion.put({ title: 'page' })
  await mirror.sync()
  assert.deepEqual(titles(), ['a', 'b'])
  context.config.databaseIds = [other.id]
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 0, unchanged: 0, deleted: 2, failed: 0 })
  notion.databases.delete(other.id)
  await assert.rejects(mirror.sync({ full: true }), /database .+ of databaseIds is not there/)
  assert.deepEqual(titles(), ['elsewhere'])
})

test('the author is left out where the connection may not read users', async t => {
  const { notion, mirror, peer } = await connectNotion(t)
  peer.mayReadUsers = false
  const page = notion.put({ title: 'Plans' })
  await mirror.sync()
  assert.equal(mirror.documents.get(page)?.metadata?.author, undefined)
})

test('rests are kept as asked for, and an author is asked for once', async t => {
  const { notion, mirror, peer, context } = await connectNotion(t)
  for (let i = 0; i < 5; i++) notion.put({ title: `page ${i}` })
  peer.interrupt = interruptTimes(1, tooManyRequests(7))
  assert.equal((await mirror.sync()).added, 5)
  assert.ok(context.pauses.includes(7_000))
  assert.equal(peer.requests.filter(({ path }) => path.startsWith('/v1/users/')).length, 1)
  peer.interrupt = () => tooManyRequests(3_600)
  await assert.rejects(mirror.sync(), (error: HttpFailure) => error.retryAfterSeconds === 3_600)
})

test('a revoked token, a page of HTML and a service that is down each end the sync with their own word', async t => {
  const { peer, mirror } = await connectNotion(t)
  const ends = (kind: string) => assert.rejects(mirror.sync(), isFailure(kind))
  peer.accepts = () => false
  await ends('not_authorized')
  peer.accepts = () => true
  peer.interrupt = () => htmlPage
  await ends('unexpected_reply')
  peer.interrupt = () => outOfOrder
  await ends('unavailable')
})

test('a page that always fails fails alone', async t => {
  const { notion, mirror, peer } = await connectNotion(t)
  const broken = notion.put({ title: 'broken' })
  notion.put({ title: 'whole' })
  peer.interrupt = ({ path }) =>
    path.includes(broken) ? { status: 400, json: { object: 'error', code: 'validation_error' } } : null
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 0, unchanged: 0, deleted: 0, failed: 1 })
})

test('the account is named by its workspace', async t => {
  const { context } = await connectNotion(t)
  assert.equal((await connector.check(context)).name, "Ada's workspace")
  assert.equal((await listSource(connector, context)).items.length, 0)
})
