/** What a signed-in person decides about apps: what one gets, in which workspace, and when it ends. */

import type { AppAudience, PersonCaller } from '../../platform/caller.ts'
import { type Clock, minuteMs, toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { invalidField, limitReached, notFound, ServiceError } from '../../platform/errors.ts'
import type { ApiKeyService } from '../api-keys/service.ts'
import type { Callers } from '../authentication/callers-service.ts'
import type { Attempts } from './attempts.ts'
import { type AuthorizationRequest, answerTo, readAuthorizationRequest } from './authorization-request.ts'
import { type Client, type Clients, commandLine } from './clients.ts'
import { userCodeHash } from './devices.ts'
import { OAuthError } from './oauth-error.ts'
import { hostOf, isOnThisComputer } from './redirects.ts'
import type { AppDecision, ConnectedApp, DeviceDecision, Grant, Question } from './schemas.ts'
import {
  countGrants,
  decideDevice,
  findOwnGrant,
  findWaitingDevice,
  insertCode,
  listGrants,
} from './store.ts'

/** Somebody who is signed in, and the request by which they decide. */
export type Decider = { sessionId: string; userId: string; requestId: string; address: string }

export type ConsentService = ReturnType<typeof createConsentService>

/** An app fetches its tokens at once; the grant ends with the code where it does not. */
const codeMs = 2 * minuteMs
/** A device asks every few seconds. */
const deviceGrantMs = 10 * minuteMs
const maxGrants = 200
const codesTyped = { tries: 20, windowMs: 15 * minuteMs }

export function createConsentService(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
  clients: Clients
  attempts: Attempts
  callers: Callers
  apiKeys: ApiKeyService
  publicUrl: () => string
  resource: () => string
}) {
  const { database, keyring, clock, clients, attempts, callers, apiKeys, publicUrl, resource } = dependencies

  const read = (query: string, userId: string) =>
    explained(() => readAuthorizationRequest(query, { clients, userId, resource: resource() }))

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

  /** What the person gives, checked; what it returns makes the grant within a transaction. */
  const prepare = async (
    decider: Decider,
    given: Grant,
    to: { client: Client; host: string; audience: AppAudience; asked: readonly string[]; lastsMs: number },
  ) => {
    const caller = await callerOf(decider, given)
    if (caller.plan === 'free') throw new ServiceError('plan_required')
    const unasked = given.permissions.findIndex(permission => !to.asked.includes(permission))
    if (unasked !== -1) throw invalidField(`grant.permissions.${unasked}`, 'was not asked for')
    if ((await countGrants(database.read, decider.userId, clock())) >= maxGrants) {
      throw limitReached(
        'apps',
        maxGrants,
        `You have ${maxGrants} apps connected: disconnect one in your account`,
      )
    }
    const { permissions, agentIds, collectionIds } = given
    return apiKeys.prepareGrant(caller, {
      name: to.client.name,
      permissions,
      agentIds,
      collectionIds,
      app: { clientId: to.client.id, host: to.host, audience: to.audience },
      expiresAt: clock() + to.lastsMs,
    })
  }

  /** The code that the app exchanges for its tokens. */
  const addCode = async (tx: Tx, keyId: string, request: AuthorizationRequest): Promise<string> => {
    const code = randomToken(32)
    await insertCode(tx, {
      code_hash: codeHash(keyring, code),
      key_id: keyId,
      client_id: request.client.id,
      redirect_uri: request.redirectUri,
      code_challenge: request.codeChallenge,
      used_at: null,
      expires_at: clock() + codeMs,
    })
    return code
  }

  const findDevice = async ({ userId }: Pick<Decider, 'userId'>, typed: string) => {
    await attempts.spend(['user-code', userId], codesTyped)
    const hash = userCodeHash(keyring, typed)
    const device = await findWaitingDevice(database.read, hash, clock())
    if (device === undefined) {
      throw invalidField(
        'userCode',
        'No device waits with this code. Look for a typing error, or start again there.',
      )
    }
    return { device, hash, asked: decodeJson(device.permissions) }
  }

  return {
    /** Throws a 400 for a request that names no known app, or an address that is not the app's. */
    async ask({ userId }: Pick<Decider, 'userId'>, query: string): Promise<Question> {
      const found = await read(query, userId)
      const { client, redirectUri } = 'request' in found ? found.request : found.refused
      return {
        name: client.name,
        provenHost: client.provenHost,
        redirectHost: hostOf(redirectUri),
        isOnThisComputer: isOnThisComputer(redirectUri),
        permissions: 'request' in found ? found.request.permissions : [],
        device: null,
        refusal:
          'request' in found
            ? null
            : {
                message: found.refused.message,
                redirectTo: answerTo(found.refused, publicUrl(), {
                  error: found.refused.error,
                  error_description: found.refused.message,
                }),
              },
      }
    },

    /** Returns the address at which the app waits for the decision. */
    async decide(decider: Decider, { query, userId, grant }: AppDecision): Promise<{ redirectTo: string }> {
      checkSame(decider, userId)
      const found = await read(query, decider.userId)
      if ('refused' in found) throw invalidField('query', found.refused.message)
      const { request } = found
      if (grant === null) return { redirectTo: answerTo(request, publicUrl(), { error: 'access_denied' }) }
      const give = await prepare(decider, grant, {
        client: request.client,
        host: hostOf(request.redirectUri),
        audience: 'mcp',
        asked: request.permissions,
        lastsMs: codeMs,
      })
      const code = await database.write(async tx => {
        const { id } = await give(tx)
        await clients.noteUse(tx, request.client)
        return addCode(tx, id, request)
      })
      return { redirectTo: answerTo(request, publicUrl(), { code }) }
    },

    /** Throws a 400 for `userCode` if no device waits with it, and `rate_limited` for who tries many. */
    async askDevice(decider: Pick<Decider, 'userId'>, userCode: string): Promise<Question> {
      const { device, asked } = await findDevice(decider, userCode)
      return {
        name: commandLine.name,
        provenHost: null,
        redirectHost: null,
        isOnThisComputer: false,
        permissions: asked,
        device: { address: device.address, askedAt: toTimestamp(device.created_at) },
        refusal: null,
      }
    },

    async decideDevice(decider: Decider, { userCode, userId, grant }: DeviceDecision): Promise<void> {
      checkSame(decider, userId)
      const { asked, hash } = await findDevice(decider, userCode)
      const give =
        grant === null
          ? null
          : await prepare(decider, grant, {
              client: commandLine,
              host: '',
              audience: 'api',
              asked,
              lastsMs: deviceGrantMs,
            })
      await database.write(async tx => {
        const decided =
          give === null
            ? { status: 'denied' as const, key_id: null }
            : { status: 'approved' as const, key_id: (await give(tx)).id }
        if (await decideDevice(tx, hash, decided, clock())) return
        throw invalidField(
          'userCode',
          'The code has expired or was used meanwhile. Start again at the device.',
        )
      })
    },

    async list({ userId }: Pick<Decider, 'userId'>): Promise<ConnectedApp[]> {
      const rows = await listGrants(database.read, userId, clock(), maxGrants)
      return rows.map(row => ({
        id: row.id,
        name: row.name,
        host: row.app_host ?? '',
        workspaceName: row.workspace_name,
        environment: row.environment,
        permissions: decodeJson(row.permissions),
        isNarrowed: row.agent_ids !== null || row.collection_ids !== null,
        lastUsedAt: toOptionalTimestamp(row.last_used_at),
        createdAt: toTimestamp(row.created_at),
      }))
    },

    /** Throws a 404 for what is not a living grant of the person. */
    async disconnect(decider: Decider, id: string): Promise<void> {
      const row = await findOwnGrant(database.read, decider.userId, id, clock())
      if (row === undefined) throw notFound()
      const caller = await callerOf(decider, { workspaceId: row.workspace_id, environment: row.environment })
      await apiKeys.revoke(caller, id, null)
    },
  }
}

export const codeHash = (keyring: Keyring, code: string): string =>
  keyring.keyedHash('token', `app-code|${code}`)

/** Another tab may have signed in somebody else, who has seen none of this. */
function checkSame(decider: Decider, userId: string): void {
  if (decider.userId === userId) return
  throw invalidField('userId', 'Somebody else is signed in meanwhile. Reload the page.')
}

/** A fault of the app's request, told to the person instead of the app. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    throw new ServiceError('validation_failed', error.message, {
      errors: [{ field: 'query', message: error.message }],
    })
  }
}
