/** The connector that the guide builds, in the operator's folder: connected, synchronized, searched, cited. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { Atrium } from '@atrium/sdk'
import { startWiki, wikiConnector, wikiKey } from '../../../testing/servers/wiki.ts'
import { startTestApp } from '../../../testing/test-app.ts'

const guide = resolve(import.meta.dirname, '../../../../../docs/guides/connectors.md')

test('the file that the guide shows is the one that is tested', async () => {
  const [, shown] = /```ts \S+wiki\.ts\n(.*?)```/s.exec(await readFile(guide, 'utf8')) ?? []
  assert.equal(shown, await readFile(wikiConnector, 'utf8'))
})

test('a connector of the operator’s own is connected, kept in sync and cited like any other', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-connectors-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await copyFile(wikiConnector, join(folder, 'wiki.ts'))
  const wiki = await startWiki(t)
  const app = await startTestApp({
    settings: { ATRIUM_CONNECTORS_DIR: folder, ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32' },
  })
  t.after(app.close)
  const { knowledge, agents } = new Atrium({ apiKey: app.liveKey.key, baseUrl: await app.listen() })
  const connected = await app.request('POST', '/integrations/connect', {
    body: {
      integrationId: 'wiki',
      name: 'Our wiki',
      config: { baseUrl: wiki.origin },
      credentials: { apiKey: wikiKey },
    },
  })
  assert.deepEqual([connected.status, connected.body.data.status], [201, 'active'])
  const sync = async () => {
    const { body } = await app.request('POST', `/integrations/${connected.body.data.id}/sync`, {
      headers: { prefer: 'wait=60' },
    })
    const { status, added, changed, unchanged, deleted, failed, collectionId } = body.data
    assert.equal(status, 'succeeded', JSON.stringify(body))
    for await (const { id } of knowledge.documents.list({ collectionId })) {
      await knowledge.documents.waitUntilReady(id)
    }
    return { collectionId, counts: [added, changed, unchanged, deleted, failed] }
  }
  const { collectionId, counts } = await sync()
  assert.deepEqual(counts, [3, 0, 0, 0, 0])
  await wiki.write('leave', '# Leave\n\nEverybody has 31 days of paid leave a year.\n')
  await wiki.remove('pets')
  assert.deepEqual((await sync()).counts, [0, 1, 1, 1, 0])

  const found = await knowledge.search('days of leave', { collectionId: [collectionId] }).page()
  assert.match(JSON.stringify(found), /31 days of paid leave/)
  const gone = await knowledge.search('dogs office Fridays', { collectionId: [collectionId] }).page()
  assert.ok(!JSON.stringify(gone).includes('Dogs may come'))
  const agent = await agents.create({ name: 'Wiki', collectionIds: [collectionId] })
  const run = await agents.run(agent.id, { prompt: 'How many days of paid leave does everybody have?' })
  assert.match(run.output ?? '', /31 days/)
  assert.match(run.citations[0]?.quote ?? '', /31 days/)
})
