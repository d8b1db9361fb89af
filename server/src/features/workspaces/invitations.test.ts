import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Environment, Role } from '../../platform/caller.ts'
import { dayMs } from '../../platform/clock.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import { createIds } from '../../platform/ids.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { etagOf } from '../../platform/revision.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { callerOf, insertPerson, insertWorkspace, type TestPerson } from '../../testing/workspace.ts'
import { createAuditService } from '../audit/service.ts'
import { createIdentityService } from '../identity/service.ts'
import { createAcceptanceService } from './acceptance-service.ts'
import { createInvitationService, presentInvitation } from './invitations-service.ts'
import { createMemberService } from './members-service.ts'
import { createTeamService } from './teams-service.ts'

const email = 'grace@example.com'
const guest = { requestId: 'req_guest', address: '203.0.113.7' }
const firstPage = { page: 1, pageSize: 20 }

test('an invitation without a mail server gives its link once, and whoever opens it becomes a member', async t => {
  const { database, invitations, acceptance, members, teams, caller } = await setUp(t)
  const team = await teams.create(caller, { name: 'Support' })
  const { row, acceptUrl } = await invitations.create(caller, {
    email: ' Grace@Example.COM ',
    role: 'admin',
    teamIds: [team.id],
    message: 'Welcome!',
  })
  assert.deepEqual([row.email, row.status, row.delivery], [email, 'pending', 'link'])
  const token = tokenOf(acceptUrl)
  assert.match(token, /^[0-9A-Za-z]{43}$/)
  assert.ok(!JSON.stringify(await allRows(database)).includes(token), 'the token is stored nowhere')

  const { invitation, isKnownPerson } = await acceptance.show(token)
  assert.deepEqual([invitation.workspace_name, isKnownPerson], ['Example Ltd', false])
  const { memberId } = await acceptance.acceptAsGuest(token, ' Grace Hopper ', guest)
  const member = await members.get(caller, memberId ?? '')
  assert.deepEqual(
    [member.name, member.email, member.role, member.kind, member.teamIds],
    ['Grace Hopper', email, 'admin', 'person', [team.id]],
  )
  assert.equal((await invitations.get(caller, row.id)).status, 'accepted')
  assert.equal((await teams.get(caller, team.id)).memberCount, 1)
  const { actor, user_id, address } = await auditOf(database, 'invitation.accept')
  assert.deepEqual([actor, user_id, address], ['system', member.userId, guest.address])
})

test('a link works once: of two who accept at the same moment, one joins', async t => {
  const { invitations, acceptance, members, caller } = await setUp(t)
  const token = tokenOf((await invitations.create(caller, { email })).acceptUrl)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => acceptance.acceptAsGuest(token, 'Grace', guest)),
  )
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => reason.code),
    ['conflict', 'conflict', 'conflict'],
  )
  assert.equal((await members.list(caller, {}, firstPage)).total, 2)
  await assert.rejects(acceptance.declineAsGuest(token, guest), { code: 'conflict' })
})

test('an invitation ends after seven days, is shown as expired, and can be sent again with a new link', async t => {
  const { invitations, acceptance, caller, clock } = await setUp(t)
  const { row, acceptUrl } = await invitations.create(caller, { email })
  clock.now += 7 * dayMs - 1
  assert.equal(presentInvitation(row, clock.now).status, 'pending')
  clock.now += 1
  assert.equal(presentInvitation(row, clock.now).status, 'expired')
  assert.equal((await invitations.list(caller, { status: 'expired' }, firstPage)).total, 1)
  assert.equal((await invitations.list(caller, { status: 'pending' }, firstPage)).total, 0)
  const oldToken = tokenOf(acceptUrl)
  await assert.rejects(acceptance.acceptAsGuest(oldToken, 'Grace', guest), {
    code: 'conflict',
    message: 'The invitation is expired',
  })
  await assert.rejects(invitations.revoke(caller, row.id, null), { code: 'conflict' })

  const renewed = await invitations.resend(caller, row.id, etagOf(row).etag)
  assert.equal(presentInvitation(renewed.row, clock.now).status, 'pending')
  assert.equal(renewed.row.expires_at, clock.now + 7 * dayMs)
  await assert.rejects(acceptance.show(oldToken), { code: 'not_found' })
  await acceptance.acceptAsGuest(tokenOf(renewed.acceptUrl), 'Grace', guest)
  await assert.rejects(invitations.resend(caller, row.id, null), { code: 'conflict' })
})

test('a revoked or declined invitation cannot be accepted any more', async t => {
  const { invitations, acceptance, caller } = await setUp(t)
  const revoked = await invitations.create(caller, { email })
  assert.equal((await invitations.revoke(caller, revoked.row.id, null)).status, 'revoked')
  await assert.rejects(acceptance.acceptAsGuest(tokenOf(revoked.acceptUrl), 'Grace', guest), {
    code: 'conflict',
  })
  await assert.rejects(invitations.revoke(caller, revoked.row.id, null), { code: 'conflict' })
  const declined = await invitations.create(caller, { email })
  await acceptance.declineAsGuest(tokenOf(declined.acceptUrl), guest)
  assert.equal((await invitations.get(caller, declined.row.id)).status, 'declined')
  await assert.rejects(acceptance.acceptAsGuest(tokenOf(declined.acceptUrl), 'Grace', guest), {
    code: 'conflict',
  })
})

test('an address has one pending invitation, also by two requests at once, and none once it is a member', async t => {
  const { invitations, acceptance, caller, owner } = await setUp(t)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => invitations.create(caller, { email })),
  )
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => reason.code),
    ['conflict', 'conflict', 'conflict'],
  )
  await assert.rejects(invitations.create(caller, { email: owner.email }), { code: 'conflict' })
  const made = outcomes.find(outcome => outcome.status === 'fulfilled')
  await acceptance.acceptAsGuest(tokenOf(made?.value.acceptUrl ?? null), 'Grace', guest)
  await assert.rejects(invitations.create(caller, { email }), { code: 'conflict' })
})

test('every field at fault is named at once', async t => {
  const { database, invitations, teams, caller, newId } = await setUp(t)
  const own = await teams.create(caller, { name: 'Ours' })
  const neighbour = await insertWorkspace(database)
  const stranger = callerOf(neighbour, await insertPerson(database, neighbour, 'owner'), 'owner')
  const foreign = await teams.create(stranger, { name: 'Theirs' })
  const teamIds = [foreign.id, own.id, newId('team')]
  await assert.rejects(invitations.create(caller, { email: 'grace@', teamIds }), {
    code: 'validation_failed',
    errors: [
      { field: 'email', message: 'must be an address such as ada@example.com' },
      { field: 'teamIds.0', message: 'There is no team with this id' },
      { field: 'teamIds.2', message: 'There is no team with this id' },
    ],
  })
})

test('nobody invites, sends again or revokes above their own role', async t => {
  const { invitations, caller, join } = await setUp(t)
  const admin = await join('admin')
  const refused = { code: 'permission_missing' }
  await assert.rejects(invitations.create(admin, { email, role: 'owner' }), refused)
  const { row } = await invitations.create(caller, { email, role: 'owner' })
  await assert.rejects(invitations.resend(admin, row.id, null), refused)
  await assert.rejects(invitations.revoke(admin, row.id, null), refused)
})

test('members and pending invitations together fill the plan, and revoked ones free their seat', async t => {
  const { invitations, acceptance, caller, join } = await setUp(t, { memberLimit: 3 })
  const { row } = await invitations.create(caller, { email })
  const second = await invitations.create(caller, { email: 'second@example.com' })
  await assert.rejects(invitations.create(caller, { email: 'third@example.com' }), { code: 'member_limit' })
  await invitations.revoke(caller, row.id, null)
  await invitations.create(caller, { email: 'third@example.com' })
  await join('member')
  await join('member')
  await assert.rejects(acceptance.acceptAsGuest(tokenOf(second.acceptUrl), 'Second', guest), {
    code: 'member_limit',
  })
})

test('a person who is known keeps their name, and a new one must give theirs', async t => {
  const { database, invitations, acceptance, members, caller } = await setUp(t)
  const elsewhere = await insertWorkspace(database)
  const known = await insertPerson(database, elsewhere, 'owner')
  const { acceptUrl } = await invitations.create(caller, { email: known.email })
  const { memberId } = await acceptance.acceptAsGuest(tokenOf(acceptUrl), 'Somebody Else', guest)
  const member = await members.get(caller, memberId ?? '')
  assert.deepEqual([member.userId, member.name], [known.userId, "A test's owner"])

  const unknown = await invitations.create(caller, { email })
  for (const name of [undefined, '', '   ', 'a'.repeat(201), 'line\nbreak', 'nul\u0000']) {
    await assert.rejects(acceptance.acceptAsGuest(tokenOf(unknown.acceptUrl), name, guest), error => {
      assert.equal((error as { errors: { field: string }[] }).errors[0]?.field, 'name')
      return true
    })
  }
  assert.equal((await invitations.get(caller, unknown.row.id)).status, 'pending')
})

test("a test key's invitation is simulated: no mail, no member, and live keys do not see it", async t => {
  const { database, invitations, acceptance, members, caller, sandbox } = await setUp(t, {
    smtpUrl: 'smtp://127.0.0.1:9',
  })
  const { row, acceptUrl } = await invitations.create(sandbox, { email })
  assert.deepEqual([row.environment, row.delivery], ['test', 'simulated'])
  assert.equal((await database.read.selectFrom('jobs').selectAll().execute()).length, 0)
  await assert.rejects(invitations.get(caller, row.id), { code: 'not_found' })
  assert.equal((await invitations.list(caller, {}, firstPage)).total, 0)
  assert.equal((await invitations.list(sandbox, {}, firstPage)).total, 1)
  // The same address can be invited for real beside it.
  await invitations.create(caller, { email })
  const { memberId } = await acceptance.accept(sandbox, { token: tokenOf(acceptUrl) })
  assert.equal(memberId, null)
  assert.equal((await invitations.get(sandbox, row.id)).status, 'accepted')
  assert.equal((await members.list(caller, {}, firstPage)).total, 1)
})

test('an application accepts with the token and a key of the inviting workspace and environment only', async t => {
  const { database, invitations, acceptance, caller, sandbox } = await setUp(t)
  const neighbour = await insertWorkspace(database)
  const stranger = callerOf(neighbour, await insertPerson(database, neighbour, 'owner'), 'owner')
  const token = tokenOf((await invitations.create(caller, { email })).acceptUrl)
  const refused = {
    code: 'validation_failed',
    errors: [{ field: 'token', message: 'There is no invitation with this token' }],
  }
  for (const wrong of [stranger, sandbox]) {
    await assert.rejects(acceptance.accept(wrong, { token, name: 'Eve' }), refused)
  }
  await assert.rejects(acceptance.accept(caller, { token: 'nonsense', name: 'Eve' }), refused)
  const { row, memberId } = await acceptance.accept(caller, { token, name: 'Grace' })
  assert.equal(row.status, 'accepted')
  assert.match(memberId ?? '', /^mem_/)
})

test("a neighbour's invitation does not exist", async t => {
  const { database, invitations, caller } = await setUp(t)
  const neighbour = await insertWorkspace(database)
  const stranger = callerOf(neighbour, await insertPerson(database, neighbour, 'owner'), 'owner')
  const { row } = await invitations.create(stranger, { email })
  await assert.rejects(invitations.get(caller, row.id), { code: 'not_found' })
  await assert.rejects(invitations.resend(caller, row.id, null), { code: 'not_found' })
  await assert.rejects(invitations.revoke(caller, row.id, null), { code: 'not_found' })
  assert.equal((await invitations.list(caller, {}, firstPage)).total, 0)
})

test('a change is refused where If-Match names an older state', async t => {
  const { invitations, caller } = await setUp(t)
  const { row } = await invitations.create(caller, { email })
  const { row: renewed } = await invitations.resend(caller, row.id, etagOf(row).etag)
  const stale = { code: 'precondition_failed' }
  await assert.rejects(invitations.resend(caller, row.id, etagOf(row).etag), stale)
  await assert.rejects(invitations.revoke(caller, row.id, etagOf(row).etag), stale)
  assert.equal((await invitations.revoke(caller, row.id, etagOf(renewed).etag)).status, 'revoked')
})

async function setUp(t: TestContext, options: { memberLimit?: number; smtpUrl?: string } = {}) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const clock = { now: Date.parse('2026-11-21T09:30:00Z') }
  const read = () => clock.now
  const newId = createIds(read)
  const audit = createAuditService({ database, clock: read, newId })
  const dependencies = {
    database,
    clock: read,
    newId,
    audit,
    keyring: createKeyring('a secret that only tests have, of enough characters'),
    jobs: createJobs({ database, newId }),
    mailer: createMailer({ smtpUrl: options.smtpUrl ?? null, from: 'Atrium <atrium@example.com>' }),
    publicUrl: () => 'https://atrium.example.com',
    memberLimit: () => options.memberLimit ?? 100,
    people: createIdentityService({ clock: read, newId }),
    onChange: () => undefined,
  }
  const workspaceId = await insertWorkspace(database)
  const owner = await insertPerson(database, workspaceId, 'owner')
  const actor = (person: TestPerson, role: Role, environment?: Environment) =>
    callerOf(workspaceId, person, role, environment)
  return {
    database,
    clock,
    newId,
    owner,
    caller: actor(owner, 'owner'),
    sandbox: actor(owner, 'owner', 'test'),
    join: async (role: Role) => actor(await insertPerson(database, workspaceId, role), role),
    invitations: createInvitationService(dependencies),
    acceptance: createAcceptanceService(dependencies),
    members: createMemberService(dependencies),
    teams: createTeamService(dependencies),
  }
}

function tokenOf(acceptUrl: string | null): string {
  const prefix = 'https://atrium.example.com/invitations/'
  const [before, token] = (acceptUrl ?? '').split(prefix)
  assert.ok(before === '' && token !== undefined, `${acceptUrl} is no link`)
  return token
}

const allRows = async (database: Database) => [
  await database.read.selectFrom('invitations').selectAll().execute(),
  await database.read.selectFrom('audit_log').selectAll().execute(),
  await database.read.selectFrom('jobs').selectAll().execute(),
]

const auditOf = (database: Database, action: string) =>
  database.read.selectFrom('audit_log').selectAll().where('action', '=', action).executeTakeFirstOrThrow()
