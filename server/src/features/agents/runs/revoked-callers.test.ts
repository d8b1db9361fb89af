/** A run acts for its key only as long as the key may: what is taken from the key since stops the run. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import type { TestKey } from '../../../testing/test-app.ts'

let tools: ToolApp

before(async () => {
  tools = await startToolApp()
})

after(() => tools.close())

const change = (key: TestKey, body: object) => tools.app.request('PATCH', `/api-keys/${key.id}`, { body })

for (const [what, take, said] of [
  [
    'revoked',
    (key: TestKey) => tools.app.request('POST', `/api-keys/${key.id}/revoke`),
    /revoked or has expired/,
  ],
  [
    'left without a permission that a tool needs',
    (key: TestKey) => change(key, { permissions: ['agents:run', 'agents:read'] }),
    /lost the permission knowledge:read/,
  ],
  [
    'narrowed to other collections',
    async (key: TestKey) => {
      const made = await tools.app.request('POST', '/knowledge/collections', { body: { name: 'Other' } })
      return change(key, { collectionIds: [made.body.data.id] })
    },
    /narrowed to other agents or collections/,
  ],
] as const) {
  test(`a run whose key is ${what} stops, and its model is hung up on`, async () => {
    const key = await tools.app.createKey()
    const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
    tools.script({ kind: 'never' })
    const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
      key,
      body: { prompt: 'Think!' },
      headers: { prefer: 'respond-async' },
    })
    while (tools.modelServer.requests.length === 0) await sleep(5)
    assert.equal((await take(key)).status, 200)
    const { body: ended } = await tools.app.request('GET', `/runs/${body.data.id}`, {
      headers: { prefer: 'wait=10' },
    })
    assert.deepEqual([ended.data.status, ended.data.error.code], ['failed', 'access_revoked'])
    assert.match(ended.data.error.message, said)
    while (tools.modelServer.requests[0]?.closedByClientAtMs === null) await sleep(1)
  })
}

test('a run that waited for an approval does not go on for a key that was revoked meanwhile', async () => {
  const key = await tools.app.createKey()
  const agentId = await tools.createAgent({
    tools: ['http_request'],
    approvalTools: ['http_request'],
    httpHosts: [tools.host],
  })
  tools.script({
    kind: 'tool_calls',
    calls: [{ name: 'http_request', arguments: { method: 'POST', url: `http://${tools.host}/` } }],
  })
  const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, { key, body: { prompt: 'Go!' } })
  await tools.app.request('POST', `/api-keys/${key.id}/revoke`)
  const [{ toolCallId }] = body.data.pendingApprovals
  const { body: ended } = await tools.app.request('POST', `/runs/${body.data.id}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
    headers: { prefer: 'wait=10' },
  })
  assert.equal(ended.data.error.code, 'access_revoked')
  assert.equal(tools.requests.length, 0)
})
