import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type IntegrationApp, startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { askAbout, syncAndWait, syncedDocuments } from '../../../testing/apps/synced.ts'
import { search } from '../../../testing/knowledge/knowledge.ts'
import { interruptTimes, tooManyRequests } from '../../../testing/peers/loopback-peer.ts'
import { type NotionPeer, startNotionPeer } from '../../../testing/peers/notion.ts'
import { block, type NotionStore } from '../../../testing/peers/notion-store.ts'

const minute = 60_000
const hour = 60 * minute

type Setting = IntegrationApp & {
  peer: NotionPeer
  notion: NotionStore
  /** With the secret of an internal integration; returns the connection's id. */
  connect(config?: object): Promise<string>
}

/** App and workspace have one clock. */
async function start(t: TestContext): Promise<Setting> {
  let skippedMs = 0
  const peer = await startNotionPeer(t, () => Date.now() + skippedMs)
  const setting = await startIntegrationApp(t, { routes: () => ({ 'https://api.notion.com': peer.origin }) })
  return {
    ...setting,
    peer,
    notion: peer.notion,
    pass(ms) {
      skippedMs += ms
      setting.pass(ms)
    },
    async connect(config = {}) {
      const body = { integrationId: 'notion', credentials: { apiKey: peer.token }, config }
      const reply = await setting.app.request('POST', '/integrations/connect', { body })
      assert.deepEqual([reply.status, reply.body.data?.status], [201, 'active'], JSON.stringify(reply.body))
      assert.equal(reply.body.data.account.name, "Ada's workspace")
      return reply.body.data.id
    },
  }
}

test('a workspace becomes knowledge: connected, synced, changed, synced again, found and cited', async t => {
  const { app, notion, connect, pass } = await start(t)
  const geese = notion.put({
    title: 'Geese',
    blocks: [block('paragraph', 'Geese pay two euros a day at the gate.')],
  })
  const swans = notion.put({
    title: 'Swans',
    blocks: [block('paragraph', 'Swans need a permission of the mayor.')],
  })
  const { dataSources } = notion.putDatabase('Birds')
  const ducks = notion.put({
    title: 'Ducks',
    parent: dataSources[0] ?? '',
    blocks: [block('paragraph', 'Ducks may enter freely.')],
    properties: { Status: { id: 'a', type: 'status', status: { name: 'Allowed' } } },
  })
  pass(2 * hour)
  const id = await connect()

  const first = await syncAndWait(app, id)
  assert.deepEqual([first.status, first.error], ['succeeded', null])
  assert.deepEqual(first.counts, { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const documents = await syncedDocuments(app, first.collectionId)
  assert.deepEqual([...documents.keys()].sort(), [geese, swans, ducks].sort())
  assert.equal(documents.get(ducks).title, 'Ducks')
  const { Status, source, author, url, connectionId } = documents.get(ducks).metadata
  assert.deepEqual([Status, source, author, connectionId], ['Allowed', 'notion', 'Ada Lovelace', id])
  assert.match(url, /^https:\/\/www\.notion\.so\/Ducks-/)
  const answer = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.deepEqual(answer.cited, [documents.get(geese).id])
  assert.match(answer.output, /two euros/)

  pass(2 * hour)
  notion.edit(geese, { blocks: [block('paragraph', 'Geese pay five euros a day at the gate.')] })
  notion.edit(swans, { inTrash: true })
  notion.put({ title: 'Herons', blocks: [block('paragraph', 'Herons stand at the edge of the pond.')] })
  pass(10 * minute)
  const second = await syncAndWait(app, id)
  assert.deepEqual(second.counts, { added: 1, changed: 1, unchanged: 0, deleted: 0, failed: 0 })
  // Notion does not tell what went into the trash: a listing of everything shows it, once a day or when asked for.
  Object.assign(notion.pages.get(ducks) ?? {}, {
    isUnindexed: true,
    parent: { type: 'workspace', workspace: true },
  })
  pass(25 * hour)
  const third = await syncAndWait(app, id)
  assert.deepEqual(third.counts, { added: 0, changed: 0, unchanged: 3, deleted: 1, failed: 0 })
  const later = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.match(later.output, /five euros/)
  assert.equal((await search(app, 'herons edge')).length, 1)
  assert.deepEqual(await search(app, 'swans permission mayor'), [])
})

test('a page that always fails is named with its reason, and the others come in', async t => {
  const { app, notion, connect, peer, pass } = await start(t)
  const broken = notion.put({ title: 'Broken' })
  notion.put({ title: 'Whole' })
  pass(10 * minute)
  peer.interrupt = ({ path }) =>
    path.includes(broken) ? { status: 400, json: { object: 'error', code: 'validation_error' } } : null
  const id = await connect()
  const sync = await syncAndWait(app, id)
  assert.equal(sync.status, 'succeeded')
  assert.deepEqual([sync.counts.added, sync.counts.failed], [1, 1])
  const { body } = await app.request('GET', `/integrations/${id}/syncs/${sync.id}/items`, {
    query: { status: 'failed' },
  })
  assert.deepEqual(
    body.data.map(({ externalId, error }: { externalId: string; error: { code: string } }) => [
      externalId,
      error.code,
    ]),
    [[broken, 'unexpected_reply']],
  )
  peer.interrupt = null
  const again = await syncAndWait(app, id)
  assert.deepEqual([again.counts.added, again.counts.failed], [1, 0])
})

test('rests are kept as asked for, and a secret that is taken back says that it needs a new one', async t => {
  const { app, notion, connect, peer, pass } = await start(t)
  notion.put({ title: 'Ducks' })
  pass(10 * minute)
  const id = await connect()
  peer.interrupt = interruptTimes(1, tooManyRequests(1), ({ path }) => path === '/v1/search')
  assert.equal((await syncAndWait(app, id)).counts.added, 1)
  peer.accepts = () => false
  const failed = await syncAndWait(app, id)
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'needs_reauth'])
  assert.equal((await syncedDocuments(app, failed.collectionId)).size, 1)
})

test("a person connects by Notion's own page, and the end of the connection ends the token there", async t => {
  const { app, notion, connected, oauth, peer, pass } = await start(t)
  // A token of Notion has no end of its own.
  Object.assign(oauth.mood, { style: 'notion', lifetimeSeconds: null })
  peer.accepts = token => oauth.issued.includes(token) && !oauth.revoked.includes(token)
  notion.put({ title: 'Ducks' })
  pass(10 * minute)
  const id = await connected('notion')
  const connection = await app.request('GET', `/integrations/${id}`)
  assert.deepEqual(
    [connection.body.data.status, connection.body.data.account.name],
    ['active', "Ada's workspace"],
  )
  assert.equal((await syncAndWait(app, id)).counts.added, 1)
  assert.equal((await app.request('DELETE', `/integrations/${id}`)).status, 204)
  assert.equal(oauth.revoked.length, 1)
})

test('a config that names no id is refused by its field', async t => {
  const { app, peer } = await start(t)
  const body = {
    integrationId: 'notion',
    credentials: { apiKey: peer.token },
    config: { databaseIds: ['https://notion.so/not-an-id'] },
  }
  const reply = await app.request('POST', '/integrations/connect', { body })
  assert.equal(reply.status, 400)
  assert.deepEqual(
    reply.body.errors.map(({ field }: { field: string }) => field),
    ['config.databaseIds.0'],
  )
})

test('a search without an end ends the sync, and deletes nothing', async t => {
  const { app, notion, connect, peer, pass } = await start(t)
  notion.put({ title: 'Ducks' })
  pass(10 * minute)
  const id = await connect()
  const { collectionId } = await syncAndWait(app, id)
  const list = { object: 'list', results: [], has_more: true, next_cursor: 'again' }
  peer.interrupt = ({ path }) => (path === '/v1/search' ? { json: list } : null)
  const failed = await syncAndWait(app, id, { full: true })
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'endless_paging'])
  assert.equal((await syncedDocuments(app, collectionId)).size, 1)
})
