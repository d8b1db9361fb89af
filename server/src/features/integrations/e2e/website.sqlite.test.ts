import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type IntegrationApp, startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { askAbout, syncAndWait, syncedDocuments } from '../../../testing/apps/synced.ts'
import { search } from '../../../testing/knowledge/knowledge.ts'
import { redirect, robots, startWebsite, type WebsitePeer } from '../../../testing/peers/website.ts'
import type { TestReply } from '../../../testing/test-app.ts'

const origin = 'https://docs.example.com'

async function start(t: TestContext): Promise<IntegrationApp & { site: WebsitePeer }> {
  const site = await startWebsite(t)
  const setting = await startIntegrationApp(t, { routes: () => ({ [origin]: site.peer.origin }) })
  return { ...setting, site }
}

const connect = ({ app }: IntegrationApp, config: object): Promise<TestReply> =>
  app.request('POST', '/integrations/connect', { body: { integrationId: 'website', config } })

test('a website becomes knowledge: connected, synced, changed, synced again, found and cited', async t => {
  const setting = await start(t)
  const { app, site } = setting
  site.put(
    '/',
    '<p>Welcome to the pond.</p><a href="/ducks">Ducks</a><a href="/geese">Geese</a><a href="/swans">Swans</a>',
  )
  site.put('/ducks', '<p>Ducks may enter freely, from dawn to dusk.</p>')
  site.put('/geese', '<p>Geese pay two euros a day at the gate.</p>')
  site.put('/swans', '<p>Swans need a written permission of the mayor.</p>')
  const connected = await connect(setting, { url: `${origin}/` })
  assert.deepEqual([connected.status, connected.body.data.status], [201, 'active'])
  const { id } = connected.body.data

  const first = await syncAndWait(app, id)
  assert.deepEqual([first.status, first.error], ['succeeded', null])
  assert.deepEqual(first.counts, { added: 4, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const geese = (await syncedDocuments(app, first.collectionId)).get(`${origin}/geese`)
  assert.deepEqual([geese.title, geese.mediaType], ['geese', 'text/markdown'])
  assert.deepEqual(geese.metadata, {
    url: `${origin}/geese`,
    readers: ['everyone'],
    source: 'website',
    connectionId: id,
  })
  assert.equal((await search(app, 'geese euros'))[0].documentId, geese.id)
  const answer = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.deepEqual(answer.cited, [geese.id])
  assert.match(answer.output, /two euros/)

  site.put('/geese', '<p>Geese pay five euros a day at the gate.</p>')
  site.pages.delete('/swans')
  const second = await syncAndWait(app, id)
  assert.deepEqual(second.counts, { added: 0, changed: 1, unchanged: 2, deleted: 1, failed: 0 })
  const later = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.match(later.output, /five euros/)
  assert.deepEqual(await search(app, 'swans permission mayor'), [])
})

test('a page that always fails is told by its address, and the others come in', async t => {
  const setting = await start(t)
  const { app, site } = setting
  site.put('/', '<p>Welcome.</p><a href="/good">Good</a><a href="/bad">Bad</a>')
  site.put('/good', '<p>Good</p>')
  site.pages.set('/bad', {
    headers: { 'content-type': 'text/html' },
    stream: response => {
      response.write('<p>A beginning')
      setTimeout(() => response.destroy(), 10)
    },
  })
  const { id } = (await connect(setting, { url: origin })).body.data
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.counts.added, sync.counts.failed], [2, 1])
  const failed = await app.request('GET', `/integrations/${id}/syncs/${sync.id}/items`, {
    query: { status: 'failed' },
  })
  const [item] = failed.body.data
  assert.equal(item.externalId ?? item.id, `${origin}/bad`)
  assert.match(JSON.stringify(item), /broke off/)
})

test('a website that forbids robots, leads elsewhere or points inside is not connected, and the field is named', async t => {
  const setting = await start(t)
  const { site } = setting
  const refusal = async (config: object) => {
    const { status, body } = await connect(setting, config)
    assert.equal(status, 400, JSON.stringify(body))
    return body.errors.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`)
  }
  site.pages.set('/', redirect('https://elsewhere.example/'))
  assert.match((await refusal({ url: origin })).join(), /^config\.url .*another website/)
  site.pages.set('/', redirect('http://127.0.0.2/'))
  assert.match((await refusal({ url: origin })).join(), /^config\.url .*another website/)
  site.pages.set('/robots.txt', redirect('http://127.0.0.2/robots.txt'))
  assert.match((await refusal({ url: origin })).join(), /^config\.url .*may reach/)
  site.pages.set('/robots.txt', robots('User-agent: *', 'Disallow: /'))
  assert.match((await refusal({ url: origin })).join(), /^config\.url .*does not allow robots/)
  assert.match((await refusal({ url: 'http://127.0.0.2/' })).join(), /^config\.url .*may reach/)
  assert.match((await refusal({ url: 'ftp://docs.example.com/' })).join(), /^config\.url must be an address/)
  assert.match(
    (await refusal({ url: origin, maxPages: 0, exclude: ['x'] })).join(),
    /config\.exclude.*config\.maxPages|config\.maxPages.*config\.exclude/,
  )
})

test('a connection that is older than a setting works as if it had its default', async t => {
  const setting = await start(t)
  const { app, site } = setting
  site.put('/', '<p>Welcome.</p>')
  const { id } = (await connect(setting, { url: origin })).body.data
  const config = JSON.stringify({ url: origin })
  await app.dependencies.database.write(tx =>
    tx.updateTable('connections').set({ config }).where('id', '=', id).execute(),
  )
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.status, sync.counts.added], ['succeeded', 1])
})
