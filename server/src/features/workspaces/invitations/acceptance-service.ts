/** Invitations for the invited person: shown by their link, accepted or declined, each only once. */
import { type Caller, type Plan, type Scope, systemCaller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { found, invalidField, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { checkMemberLimit, recordMemberEvent } from '../members/member-changes.ts'
import { type InvitationAcceptance, maxNameLength } from '../records/invitations-schemas.ts'
import {
  findByTokenHash,
  findInvitation,
  type InvitationRow,
  type LinkedInvitation,
  updateInvitation,
} from '../records/invitations-store.ts'
import { findMemberByEmail, insertMember, lockWorkspace } from '../records/members-store.ts'
import { addToTeam, existingTeamIds, touchTeams } from '../records/teams-store.ts'
import { statusOf } from './invitations-service.ts'

/** The feature that knows people hands this in. */
export type People = {
  findByEmail(query: Query, email: string): Promise<{ id: string } | undefined>
  findOrCreate(
    tx: Tx,
    person: { email: string; name: string; emailVerified: boolean },
  ): Promise<{ id: string }>
}

/** The request of a person without a key. */
type GuestRequest = { requestId: string; address: string | null }

/** `memberId` is null if a test key made the invitation: it is marked as accepted, and no person joins. */
type Acceptance = { row: InvitationRow; memberId: string | null }

/** `personId` is null if no person has the address yet. */
export type ShownInvitation = { invitation: LinkedInvitation; personId: string | null }

/** Runs in the transaction that makes a person a member. */
type OnJoin = (tx: Tx, userId: string) => Promise<void>

/**
 * Every method throws `not_found` for an unknown token. Accepting and declining throw `invitation_ended` if the
 * invitation is no longer pending. Accepting throws a 400 for `name` if the person is new and has no name, and
 * `member_limit` if the plan is full.
 */
export type AcceptanceService = ReturnType<typeof createAcceptanceService>

interface Dependencies {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  outbox: Outbox
  keyring: Keyring
  people: People
  /** How many members a plan allows. */
  memberLimit: (plan: Plan) => number
}

export function createAcceptanceService(dependencies: Dependencies) {
  const { database, clock, audit, outbox, keyring, people } = dependencies

  const find = async (query: Query, token: string): Promise<LinkedInvitation> =>
    found(await findByTokenHash(query, keyring.keyedHash('token', token)))

  /** The pending invitation, with its workspace locked: if two answers come at once, the second finds it answered. */
  const lockPending = async (tx: Tx, token: string) => {
    const { plan } = await lockWorkspace(scopeOf(await find(tx, token)), tx)
    const invitation = await find(tx, token)
    const status = statusOf(invitation, clock())
    if (status !== 'pending')
      throw new ServiceError('invitation_ended', `The invitation is ${status}`, { details: { status } })
    return { invitation, plan }
  }

  const settle = async (
    tx: Tx,
    caller: Caller,
    invitation: InvitationRow,
    status: 'accepted' | 'declined',
    memberId: string | null,
  ) => {
    const scope = scopeOf(invitation)
    await updateInvitation(scope, tx, invitation.id, { status, updated_at: clock() })
    const action = status === 'accepted' ? 'invitation.accept' : 'invitation.decline'
    const details = { email: invitation.email, role: invitation.role, memberId }
    await audit.record(tx, caller, { action, resourceId: invitation.id, details })
  }

  const accept = async (
    tx: Tx,
    token: string,
    name: string | undefined,
    callerOf: (invitation: InvitationRow, userId: string | null) => Caller,
    onJoin: OnJoin = async () => undefined,
  ): Promise<Acceptance> => {
    const { invitation, plan } = await lockPending(tx, token)
    const joined =
      invitation.environment === 'test'
        ? { memberId: null, userId: null }
        : await join(dependencies, tx, invitation, plan, name)
    if (joined.userId !== null) await onJoin(tx, joined.userId)
    const caller = callerOf(invitation, joined.userId)
    await settle(tx, caller, invitation, 'accepted', joined.memberId)
    if (joined.memberId !== null) {
      await recordMemberEvent(tx, outbox, caller, {
        id: joined.memberId,
        userId: joined.userId,
        role: invitation.role,
        type: 'member.joined',
        at: clock(),
      })
    }
    const row = found(await findInvitation(scopeOf(invitation), tx, invitation.id))
    return { row, memberId: joined.memberId }
  }

  return {
    async show(token: string): Promise<ShownInvitation> {
      const invitation = await find(database.read, token)
      const person = await people.findByEmail(database.read, invitation.email)
      return { invitation, personId: person?.id ?? null }
    },
    acceptAsGuest: (token: string, name: string | undefined, request: GuestRequest, onJoin?: OnJoin) =>
      database.write(tx =>
        accept(tx, token, name, (invitation, userId) => guest(invitation, userId, request), onJoin),
      ),
    declineAsGuest: (token: string, request: GuestRequest): Promise<void> =>
      database.write(async tx => {
        const { invitation } = await lockPending(tx, token)
        await settle(tx, guest(invitation, null, request), invitation, 'declined', null)
      }),
    /** For an application with a key of the same workspace; the token proves that the invited person agreed. */
    accept: (caller: Caller, { token, name }: InvitationAcceptance): Promise<Acceptance> =>
      database.write(async tx => {
        const invitation = await findByTokenHash(tx, keyring.keyedHash('token', token))
        const { workspaceId, environment } = caller.scope
        if (invitation?.workspace_id !== workspaceId || invitation.environment !== environment) {
          throw invalidField('token', 'There is no invitation with this token')
        }
        return accept(tx, token, name, () => caller)
      }),
  }
}

/** Makes the invited person a member, and makes an account if they have none. */
async function join(
  { clock, newId, people, memberLimit }: Dependencies,
  tx: Tx,
  invitation: InvitationRow,
  plan: Plan,
  name: string | undefined,
): Promise<{ memberId: string; userId: string }> {
  const scope = scopeOf(invitation)
  if ((await findMemberByEmail(scope, tx, invitation.email)) !== undefined) {
    throw new ServiceError('already_member', `${invitation.email} is a member of the workspace already`)
  }
  await checkMemberLimit(scope, tx, memberLimit(plan))
  const { id: userId } =
    (await people.findByEmail(tx, invitation.email)) ??
    (await people.findOrCreate(tx, {
      email: invitation.email,
      name: checkedName(name),
      // Only a mailed link proves that the mailbox is theirs.
      emailVerified: invitation.delivery !== 'link',
    }))
  const memberId = newId('member')
  const { role } = invitation
  await insertMember(scope, tx, { id: memberId, userId, role, kind: 'person', joinedAt: clock() })
  // A team may have been deleted since the invitation.
  const teamIds = [...(await existingTeamIds(scope, tx, decodeJson(invitation.team_ids)))]
  for (const teamId of teamIds) await addToTeam(tx, teamId, memberId, clock())
  await touchTeams(scope, tx, teamIds, clock())
  return { memberId, userId }
}

const scopeOf = ({ workspace_id: workspaceId, environment }: InvitationRow): Scope => ({
  workspaceId,
  environment,
})

function checkedName(name: string | undefined): string {
  const trimmed = name?.trim() ?? ''
  if (trimmed === '')
    throw invalidField('name', 'is needed: this server knows no person with this address yet')
  if (trimmed.length > maxNameLength) throw invalidField('name', `has more than ${maxNameLength} characters`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused.
  if (/[\u0000-\u001f\u007f]/.test(trimmed)) throw invalidField('name', 'holds control characters')
  return trimmed
}

/** The audit log's author if a person without a key opens a link. */
const guest = (invitation: InvitationRow, userId: string | null, request: GuestRequest): Caller => ({
  ...systemCaller(scopeOf(invitation), request.requestId, userId),
  role: invitation.role,
  address: request.address,
})
