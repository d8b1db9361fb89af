/** Runs and streams that people begin: they outlast the token and the session, but not the membership. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '../../../platform/clock.ts'
import { type SignedIn, signIn } from '../../../testing/signed-in.ts'
import { says, startToolApp, type ToolApp } from '../../../testing/tool-app.ts'

let tools: ToolApp
let now = Date.now()

before(async () => {
  tools = await startToolApp({}, () => now)
})
after(() => tools.close())

const person = async (): Promise<SignedIn> => {
  const { caller } = await tools.app.createKey({ role: 'member' })
  return signIn(tools.app, String(caller.userId))
}

const begin = async (key: string): Promise<string> => {
  const agentId = await tools.createAgent({})
  const asked = tools.modelServer.requests.length
  const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
    key,
    body: { prompt: 'Think!' },
    headers: { prefer: 'respond-async' },
  })
  while (tools.modelServer.requests.length === asked) await sleep(5)
  return body.data.id
}

const ended = async (id: string) =>
  (await tools.app.request('GET', `/runs/${id}`, { headers: { prefer: 'wait=15' } })).body.data

const memberId = async (userId: string): Promise<string> => {
  const { body } = await tools.app.request('GET', '/workspace/members?pageSize=100')
  return body.data.find((member: { userId: string }) => member.userId === userId).id
}

test('a run of a person goes on after they have signed out, and tells in whose name it was begun', async () => {
  const ada = await person()
  // Longer than it takes to look twice at who began it.
  tools.script({ kind: 'slow', delayMs: 9_000, behaviour: says('Done.') })
  const id = await begin(await ada.token())
  await tools.app.app.services.sessions.end(ada.userId, ada.sessionId)
  const run = await ended(id)
  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  const log = await tools.app.request('GET', `/audit-log?resourceId=${id}`)
  assert.deepEqual([log.body.data[0].actor, log.body.data[0].userId], ['person', ada.userId])
})

test('a run of a person who is removed stops within ten seconds', async () => {
  const ada = await person()
  tools.script({ kind: 'never' })
  const id = await begin(await ada.token())
  await tools.app.request('DELETE', `/workspace/members/${await memberId(ada.userId)}`)
  const run = await ended(id)
  assert.deepEqual([run.status, run.error.code], ['failed', 'access_revoked'])
  assert.match(run.error.message, /no member of the workspace/)
})

test('a stream goes on when its token’s time is over, and ends within ten seconds of the session', async () => {
  const ada = await person()
  const address = await tools.app.listen()
  tools.script({ kind: 'never' })
  const token = await ada.token()
  const id = await begin(token)
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const reply = await fetch(`${address}/api/v1/runs/${id}/events`, { headers })
  assert.equal(reply.status, 200)
  let isOver = false
  const over = (async () => {
    for await (const _ of reply.body ?? []) if (isOver) break
  })().then(
    () => true,
    () => true,
  )
  now += 11 * minuteMs
  assert.equal((await fetch(`${address}/api/v1/runs/${id}/events`, { headers })).status, 401)
  assert.equal(await Promise.race([over, sleep(4_000).then(() => false)]), false)
  await tools.app.app.services.sessions.end(ada.userId, ada.sessionId)
  const endedAtMs = performance.now()
  assert.equal(await Promise.race([over, sleep(10_000).then(() => false)]), true)
  assert.ok(performance.now() - endedAtMs < 10_000)
  isOver = true
  await tools.app.request('POST', `/runs/${id}/cancel`)
})

test('the runs of a workspace that is deleted stop within ten seconds, those of keys too', async () => {
  const { workspaceId, ownerId } = await tools.app.createWorkspace()
  const key = await tools.app.createKey({ workspaceId, userId: ownerId })
  const agent = await tools.createAgent({}, key)
  const ada = await signIn(tools.app, ownerId)
  const token = await ada.token({ workspaceId })
  tools.script({ kind: 'never' })
  const ids: string[] = []
  for (const caller of [key, token]) {
    const { body } = await tools.app.request('POST', `/agents/${agent}/run`, {
      key: caller,
      body: { prompt: 'Think!' },
      headers: { prefer: 'respond-async' },
    })
    ids.push(body.data.id)
  }
  const { slug } = (await tools.app.request('GET', '/workspace', { key })).body.data
  await tools.app.request('DELETE', '/workspace', { key: token, body: { confirm: slug } })
  const runs = () =>
    tools.app.dependencies.database.read
      .selectFrom('runs')
      .select(['status', 'error_code'])
      .where('id', 'in', ids)
      .execute()
  const isOver = async () => (await runs()).every(({ status }) => status === 'failed')
  for (let i = 0; i < 100 && !(await isOver()); i++) await sleep(100)
  for (const run of await runs()) {
    assert.deepEqual(run, { status: 'failed', error_code: 'access_revoked' })
  }
})

test('a person in a workspace without an API runs agents, and its keys do not', async () => {
  const { workspaceId, ownerId } = await tools.app.createWorkspace('free')
  const token = await (await signIn(tools.app, ownerId)).token({ workspaceId, environment: 'test' })
  const agent = await tools.app.request('POST', '/agents', { key: token, body: { name: 'Free' } })
  const run = await tools.app.request('POST', `/agents/${agent.body.data.id}/run`, {
    key: token,
    body: { prompt: 'Hello?' },
  })
  assert.deepEqual([run.status, run.body.data.status], [200, 'succeeded'])
  const key = await tools.app.createKey({ workspaceId, userId: ownerId, environment: 'test' })
  assert.equal((await tools.app.request('GET', '/agents', { key })).body.code, 'plan_required')
})
