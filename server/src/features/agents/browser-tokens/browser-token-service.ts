/** Browser tokens: minted by a server's key for one agent and end user, listed, and revoked. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import {
  browserTokenIdOf,
  type Caller,
  keyIdOf,
  type PageRunFields,
  type Scope,
} from '../../../platform/caller.ts'
import { dayMs, hourMs, secondMs, toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import { newBrowserToken } from '../../../platform/crypto/tokens.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import {
  type FieldError,
  forbidden,
  found,
  invalidField,
  lacksPermission,
  limitReached,
  ServiceError,
} from '../../../platform/errors.ts'
import { notNarrowed } from '../../../platform/narrowing.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision, type Deletion, type Revised } from '../../../platform/revision.ts'
import { bySlices } from '../../../platform/schedules/rounds.ts'
import type { AuditService } from '../../audit/service.ts'
import type { ReadNarrowing } from '../../knowledge/search/narrowing-service.ts'
import { revisionToRun } from '../definitions/agent-content.ts'
import type { AgentContent } from '../definitions/agent-fields.ts'
import { checkOrigins } from '../definitions/agent-frame.ts'
import { findAgent } from '../definitions/agent-store.ts'
import { checkVariables } from '../inputs/variables.ts'
import {
  type BrowserToken,
  type BrowserTokenFilter,
  type NewBrowserToken,
  usualPerMinute,
  usualRuns,
  usualSeconds,
} from './browser-token-schemas.ts'
import {
  type BrowserTokenRow,
  countLiveTokens,
  deleteTokensBefore,
  findToken,
  insertToken,
  listTokens,
  revokeToken,
} from './browser-token-store.ts'

/** One live token for each visitor of a busy day. Counting the tokens takes a millisecond or two. */
const mostLive = 10_000
/** How long ended tokens stay in the list. */
const keptMs = 30 * dayMs
/** How long an ended token counts towards the limits of its visitor and its address. */
const keptUnusedMs = hourMs
const forgottenAtOnce = 500

export type BrowserTokenService = ReturnType<typeof createBrowserTokenService>

export function createBrowserTokenService({
  database,
  clock,
  newId,
  keyring,
  audit,
  readNarrowing,
  onChange,
}: Pick<Platform, 'database' | 'clock' | 'newId' | 'keyring'> & {
  audit: AuditService
  readNarrowing: ReadNarrowing
  /** Called once a token is revoked. */
  onChange: () => void
}) {
  const asking = (caller: Caller) => ({ scope: caller.scope, keyId: keyIdOf(caller) })

  return {
    list: (caller: Caller, filter: BrowserTokenFilter, page: PageRequest): Promise<Page<BrowserTokenRow>> =>
      listTokens(asking(caller), database.read, filter, page),

    get: async (caller: Caller, id: string): Promise<BrowserTokenRow> =>
      found(await findToken(asking(caller), database.read, id)),

    /**
     * Returns the token, which no other call returns. Throws a 400 that names each fault, and 403 unless the caller
     * is a key that may run agents and read their runs.
     */
    async create(caller: Caller, wanted: NewBrowserToken): Promise<{ row: BrowserTokenRow; token: string }> {
      const keyId = keyIdOf(caller)
      if (caller.kind !== 'key' || keyId === null || browserTokenIdOf(caller) !== null) {
        const message = 'Only a key makes browser tokens: let your server ask for them'
        throw forbidden('key', message)
      }
      if (!caller.permissions.has('agents:read')) throw lacksPermission(caller, 'agents:read')
      checkOrigins(wanted.origins)
      const { agentId, endUserId, variables, metadata, collectionIds, filter } = wanted
      const agent = await findAgent(caller.scope, database.read, agentId)
      if (agent === undefined) throw invalidField('agentId', 'There is no agent with this id')
      // The server that makes the token learns here what would refuse each run. The visitor is not told.
      const { content } = await revisionToRun(caller.scope, database.read, agent)
      checkVariables(content, variables ?? {})
      checkFunctions(content, wanted.functions ?? [])
      const runFields = withoutUndefined<PageRunFields>({ variables, metadata, collectionIds, filter })
      await readNarrowing(caller, withoutUndefined({ collectionIds, filter }), notNarrowed)
      const token = newBrowserToken()
      const now = clock()
      const row: BrowserTokenRow = {
        ...newTokenRow(caller.scope, keyId, now),
        id: newId('browserToken'),
        agent_id: agentId,
        token_hash: keyring.keyedHash('token', token),
        end_user_id: endUserId,
        origins: encodeJson(wanted.origins),
        functions: encodeJson(wanted.functions ?? []),
        run_fields: encodeJson(runFields),
        max_runs: wanted.maxRuns ?? usualRuns,
        max_tokens: wanted.maxTokens ?? null,
        max_cost_usd: wanted.maxCostUsd ?? null,
        requests_per_minute: wanted.requestsPerMinute ?? usualPerMinute,
        expires_at: now + (wanted.expiresInSeconds ?? usualSeconds) * secondMs,
      }
      await database.write(async tx => {
        await takeTurn(tx, `browser tokens ${keyId}`)
        if ((await countLiveTokens(tx, keyId, now)) >= mostLive) {
          throw limitReached(
            'browser_tokens',
            mostLive,
            `A key has at most ${mostLive} browser tokens at once`,
          )
        }
        await insertToken(caller.scope, tx, row)
        const details = { agentId, endUserId, origins: wanted.origins }
        await audit.record(tx, caller, { action: 'browser_token.create', resourceId: row.id, details })
      })
      return { row, token }
    },

    /** Ends the token at once, with its runs in progress. Returns false if the token was revoked before. */
    async revoke(caller: Caller, id: string, { ifMatch, dryRun }: Deletion): Promise<boolean> {
      const isRevoked = await database.write(async tx => {
        const row = found(await findToken(asking(caller), tx, id))
        checkRevision(ifMatch, revisedToken(row))
        if (dryRun) return row.revoked_at === null
        const revoked = await revokeToken(tx, id, clock())
        const { agent_id: agentId, end_user_id: endUserId } = row
        const details = { agentId, endUserId }
        await audit.record(tx, caller, { action: 'browser_token.revoke', resourceId: id, details })
        return revoked
      })
      if (!dryRun) onChange()
      return isRevoked
    },

    /** Deletes tokens that ended a month ago, and visitors' unused ones after an hour. Returns how many. */
    async tidy(): Promise<number> {
      const forget = (before: number, unused: boolean) =>
        bySlices(
          limit => database.write(tx => deleteTokensBefore(tx, { before, unused }, limit)),
          forgottenAtOnce,
        )
      return (await forget(clock() - keptUnusedMs, true)) + (await forget(clock() - keptMs, false))
    },
  }
}

/** The columns with which every token begins. A visitor's token gets another `address_hash`. */
export const newTokenRow = ({ workspaceId, environment }: Scope, keyId: string, now: number) => ({
  workspace_id: workspaceId,
  environment,
  key_id: keyId,
  run_count: 0,
  used_tokens: 0,
  used_cost_usd: 0,
  created_at: now,
  revoked_at: null,
  address_hash: null,
})

/** Throws one 400 that names each function that the agent does not have. */
export function checkFunctions({ functions }: AgentContent, names: readonly string[]): void {
  const errors = names.flatMap((wanted, index): FieldError[] =>
    functions.some(({ name }) => name === wanted)
      ? []
      : [{ field: `functions.${index}`, message: 'The agent has no function of this name' }],
  )
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/** The token changes once, when it is revoked. Its usage does not count as a change. */
export const revisedToken = ({ id, revoked_at: revokedAt }: BrowserTokenRow): Revised => ({
  id,
  revision: revokedAt === null ? 1 : 2,
})

export const presentToken = (row: BrowserTokenRow): BrowserToken => ({
  id: row.id,
  environment: row.environment,
  keyId: row.key_id,
  agentId: row.agent_id,
  endUserId: row.end_user_id,
  isVisitor: row.address_hash !== null,
  origins: decodeJson(row.origins),
  functions: decodeJson(row.functions),
  maxRuns: row.max_runs,
  maxTokens: row.max_tokens,
  maxCostUsd: row.max_cost_usd,
  requestsPerMinute: row.requests_per_minute,
  used: { runs: row.run_count, tokens: row.used_tokens, costUsd: row.used_cost_usd },
  createdAt: toTimestamp(row.created_at),
  expiresAt: toTimestamp(row.expires_at),
  revokedAt: toOptionalTimestamp(row.revoked_at),
})
