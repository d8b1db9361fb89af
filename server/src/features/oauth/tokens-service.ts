/** What apps ask the server for themselves: tokens for a code, for an earlier token, for a device; and an end to them. */
import { createHash } from 'node:crypto'
import { rolePermissions, type SystemCaller, systemCaller } from '../../platform/caller.ts'
import { addressKey } from '../../platform/client-address.ts'
import { type Clock, dayMs, hourMs, minuteMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import {
  environmentOfRefreshToken,
  isSame,
  isWellFormedAccessToken,
  newAccessToken,
  newRefreshToken,
  randomToken,
} from '../../platform/crypto/tokens.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../platform/database/json.ts'
import { ServiceError } from '../../platform/errors.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import type { ApiKeyService } from '../api-keys/service.ts'
import type { Attempts } from './attempts.ts'
import { apiPermissions, checkResource, permissionsOf } from './authorization-request.ts'
import { commandLine, maxClientIdLength } from './clients.ts'
import { codeHash } from './consent-service.ts'
import { deviceHash, newUserCode, userCodeHash } from './devices.ts'
import { OAuthError, required, valueOf } from './oauth-error.ts'
import { maxUriLength } from './redirects.ts'
import {
  countDevices,
  deleteExpired,
  findCode,
  findDevice,
  findGrant,
  findKeyOfSecret,
  findRefreshToken,
  type GrantRow,
  insertAccessToken,
  insertDevice,
  insertRefreshToken,
  notePoll,
  retireAccessTokens,
  setGrantEnd,
  useCode,
  useDevice,
  useRefreshToken,
} from './store.ts'

export type Tokens = ReturnType<typeof createTokens>

/** The request by which an app asks. */
export type AppRequest = { requestId: string; address: string }

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

const accessMs = hourMs
/** A grant that is not used for so long ends. */
const refreshMs = 30 * dayMs
/** Two tabs of an app may renew the same token, and a reply may be lost: within this time both get the same new one. */
const graceMs = 30 * secondMs
/** How long the token of a request that is under way lives on behind the next one. */
const overlapMs = minuteMs
const deviceMs = 10 * minuteMs
const pollSeconds = 5
const maxPollSeconds = 60
const maxDevices = 10_000
/** A used code is remembered for so long behind its end. */
const rememberedMs = dayMs
const rowsAtOnce = 500
const renewals = { tries: 60, windowMs: hourMs }
const devicesBegun = { tries: 30, windowMs: 10 * minuteMs }
const maxSecretLength = 200

type TokenReply = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** What comes of a transaction that is to be kept although the app is refused. */
type Outcome = TokenReply | OAuthError

export function createTokens(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
  attempts: Attempts
  apiKeys: ApiKeyService
  publicUrl: () => string
  resource: () => string
}) {
  const { database, keyring, clock, attempts, apiKeys, publicUrl, resource } = dependencies
  const refreshHash = (token: string): string => keyring.keyedHash('token', `app-refresh|${token}`)

  /** The grant as long as it and its person's membership last. */
  const findLiving = async (tx: Tx, keyId: string): Promise<GrantRow | null> => {
    const grant = await findGrant(tx, keyId)
    if (grant === undefined || grant.revoked_at !== null || grant.deletes_at !== null) return null
    return grant.expires_at !== null && grant.expires_at > clock() ? grant : null
  }

  /** Ends the grant, whose secrets somebody else has, too. */
  const endGrant = async (
    tx: Tx,
    keyId: string,
    reason: string,
    { requestId }: AppRequest,
  ): Promise<void> => {
    const grant = await findGrant(tx, keyId)
    if (grant !== undefined) await apiKeys.endGrant(tx, actorFor(grant, requestId), keyId, reason)
  }

  const addAccessToken = async (tx: Tx, grant: GrantRow): Promise<string> => {
    const now = clock()
    const token = newAccessToken(grant.environment)
    await insertAccessToken(tx, {
      secret_hash: keyring.keyedHash('api-key', token),
      pepper_version: keyring.pepperVersion,
      key_id: grant.id,
      last_four: token.slice(-4),
      expires_at: now + accessMs,
      created_at: now,
    })
    return token
  }

  /** New tokens of the grant, which lives on from now. */
  const issue = async (
    tx: Tx,
    grant: GrantRow,
    clientId: string,
    refreshToken: string,
  ): Promise<TokenReply> => {
    const expiresAt = clock() + refreshMs
    await insertRefreshToken(tx, {
      token_hash: refreshHash(refreshToken),
      key_id: grant.id,
      client_id: clientId,
      used_at: null,
      expires_at: expiresAt,
    })
    await setGrantEnd(tx, grant.id, expiresAt)
    return replyOf(grant, await addAccessToken(tx, grant), refreshToken)
  }

  const exchange = (form: URLSearchParams, request: AppRequest): Promise<Outcome> => {
    const hash = codeHash(keyring, required(form, 'code', maxSecretLength))
    const clientId = required(form, 'client_id', maxClientIdLength)
    const redirectUri = valueOf(form, 'redirect_uri', maxUriLength)
    const verifier = required(form, 'code_verifier', 128)
    return database.write(async tx => {
      const code = await useCode(tx, hash, clock())
      if (code === undefined) {
        const used = await findCode(tx, hash)
        if (used !== undefined) await endGrant(tx, used.key_id, 'code_used_twice', request)
        return badGrant('The code is not valid, or was used before')
      }
      // A code of which anything is wrong is used up: it has come into other hands.
      if (code.expires_at <= clock()) return badGrant('The code has expired')
      if (code.client_id !== clientId) return badGrant('The code was given to another client_id')
      if (code.redirect_uri !== redirectUri)
        return badGrant('The redirect_uri is not that of the authorization')
      if (!isVerified(verifier, code.code_challenge)) return badGrant('The code_verifier is wrong')
      const grant = await findLiving(tx, code.key_id)
      if (grant === null) return badGrant('The person has ended it, or left the workspace')
      return issue(tx, grant, clientId, newRefreshToken(grant.environment))
    })
  }

  /**
   * The next token follows from the one before by a secret of the server, so that whoever repeats the request within the
   * grace gets the same one, and there are never two branches.
   */
  const nextOf = (token: string): string | null => {
    const environment = environmentOfRefreshToken(token)
    if (environment === null) return null
    return newRefreshToken(environment, keyring.keyedHash('token', `app-refresh-next|${token}`))
  }

  const refresh = async (form: URLSearchParams, request: AppRequest): Promise<Outcome> => {
    const token = required(form, 'refresh_token', maxSecretLength)
    const clientId = required(form, 'client_id', maxClientIdLength)
    const next = nextOf(token)
    const hash = refreshHash(token)
    const known = next === null ? undefined : await findRefreshToken(database.read, hash)
    if (next === null || known === undefined || known.client_id !== clientId) return badGrant(notValid)
    await attempts.spend(['renewal', known.key_id], renewals)
    return database.write(async tx => {
      const now = clock()
      const isFirst = await useRefreshToken(tx, hash, now)
      const row = await findRefreshToken(tx, hash)
      if (row === undefined || row.expires_at <= now) return badGrant('The refresh_token has expired')
      if (!isFirst && now - (row.used_at ?? 0) > graceMs) {
        await endGrant(tx, row.key_id, 'refresh_token_used_twice', request)
        return badGrant('The refresh_token was used before: connect the app again')
      }
      const grant = await findLiving(tx, row.key_id)
      if (grant === null) return badGrant('The person has ended it, or left the workspace')
      checkScope(form, grant)
      if (!isFirst) {
        const following = await findRefreshToken(tx, refreshHash(next))
        if (following === undefined) return badGrant(notValid)
        return replyOf(grant, await addAccessToken(tx, grant), next)
      }
      await retireAccessTokens(tx, grant.id, { now, endsAt: now + overlapMs })
      return issue(tx, grant, clientId, next)
    })
  }

  const poll = (form: URLSearchParams, request: AppRequest): Promise<Outcome> => {
    const hash = deviceHash(keyring, required(form, 'device_code', maxSecretLength))
    const clientId = required(form, 'client_id', maxClientIdLength)
    return database.write(async tx => {
      const now = clock()
      const device = await findDevice(tx, hash)
      if (device === undefined || device.client_id !== clientId)
        return badGrant('The device_code is not valid')
      if (device.status === 'denied') return new OAuthError('access_denied', 'The person has refused')
      if (device.expires_at <= now) return new OAuthError('expired_token', 'The device_code has expired')
      if (device.status === 'pending') {
        const dueAt = (device.polled_at ?? 0) + device.interval_seconds * secondMs
        const isEarly = now < dueAt
        const interval = Math.min(maxPollSeconds, device.interval_seconds + (isEarly ? pollSeconds : 0))
        await notePoll(tx, hash, { polled_at: now, interval_seconds: interval })
        return isEarly
          ? new OAuthError('slow_down', `Ask every ${interval} s`)
          : new OAuthError('authorization_pending', 'The person has not decided yet')
      }
      if (device.key_id === null) return badGrant('The device_code is not valid')
      if (!(await useDevice(tx, hash))) {
        await endGrant(tx, device.key_id, 'code_used_twice', request)
        return badGrant('The device_code was used before')
      }
      const grant = await findLiving(tx, device.key_id)
      if (grant === null) return badGrant('The person has ended it, or left the workspace')
      return issue(tx, grant, clientId, newRefreshToken(grant.environment))
    })
  }

  const grantTypes: Readonly<
    Record<string, (form: URLSearchParams, request: AppRequest) => Promise<Outcome> | Outcome>
  > = {
    authorization_code: exchange,
    refresh_token: refresh,
    [deviceGrantType]: poll,
  }

  const hashesOfAccess = (token: string): string[] =>
    Array.from({ length: keyring.pepperVersion }, (_, index) =>
      keyring.keyedHash('api-key', token, index + 1),
    )

  return {
    /** Throws an OAuthError. */
    async token(form: URLSearchParams, request: AppRequest): Promise<TokenReply> {
      const type = required(form, 'grant_type', 100)
      const work = Object.hasOwn(grantTypes, type) ? grantTypes[type] : undefined
      if (work === undefined) throw new OAuthError('unsupported_grant_type', `There is no grant_type ${type}`)
      if (type !== deviceGrantType) checkResource(form, resource())
      const outcome = await work(form, request)
      if (outcome instanceof OAuthError) throw outcome
      return outcome
    },

    /** Ends the whole grant of a token of either kind; of any other text nothing is said (RFC 7009, 2.2). */
    async revoke(form: URLSearchParams, request: AppRequest): Promise<void> {
      const token = required(form, 'token', maxSecretLength)
      const keyId = isWellFormedAccessToken(token)
        ? await findKeyOfSecret(database.read, hashesOfAccess(token))
        : (await findRefreshToken(database.read, refreshHash(token)))?.key_id
      if (keyId !== undefined) await database.write(tx => endGrant(tx, keyId, 'app', request))
    },

    /** What a device shows its person, and what it asks with (RFC 8628, 3.2). Throws an OAuthError. */
    async beginDevice(form: URLSearchParams, { address }: AppRequest) {
      if (required(form, 'client_id', maxClientIdLength) !== commandLine.id) {
        throw new OAuthError('unauthorized_client', `Only the client_id ${commandLine.id} may do this`)
      }
      await attempts.spend(['device', addressKey(address)], devicesBegun)
      const permissions = permissionsOf(valueOf(form, 'scope', 1_000), apiPermissions)
      const deviceCode = randomToken(32)
      const insert = (userCode: string) =>
        database.write(async tx => {
          if ((await countDevices(tx, maxDevices)) >= maxDevices) throw new ServiceError('overloaded')
          return insertDevice(tx, {
            device_hash: deviceHash(keyring, deviceCode),
            user_code_hash: userCodeHash(keyring, userCode),
            client_id: commandLine.id,
            permissions: encodeJson(permissions),
            address,
            status: 'pending',
            key_id: null,
            polled_at: null,
            interval_seconds: pollSeconds,
            created_at: clock(),
            expires_at: clock() + deviceMs,
          })
        })
      let userCode = newUserCode()
      // Of ten thousand codes at once, one in two million is taken.
      while (!(await insert(userCode))) userCode = newUserCode()
      const page = `${publicUrl()}/device`
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${userCode}`,
        expires_in: deviceMs / secondMs,
        interval: pollSeconds,
      }
    },

    /** Forgets what has ended; returns how many rows. */
    async tidy(): Promise<number> {
      const slices = (table: 'app_codes' | 'app_refresh_tokens' | 'app_devices', before: number) =>
        bySlices(limit => database.write(tx => deleteExpired(tx, table, before, limit)), rowsAtOnce)
      return (
        (await slices('app_codes', clock() - rememberedMs)) +
        (await slices('app_refresh_tokens', clock())) +
        (await slices('app_devices', clock()))
      )
    },
  }
}

const notValid = 'The refresh_token is not valid'

const badGrant = (message: string): OAuthError => new OAuthError('invalid_grant', message)

const replyOf = (grant: GrantRow, accessToken: string, refreshToken: string): TokenReply => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: accessMs / secondMs,
  refresh_token: refreshToken,
  scope: scopeOf(grant).join(' '),
})

/** What the person's role still allows of it. */
const scopeOf = ({ permissions, role }: GrantRow): string[] =>
  decodeJson(permissions).filter(permission => rolePermissions[role].includes(permission))

/** An app may name less than it has, which changes nothing, and not more. */
function checkScope(form: URLSearchParams, grant: GrantRow): void {
  const words = (valueOf(form, 'scope', 1_000) ?? '').split(' ').filter(word => word !== '')
  const given: readonly string[] = decodeJson(grant.permissions)
  const more = words.find(word => apiPermissions.some(known => known === word) && !given.includes(word))
  if (more !== undefined) throw new OAuthError('invalid_scope', `The person did not allow ${more}`)
}

/** The verifier's SHA-256 is what the authorization was begun with (RFC 7636, 4.6). */
const isVerified = (verifier: string, challenge: string): boolean =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
  isSame(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'))

/** The server acts for the person whose grant it is. */
const actorFor = (grant: GrantRow, requestId: string): SystemCaller =>
  systemCaller({ workspaceId: grant.workspace_id, environment: grant.environment }, requestId, grant.user_id)
