import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Role } from '../../../platform/caller.ts'
import { systemClock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { openDatabase } from '../../../platform/database/open.ts'
import { createIds } from '../../../platform/ids.ts'
import { etagOf } from '../../../platform/revision.ts'
import { noWebhooks } from '../../../testing/apps/invitations.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import {
  callerOf,
  insertKey,
  insertPerson,
  insertWorkspace,
  type TestPerson,
} from '../../../testing/workspace.ts'
import { createAuditService } from '../../audit/service.ts'
import { createOutbox } from '../../events/outbox-service.ts'
import { createMemberService } from './members-service.ts'

const newId = createIds(systemClock)
const firstPage = { page: 1, pageSize: 20 }
const now = { ifMatch: null, dryRun: false }

test('two owners who demote each other at the same moment leave exactly one owner', async t => {
  const { database, settings } = await setUp(t)
  // A pool of its own for each owner: on PostgreSQL their transactions really run side by side.
  const other = await openDatabase(settings)
  t.after(() => other.close())
  for (let round = 0; round < 10; round++) {
    const workspaceId = await insertWorkspace(database)
    const ada = await insertPerson(database, workspaceId, 'owner')
    const bob = await insertPerson(database, workspaceId, 'owner')
    const outcomes = await Promise.allSettled([
      serviceOn(database).changeRole(callerOf(workspaceId, ada, 'owner'), bob.memberId, 'member', null),
      serviceOn(other).changeRole(callerOf(workspaceId, bob, 'owner'), ada.memberId, 'member', null),
    ])
    const refused = outcomes.filter(outcome => outcome.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason }) => reason.code),
      ['last_owner'],
    )
    assert.equal(await countOwners(database, workspaceId), 1)
  }
})

test('two owners who remove each other at the same moment leave exactly one owner', async t => {
  const { database, settings } = await setUp(t)
  const other = await openDatabase(settings)
  t.after(() => other.close())
  for (let round = 0; round < 10; round++) {
    const workspaceId = await insertWorkspace(database)
    const ada = await insertPerson(database, workspaceId, 'owner')
    const bob = await insertPerson(database, workspaceId, 'owner')
    const outcomes = await Promise.allSettled([
      serviceOn(database).remove(callerOf(workspaceId, ada, 'owner'), bob.memberId, now),
      serviceOn(other).remove(callerOf(workspaceId, bob, 'owner'), ada.memberId, now),
    ])
    assert.equal(outcomes.filter(outcome => outcome.status === 'rejected').length, 1)
    assert.equal(await countOwners(database, workspaceId), 1)
  }
})

test('the last owner can neither be demoted nor removed, whatever number of admins there is', async t => {
  const { database, members, workspaceId, owner } = await setUp(t)
  await insertPerson(database, workspaceId, 'admin')
  const caller = callerOf(workspaceId, owner, 'owner')
  await assert.rejects(members.changeRole(caller, owner.memberId, 'admin', null), { code: 'last_owner' })
  await assert.rejects(members.remove(caller, owner.memberId, now), { code: 'last_owner' })
  await assert.rejects(members.remove(caller, owner.memberId, { ifMatch: null, dryRun: true }), {
    code: 'last_owner',
  })
  assert.equal((await members.get(caller, owner.memberId)).role, 'owner')
})

test('no caller gives, changes or removes a role above their own', async t => {
  const { database, members, workspaceId, owner } = await setUp(t)
  const admin = await insertPerson(database, workspaceId, 'admin')
  const member = await insertPerson(database, workspaceId, 'member')
  await insertPerson(database, workspaceId, 'owner')
  const caller = callerOf(workspaceId, admin, 'admin')
  const refused = { code: 'permission_missing' }
  await assert.rejects(members.changeRole(caller, admin.memberId, 'owner', null), refused)
  await assert.rejects(members.changeRole(caller, member.memberId, 'owner', null), refused)
  await assert.rejects(members.changeRole(caller, owner.memberId, 'member', null), refused)
  await assert.rejects(members.remove(caller, owner.memberId, now), refused)
  assert.equal((await members.changeRole(caller, member.memberId, 'admin', null)).role, 'admin')
  assert.equal((await members.changeRole(caller, admin.memberId, 'viewer', null)).role, 'viewer')
})

test('a changed role gives a new ETag, the old one is refused, and the audit log tells both roles', async t => {
  const { database, members, workspaceId, owner } = await setUp(t)
  const member = await insertPerson(database, workspaceId, 'member')
  const caller = callerOf(workspaceId, owner, 'owner')
  const before = etagOf(await members.get(caller, member.memberId)).etag
  const changed = await members.changeRole(caller, member.memberId, 'admin', before)
  assert.deepEqual(changed, await members.get(caller, member.memberId))
  await assert.rejects(members.changeRole(caller, member.memberId, 'viewer', before), {
    code: 'precondition_failed',
  })
  const entries = await auditOf(database, workspaceId)
  assert.deepEqual(entries, [
    {
      action: 'member.update',
      resource_id: member.memberId,
      details: JSON.stringify({ userId: member.userId, from: 'member', to: 'admin', invitationIds: [] }),
    },
  ])
})

test('a removal lists the keys that stop, revokes them for good, and leaves other keys alone', async t => {
  const { database, members, workspaceId, owner } = await setUp(t)
  const member = await insertPerson(database, workspaceId, 'member')
  const live = await insertKey(database, workspaceId, member.userId)
  const sandbox = await insertKey(database, workspaceId, member.userId, 'test')
  const ownersKey = await insertKey(database, workspaceId, owner.userId)
  const elsewhere = await insertKey(database, await insertWorkspace(database), member.userId)
  const caller = callerOf(workspaceId, owner, 'owner')

  const previewed = await members.remove(caller, member.memberId, { ifMatch: null, dryRun: true })
  assert.deepEqual(previewed, {
    memberId: member.memberId,
    keyIds: [sandbox, live],
    invitationIds: [],
    teamIds: [],
    webhookIds: [],
  })
  assert.deepEqual(await revokedKeys(database), [])
  assert.equal((await members.list(caller, {}, firstPage)).total, 2)

  assert.deepEqual(await members.remove(caller, member.memberId, now), previewed)
  assert.deepEqual(await revokedKeys(database), [live, sandbox].sort())
  assert.ok(![ownersKey, elsewhere].some(id => previewed.keyIds.includes(id)))
  await assert.rejects(members.get(caller, member.memberId), { code: 'not_found' })
  assert.deepEqual(
    (await auditOf(database, workspaceId)).map(({ action }) => action),
    ['member.delete'],
  )
})

test('a user becomes a member once, with an audit row', async t => {
  const { database, members, workspaceId, owner } = await setUp(t)
  const person = await insertPerson(database, await insertWorkspace(database), 'owner')
  const caller = callerOf(workspaceId, owner, 'owner')
  const add = () => database.write(tx => members.add(tx, caller, { userId: person.userId, role: 'viewer' }))
  const added = await add()
  assert.deepEqual(added, await members.get(caller, added.id))
  assert.deepEqual([added.role, added.email], ['viewer', person.email])
  await assert.rejects(add(), { code: 'already_member' })
  const actions = (await auditOf(database, workspaceId)).map(({ action }) => action)
  assert.deepEqual(actions, ['member.create'])
})

test("a neighbour's member does not exist: not to read, to change, or to remove", async t => {
  const { database, members, workspaceId, owner } = await setUp(t)
  const foreign = await insertPerson(database, await insertWorkspace(database), 'member')
  const caller = callerOf(workspaceId, owner, 'owner')
  await assert.rejects(members.get(caller, foreign.memberId), { code: 'not_found' })
  await assert.rejects(members.changeRole(caller, foreign.memberId, 'viewer', null), { code: 'not_found' })
  await assert.rejects(members.remove(caller, foreign.memberId, now), { code: 'not_found' })
  assert.equal((await members.list(caller, {}, firstPage)).total, 1)
})

test('the list is newest first, is filtered by role and kind, and blames an unknown team', async t => {
  const { database, members, workspaceId, owner } = await setUp(t)
  const people: TestPerson[] = []
  for (const role of ['admin', 'member', 'member', 'viewer'] satisfies Role[]) {
    people.push(await insertPerson(database, workspaceId, role))
  }
  const caller = callerOf(workspaceId, owner, 'owner')
  const ids = (items: { id: string }[]) => items.map(({ id }) => id)
  const all = [owner, ...people].map(({ memberId }) => memberId).reverse()
  assert.deepEqual(ids((await members.list(caller, {}, firstPage)).items), all)
  const second = await members.list(caller, {}, { page: 2, pageSize: 2 })
  assert.deepEqual([ids(second.items), second.total], [all.slice(2, 4), 5])
  assert.equal((await members.list(caller, { role: 'member' }, firstPage)).total, 2)
  assert.equal((await members.list(caller, { kind: 'service' }, firstPage)).total, 0)
  await assert.rejects(members.list(caller, { teamId: newId('team') }, firstPage), {
    code: 'validation_failed',
    errors: [{ field: 'teamId', message: 'There is no team with this id' }],
  })
})

async function setUp(t: TestContext) {
  const { database, settings, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const owner = await insertPerson(database, workspaceId, 'owner')
  return { database, settings, members: serviceOn(database), workspaceId, owner }
}

function serviceOn(database: Database) {
  const audit = createAuditService({ database, clock: systemClock, newId })
  const outbox = createOutbox({ newId, onRecorded: async () => undefined })
  return createMemberService({
    database,
    newId,
    audit,
    outbox,
    clock: systemClock,
    memberWebhooks: noWebhooks,
    onChange: () => undefined,
  })
}

async function countOwners(database: Database, workspaceId: string): Promise<number> {
  const owners = await database.read
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .execute()
  return owners.length
}

const auditOf = (database: Database, workspaceId: string) =>
  database.read
    .selectFrom('audit_log')
    .select(['action', 'resource_id', 'details'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()

async function revokedKeys(database: Database): Promise<string[]> {
  const rows = await database.read
    .selectFrom('api_keys')
    .select('id')
    .where('revoked_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
