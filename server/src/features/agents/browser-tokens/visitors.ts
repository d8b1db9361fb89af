/** Gives tokens to anonymous visitors of a public chat, checks the chat's key, and counts the limits of visitors. */
import type { Limiter } from '../../../platform/admission.ts'
import { type KeyCaller, noBounds, systemCaller, type WholeScope } from '../../../platform/caller.ts'
import { addressKey } from '../../../platform/client-address.ts'
import { secondMs, toTimestamp } from '../../../platform/clock.ts'
import { newBrowserToken, randomToken } from '../../../platform/crypto/tokens.ts'
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { VisitorAllowance } from '../../../platform/database/schema/agents.ts'
import { ServiceError, tooManyRequests } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { findAgent } from '../definitions/agent-store.ts'
import type { CurrentCaller } from '../records/run-callers.ts'
import { usualSeconds } from './browser-token-schemas.ts'
import { newTokenRow } from './browser-token-service.ts'
import { insertToken } from './browser-token-store.ts'
import type { NewVisitor, VisitorToken } from './public-chat-schemas.ts'
import {
  dayOf,
  findChatOfAgent,
  noPublicChat,
  type PublicChatRow,
  type Used,
  usedInHour,
} from './public-chat-store.ts'

/** Of all visitors of a chat together. */
const tokensPerMinute = 300
/** Of all visitors from one address together, in one workspace. */
const requestsPerMinute = 120

/** The visitor's IP address, and the origin of the page as the browser names it. */
type Asking = { address: string; page: string | null }

type Dependencies = Pick<Platform, 'database' | 'clock' | 'newId' | 'keyring'> & {
  currentCaller: CurrentCaller
  limiter: Pick<Limiter, 'countTrigger'>
}

export type AdmitVisitor = ReturnType<typeof createAdmitVisitor>

/** Throws 404 without a public chat, 403 `origin_forbidden` and `token_limit`, and 429. */
export function createAdmitVisitor(dependencies: Dependencies) {
  const { database, clock, newId, keyring, limiter } = dependencies

  async function spend(agentId: string): Promise<void> {
    const { allowed, limit, resetAtSeconds } = await limiter.countTrigger(agentId, tokensPerMinute)
    if (allowed) return
    const seconds = Math.max(1, resetAtSeconds - Math.floor(clock() / secondMs))
    const message = `Too many visitors: ${limit} a minute get a token. Try again in ${seconds} s.`
    throw tooManyRequests(message, seconds, { limit, unit: 'visitors per minute' })
  }

  return async (
    agentId: string,
    { visitor = `vs_${randomToken(32)}`, parentOrigin }: NewVisitor,
    { page, address }: Asking,
  ): Promise<VisitorToken> => {
    const chat = await findChatOfAgent(database.read, agentId)
    if (chat === undefined) throw noPublicChat(agentId)
    const { workspace_id: workspaceId, environment } = chat
    const key = await keyNow(dependencies, { workspaceId, environment }, chat.key_id)
    const agent = key === null ? undefined : await findAgent(key.scope, database.read, agentId)
    // The same answer for an agent that does not exist: a stranger asks.
    if (key === null || agent === undefined) throw noPublicChat(agentId)
    checkOpen(chat, page)
    // For our own page in a frame: the browser enforces the policy that names this origin.
    if (parentOrigin !== undefined) checkOpen(chat, parentOrigin)
    const now = clock()
    const addressHash = keyring.keyedHash('token', addressKey(address))
    // A few addresses that ask in vain must not use up the limit of all visitors.
    await checkLeft(database.read, chat, addressHash, now)
    await spend(agentId)
    const token = newBrowserToken()
    const id = newId('browserToken')
    // Made from a secret that only this visitor has. The prefix tells visitors from a server's end users.
    const endUserId = `visitor_${keyring.keyedHash('token', `${agentId} ${visitor}`).slice(0, 32)}`
    const row = {
      ...newTokenRow(key.scope, key.keyId, now),
      ...leastOf(chat),
      id,
      agent_id: agentId,
      token_hash: keyring.keyedHash('token', token),
      end_user_id: endUserId,
      address_hash: addressHash,
      origins: chat.origins,
      functions: chat.functions,
      run_fields: encodeJson({}),
      requests_per_minute: requestsPerMinute,
      expires_at: now + usualSeconds * secondMs,
    }
    await database.write(async tx => {
      await checkLeft(tx, chat, addressHash, now)
      await insertToken(key.scope, tx, row)
    })
    return { token, expiresAt: toTimestamp(row.expires_at), visitor }
  }
}

/** The key with its present permissions; null if it has ended or belongs to another workspace or environment. */
export async function keyNow(
  { newId, currentCaller }: Pick<Dependencies, 'newId' | 'currentCaller'>,
  { workspaceId, environment }: WholeScope,
  keyId: string,
): Promise<KeyCaller | null> {
  const asked: KeyCaller = {
    ...systemCaller({ workspaceId, environment }, newId('request')),
    kind: 'key',
    keyId,
    userId: '',
    keyBounds: noBounds,
    idempotencyId: null,
  }
  const key = await currentCaller(asked)
  const isHere = key?.scope.workspaceId === workspaceId && key.scope.environment === environment
  return isHere && key.kind === 'key' ? key : null
}

function checkOpen(chat: PublicChatRow, origin: string | null): void {
  if (origin !== null && decodeJson(chat.origins).includes(origin)) return
  throw new ServiceError('origin_forbidden', 'The public chat is not open to this origin')
}

/** A token that could begin no run is useless. */
async function checkLeft(query: Query, chat: PublicChatRow, addressHash: string, now: number): Promise<void> {
  const used = usedOnDay(chat, now)
  const reached = reachedOf(decodeJson(chat.per_day), { ...used, runs: used.runs + 1 })
  if (reached !== null) throw tokenLimit('day', reached)
  // An address gets no more tokens in an hour than it may begin runs, even if it makes up more visitors.
  const { maxRuns } = decodeJson(chat.address_per_hour)
  const { count } = await usedInHour(query, chat.agent_id, { addressHash }, now)
  if (count >= maxRuns) throw tokenLimit('address', { limit: 'maxRuns', max: maxRuns })
}

/** A token gets the lowest of the three limits. */
function leastOf({ visitor_per_hour, address_per_hour, per_day }: PublicChatRow) {
  const allowances = [visitor_per_hour, address_per_hour, per_day].map(decodeJson<VisitorAllowance>)
  const least = (field: 'maxTokens' | 'maxCostUsd'): number | null => {
    const limits = allowances.flatMap(allowance => allowance[field] ?? [])
    return limits.length === 0 ? null : Math.min(...limits)
  }
  return {
    max_runs: Math.min(...allowances.map(({ maxRuns }) => maxRuns)),
    max_tokens: least('maxTokens'),
    max_cost_usd: least('maxCostUsd'),
  }
}

type Reached = { limit: keyof VisitorAllowance; max: number }

/** `runs` includes the run that begins. The last call may use more tokens and cost than are left. */
export function reachedOf(
  { maxRuns, maxTokens, maxCostUsd }: VisitorAllowance,
  { runs, tokens, costUsd }: Used,
): Reached | null {
  if (runs > maxRuns) return { limit: 'maxRuns', max: maxRuns }
  if (maxTokens !== null && tokens >= maxTokens) return { limit: 'maxTokens', max: maxTokens }
  return maxCostUsd !== null && costUsd >= maxCostUsd ? { limit: 'maxCostUsd', max: maxCostUsd } : null
}

/** The usage of another day does not count. */
export const usedOnDay = (chat: PublicChatRow, now: number): Used =>
  chat.day === dayOf(now)
    ? { runs: chat.run_count, tokens: chat.used_tokens, costUsd: chat.used_cost_usd }
    : { runs: 0, tokens: 0, costUsd: 0 }

const whose = {
  token: "The browser token's",
  visitor: "The visitor's hourly",
  address: "The address's hourly",
  day: "The public chat's daily",
} as const

export const tokenLimit = (per: keyof typeof whose, { limit, max }: Reached): ServiceError =>
  new ServiceError('token_limit', `${whose[per]} ${limit} of ${max} is used up`, {
    details: { per, limit, max },
  })
