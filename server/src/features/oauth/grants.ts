/**
 * A grant: how a person gives it, its tokens, its end. A grant is a key of the person, so the rules of keys apply.
 */
import {
  type AppAudience,
  type PersonCaller,
  rolePermissions,
  type SystemCaller,
  systemCaller,
} from '../../platform/caller.ts'
import { type Clock, dayMs, hourMs, minuteMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { newAccessToken, newRefreshToken } from '../../platform/crypto/tokens.ts'
import type { Tx } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { invalidField, limitReached, ServiceError } from '../../platform/errors.ts'
import type { GrantKeys } from '../api-keys/grants-service.ts'
import type { Callers } from '../authentication/callers-service.ts'
import type { Client } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import type { Grant } from './schemas.ts'
import { refreshHash } from './secrets.ts'
import {
  countGrants,
  deleteEndedAccessTokens,
  findGrant,
  type GrantRow,
  insertAccessToken,
  insertRefreshToken,
  lockGiver,
  setGrantEnd,
} from './store.ts'

/** The request of the app. */
export type AppRequest = { requestId: string; address: string }

export type TokenReply = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** The result of a transaction that is committed even if the app is refused. */
export type Outcome = TokenReply | OAuthError

export type Grants = ReturnType<typeof createGrants>

const accessMs = hourMs
/** A token lives this much longer than it says, so that a reply in progress (an agent's answer) is not cut off. */
const underWayMs = 10 * minuteMs
/** A grant that is not used for this long ends. */
const refreshMs = 30 * dayMs

export function createGrants(dependencies: { keyring: Keyring; clock: Clock; grantKeys: GrantKeys }) {
  const { keyring, clock, grantKeys } = dependencies

  /** Adds an access token beside the refresh token that the app has. */
  const addAccessToken = async (tx: Tx, grant: GrantRow, refreshToken: string): Promise<TokenReply> => {
    const now = clock()
    const token = newAccessToken(grant.environment)
    await deleteEndedAccessTokens(tx, grant.id, now)
    await insertAccessToken(tx, {
      secret_hash: keyring.keyedHash('api-key', token),
      pepper_version: keyring.pepperVersion,
      key_id: grant.id,
      last_four: token.slice(-4),
      expires_at: now + accessMs + underWayMs,
      created_at: now,
    })
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: accessMs / secondMs,
      refresh_token: refreshToken,
      scope: scopeOf(grant).join(' '),
    }
  }

  return {
    addAccessToken,

    /** The grant, while it and its person's membership last; otherwise the error for the app. */
    async findLiving(tx: Tx, keyId: string): Promise<GrantRow | OAuthError> {
      const grant = await findGrant(tx, keyId)
      const isLiving =
        grant !== undefined &&
        grant.revoked_at === null &&
        grant.deletes_at === null &&
        grant.expires_at !== null &&
        grant.expires_at > clock()
      return isLiving ? grant : badGrant('The person has ended it, or has left the workspace')
    },

    /** Ends the grant within the transaction. */
    async end(tx: Tx, keyId: string, reason: string, { requestId }: AppRequest): Promise<void> {
      const grant = await findGrant(tx, keyId)
      if (grant !== undefined) await grantKeys.end(tx, actorFor(grant, requestId), keyId, reason)
    },

    /** Makes new tokens of the grant and extends its life. The refresh token is a new one unless given. */
    async issue(
      tx: Tx,
      grant: GrantRow,
      clientId: string,
      refreshToken = newRefreshToken(grant.environment),
    ): Promise<TokenReply> {
      const expiresAt = clock() + refreshMs
      await insertRefreshToken(tx, {
        token_hash: refreshHash(keyring, refreshToken),
        key_id: grant.id,
        client_id: clientId,
        used_at: null,
        expires_at: expiresAt,
      })
      await setGrantEnd(tx, grant.id, expiresAt)
      return addAccessToken(tx, grant, refreshToken)
    },
  }
}

export const badGrant = (message: string): OAuthError => new OAuthError('invalid_grant', message)

/** The permissions of the grant that the person's role still allows. */
const scopeOf = ({ permissions, role }: GrantRow): string[] =>
  decodeJson(permissions).filter(permission => rolePermissions[role].includes(permission))

/** The server acts for the person who gave the grant. */
const actorFor = (grant: GrantRow, requestId: string): SystemCaller =>
  systemCaller({ workspaceId: grant.workspace_id, environment: grant.environment }, requestId, grant.user_id)

// A person gives an app some of their own permissions, in one workspace and environment.

/** A signed-in person, and their request. */
export type Decider = { sessionId: string; userId: string; requestId: string; address: string }

type Receiver = {
  client: Client
  /** The host of the app's browser or device. */
  host: string
  audience: AppAudience
  asked: readonly string[]
  /** How long the app may take to fetch its tokens. */
  lastsMs: number
}

export type Giving = ReturnType<typeof createGiving>

export const maxGrants = 200

export function createGiving(dependencies: { clock: Clock; callers: Callers; grantKeys: GrantKeys }) {
  const { clock, callers, grantKeys } = dependencies

  const callerOf = async (
    { sessionId, userId, requestId, address }: Decider,
    { workspaceId, environment }: Pick<Grant, 'workspaceId' | 'environment'>,
  ): Promise<PersonCaller> => {
    const claims = { sessionId, userId, workspaceId, environment }
    const known = await callers.bySession(claims, { requestId, address, idempotencyId: null })
    if (known === null) throw invalidField('grant.workspaceId', 'There is no such workspace for you')
    if (known.refusal !== null) throw known.refusal
    return callers.applyAccess(known.caller)
  }

  return {
    callerOf,

    /**
     * Throws a 400 that names each part that exceeds the app's request or the person's own rights. The returned
     * function makes the grant within a transaction.
     */
    async prepare(
      decider: Decider,
      given: Grant,
      { client, host, audience, asked, lastsMs }: Receiver,
    ): Promise<(tx: Tx) => Promise<{ id: string }>> {
      const caller = await callerOf(decider, given)
      if (caller.plan === 'free') {
        throw new ServiceError('plan_required', undefined, {
          details: { plan: caller.plan, needed: 'starter' },
        })
      }
      const unasked = given.permissions.findIndex(permission => !asked.includes(permission))
      if (unasked !== -1) throw invalidField(`grant.permissions.${unasked}`, 'was not asked for')
      const { permissions, agentIds, collectionIds } = given
      const give = await grantKeys.prepare(caller, {
        name: client.name,
        permissions,
        agentIds,
        collectionIds,
        app: { clientId: client.id, host, audience },
        expiresAt: clock() + lastsMs,
      })
      return async tx => {
        // If a person gives two grants at once, the second transaction counts the first grant.
        await lockGiver(tx, decider.userId)
        if ((await countGrants(tx, decider.userId, clock())) >= maxGrants) {
          const message = `You have ${maxGrants} apps connected: disconnect one in your account`
          throw limitReached('apps', maxGrants, message)
        }
        return give(tx)
      }
    },
  }
}

/** Meanwhile another person may have signed in in another tab, without seeing this page. */
export function checkSame(decider: Decider, userId: string): void {
  if (decider.userId === userId) return
  throw invalidField('userId', 'Somebody else is signed in meanwhile. Reload the page.')
}
