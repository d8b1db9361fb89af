/** Requests that may change something elsewhere wait for a person, though the agent asks for no approval. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'

let tools: ToolApp

before(async () => {
  tools = await startToolApp()
})

after(() => tools.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const start = (id: string) => tools.app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Go!' } })

const wait = { prefer: 'wait=20' }

const decide = (runId: string, decisions: Json[], headers: Record<string, string>) =>
  tools.app.request('POST', `/runs/${runId}/approvals`, { body: { decisions }, headers })

test('a request that may change something waits for an approval, whatever the agent says, and GET and HEAD do not', async () => {
  const id = await tools.createAgent({ tools: ['http_request'], httpHosts: [tools.host] })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    tools.requests.length = 0
    const url = `http://${tools.host}/${method}`
    tools.script(
      calls(['http_request', { method: 'GET', url }], ['http_request', { method, url }]),
      says('Done.'),
    )
    const { status, body } = await start(id)
    assert.deepEqual([status, body.data.status], [202, 'waiting'], method)
    assert.deepEqual(
      body.data.pendingApprovals.map(({ input }: Json) => input.method),
      [method],
    )
    assert.deepEqual(
      tools.requests.map(request => request.method),
      ['GET'],
    )
    const [{ toolCallId }] = body.data.pendingApprovals
    const decision = method === 'DELETE' ? 'reject' : 'approve'
    const decided = await decide(body.data.id, [{ toolCallId, decision }], wait)
    assert.equal(decided.body.data.status, 'succeeded')
    assert.deepEqual(
      tools.requests.map(request => request.method),
      decision === 'approve' ? ['GET', method] : ['GET'],
    )
  }
  tools.script(calls(['http_request', { method: 'HEAD', url: `http://${tools.host}/` }]), says('Done.'))
  assert.equal((await start(id)).status, 200)
})

test('a GET that names another method in a header or a parameter waits for an approval too', async () => {
  const id = await tools.createAgent({ tools: ['http_request'], httpHosts: [tools.host] })
  const url = `http://${tools.host}/orders/7`
  for (const input of [
    ...['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override'].map(name => ({
      url,
      headers: { [name]: 'DELETE' },
    })),
    { url: `${url}?_method=delete` },
    { url: `${url}?page=2&__Method=put` },
  ]) {
    tools.requests.length = 0
    tools.script(calls(['http_request', { method: 'GET', ...input }]), says('Done.'))
    const { status, body } = await start(id)
    assert.deepEqual([status, body.data.status, tools.requests.length], [202, 'waiting', 0], input.url)
  }
})
