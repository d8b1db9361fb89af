/** What the outbox is told of besides runs: documents, collections, connections, members, keys and limits, each in its change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startIntegrationApp } from '../../testing/apps/integration-app.ts'
import { eventually } from '../../testing/eventually.ts'
import { createCollection, putAndWait, upload } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../testing/test-app.ts'

async function start(t: { after(end: () => Promise<void>): void }, settings: Record<string, string> = {}) {
  const clock = { offsetMs: 0 }
  const app = await startTestApp({ settings, clock: () => Date.now() + clock.offsetMs })
  t.after(app.close)
  return { app, clock }
}

/** Those of a kind, oldest first. */
async function told(app: TestApp, kind: string, key: TestKey = app.liveKey) {
  const { body } = await app.request('GET', '/events', { key, query: { pageSize: 100 } })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  return body.data.toReversed().filter(({ type }: any) => type.startsWith(`${kind}.`))
}

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type)

test('a document is told of when it is ready, fails, is deleted and comes back, without its name or text', async t => {
  const { app } = await start(t)
  const collectionId = await createCollection(app)
  const good = await putAndWait(app, { collectionId, externalId: 'one', content: 'A canary in the text.' })
  const form = new FormData()
  form.set('file', new File(['broken'], 'sim-parse-failed.txt'))
  const key = app.testKey
  const testCollection = await app.request('POST', '/knowledge/collections', { key, body: { name: 'T' } })
  form.set('collectionId', testCollection.body.data.id)
  const bad = await app.request('POST', '/knowledge/documents', { key, form, headers: { prefer: 'wait=30' } })
  assert.equal(bad.body.data.status, 'failed')
  const [failed] = await told(app, 'document', key)
  assert.equal(failed.type, 'document.failed')
  assert.equal(failed.data.errorCode, bad.body.data.error.code)
  await app.request('DELETE', `/knowledge/documents/${good.id}`)
  await app.request('POST', `/knowledge/documents/${good.id}/restore`)
  await eventually('all three are told of', async () => (await told(app, 'document')).length >= 3)
  await app.request('DELETE', `/knowledge/documents/${good.id}`, { query: { erase: 'true' } })
  const events = await told(app, 'document')
  assert.deepEqual(typesOf(events), [
    'document.ready',
    'document.deleted',
    'document.ready',
    'document.deleted',
  ])
  assert.deepEqual(events[0].data, {
    id: good.id,
    collectionId,
    version: 1,
    status: 'ready',
    errorCode: null,
    warnings: [],
    erased: false,
    actor: null,
  })
  assert.deepEqual(
    [events[1].data.erased, events[3].data.erased, events[3].data.actor.keyId],
    [false, true, app.liveKey.id],
  )
  assert.doesNotMatch(JSON.stringify(events), /canary|one/)
  const narrow = await app.createKey({ collectionIds: [await createCollection(app)] })
  assert.deepEqual(await told(app, 'document', narrow), [])
  const reader = await app.createKey({ collectionIds: [collectionId] })
  assert.equal((await told(app, 'document', reader)).length, 4)
  const filtered = await app.request('GET', '/events', { query: { collectionId } })
  assert.equal(filtered.body.meta.total, 4)
})

test('members and keys are told of with who did it, keys in their own environment', async t => {
  const { app } = await start(t)
  const made = await app.request('POST', '/api-keys', {
    body: { name: 'k', permissions: ['agents:read'], environment: 'test' },
  })
  const { id } = made.body.data
  await app.request('POST', `/api-keys/${id}/rotate`, { body: {} })
  await app.request('POST', `/api-keys/${id}/revoke`)
  await app.request('POST', `/api-keys/${id}/revoke`)
  const ofKey = (await told(app, 'key', app.testKey)).filter(
    (event: { data: { id: string } }) => event.data.id === id,
  )
  assert.deepEqual(typesOf(ofKey), ['key.created', 'key.rotated', 'key.revoked'])
  assert.deepEqual(ofKey[0].data.actor, { kind: 'key', userId: app.ownerId, keyId: app.liveKey.id })
  const service = await app.request('POST', '/workspace/members', { body: { name: 'Robot', role: 'member' } })
  assert.equal(service.status, 201, JSON.stringify(service.body))
  const member = `/workspace/members/${service.body.data.id}`
  await app.request('PATCH', member, { body: { role: 'viewer' } })
  await app.request('DELETE', member)
  const events = await told(app, 'member')
  assert.deepEqual(typesOf(events), ['member.joined', 'member.changed', 'member.removed'])
  assert.deepEqual(
    events.map((event: { data: { role: string; previousRole: string | null } }) => [
      event.data.role,
      event.data.previousRole,
    ]),
    [
      ['member', null],
      ['viewer', 'member'],
      ['viewer', null],
    ],
  )
  assert.doesNotMatch(JSON.stringify(events), /Robot|example\.com/)
})

test('an accepted invitation is told as `member.joined`; one of the sandbox lets no person in', async t => {
  const { app } = await start(t)
  const accept = async (key: TestKey) => {
    const body = { email: 'new@example.com', role: 'member' }
    const invited = await app.request('POST', '/workspace/members/invite', { key, body })
    const token = String(invited.body.data.acceptUrl).split('/').at(-1)
    const answer = { token, name: 'New' }
    const reply = await app.request('POST', '/workspace/invitations/accept', { key, body: answer })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
  }
  await accept(app.testKey)
  await accept(app.liveKey)
  const [joined, ...others] = await told(app, 'member')
  assert.deepEqual(others, [])
  assert.deepEqual([joined.type, joined.data.role], ['member.joined', 'member'])
  assert.deepEqual(await told(app, 'member', app.testKey), [])
})

test('a connection is told of when it works, is given up by the service, and ends', async t => {
  const { app, oauth, pass, connected, browse } = await startIntegrationApp(t)
  const id = await connected('google-drive')
  oauth.revokeAllGrants()
  pass(7_200_000)
  await app.request('POST', `/integrations/${id}/test`)
  await app.request('DELETE', `/integrations/${id}`)
  oauth.mood.refuse = 'access_denied'
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  await browse(body.data.authorizationUrl)
  const events = await told(app, 'connection')
  assert.deepEqual(typesOf(events), [
    'connection.active',
    'connection.needs_reauth',
    'connection.deleted',
    'connection.failed',
  ])
  assert.equal(events[2].data.actor.kind, 'key')
  assert.equal(events[3].data.errorCode, 'access_denied')
})

test('a limit that refuses is told of once a day, however often it refuses', async t => {
  const { app, clock } = await start(t, { ATRIUM_PLAN_ENTERPRISE: 'storageMb=1' })
  const collectionId = await createCollection(app)
  const tooMuch = async () => {
    const reply = await upload(app, { collectionId, content: 'x'.repeat(1_100_000) })
    assert.equal(reply.body.code, 'storage_limit')
  }
  const count = async (wanted: number) => {
    await eventually(`${wanted} are told of`, async () => (await told(app, 'limit')).length >= wanted)
    return told(app, 'limit')
  }
  await tooMuch()
  await count(1)
  for (let index = 0; index < 3; index++) await tooMuch()
  const [event] = await told(app, 'limit')
  assert.deepEqual(event.data, { limit: 'storage', agentId: null, max: 1_048_576, used: 0 })
  clock.offsetMs += 86_400_000
  await tooMuch()
  // What the refusals of the first day had told would be there, too.
  assert.equal((await count(2)).length, 2)
})
