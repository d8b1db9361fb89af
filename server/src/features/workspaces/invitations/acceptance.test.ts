import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../../platform/database/database.ts'
import { setUpInvitations as setUp, tokenOf } from '../../../testing/apps/invitations.ts'
import { callerOf, insertPerson, insertWorkspace } from '../../../testing/workspace.ts'

const email = 'grace@example.com'
const guest = { requestId: 'req_guest', address: '203.0.113.7' }
const firstPage = { page: 1, pageSize: 20 }

test('an invitation without a mail server gives its link once, and the person who opens it becomes a member', async t => {
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

  const { invitation, personId } = await acceptance.show(token)
  assert.deepEqual([invitation.workspace_name, personId], ['Example Ltd', null])
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
    ['invitation_ended', 'invitation_ended', 'invitation_ended'],
  )
  assert.equal((await members.list(caller, {}, firstPage)).total, 2)
  await assert.rejects(acceptance.declineAsGuest(token, guest), { code: 'invitation_ended' })
})

test('a revoked or declined invitation cannot be accepted any more', async t => {
  const { invitations, acceptance, caller } = await setUp(t)
  const revoked = await invitations.create(caller, { email })
  assert.equal((await invitations.revoke(caller, revoked.row.id, null)).status, 'revoked')
  await assert.rejects(acceptance.acceptAsGuest(tokenOf(revoked.acceptUrl), 'Grace', guest), {
    code: 'invitation_ended',
  })
  await assert.rejects(invitations.revoke(caller, revoked.row.id, null), { code: 'invitation_ended' })
  const declined = await invitations.create(caller, { email })
  await acceptance.declineAsGuest(tokenOf(declined.acceptUrl), guest)
  assert.equal((await invitations.get(caller, declined.row.id)).status, 'declined')
  await assert.rejects(acceptance.acceptAsGuest(tokenOf(declined.acceptUrl), 'Grace', guest), {
    code: 'invitation_ended',
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

const allRows = async (database: Database) => [
  await database.read.selectFrom('invitations').selectAll().execute(),
  await database.read.selectFrom('audit_log').selectAll().execute(),
  await database.read.selectFrom('jobs').selectAll().execute(),
]

const auditOf = (database: Database, action: string) =>
  database.read.selectFrom('audit_log').selectAll().where('action', '=', action).executeTakeFirstOrThrow()
