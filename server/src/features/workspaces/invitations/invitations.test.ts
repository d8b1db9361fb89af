import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../../platform/clock.ts'
import { etagOf } from '../../../platform/revision.ts'
import { setUpInvitations as setUp, tokenOf } from '../../../testing/apps/invitations.ts'
import { callerOf, insertPerson, insertWorkspace } from '../../../testing/workspace.ts'
import { presentInvitation } from './invitations-service.ts'

const email = 'grace@example.com'
const guest = { requestId: 'req_guest', address: '203.0.113.7' }
const firstPage = { page: 1, pageSize: 20 }

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
    code: 'invitation_ended',
    message: 'The invitation is expired',
  })
  await assert.rejects(invitations.revoke(caller, row.id, null), { code: 'invitation_ended' })

  const renewed = await invitations.resend(caller, row.id, etagOf(row).etag)
  assert.equal(presentInvitation(renewed.row, clock.now).status, 'pending')
  assert.equal(renewed.row.expires_at, clock.now + 7 * dayMs)
  await assert.rejects(acceptance.show(oldToken), { code: 'not_found' })
  await acceptance.acceptAsGuest(tokenOf(renewed.acceptUrl), 'Grace', guest)
  await assert.rejects(invitations.resend(caller, row.id, null), { code: 'invitation_ended' })
})

test('an address has one pending invitation, also by two requests at once, and none once it is a member', async t => {
  const { invitations, acceptance, caller, owner } = await setUp(t)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => invitations.create(caller, { email })),
  )
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => reason.code),
    ['already_invited', 'already_invited', 'already_invited'],
  )
  await assert.rejects(invitations.create(caller, { email: owner.email }), { code: 'already_member' })
  const made = outcomes.find(outcome => outcome.status === 'fulfilled')
  await acceptance.acceptAsGuest(tokenOf(made?.value.acceptUrl ?? null), 'Grace', guest)
  await assert.rejects(invitations.create(caller, { email }), { code: 'already_member' })
})

test('every team that the caller does not see is named at once', async t => {
  const { database, invitations, teams, caller, newId } = await setUp(t)
  const own = await teams.create(caller, { name: 'Ours' })
  const neighbour = await insertWorkspace(database)
  const stranger = callerOf(neighbour, await insertPerson(database, neighbour, 'owner'), 'owner')
  const foreign = await teams.create(stranger, { name: 'Theirs' })
  const teamIds = [foreign.id, own.id, newId('team')]
  await assert.rejects(invitations.create(caller, { email, teamIds }), {
    code: 'validation_failed',
    errors: [
      { field: 'teamIds.0', message: 'There is no team with this id' },
      { field: 'teamIds.2', message: 'There is no team with this id' },
    ],
  })
})

test('no caller invites, sends again or revokes above their own role', async t => {
  const { invitations, caller, join } = await setUp(t)
  const admin = await join('admin')
  const refused = { code: 'permission_missing' }
  await assert.rejects(invitations.create(admin, { email, role: 'owner' }), refused)
  const { row } = await invitations.create({ ...caller, kind: 'person' }, { email, role: 'owner' })
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

test('a member who is demoted or removed leaves no invitation behind by which to come back', async t => {
  const { invitations, acceptance, members, caller, join } = await setUp(t)
  const admin = await join('admin')
  const { items } = await members.list(caller, { role: 'admin' }, firstPage)
  const adminId = items[0]?.id ?? ''
  const back = await invitations.create(admin, { email, role: 'admin' })
  const harmless = await invitations.create(admin, { email: 'viewer@example.com', role: 'viewer' })
  const others = await invitations.create(caller, { email: 'other@example.com', role: 'admin' })
  await members.changeRole(caller, adminId, 'member', null)
  await assert.rejects(acceptance.acceptAsGuest(tokenOf(back.acceptUrl), 'Eve', guest), {
    code: 'invitation_ended',
  })
  const removal = await members.remove(caller, adminId, { ifMatch: null, dryRun: false })
  assert.deepEqual(removal.invitationIds, [harmless.row.id])
  const statuses = [back, harmless, others].map(({ row }) => invitations.get(caller, row.id))
  assert.deepEqual(
    (await Promise.all(statuses)).map(({ status }) => status),
    ['revoked', 'revoked', 'pending'],
  )
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
