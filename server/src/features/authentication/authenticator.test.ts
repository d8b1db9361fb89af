/** How soon a change of the teams' access holds, and what it costs members from whom nothing is withheld. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Caller, Role } from '../../platform/caller.ts'
import { systemClock } from '../../platform/clock.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { newApiKey } from '../../platform/crypto/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import { createIds } from '../../platform/ids.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { insertKey, insertPerson, insertWorkspace } from '../../testing/workspace.ts'
import { createAuthenticator } from './authenticator-service.ts'
import { createCallers } from './callers-service.ts'

const newId = createIds(systemClock)
const keyring = createKeyring('a secret that only tests have, of enough characters')
const request = { address: '127.0.0.1', requestId: 'req_1' }

/** As each server has it. */
function authenticate(database: Database, clock: () => number) {
  const callers = createCallers({ database, clock, newId })
  const authenticator = createAuthenticator({ database, keyring, clock, callers })
  const find = async (token: string): Promise<Caller> => {
    const found = await authenticator.find(token, request)
    assert.ok('caller' in found)
    return found.caller
  }
  return { find, now: callers.now, forget: authenticator.forget }
}

test('another server learns of a change within five seconds, and this one at once', async t => {
  const { database, workspaceId, join } = await setUp(t)
  const time = { now: 1_000_000 }
  const clock = () => time.now
  const here = authenticate(database, clock)
  const elsewhere = authenticate(database, clock)
  const { token, userId } = await join('member')
  const caller = await here.find(token)
  assert.equal(caller.scope.withheld, undefined)
  assert.equal((await elsewhere.find(token)).scope.withheld, undefined)
  const id = await insertKept(database, workspaceId)
  here.forget()
  const withheld = { userId, collectionIds: [id], agentIds: [] }
  assert.deepEqual((await here.find(token)).scope.withheld, withheld)
  assert.equal((await elsewhere.find(token)).scope.withheld, undefined)
  assert.deepEqual((await elsewhere.now(caller))?.scope.withheld, withheld)
  time.now += 5_000
  const known = await elsewhere.find(token)
  assert.deepEqual(known.scope.withheld, withheld)
  await database.write(tx => tx.deleteFrom('collections').execute())
  assert.equal((await elsewhere.now(known))?.scope.withheld, undefined)
})

test('what teams withhold is never looked up for owners and admins, and for a member once in five seconds', async t => {
  const { database, workspaceId, join } = await setUp(t)
  await insertKept(database, workspaceId)
  let queries = 0
  const counted = {
    ...database,
    get read() {
      queries += 1
      return database.read
    },
  }
  const server = authenticate(counted, () => 1_000_000)
  const queriesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = queries
    await work()
    return queries - before
  }
  for (const role of ['owner', 'admin'] as const) {
    const { token } = await join(role)
    // The key itself.
    assert.equal(await queriesOf(() => server.find(token)), 1)
    const caller = await server.find(token)
    assert.equal(await queriesOf(() => server.now(caller)), 1)
  }
  const { token } = await join('viewer')
  const tenRequests = async (): Promise<void> => {
    for (let times = 0; times < 10; times++) await server.find(token)
  }
  assert.equal(await queriesOf(tenRequests), 2)
})

test('what a neighbour or the sandbox keeps to itself is withheld from no member here', async t => {
  const { database, workspaceId, join } = await setUp(t)
  await insertKept(database, await insertWorkspace(database))
  await insertKept(database, workspaceId, 'test')
  const { find } = authenticate(database, Date.now)
  const { token } = await join('member')
  assert.deepEqual((await find(token)).scope, { workspaceId, environment: 'live' })
})

async function setUp(t: TestContext) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  /** A member with a key. */
  const join = async (role: Role): Promise<{ token: string; userId: string }> => {
    const { userId } = await insertPerson(database, workspaceId, role)
    const token = newApiKey('live')
    const secret = {
      key_id: await insertKey(database, workspaceId, userId),
      secret_hash: keyring.keyedHash('api-key', token),
      pepper_version: keyring.pepperVersion,
      last_four: token.slice(-4),
      created_at: 1,
      expires_at: null,
    }
    await database.write(tx => tx.insertInto('api_key_secrets').values(secret).execute())
    return { token, userId }
  }
  return { database, workspaceId, join }
}

async function insertKept(
  database: Database,
  workspaceId: string,
  environment: 'live' | 'test' = 'live',
): Promise<string> {
  const id = `col_${workspaceId.slice(4, 24)}${environment}`
  await database.write(tx =>
    tx
      .insertInto('collections')
      .values({
        id,
        workspace_id: workspaceId,
        environment,
        name: 'Kept',
        description: null,
        document_count: 0,
        chunk_count: 0,
        size_bytes: 0,
        access: 'teams',
        created_at: 1,
        updated_at: 1,
        revision: 1,
      })
      .execute(),
  )
  return id
}
