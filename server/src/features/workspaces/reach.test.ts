/** How soon a change of the teams' access holds, and what it costs those from whom nothing is kept. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Caller, Role } from '../../platform/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { callerOf, insertPerson, insertWorkspace } from '../../testing/workspace.ts'
import { createReach } from './reach-service.ts'

test('another server learns of a change within five seconds, and this one at once', async t => {
  const { database, workspaceId, join } = await setUp(t)
  const time = { now: 1_000_000 }
  const clock = () => time.now
  const here = createReach({ database, clock })
  const elsewhere = createReach({ database, clock })
  const caller = await join('member')
  assert.equal((await here.within(caller)).scope.withheld, undefined)
  assert.equal((await elsewhere.within(caller)).scope.withheld, undefined)
  const id = await insertKept(database, workspaceId)
  here.forget()
  const withheld = { userId: caller.userId, collectionIds: [id], agentIds: [] }
  assert.deepEqual((await here.within(caller)).scope.withheld, withheld)
  assert.equal((await elsewhere.within(caller)).scope.withheld, undefined)
  assert.deepEqual((await elsewhere.now(caller)).scope.withheld, withheld)
  time.now += 5_000
  const known = await elsewhere.within(caller)
  assert.deepEqual(known.scope.withheld, withheld)
  await database.write(tx => tx.deleteFrom('collections').execute())
  assert.equal((await elsewhere.now(known)).scope.withheld, undefined)
})

test('owners and admins are never asked about, and a member once in five seconds', async t => {
  const { database, workspaceId, join } = await setUp(t)
  await insertKept(database, workspaceId)
  let asked = 0
  const counted = {
    ...database,
    get read() {
      asked += 1
      return database.read
    },
  }
  const reach = createReach({ database: counted, clock: () => 1_000_000 })
  for (const role of ['owner', 'admin'] as const) {
    const caller = await join(role)
    assert.equal(await reach.within(caller), caller)
    assert.equal(await reach.now(caller), caller)
  }
  assert.equal(asked, 0)
  const caller = await join('viewer')
  for (let times = 0; times < 10; times++) await reach.within(caller)
  assert.equal(asked, 1)
})

test('what a neighbour or the sandbox keeps to itself is kept from nobody here', async t => {
  const { database, workspaceId, join } = await setUp(t)
  await insertKept(database, await insertWorkspace(database))
  await insertKept(database, workspaceId, 'test')
  const reach = createReach({ database, clock: Date.now })
  const caller = await join('member')
  assert.equal(await reach.within(caller), caller)
})

async function setUp(t: TestContext) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const join = async (role: Role): Promise<Caller> =>
    callerOf(workspaceId, await insertPerson(database, workspaceId, role), role)
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
