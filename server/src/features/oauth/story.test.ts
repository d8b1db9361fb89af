/** One app from its registration to its end, over HTTP as the app and its person see it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AgentSetting, createAgentIn, startAgentApp } from '../../testing/apps/agent-app.ts'
import { connect, registered, renew, sendForm, wholeGrant } from '../../testing/apps/connected-app.ts'
import { type SignedIn, signIn } from '../../testing/apps/signed-in.ts'
import { createCollection, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import { askMcp, callTool, refusedTool, toolNames } from '../../testing/mcp/messages.ts'
import type { TestApp } from '../../testing/test-app.ts'

let setting: AgentSetting
let app: TestApp
let owner: SignedIn
before(async () => {
  setting = await startAgentApp({ ATRIUM_ANONYMOUS_RATE: '100000' })
  app = setting.app
  owner = await signIn(app, app.ownerId)
})
after(() => setting.close())

const permissions = ['agents:read', 'agents:run', 'knowledge:read']

test('an app that a person connects searches and asks at /mcp alone, less once it is narrowed, and nothing once it is revoked', async () => {
  const { collectionId } = setting
  const clientId = await registered(app)
  const agent = { model: 'extractive', tools: ['search_knowledge'], collectionIds: [collectionId] }
  const { id } = await createAgentIn(app, { name: 'Ducks', ...agent })
  const hidden = await createAgentIn(app, { name: 'Hidden', ...agent })
  const elsewhere = await createCollection(app, app.liveKey, 'Elsewhere')
  await uploadAndWait(app, { collectionId: elsewhere, content: 'Ducks sleep here.', key: app.liveKey })
  const grant = wholeGrant(app, { permissions, agentIds: [id] })
  const tokens = await connect(app, owner, clientId, grant)
  const key = tokens.access_token
  const ask = `ask_ducks_${id.slice(-8)}`

  assert.deepEqual(await toolNames(app, { key }), ['search', 'fetch', 'list_collections', 'get_answer', ask])
  assert.equal((await callTool(app, 'search', { query: 'ducks' }, { key })).results.length, 2)
  const answer = await callTool(app, ask, { prompt: 'May ducks enter?' }, { key })
  assert.match(answer.answer, /freely/)
  const other = `ask_hidden_${hidden.id.slice(-8)}`
  const unknown = await askMcp(app, 'tools/call', { name: other, arguments: { prompt: 'Hello?' } }, { key })
  assert.match(unknown.error.message, /There is no tool/)

  const body = { agentId: id, endUserId: 'ada', origins: ['https://www.example.com'] }
  for (const [method, path, wanted] of [
    ['GET', '/me', undefined],
    ['POST', '/browser-tokens', body],
    ['GET', `/runs/${answer.runId}`, undefined],
    ['GET', `/runs/${answer.runId}/events`, undefined],
    ['POST', `/agents/${id}/run`, { prompt: 'Hello?' }],
    ['GET', '/events', undefined],
    ['GET', '/api-keys', undefined],
  ] as const) {
    assert.equal((await app.request(method, path, { key, body: wanted })).status, 401, path)
  }

  const [held] = (await app.request('GET', '/api-keys')).body.data
  assert.equal(held.app.clientId, clientId)
  const narrower = { collectionIds: [collectionId] }
  assert.equal((await app.request('PATCH', `/api-keys/${held.id}`, { body: narrower })).status, 200)
  assert.equal((await callTool(app, 'search', { query: 'ducks' }, { key })).results.length, 1)
  // What it was answered before may rest on what it no longer reaches.
  assert.match(await refusedTool(app, 'get_answer', { runId: answer.runId }, { key }), /not|no /i)

  const { body: renewed } = await renew(app, clientId, tokens.refresh_token)
  assert.equal((await sendForm(app, '/oauth/revoke', { token: renewed.refresh_token })).status, 200)
  for (const token of [key, renewed.access_token]) {
    const refused = await askMcp(app, 'tools/list', {}, { key: token })
    assert.equal(refused.status, 401)
    assert.match(String(refused.headers['www-authenticate']), /resource_metadata=/)
  }
  assert.equal((await renew(app, clientId, renewed.refresh_token)).body.error, 'invalid_grant')
  const log = await app.request('GET', '/audit-log?pageSize=100')
  const actions = log.body.data
    .filter(({ resourceId }: { resourceId: string }) => resourceId === held.id)
    .map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['api_key.revoke', 'api_key.update', 'api_key.create'])
})

test('a page that a command line let in ends with the grant of its person', async () => {
  const { id } = await createAgentIn(app, { name: 'Chat', model: 'extractive', tools: [] })
  const origin = 'https://www.example.com'
  const leaves = (await app.createKey({ role: 'member' })).caller.userId
  for (const end of ['disconnect', 'leave'] as const) {
    const person = await signIn(app, end === 'leave' ? leaves : app.ownerId)
    const device = (await sendForm(app, '/oauth/device', { client_id: 'atrium-cli' })).body
    const decision = {
      userCode: device.user_code,
      userId: person.userId,
      grant: wholeGrant(app, { permissions: ['agents:read', 'agents:run'] }),
    }
    assert.equal((await person.request('POST', '/console/devices/decide', { body: decision })).status, 204)
    const tokens = (
      await sendForm(app, '/oauth/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'atrium-cli',
        device_code: device.device_code,
      })
    ).body
    const minted = await app.request('POST', '/browser-tokens', {
      key: tokens.access_token,
      body: { agentId: id, endUserId: 'ada', origins: [origin] },
    })
    assert.equal(minted.status, 201, JSON.stringify(minted.body))
    const me = () => app.request('GET', '/me', { key: minted.body.data.token, headers: { origin } })
    assert.equal((await me()).status, 200)
    if (end === 'disconnect') {
      const [{ id: grantId }] = (await person.request('GET', '/console/apps')).body.data
      await person.request('POST', '/console/apps/disconnect', { body: { id: grantId } })
    } else {
      const members = (await app.request('GET', '/workspace/members?pageSize=100')).body.data
      const member = members.find(({ userId }: { userId: string }) => userId === person.userId)
      assert.equal((await app.request('DELETE', `/workspace/members/${member.id}`)).status, 204)
    }
    assert.equal((await me()).status, 401, end)
    assert.equal((await renew(app, 'atrium-cli', tokens.refresh_token)).body.error, 'invalid_grant')
  }
})
