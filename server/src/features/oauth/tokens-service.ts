/** The requests of apps: they read the metadata, exchange a code or an earlier token for tokens, and end a grant. */
import { createHash } from 'node:crypto'
import { type Clock, dayMs, hourMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { isSame, isWellFormedAccessToken } from '../../platform/crypto/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import type { Attempts } from './attempts.ts'
import { apiPermissions, checkResource, mcpPermissions } from './authorization-request.ts'
import { maxClientIdLength } from './clients.ts'
import { type AppRequest, badGrant, type Grants, type Outcome, type TokenReply } from './grants.ts'
import { OAuthError, optional, required } from './oauth-error.ts'
import { maxUriLength } from './redirects.ts'
import { accessHashes, codeHash, maxSecretLength, nextRefreshToken, refreshHash } from './secrets.ts'
import {
  deleteAbandonedGrants,
  deleteExpired,
  findCode,
  findKeyOfSecret,
  findRefreshToken,
  type GrantRow,
  useCode,
  useRefreshToken,
} from './store.ts'

const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * Two tabs of an app may renew the same token, and a reply may be lost: within this time both get the same new token.
 */
const graceMs = 30 * secondMs
/** How long a used code is remembered after its end. */
const rememberedMs = dayMs
const rowsAtOnce = 500
const renewals = { tries: 60, windowMs: hourMs }

type Redeem = (form: URLSearchParams, request: AppRequest) => Promise<Outcome>

type Dependencies = {
  database: Database
  keyring: Keyring
  clock: Clock
  attempts: Attempts
  grants: Grants
  /** For the code of a device. */
  poll: Redeem
  resource: () => string
}

export function createTokens(dependencies: Dependencies) {
  const { database, keyring, clock, grants, resource } = dependencies
  const redeemers = new Map<string, Redeem>([
    ['authorization_code', createExchange(dependencies)],
    ['refresh_token', createRefresh(dependencies)],
    [deviceGrantType, dependencies.poll],
  ])
  return {
    /** Throws an OAuthError. */
    async token(form: URLSearchParams, request: AppRequest): Promise<TokenReply> {
      const type = required(form, 'grant_type', 100)
      const redeem = redeemers.get(type)
      if (redeem === undefined)
        throw new OAuthError('unsupported_grant_type', `There is no grant_type ${type}`)
      checkResource(form, resource())
      const outcome = await redeem(form, request)
      if (outcome instanceof OAuthError) throw outcome
      return outcome
    },

    /** Ends the whole grant of a token of either kind. Any other text gets the same reply (RFC 7009, 2.2). */
    async revoke(form: URLSearchParams, request: AppRequest): Promise<undefined> {
      const token = required(form, 'token', maxSecretLength)
      const keyId = isWellFormedAccessToken(token)
        ? await findKeyOfSecret(database.read, accessHashes(keyring, token))
        : (await findRefreshToken(database.read, refreshHash(keyring, token)))?.key_id
      if (keyId !== undefined) await database.write(tx => grants.end(tx, keyId, 'app', request))
    },

    /** Deletes ended rows; returns how many. */
    async tidy(): Promise<number> {
      const slices = (table: 'app_codes' | 'app_refresh_tokens' | 'app_devices', before: number) =>
        bySlices(limit => database.write(tx => deleteExpired(tx, table, before, limit)), rowsAtOnce)
      return (
        (await slices('app_codes', clock() - rememberedMs)) +
        (await slices('app_refresh_tokens', clock())) +
        (await slices('app_devices', clock())) +
        (await bySlices(
          limit => database.write(tx => deleteAbandonedGrants(tx, clock() - rememberedMs, limit)),
          rowsAtOnce,
        ))
      )
    },
  }
}

const createExchange =
  ({ database, keyring, clock, grants }: Dependencies): Redeem =>
  async (form, request) => {
    const hash = codeHash(keyring, required(form, 'code', maxSecretLength))
    const clientId = required(form, 'client_id', maxClientIdLength)
    const redirectUri = optional(form, 'redirect_uri', maxUriLength)
    const verifier = required(form, 'code_verifier', 128)
    return database.write(async tx => {
      const code = await useCode(tx, hash, clock())
      if (code === undefined) {
        const used = await findCode(tx, hash)
        if (used !== undefined) await grants.end(tx, used.key_id, 'code_used_twice', request)
        return badGrant('The code is not valid, or was used before')
      }
      // A code with any fault is used up: somebody else may have it.
      if (code.expires_at <= clock()) return badGrant('The code has expired')
      if (code.client_id !== clientId) return badGrant('The code was given to another client_id')
      // OAuth 2.1 leaves it out here: the proof key proves as much.
      if (redirectUri !== null && code.redirect_uri !== redirectUri)
        return badGrant('The redirect_uri is not that of the authorization')
      if (!isVerified(verifier, code.code_challenge)) return badGrant('The code_verifier is wrong')
      const grant = await grants.findLiving(tx, code.key_id)
      return grant instanceof OAuthError ? grant : grants.issue(tx, grant, clientId)
    })
  }

const createRefresh =
  ({ database, keyring, clock, attempts, grants }: Dependencies): Redeem =>
  async (form, request) => {
    const token = required(form, 'refresh_token', maxSecretLength)
    const clientId = required(form, 'client_id', maxClientIdLength)
    const next = nextRefreshToken(keyring, token)
    const hash = refreshHash(keyring, token)
    const known = next === null ? undefined : await findRefreshToken(database.read, hash)
    if (next === null || known === undefined || known.client_id !== clientId) return badGrant(notValid)
    await attempts.spend(['renewal', known.key_id], renewals)
    return database.write(async tx => {
      const now = clock()
      const isFirst = await useRefreshToken(tx, hash, now)
      const row = await findRefreshToken(tx, hash)
      if (row === undefined || row.expires_at <= now) return badGrant('The refresh_token has expired')
      if (!isFirst && now - (row.used_at ?? 0) > graceMs) {
        await grants.end(tx, row.key_id, 'refresh_token_used_twice', request)
        return badGrant('The refresh_token was used before: connect the app again')
      }
      const grant = await grants.findLiving(tx, row.key_id)
      if (grant instanceof OAuthError) return grant
      checkScope(form, grant)
      if (!isFirst) {
        const hasNext = (await findRefreshToken(tx, refreshHash(keyring, next))) !== undefined
        return hasNext ? grants.addAccessToken(tx, grant, next) : badGrant(notValid)
      }
      return grants.issue(tx, grant, clientId, next)
    })
  }

const notValid = 'The refresh_token is not valid'

/** An app may name fewer permissions than it has, which changes nothing, but not more. */
function checkScope(form: URLSearchParams, grant: GrantRow): void {
  const words = (optional(form, 'scope', 1_000) ?? '').split(' ')
  const given: readonly string[] = decodeJson(grant.permissions)
  const more = words.find(word => apiPermissions.some(known => known === word) && !given.includes(word))
  if (more !== undefined) throw new OAuthError('invalid_scope', `The person did not allow ${more}`)
}

/** The verifier's SHA-256 must be the challenge of the authorization (RFC 7636, 4.6). */
const isVerified = (verifier: string, challenge: string): boolean =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
  isSame(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'))

/** By path. Clients look at the root and below `/mcp`; some look only for OpenID Connect's document. */
export function metadataDocuments(
  publicUrl: () => string,
  resource: () => string,
): Record<string, () => object> {
  const protectedResource = () => ({
    resource: resource(),
    authorization_servers: [publicUrl()],
    scopes_supported: mcpPermissions,
    bearer_methods_supported: ['header'],
    resource_name: 'Atrium',
  })
  const authorizationServer = () => {
    const at = `${publicUrl()}/oauth`
    return {
      issuer: publicUrl(),
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/token`,
      registration_endpoint: `${at}/register`,
      revocation_endpoint: `${at}/revoke`,
      device_authorization_endpoint: `${at}/device`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', deviceGrantType],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: apiPermissions,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    }
  }
  return {
    '/.well-known/oauth-protected-resource': protectedResource,
    '/.well-known/oauth-protected-resource/mcp': protectedResource,
    '/.well-known/oauth-authorization-server': authorizationServer,
    '/.well-known/openid-configuration': authorizationServer,
  }
}
