/** A run whose connection breaks while it is waited for, against the real server. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../server/src/testing/eventually.ts'
import { startModelServer } from '../../server/src/testing/servers/model-server.ts'
import { startTcpProxy } from '../../server/src/testing/servers/tcp-proxy.ts'
import { startTestApp } from '../../server/src/testing/test-app.ts'
import { Atrium } from './client.ts'
import { TimeoutError } from './transport/errors.ts'

test('a run whose connection breaks is sent once, and its end is waited for', async t => {
  const model = await startModelServer()
  const app = await startTestApp({ settings: { OPENAI_BASE_URL: model.baseUrl } })
  const { port } = new URL(await app.listen())
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(port) })
  t.after(async () => {
    await proxy.close()
    await app.close()
    await model.close()
  })
  const held = Promise.withResolvers<void>()
  model.setScript(() => ({ kind: 'held', until: held.promise, behaviour: { kind: 'answer', text: 'Done.' } }))
  const atrium = new Atrium({ apiKey: app.liveKey.key, baseUrl: `http://127.0.0.1:${proxy.port}` })
  const agent = await atrium.agents.create({ name: 'Slow', model: 'openai/test-model', tools: [] })

  const run = atrium.agents.run(agent.id, { prompt: 'Think!' })
  await eventually('the model is asked', () => model.requests.length === 1)
  await proxy.cut()
  await proxy.restore()
  held.resolve()
  const { status, output } = await run
  assert.deepEqual([status, output], ['succeeded', 'Done.'])
  assert.equal(model.requests.length, 1)
})

test('a run that is answered before its end is waited for', async t => {
  const { app, held } = await startHeld(t)
  const baseUrl = await app.listen()
  const impatient: typeof fetch = (url, options) => {
    const headers = new Headers(options?.headers)
    if (options?.method === 'POST') headers.set('prefer', 'wait=0')
    else held.resolve()
    return fetch(url, { ...options, headers })
  }
  const atrium = new Atrium({ apiKey: app.liveKey.key, baseUrl, fetch: impatient })
  const agent = await atrium.agents.create({ name: 'Slow', model: 'openai/test-model', tools: [] })
  const { status } = await atrium.agents.run(agent.id, { prompt: 'Think!' })
  assert.equal(status, 'succeeded')
})

test('a wait that ends in vain has asked once for each second at most', async t => {
  const { app, held } = await startHeld(t)
  let calls = 0
  const counted: typeof fetch = (url, options) => {
    calls += 1
    return fetch(url, options)
  }
  const atrium = new Atrium({ apiKey: app.liveKey.key, baseUrl: await app.listen(), fetch: counted })
  const agent = await atrium.agents.create({ name: 'Slow', model: 'openai/test-model', tools: [] })
  const { id } = await atrium.agents.start(agent.id, { prompt: 'Think!' })
  calls = 0
  await assert.rejects(atrium.runs.waitUntilEnded(id, { timeoutMs: 1_900 }), TimeoutError)
  assert.ok(calls <= 2, `${calls} calls`)
  held.resolve()
  assert.equal((await atrium.runs.waitUntilEnded(id)).status, 'succeeded')
})

/** A model that answers once it is released. */
async function startHeld(t: TestContext) {
  const model = await startModelServer()
  const app = await startTestApp({ settings: { OPENAI_BASE_URL: model.baseUrl } })
  t.after(async () => {
    await app.close()
    await model.close()
  })
  const held = Promise.withResolvers<void>()
  model.setScript(() => ({ kind: 'held', until: held.promise, behaviour: { kind: 'answer', text: 'Done.' } }))
  return { app, held }
}
