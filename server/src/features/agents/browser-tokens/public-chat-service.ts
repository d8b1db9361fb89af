/** Public chats: turned on and off for an agent, so that anonymous visitors of some origins chat with it. */
import { type Caller, type KeyCaller, keyIdOf } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { found, invalidField, lacksPermission } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision, type Deletion, type Revised } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import { revisionToRun } from '../definitions/agent-content.ts'
import { checkOrigins } from '../definitions/agent-frame.ts'
import type { AgentReach } from '../definitions/agent-reach.ts'
import { findAgent } from '../definitions/agent-store.ts'
import { checkVariables } from '../inputs/variables.ts'
import type { CurrentCaller } from '../records/run-callers.ts'
import { checkFunctions } from './browser-token-service.ts'
import { type NewPublicChat, type PublicChat, usualAllowances } from './public-chat-schemas.ts'
import {
  dayOf,
  deleteChat,
  findChat,
  noPublicChat,
  type PublicChatRow,
  putChat,
} from './public-chat-store.ts'
import { keyNow, usedOnDay } from './visitors.ts'

export type PublicChatService = ReturnType<typeof createPublicChatService>

export function createPublicChatService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    audit: AuditService
    currentCaller: CurrentCaller
    agentReach: Pick<AgentReach, 'checkAgent'>
    onChange: () => void
  },
) {
  const { database, clock, audit, agentReach, onChange } = dependencies

  const requireAgent = async ({ scope }: Caller, agentId: string) =>
    found(await findAgent(scope, database.read, agentId))

  /** Throws 403 if the agent reaches further than the caller. */
  async function requireWholeAgent(caller: Caller, agentId: string): Promise<void> {
    await agentReach.checkAgent(caller, database.read, await requireAgent(caller, agentId))
  }

  /** Throws a 400 that names `keyId`, or the permission that the key lacks. */
  async function answeringKey(caller: Caller, wanted: string | undefined): Promise<KeyCaller> {
    const own = keyIdOf(caller)
    const keyId = wanted ?? own
    if (keyId === null) throw invalidField('keyId', 'is needed: the key that answers for the visitors')
    // Another key may reach more than the caller does.
    const key = own === null || own === keyId ? await keyNow(dependencies, caller.scope, keyId) : null
    if (key === null) {
      throw invalidField('keyId', own === null ? 'There is no key with this id' : 'A key names only itself')
    }
    if (key.keyBounds.door !== undefined) throw invalidField('keyId', 'The key opens MCP alone')
    for (const permission of ['agents:run', 'agents:read'] as const) {
      if (key.permissions.has(permission)) continue
      if (own !== null) throw lacksPermission(caller, permission)
      throw invalidField('keyId', `The key lacks ${permission}, which the visitors need`)
    }
    return key
  }

  return {
    present: (row: PublicChatRow): PublicChat => presentChat(row, clock()),

    async get(caller: Caller, agentId: string): Promise<PublicChatRow> {
      await requireAgent(caller, agentId)
      return chatOf(agentId, await findChat(caller.scope, database.read, agentId))
    },

    /** Turns the chat on, or changes it. Tokens that visitors already have keep their origins and functions. */
    async set(
      caller: Caller,
      agentId: string,
      wanted: NewPublicChat,
      ifMatch: string | null,
    ): Promise<PublicChatRow> {
      await requireWholeAgent(caller, agentId)
      checkOrigins(wanted.origins)
      const key = await answeringKey(caller, wanted.keyId)
      const agent = await findAgent(key.scope, database.read, agentId)
      if (agent === undefined) throw invalidField('keyId', 'The key does not reach the agent')
      // The caller learns here what would refuse each run. The visitors are not told.
      const { content } = await revisionToRun(key.scope, database.read, agent)
      checkVariables(content, {})
      checkFunctions(content, wanted.functions ?? [])
      return await database.write(async tx => {
        const before = await findChat(caller.scope, tx, agentId)
        if (before !== undefined || ifMatch !== null)
          checkRevision(ifMatch, revisedChat(chatOf(agentId, before)))
        const now = clock()
        const row: PublicChatRow = {
          agent_id: agentId,
          workspace_id: caller.scope.workspaceId,
          environment: caller.scope.environment,
          key_id: key.keyId,
          origins: encodeJson(wanted.origins),
          functions: encodeJson(wanted.functions ?? []),
          visitor_per_hour: encodeJson({ ...usualAllowances.visitorPerHour, ...wanted.visitorPerHour }),
          address_per_hour: encodeJson({ ...usualAllowances.addressPerHour, ...wanted.addressPerHour }),
          per_day: encodeJson({ ...usualAllowances.perDay, ...wanted.perDay }),
          day: before?.day ?? dayOf(now),
          run_count: before?.run_count ?? 0,
          used_tokens: before?.used_tokens ?? 0,
          used_cost_usd: before?.used_cost_usd ?? 0,
          created_at: before?.created_at ?? now,
          updated_at: now,
          revision: (before?.revision ?? 0) + 1,
        }
        await putChat(caller.scope, tx, row)
        const details = { keyId: key.keyId, origins: wanted.origins, perDay: decodeJson(row.per_day) }
        await audit.record(tx, caller, { action: 'public_chat.set', resourceId: agentId, details })
        return row
      })
    },

    /** Turns the chat off at once, with its visitors' tokens and runs in progress. Returns the tokens' ids. */
    async remove(caller: Caller, agentId: string, { ifMatch, dryRun }: Deletion): Promise<string[]> {
      await requireWholeAgent(caller, agentId)
      const ids = await database.write(async tx => {
        const row = chatOf(agentId, await findChat(caller.scope, tx, agentId))
        checkRevision(ifMatch, revisedChat(row))
        const ended = await deleteChat(caller.scope, tx, { agentId, now: clock(), dryRun })
        if (!dryRun) await audit.record(tx, caller, { action: 'public_chat.delete', resourceId: agentId })
        return ended
      })
      if (!dryRun) onChange()
      return ids
    },
  }
}

export const revisedChat = ({ agent_id: id, revision }: PublicChatRow): Revised => ({ id, revision })

function chatOf(agentId: string, row: PublicChatRow | undefined): PublicChatRow {
  if (row === undefined) throw noPublicChat(agentId)
  return row
}

const presentChat = (row: PublicChatRow, now: number): PublicChat => ({
  agentId: row.agent_id,
  environment: row.environment,
  keyId: row.key_id,
  origins: decodeJson(row.origins),
  functions: decodeJson(row.functions),
  visitorPerHour: decodeJson(row.visitor_per_hour),
  addressPerHour: decodeJson(row.address_per_hour),
  perDay: decodeJson(row.per_day),
  usedToday: usedOnDay(row, now),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})
