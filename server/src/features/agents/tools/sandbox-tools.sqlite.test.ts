/** Tools with a test key: nothing reaches outside, and everything else is as it will be. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'

let tools: ToolApp

before(async () => {
  tools = await startToolApp()
})

after(() => tools.close())

test('in the sandbox a request is simulated, the same every time, and only where it would be allowed', async () => {
  const key = tools.app.testKey
  const agentId = await tools.createAgent(
    { model: 'sandbox', tools: ['http_request'], httpHosts: ['api.example.com'] },
    key,
  )
  const send = async (host: string) => {
    const input = { method: 'POST', url: `http://${host}/orders`, body: '{"count":2}' }
    const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
      key,
      body: { prompt: `sim:tool=http_request(${JSON.stringify(input)}) What was said?` },
    })
    assert.equal(body.data.status, 'waiting')
    const ended = await tools.approveAll(body.data, key)
    return ended.steps.find(({ name }: { name: string }) => name === 'http_request').output
  }
  const first = await send('api.example.com')
  assert.equal(first.content.simulated, true)
  assert.deepEqual(JSON.parse(first.content.body), {
    simulated: true,
    method: 'POST',
    url: 'http://api.example.com/orders',
    body: '{"count":2}',
  })
  assert.deepEqual(await send('api.example.com'), first)
  assert.match((await send('evil.example.com')).error.message, /does not allow the host evil\.example\.com/)
  assert.deepEqual([tools.requests.length, tools.modelServer.requests.length], [0, 0])
})

test('in the sandbox a tool of a connection waits for its approval, with arguments that fit its schema', async () => {
  const key = tools.app.testKey
  const connected = await tools.app.request('POST', '/integrations/connect', {
    key,
    body: { integrationId: 'github', credentials: { apiKey: 'any-key' } },
  })
  const agentId = await tools.createAgent(
    { model: 'sandbox', tools: ['github_create_issue'], connectionIds: [connected.body.data.id] },
    key,
  )
  for (const prompt of ['sim:approval', 'sim:tool=github_create_issue']) {
    const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, { key, body: { prompt } })
    assert.equal(body.data.status, 'waiting', prompt)
    const [{ name, input }] = body.data.pendingApprovals
    assert.deepEqual([name, input.repository], ['github_create_issue', 'octocat/Hello-World'])
  }
})
