/** The rows of public chats, and what their visitors have used. */
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import { dayMs, hourMs } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { Tables } from '../../../platform/database/tables.ts'

export type PublicChatRow = Selectable<Tables['public_chats']>

export type Used = { runs: number; tokens: number; costUsd: number }

/** The day in UTC, by its start. */
export const dayOf = (now: number): number => now - (now % dayMs)

/** Whether the agent exists for the caller is for its service to say. */
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

/** Without a scope, as for a visitor, who has none yet. */
export const findChatOfAgent = (query: Query, agentId: string): Promise<PublicChatRow | undefined> =>
  query.selectFrom('public_chats').selectAll().where('agent_id', '=', agentId).executeTakeFirst()

/** What was used today stays. */
export async function putChat(_scope: Scope, tx: Tx, row: PublicChatRow): Promise<void> {
  const { agent_id: _, day: _day, run_count, used_tokens, used_cost_usd, created_at, ...settings } = row
  await tx
    .insertInto('public_chats')
    .values(row)
    .onConflict(conflict => conflict.column('agent_id').doUpdateSet(settings))
    .execute()
}

/** Returns the living tokens of its visitors, which end with it. */
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
  // Those that have ended and whose runs would go on. There are too many of the others to touch each.
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

/** Adds to what all visitors have used on the day, in the transaction of a run's start or end. False if it is turned off. */
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

/** What the tokens of one visitor, or of one address, have used in the last hour, and how many there were. */
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
    // By their end: a token may be used until then.
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

/** The runs of visitors that have not ended, without their parts: an index gives those of the workspace. */
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
