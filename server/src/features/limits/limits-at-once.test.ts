/** Numbers that a workspace may have, while many ask for one more at the same time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

const atOnce = 12

async function copyAgent(app: TestApp, count: number): Promise<void> {
  const { body } = await app.request('POST', '/agents', { body: { name: 'Copied' } })
  const { database, newId } = app.dependencies
  await database.write(async tx => {
    const row = await tx
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow()
    for (let index = 1; index < count; index++) {
      await tx
        .insertInto('agents')
        .values({ ...row, id: newId('agent') })
        .execute()
    }
  })
}

test('of many who ask at once for the last ones, no more are served than there is room for', async t => {
  const app = await startTestApp({ settings: { ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  t.after(app.close)
  const collection = (await app.request('POST', '/knowledge/collections', { body: { name: 'C' } })).body.data
  const uploadHeaders = {
    'tus-resumable': '1.0.0',
    'upload-length': '10',
    'upload-metadata': `filename ${btoa('a.txt')},collectionId ${btoa(collection.id)}`,
  }
  const kinds = {
    agents: { most: 1_000, add: () => app.request('POST', '/agents', { body: { name: 'One more' } }) },
    webhooks: {
      most: 50,
      add: () => app.request('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/hook' } }),
    },
    'model-providers': {
      most: 20,
      add: (number: number) =>
        app.request('POST', '/model-providers', {
          body: {
            name: `gpu${number}`,
            kind: 'openai_compatible',
            baseUrl: 'http://127.0.0.1:9/v1',
            models: [{ id: 'a-model' }],
          },
        }),
    },
    'knowledge/uploads': {
      most: 100,
      add: () => app.request('POST', '/knowledge/uploads', { headers: uploadHeaders }),
    },
  }
  await copyAgent(app, kinds.agents.most - atOnce / 2)
  for (const [path, { most, add }] of Object.entries(kinds)) {
    const total = async () => (await app.request('GET', `/${path}`)).body.meta.total
    for (let number = await total(); number < most - atOnce / 2; number++) {
      assert.equal((await add(number)).status, 201, path)
    }
    const replies = await Promise.all(Array.from({ length: atOnce }, (_, index) => add(most + index)))
    assert.equal(replies.filter(({ status }) => status === 201).length, atOnce / 2, path)
    assert.equal(await total(), most, path)
  }
})
