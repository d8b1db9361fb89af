/** The decisions of a signed-in person: about an app that asks, and about the apps that they have connected. */
import { type Clock, minuteMs, toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import type { ApiKeyService } from '../api-keys/service.ts'
import { answerTo, readAuthorizationRequest } from './authorization-request.ts'
import type { Clients } from './clients.ts'
import { checkSame, type Decider, type Giving, maxGrants } from './grants.ts'
import { OAuthError } from './oauth-error.ts'
import { hostOf, isOnThisComputer } from './redirects.ts'
import type { AppDecision, ConnectedApp, Question } from './schemas.ts'
import { codeHash } from './secrets.ts'
import { findOwnGrant, insertCode, listGrants } from './store.ts'

export type ConsentService = ReturnType<typeof createConsentService>

/** An app fetches its tokens at once; if it does not, the grant ends with the code. */
const codeMs = 2 * minuteMs

export function createConsentService(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
  clients: Clients
  giving: Giving
  apiKeys: ApiKeyService
  publicUrl: () => string
  resource: () => string
}) {
  const { database, keyring, clock, clients, giving, apiKeys, publicUrl, resource } = dependencies

  const read = (query: string, userId: string) =>
    explained(() => readAuthorizationRequest(query, { clients, userId, resource: resource() }))

  return {
    /** Throws a 400 if the request names no known app, or an address that is not the app's. */
    async ask({ userId }: Pick<Decider, 'userId'>, query: string): Promise<Question> {
      const found = await read(query, userId)
      const { client, redirectUri } = 'request' in found ? found.request : found.refused
      return {
        name: client.name,
        provenHost: client.provenHost,
        redirectHost: hostOf(redirectUri),
        redirectUri,
        isOnThisComputer: isOnThisComputer(redirectUri),
        permissions: 'request' in found ? found.request.permissions : [],
        device: null,
        refusal: 'request' in found ? null : refusalOf(found.refused, publicUrl()),
      }
    },

    /** Returns the address at which the app waits for the decision. */
    async decide(decider: Decider, { query, userId, grant }: AppDecision): Promise<{ redirectTo: string }> {
      checkSame(decider, userId)
      const found = await read(query, decider.userId)
      if ('refused' in found) throw invalidField('query', found.refused.message)
      const { request } = found
      const { client, redirectUri, codeChallenge, permissions } = request
      if (grant === null) return { redirectTo: answerTo(request, publicUrl(), { error: 'access_denied' }) }
      const host = hostOf(redirectUri)
      const receiver = { client, host, audience: 'mcp' as const, asked: permissions, lastsMs: codeMs }
      const give = await giving.prepare(decider, grant, receiver)
      const code = randomToken(32)
      await database.write(async tx => {
        const { id } = await give(tx)
        await clients.noteUse(tx, client)
        await insertCode(tx, {
          code_hash: codeHash(keyring, code),
          key_id: id,
          client_id: client.id,
          redirect_uri: redirectUri,
          code_challenge: codeChallenge,
          used_at: null,
          expires_at: clock() + codeMs,
        })
      })
      return { redirectTo: answerTo(request, publicUrl(), { code }) }
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

    /** Throws a 404 if the id is not an active grant of the person. */
    async disconnect(decider: Decider, id: string): Promise<void> {
      const row = await findOwnGrant(database.read, decider.userId, id, clock())
      if (row === undefined) throw notFound()
      const { workspace_id: workspaceId, environment } = row
      await apiKeys.revoke(await giving.callerOf(decider, { workspaceId, environment }), id, null)
    },
  }
}

/** The app learns of it only if the person clicks. Otherwise any app that registers could send people anywhere. */
const refusalOf = (
  refused: Extract<Awaited<ReturnType<typeof readAuthorizationRequest>>, { refused: unknown }>['refused'],
  issuer: string,
): NonNullable<Question['refusal']> => ({
  message: refused.message,
  redirectTo: answerTo(refused, issuer, { error: refused.error, error_description: refused.message }),
})

/** Tells a fault of the app's request to the person instead of the app. */
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
