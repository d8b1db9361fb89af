/** The rows of public chats, and the usage of their visitors. */
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import { dayMs, hourMs } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { notFound, type ServiceError } from '../../../platform/errors.ts'

export type PublicChatRow = Selectable<Tables['public_chats']>

export type Used = { runs: number; tokens: number; costUsd: number }

/** The start of the day in UTC. */
export const dayOf = (now: number): number => now - (now % dayMs)

/** The service checks whether the agent exists for the caller. */
export const findChat = (
  { workspaceId, environment }: Scope,
  query: Query,
  agentId: string,
): Promise<PublicChatRow | undefined> =>
  query
    .selectFrom('public_chats')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()

/** Without a scope: a visitor has none yet. */
export const findChatOfAgent = (query: Query, agentId: string): Promise<PublicChatRow | undefined> =>
  query.selectFrom('public_chats').selectAll().where('agent_id', '=', agentId).executeTakeFirst()

/** A change of the settings keeps today's usage. */
export async function putChat(_scope: Scope, tx: Tx, row: PublicChatRow): Promise<void> {
  const { agent_id: _, day: _day, run_count, used_tokens, used_cost_usd, created_at, ...settings } = row
  await tx
    .insertInto('public_chats')
    .values(row)
    .onConflict(conflict => conflict.column('agent_id').doUpdateSet(settings))
    .execute()
}

/** Returns the ids of the live tokens of the chat's visitors, which end with the chat. */
export async function deleteChat(
  scope: Scope,
  tx: Tx,
  { agentId, now, dryRun }: { agentId: string; now: number; dryRun: boolean },
): Promise<string[]> {
  const tokens = await tx
    .selectFrom('browser_tokens')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('address_hash', 'is not', null)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  const ids = tokens.map(({ id }) => id)
  if (dryRun) return ids
  const revoke = () =>
    tx
      .updateTable('browser_tokens')
      .set({ revoked_at: now })
      .where('agent_id', '=', agentId)
      .where('address_hash', 'is not', null)
      .where('revoked_at', 'is', null)
  await revoke().where('expires_at', '>', now).execute()
  // Also revokes ended tokens whose runs are still in progress. The other ended tokens are too many to update.
  const { workspaceId } = scope
  await revoke()
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('runs')
        .select('started_by_id')
        .where('workspace_id', '=', workspaceId)
        .where('finished_at', 'is', null)
        .where('started_by_id', 'is not', null)
        .$castTo<{ started_by_id: string }>(),
    )
    .execute()
  await tx.deleteFrom('public_chats').where('agent_id', '=', agentId).execute()
  return ids
}

/** Adds to the day's usage of all visitors, in the transaction of a run's start or end. False if the chat is off. */
export async function addToDay(tx: Tx, agentId: string, now: number, more: Used): Promise<boolean> {
  const day = dayOf(now)
  const onTop = (column: 'run_count' | 'used_tokens' | 'used_cost_usd', by: number) =>
    sql<number>`CASE WHEN day = ${day} THEN ${sql.ref(column)} ELSE 0 END + ${sql.lit(by)}`
  const { numUpdatedRows } = await tx
    .updateTable('public_chats')
    .set({
      day,
      run_count: onTop('run_count', more.runs),
      used_tokens: onTop('used_tokens', more.tokens),
      used_cost_usd: onTop('used_cost_usd', more.costUsd),
    })
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The usage of the tokens of one visitor or address in the last hour, and how many such tokens there are. */
export async function usedInHour(
  query: Query,
  agentId: string,
  of: { endUserId: string } | { addressHash: string },
  now: number,
): Promise<Used & { count: number }> {
  const sum = await query
    .selectFrom('browser_tokens')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('run_count').as('runs'),
      fn.sum<number | null>('used_tokens').as('tokens'),
      fn.sum<number | null>('used_cost_usd').as('costUsd'),
    ])
    .where('agent_id', '=', agentId)
    .where('address_hash', 'is not', null)
    .$if('endUserId' in of, rows => rows.where('end_user_id', '=', 'endUserId' in of ? of.endUserId : ''))
    .$if('addressHash' in of, rows =>
      rows.where('address_hash', '=', 'addressHash' in of ? of.addressHash : ''),
    )
    // By the end of the tokens: a token can be used until then.
    .where('expires_at', '>', now - hourMs)
    .executeTakeFirstOrThrow()
  const { count, runs, tokens, costUsd } = sum
  return { count: Number(count), runs: Number(runs), tokens: Number(tokens), costUsd: Number(costUsd) }
}

export type VisitorRun = {
  id: string
  agent_id: string
  status: string
  end_user_id: string
  address_hash: string | null
}

/** The runs of visitors in progress, without their parts. An index finds the workspace's runs in progress. */
export const visitorRunsUnderWay = (query: Query, workspaceId: string): Promise<VisitorRun[]> =>
  query
    .selectFrom('runs')
    .innerJoin('browser_tokens', 'browser_tokens.id', 'runs.started_by_id')
    .select(['runs.id', 'runs.agent_id', 'runs.status'])
    .select(['browser_tokens.end_user_id', 'browser_tokens.address_hash'])
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.finished_at', 'is', null)
    .where('address_hash', 'is not', null)
    .execute()

/** The same for an agent without a public chat and for one that does not exist. */
export const noPublicChat = (agentId: string): ServiceError =>
  notFound(`There is no public chat of the agent ${agentId}`, { resource: 'public_chat', of: agentId })
