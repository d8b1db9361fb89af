import {
  type BrowserPage,
  type Caller,
  type Environment,
  type KeyBounds,
  type KeyCaller,
  noBounds,
  type PersonCaller,
  pagePermissions,
  rolePermissions,
  type Scope,
  systemCaller,
  type WholeScope,
} from '../../platform/caller.ts'
import type { PersonClaims } from '../../platform/crypto/tokens.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { narrowingOfRow } from '../../platform/database/within-reach.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  type BrowserTokenRow,
  findBrowserToken,
  findKeyByHashes,
  findKeyById,
  findMember,
  findPersonBySession,
  type KeyRow,
  type MemberRow,
  readOpened,
  readWithheld,
} from './store.ts'

/** The parts of a caller that come from its request. */
export type Origin = Pick<KeyCaller, 'requestId' | 'address' | 'idempotencyId'>

/** `refusal` is set if the caller is known but may do nothing at present. */
type KnownCaller<SomeCaller> = { caller: SomeCaller; refusal: ServiceError | null }

export type Callers = ReturnType<typeof createCallers>

export function createCallers({ database, clock, newId }: Pick<Platform, 'database' | 'clock' | 'newId'>) {
  /**
   * The caller with the records that teams now withhold and the conversations that the person has opened. Earlier
   * values of both are replaced.
   */
  async function applyAccess<SomeCaller extends Caller>(caller: SomeCaller): Promise<SomeCaller> {
    const { userId, role } = caller
    if (userId === null) return caller
    // Owners and admins reach everything that any team reaches.
    if (role === 'owner' || role === 'admin') {
      if (caller.kind !== 'person') return caller
      const openedIds = await readOpened(caller.scope, database.read, { userId, now: clock() })
      return { ...caller, scope: { ...caller.scope, reader: { personId: userId, openedIds } } }
    }
    const withheld = await readWithheld(caller.scope, database.read, userId)
    if (withheld === undefined && caller.scope.withheld === undefined) return caller
    const { withheld: _, ...scope } = caller.scope
    return { ...caller, scope: withheld === undefined ? scope : { ...scope, withheld } }
  }

  const knownKey = (row: KeyRow | undefined, origin: Origin): KnownCaller<KeyCaller> | null =>
    row === undefined || !isAlive(row, clock())
      ? null
      : { caller: keyCaller(row, origin), refusal: refusalOf(row) ?? planRefusal(row) }

  /** The key as a caller for a page with one of its tokens; null if the key no longer reaches the token's agent. */
  async function knownPage(token: BrowserTokenRow, origin: Origin): Promise<KnownCaller<KeyCaller> | null> {
    const known = knownKey(await findKeyById(database.read, token.key_id, clock()), origin)
    const { agentIds } = known?.caller.scope ?? {}
    if (known === null || agentIds?.includes(token.agent_id) === false) return null
    const caller = {
      ...known.caller,
      permissions: new Set(pagePermissions.filter(each => known.caller.permissions.has(each))),
      // The key may be bound to servers' addresses, but its browser tokens work at any address. The key's own end has
      // been checked above, and the end of one secret is not the end of the key.
      keyBounds: noBounds,
      browserTokenId: token.id,
    }
    return { ...known, caller }
  }

  async function byMembership(
    scope: WholeScope,
    userId: string,
    origin: Origin,
  ): Promise<KnownCaller<PersonCaller> | null> {
    const row = await findMember(scope, database.read, userId)
    if (row?.kind !== 'person') return null
    return { caller: personCaller(row, scope.environment, origin), refusal: refusalOf(row) }
  }

  /** Work that a page has begun goes on after its token expires, but not after the token is revoked. */
  async function keyNow(caller: KeyCaller): Promise<KnownCaller<KeyCaller> | null> {
    const { browserTokenId: id } = caller
    if (id === undefined) return knownKey(await findKeyById(database.read, caller.keyId, clock()), caller)
    const token = await findBrowserToken(database.read, { id })
    return token === undefined ? null : await knownPage(token, caller)
  }

  return {
    applyAccess,

    /**
     * Finds a key by its secret's hash under any version of the pepper; null if the key is revoked or has expired.
     */
    async byKeyHashes(hashes: readonly string[], origin: Origin): Promise<KnownCaller<KeyCaller> | null> {
      return knownKey(await findKeyByHashes(database.read, hashes), origin)
    },

    /**
     * Finds a page by its token's hash. Null if the token is revoked, or if its key or agent has ended. The token's
     * own end is not checked.
     */
    async byBrowserToken(tokenHash: string, origin: Origin): Promise<KnownCaller<KeyCaller> | null> {
      const token = await findBrowserToken(database.read, { tokenHash })
      const known = token === undefined ? null : await knownPage(token, origin)
      if (token === undefined || known === null) return null
      const page = browserPageOfRow(token, known.caller)
      const endUser = { id: token.end_user_id, functions: decodeJson(token.functions) }
      const scope = { ...known.caller.scope, agentIds: [page.agentId], endUser }
      return { ...known, caller: { ...known.caller, scope, page } }
    },

    /** Null if the session has ended, or if the person is not a member. */
    async bySession(
      { sessionId, userId, workspaceId, environment }: Omit<PersonClaims, 'expiresAt'>,
      origin: Origin,
    ): Promise<KnownCaller<PersonCaller> | null> {
      const session = { id: sessionId, userId, now: clock() }
      const row = await findPersonBySession({ workspaceId }, database.read, session)
      if (row === undefined) return null
      return { caller: personCaller(row, environment, origin), refusal: refusalOf(row) }
    },

    /** Finds a person without a session; null if the person is not a member. */
    byMembership,

    /**
     * The caller with its current rights, for work that goes on after the request; null if it may do nothing. A
     * person's session may have ended: a person who closes the laptop still wants the answer.
     */
    async now(caller: Caller): Promise<Caller | null> {
      if (caller.kind === 'operator' || caller.kind === 'system') return applyAccess(caller)
      const known =
        caller.kind === 'key' ? await keyNow(caller) : await byMembership(caller.scope, caller.userId, caller)
      return known === null || known.refusal !== null ? null : applyAccess(known.caller)
    },

    /**
     * A member, or a service account, that the server acts for long after their request. Null if they are no longer a
     * member, or if the workspace is deleted.
     */
    async actingMember({ workspaceId, environment }: Scope, userId: string | null): Promise<Caller | null> {
      if (userId === null) return null
      const scope = { workspaceId, environment }
      const member = await findMember(scope, database.read, userId)
      if (member === undefined || member.deletesAt !== null) return null
      return applyAccess({
        ...systemCaller(scope, newId('request'), userId),
        role: member.role,
        permissions: new Set(rolePermissions[member.role]),
        plan: member.plan,
        requestsPerMinute: member.rateLimit,
      })
    },
  }
}

export type ActingMember = Callers['actingMember']

/** A person may do everything that the role allows; nothing narrows it. */
export const personCaller = (
  row: Omit<MemberRow, 'kind' | 'deletesAt'>,
  environment: Environment,
  { requestId, address, idempotencyId }: Origin,
): PersonCaller => ({
  kind: 'person',
  userId: row.userId,
  role: row.role,
  permissions: new Set(rolePermissions[row.role]),
  plan: row.plan,
  requestsPerMinute: row.rateLimit,
  scope: { workspaceId: row.workspaceId, environment, reader: { personId: row.userId, openedIds: [] } },
  requestId,
  address,
  idempotencyId,
})

/** A key may use its own permissions, as far as its maker still has them. */
function keyCaller(row: KeyRow, { requestId, address, idempotencyId }: Origin): KeyCaller {
  const { workspaceId, environment } = row
  const allowed = new Set(rolePermissions[row.role])
  return {
    kind: 'key',
    userId: row.userId,
    keyId: row.keyId,
    role: row.role,
    permissions: new Set(decodeJson(row.permissions).filter(permission => allowed.has(permission))),
    plan: row.plan,
    requestsPerMinute: row.rateLimit,
    keyBounds: boundsOf(row),
    scope: { workspaceId, environment, ...narrowingOfRow(row) },
    requestId,
    address,
    idempotencyId,
  }
}

const browserPageOfRow = (row: BrowserTokenRow, { scope }: KeyCaller): BrowserPage => ({
  agentId: row.agent_id,
  isVisitor: row.address_hash !== null,
  origins: decodeJson(row.origins),
  expiresAt: row.expires_at,
  requestsPerMinute: row.requests_per_minute,
  maxTokens: row.max_tokens,
  maxCostUsd: row.max_cost_usd,
  runFields: decodeJson(row.run_fields),
  keyAgentIds: scope.agentIds,
})

/** A secret that stays valid after a rotation ends before its key, and so does an app's token. */
function boundsOf({ expiresAt, secretExpiresAt, allowedAddresses, audience }: KeyRow): KeyBounds {
  const ends = [expiresAt, secretExpiresAt].filter(end => end !== null)
  const bounds: KeyBounds = {
    expiresAt: ends.length === 0 ? null : Math.min(...ends),
    allowedAddresses: allowedAddresses === null ? null : decodeJson(allowedAddresses),
  }
  return audience === null || audience === 'api' ? bounds : { ...bounds, door: audience }
}

const isAlive = (row: KeyRow, now: number): boolean =>
  row.revokedAt === null && [row.expiresAt, row.secretExpiresAt].every(end => end === null || end > now)

const refusalOf = ({
  deletesAt,
  workspaceId,
}: Pick<MemberRow, 'deletesAt' | 'workspaceId'>): ServiceError | null =>
  deletesAt === null ? null : new ServiceError('workspace_deleted', undefined, { details: { workspaceId } })

/** The free plan includes only the console. */
const planRefusal = ({ plan }: KeyRow): ServiceError | null =>
  plan === 'free'
    ? new ServiceError('plan_required', undefined, { details: { plan, needed: 'starter' } })
    : null
