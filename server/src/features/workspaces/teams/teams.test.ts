import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../../platform/clock.ts'
import { createIds } from '../../../platform/ids.ts'
import { etagOf } from '../../../platform/revision.ts'
import { noWebhooks } from '../../../testing/apps/invitations.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { callerOf, insertPerson, insertWorkspace } from '../../../testing/workspace.ts'
import { createAuditService } from '../../audit/service.ts'
import { createOutbox } from '../../events/outbox-service.ts'
import { createMemberService } from '../members/members-service.ts'
import { createTeamService } from './teams-service.ts'

const newId = createIds(systemClock)
const firstPage = { page: 1, pageSize: 20 }
const now = { ifMatch: null, dryRun: false }
const dryRun = { ifMatch: null, dryRun: true }

test('a team is made, renamed, described and deleted, each with an audit row', async t => {
  const { teams, caller, actions } = await setUp(t)
  const team = await teams.create(caller, { name: '  Support ' })
  assert.deepEqual([team.name, team.description, team.memberCount], ['Support', null, 0])
  const described = await teams.update(caller, team.id, { description: 'Answers' }, etagOf(team).etag)
  assert.deepEqual([described.name, described.description], ['Support', 'Answers'])
  assert.equal((await teams.update(caller, team.id, { description: null }, null)).description, null)
  assert.equal((await teams.update(caller, team.id, { name: 'Help' }, null)).name, 'Help')
  await assert.rejects(teams.update(caller, team.id, { name: 'Late' }, etagOf(team).etag), {
    code: 'precondition_failed',
  })
  await teams.remove(caller, team.id, now)
  await assert.rejects(teams.get(caller, team.id), { code: 'not_found' })
  assert.deepEqual(await actions(), [
    'team.create',
    'team.update',
    'team.update',
    'team.update',
    'team.delete',
  ])
})

test('a name can be taken once in a workspace, also by two requests at once, and freely in another', async t => {
  const { database, teams, caller } = await setUp(t)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => teams.create(caller, { name: 'Support' })),
  )
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => reason.code),
    ['already_exists', 'already_exists', 'already_exists'],
  )
  const sales = await teams.create(caller, { name: 'Sales' })
  await assert.rejects(teams.update(caller, sales.id, { name: ' Support' }, null), { code: 'already_exists' })
  const neighbour = await insertWorkspace(database)
  const stranger = callerOf(neighbour, await insertPerson(database, neighbour, 'owner'), 'owner')
  assert.equal((await teams.create(stranger, { name: 'Support' })).name, 'Support')
})

test('joining and leaving a team shows on the team and on the member, with new ETags, and twice is once', async t => {
  const { database, teams, members, workspaceId, caller, actions } = await setUp(t)
  const team = await teams.create(caller, { name: 'Support' })
  const person = await insertPerson(database, workspaceId, 'member')
  const before = await members.get(caller, person.memberId)
  const joined = await teams.addMember(caller, team.id, person.memberId, null)
  assert.deepEqual(joined, await members.get(caller, person.memberId))
  assert.deepEqual(joined.teamIds, [team.id])
  assert.notDeepEqual(etagOf(joined), etagOf(before))
  const grown = await teams.get(caller, team.id)
  assert.equal(grown.memberCount, 1)
  assert.notDeepEqual(etagOf(grown), etagOf(team))
  assert.deepEqual(await teams.addMember(caller, team.id, person.memberId, null), joined)

  const listed = await teams.listMembers(caller, team.id, firstPage)
  assert.deepEqual(listed, { items: [joined], total: 1 })
  assert.deepEqual(await members.list(caller, { teamId: team.id }, firstPage), listed)

  await teams.removeMember(caller, team.id, person.memberId, { ifMatch: null, dryRun: true })
  assert.equal((await teams.get(caller, team.id)).memberCount, 1)
  await teams.removeMember(caller, team.id, person.memberId, { ifMatch: null, dryRun: false })
  assert.equal((await teams.get(caller, team.id)).memberCount, 0)
  await assert.rejects(
    teams.removeMember(caller, team.id, person.memberId, { ifMatch: null, dryRun: false }),
    {
      code: 'not_found',
    },
  )
  assert.deepEqual(await actions(), ['team.create', 'team.member.add', 'team.member.remove'])
})

test('deleting a team tells whom it loses, and leaves them in the workspace', async t => {
  const { database, teams, members, workspaceId, caller } = await setUp(t)
  const team = await teams.create(caller, { name: 'Support' })
  const person = await insertPerson(database, workspaceId, 'member')
  const joined = await teams.addMember(caller, team.id, person.memberId, null)
  assert.deepEqual(await teams.remove(caller, team.id, dryRun), { memberIds: [person.memberId] })
  assert.equal((await teams.get(caller, team.id)).memberCount, 1)
  await teams.remove(caller, team.id, now)
  const after = await members.get(caller, person.memberId)
  assert.deepEqual(after.teamIds, [])
  assert.notDeepEqual(etagOf(after), etagOf(joined))
})

test('a member who is removed leaves their teams', async t => {
  const { database, teams, members, workspaceId, caller } = await setUp(t)
  const team = await teams.create(caller, { name: 'Support' })
  const person = await insertPerson(database, workspaceId, 'member')
  await teams.addMember(caller, team.id, person.memberId, null)
  const grown = await teams.get(caller, team.id)
  assert.deepEqual((await members.remove(caller, person.memberId, now)).teamIds, [team.id])
  const after = await teams.get(caller, team.id)
  assert.equal(after.memberCount, 0)
  assert.notDeepEqual(etagOf(after), etagOf(grown))
})

test("a neighbour's team or member does not exist", async t => {
  const { database, teams, workspaceId, caller } = await setUp(t)
  const neighbour = await insertWorkspace(database)
  const stranger = await insertPerson(database, neighbour, 'owner')
  const foreign = await teams.create(callerOf(neighbour, stranger, 'owner'), { name: 'Theirs' })
  const own = await teams.create(caller, { name: 'Ours' })
  const person = await insertPerson(database, workspaceId, 'member')
  const missing = { code: 'not_found' }
  await assert.rejects(teams.get(caller, foreign.id), missing)
  await assert.rejects(teams.update(caller, foreign.id, { name: 'Mine' }, null), missing)
  await assert.rejects(teams.remove(caller, foreign.id, now), missing)
  await assert.rejects(teams.listMembers(caller, foreign.id, firstPage), missing)
  await assert.rejects(teams.addMember(caller, foreign.id, person.memberId, null), missing)
  await assert.rejects(teams.addMember(caller, own.id, stranger.memberId, null), missing)
  await assert.rejects(
    teams.removeMember(caller, foreign.id, stranger.memberId, { ifMatch: null, dryRun: false }),
    missing,
  )
  assert.deepEqual(await teams.list(caller, firstPage), { items: [own], total: 1 })
})

async function setUp(t: TestContext) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const caller = callerOf(workspaceId, await insertPerson(database, workspaceId, 'owner'), 'owner')
  const audit = createAuditService({ database, clock: systemClock, newId })
  const outbox = createOutbox({ newId, onRecorded: async () => undefined })
  const shared = { database, clock: systemClock, newId, audit, outbox, onChange: () => undefined }
  const dependencies = { ...shared, memberWebhooks: noWebhooks }
  const actions = async () => {
    const entries = await database.read.selectFrom('audit_log').select('action').orderBy('id').execute()
    return entries.map(({ action }) => action)
  }
  return {
    database,
    workspaceId,
    caller,
    actions,
    teams: createTeamService(dependencies),
    members: createMemberService(dependencies),
  }
}
