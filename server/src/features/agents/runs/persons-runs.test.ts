/** Runs and streams that people begin: they outlast the token and the session, but not the membership. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import { usualCallerCheckMs } from '../../../start/dependencies.ts'
import { endOfRun } from '../../../testing/apps/ended-run.ts'
import { type SignedIn, signIn } from '../../../testing/apps/signed-in.ts'
import { says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { cachedMs } from '../../authentication/authenticator-service.ts'

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
  await eventually('the model is asked', () => tools.modelServer.requests.length > asked)
  return body.data.id
}

const ended = (id: string) => endOfRun(tools.app, id)

/**
 * Everybody whose run or stream is in progress has been looked up again when this is over: a person whose run was begun
 * after theirs has been.
 */
async function untilAllAreLookedUp(): Promise<void> {
  const eve = await person()
  const { body } = await tools.app.request('POST', `/agents/${await tools.createAgent({})}/run`, {
    key: await eve.token(),
    body: { prompt: 'never' },
    headers: { prefer: 'respond-async' },
  })
  await tools.app.request('DELETE', `/workspace/members/${await memberId(eve.userId)}`)
  assert.equal((await ended(body.data.id)).error.code, 'access_revoked')
}

const memberId = async (userId: string): Promise<string> => {
  const { body } = await tools.app.request('GET', '/workspace/members?pageSize=100')
  return body.data.find((member: { userId: string }) => member.userId === userId).id
}

test('a run of a person goes on after they have signed out, and tells in whose name it was begun', async () => {
  const ada = await person()
  const lookedUp = Promise.withResolvers<void>()
  tools.script({ kind: 'held', until: lookedUp.promise, behaviour: says('Done.') }, { kind: 'never' })
  const id = await begin(await ada.token())
  await tools.app.app.services.sessions.end(ada.userId, ada.sessionId)
  await untilAllAreLookedUp()
  lookedUp.resolve()
  const run = await ended(id)
  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  const log = await tools.app.request('GET', `/audit-log?resourceId=${id}`)
  assert.deepEqual([log.body.data[0].actor, log.body.data[0].userId], ['person', ada.userId])
})

test('a run of a person who is removed stops', async () => {
  const ada = await person()
  tools.script({ kind: 'never' })
  const id = await begin(await ada.token())
  await tools.app.request('DELETE', `/workspace/members/${await memberId(ada.userId)}`)
  const run = await ended(id)
  assert.deepEqual([run.status, run.error.code], ['failed', 'access_revoked'])
  assert.match(String(run.error.message), /no member of the workspace/)
})

test('a stream goes on when its token’s time is over, and ends after the session', async () => {
  const ada = await person()
  const address = await tools.app.listen()
  tools.script({ kind: 'never' })
  const token = await ada.token()
  const id = await begin(token)
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const reply = await fetch(`${address}/api/v1/runs/${id}/events`, { headers })
  assert.equal(reply.status, 200)
  let isOver = false
  const over = reply.text().finally(() => {
    isOver = true
  })
  now += 11 * minuteMs
  assert.equal((await fetch(`${address}/api/v1/runs/${id}/events`, { headers })).status, 401)
  await untilAllAreLookedUp()
  assert.equal(isOver, false)
  await tools.app.app.services.sessions.end(ada.userId, ada.sessionId)
  await over
  const again = await (await signIn(tools.app, ada.userId)).token()
  await tools.app.request('POST', `/runs/${id}/cancel`, { key: again })
})

test('the runs of a workspace that is deleted stop, those of keys too', async () => {
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
  await eventually('the runs are over', isOver)
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

test('by its usual settings a server looks its callers up so often that all of this happens within ten seconds', () => {
  assert.ok(usualCallerCheckMs + cachedMs < 10 * secondMs)
})
