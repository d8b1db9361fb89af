/** What holds for every endpoint, asked with the tokens of persons: of each role, of neighbours, of the sandbox, of ended sessions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Role, rolePermissions, roles } from '../platform/caller.ts'
import { minuteMs } from '../platform/clock.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import { readPersonToken, signPersonToken } from '../platform/crypto/person-tokens.ts'
import { exampleId } from '../platform/schemas.ts'
import { createCollection, uploadAndWait } from '../testing/knowledge.ts'
import { type SignedIn, signIn } from '../testing/signed-in.ts'
import { startTestApp, type TestApp, type TestReply } from '../testing/test-app.ts'
import type { Route } from './route.ts'

let app: TestApp
let now = Date.now()

before(async () => {
  app = await startTestApp({
    clock: () => now,
    settings: {
      ATRIUM_ANONYMOUS_RATE: '100000',
      ATRIUM_PERSON_RATE: '100000',
      ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000',
    },
  })
})
after(() => app.close())

const guarded = (): Route[] => app.app.routes.filter(route => route.permission !== 'public')
const pathOf = (route: Route, id: string): string => route.path.replaceAll(/:[A-Za-z]+/g, () => id)
const person = async (role: Role): Promise<SignedIn> =>
  signIn(app, String((await app.createKey({ role })).caller.userId))

test('every route answers the same 401 to a token that is over, ended, changed or another server’s', async () => {
  const ada = await person('owner')
  const expired = await ada.token()
  now += 10 * minuteMs
  const bob = await person('owner')
  const ended = await bob.token()
  await app.app.services.sessions.end(bob.userId, bob.sessionId)
  const valid = await ada.token()
  const claims = readPersonToken(app.dependencies.keyring, valid)
  assert.ok(claims !== null)
  const foreign = signPersonToken(
    createKeyring('the secret of some other server, of enough characters'),
    claims,
  )
  const stolen = signPersonToken(app.dependencies.keyring, { ...claims, userId: bob.userId })
  for (const route of guarded()) {
    for (const key of [expired, ended, `${valid}x`, foreign, stolen, 'ct_', 'ct_e30.e30']) {
      const reply = await app.request(route.method, pathOf(route, exampleId('agent')), { key })
      assert.equal(reply.status, 401, `${route.operationId} with ${key.slice(0, 20)}…`)
      assert.equal(reply.body.code, 'unauthenticated')
      assert.equal(reply.headers['www-authenticate'], 'Bearer')
    }
  }
})

for (const role of roles) {
  test(`a person with the role ${role} is refused by exactly those routes whose permission the role lacks`, async () => {
    const key = await (await person(role)).token()
    const held: readonly string[] = rolePermissions[role]
    for (const route of guarded()) {
      // To leave, for one, would end the walk.
      const query = route.destructive ? '?dryRun=true' : ''
      const reply = await app.request(route.method, `${pathOf(route, exampleId('agent'))}${query}`, { key })
      const lacks = route.permission !== 'any' && !held.includes(route.permission)
      if (lacks) {
        assert.deepEqual([reply.status, reply.body.code], [403, 'permission_missing'], route.operationId)
        assert.ok(reply.body.message.includes(route.permission), reply.body.message)
      } else {
        const refused = reply.status === 403 && String(reply.body.message).includes('lacks the permission')
        assert.ok(reply.status !== 401 && !refused, `${route.operationId} answered ${reply.status}`)
      }
    }
  })
}

test('what would change the real workspace is refused in the test environment, whatever the role', async () => {
  const key = await (await person('owner')).token({ environment: 'test' })
  const liveOnly = guarded().filter(route => route.liveOnly)
  assert.ok(liveOnly.length > 10)
  for (const route of liveOnly) {
    const reply = await app.request(route.method, pathOf(route, exampleId('agent')), { key })
    assert.deepEqual([reply.status, reply.body.code], [403, 'sandbox_forbidden'], route.operationId)
  }
})

/** A record of each kind that paths name, by what its paths begin with. */
async function makeRecords(): Promise<Record<string, string>> {
  const post = async (path: string, body: object) => {
    const reply = await app.request('POST', path, { body })
    assert.ok(reply.status < 300, `${path}: ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }
  const collectionId = await createCollection(app)
  const document = await uploadAndWait(app, { collectionId })
  const agent = await post('/agents', { name: 'Ours', collectionIds: [collectionId] })
  const run = await post(`/agents/${agent.id}/run`, { prompt: 'What is it?', endUserId: 'u1' })
  const members = await app.request('GET', '/workspace/members')
  return {
    '/agents/': agent.id,
    '/runs/': run.id,
    '/conversations/': run.conversationId,
    '/knowledge/collections/': collectionId,
    '/knowledge/documents/': document.id,
    '/api-keys/': app.liveKey.id,
    '/webhooks/': (await post('/webhooks', { url: 'https://example.com/hook' })).id,
    '/model-providers/': (await post('/model-providers', { name: 'ours', kind: 'openai', apiKey: 'x' })).id,
    '/workspace/invitations/': (await post('/workspace/members/invite', { email: 'guest@example.com' })).id,
    '/workspace/teams/': (await post('/workspace/teams', { name: 'Ours' })).id,
    '/workspace/members/': members.body.data[0].id,
  }
}

test('a record of another workspace or environment answers a person as one that never was, byte for byte', async () => {
  const records = await makeRecords()
  const neighbour = await app.createWorkspace()
  const there = await signIn(app, neighbour.ownerId)
  const stranger = await there.token({ workspaceId: neighbour.workspaceId })
  const sandboxed = await (await person('owner')).token({ environment: 'test' })
  let asked = 0
  for (const route of guarded()) {
    const prefix = Object.keys(records).find(known => route.path.startsWith(`${known}:id`))
    if (prefix === undefined || route.upload !== undefined || route.streamedBody !== undefined) continue
    const id = String(records[prefix])
    const options = route.bodyExample === undefined ? {} : { body: route.bodyExample }
    const ask = (path: string, key: string) => app.request(route.method, path, { key, ...options })
    // The sandbox sees the same people.
    const isShared = ['/workspace/members/', '/workspace/teams/'].includes(prefix)
    for (const key of isShared ? [stranger] : [stranger, sandboxed]) {
      const real = await ask(pathOf(route, id), key)
      const nobodys = await ask(pathOf(route, `${id.slice(0, -6)}000000`), key)
      assert.deepEqual(
        comparable(real, id),
        comparable(nobodys, `${id.slice(0, -6)}000000`),
        route.operationId,
      )
      assert.ok(real.status >= 400, `${route.operationId} answered ${real.status}`)
      asked += 1
    }
  }
  assert.ok(asked > 60, `only ${asked} were asked`)
})

const comparable = ({ status, body }: TestReply, id: string): unknown => [
  status,
  JSON.stringify({ ...body, requestId: '' }).replaceAll(id, 'the id'),
]
