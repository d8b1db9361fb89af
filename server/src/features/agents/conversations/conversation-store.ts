/** The rows of conversations. */
import { type Selectable, type SqlBool, sql } from 'kysely'
import { narrowingOf, type Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf, unknownAfter } from '../../../platform/database/page.ts'
import { countOf, inserts } from '../../../platform/database/rows.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { isOfReader, reachesAgent } from '../../../platform/database/within-reach.ts'
import { sumOfAgents } from '../definitions/agent-store.ts'
import { type ListedRunRow, listedRunColumns, type RunRow } from '../records/run-store.ts'
import { copyShownToBranches } from '../records/traces-store.ts'
import { hasEndedOrIsOwn, holdsNothingWithheld, isNotAmongWithheld } from '../records/withheld-runs.ts'

export type ConversationRow = Selectable<Tables['conversations']>

export type ConversationSelection = {
  agentId?: string
  endUserId?: string
}

export function listConversations(
  scope: Scope,
  query: Query,
  selection: ConversationSelection,
  page: PageRequest,
): Promise<Page<ConversationRow>> {
  const { agentId, endUserId } = selection
  const unfiltered = selectConversations(scope, query, 'list')
  let rows = unfiltered
  if (agentId !== undefined) rows = rows.where('agent_id', '=', agentId)
  if (endUserId !== undefined) rows = rows.where('end_user_id', '=', endUserId)
  const { collectionIds, documentFilter, withheld, endUser } = scope
  const counted = [endUserId, collectionIds, documentFilter, withheld, endUser]
  const isCounted = counted.some(narrowing => narrowing !== undefined)
  const total = isCounted ? {} : { total: () => totalOf(scope, query, agentId) }
  return pageOf(rows, page, { unfiltered, ...total })
}

/** From the counts in the agents' rows, because counting the conversations takes time in large workspaces. */
const totalOf = async (scope: Scope, query: Query, agentId: string | undefined): Promise<number> =>
  (await sumOfAgents(scope, query, 'conversation_count', agentId)) -
  (await countHidden(scope, query, agentId))

/** Counts the conversations of other persons, which do not exist for the reader. */
async function countHidden(scope: Scope, query: Query, agentId: string | undefined): Promise<number> {
  const { workspaceId, environment } = scope
  const reached = reachesAgent(scope, 'conversations.agent_id')
  return countOf(
    query
      .selectFrom('conversations')
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .where('owner_id', 'is not', null)
      .where(sql<SqlBool>`NOT ${isOfReader(scope, 'conversations', 'list')}`)
      .$if(agentId !== undefined, rows => rows.where('agent_id', '=', agentId ?? ''))
      .$if(reached !== null, rows => rows.where(reached ?? sql<SqlBool>`1 = 1`)),
  )
}

export const findConversation = (scope: Scope, query: Query, id: string) =>
  selectConversations(scope, query).where('id', '=', id).executeTakeFirst()

/** Like `findConversation`, but with any owner: for opening another person's conversation. */
export const findAnyConversation = (scope: Scope, query: Query, id: string) =>
  selectConversations(scope, query, 'any owner').where('id', '=', id).executeTakeFirst()

/** Like `findConversation`, but locks the row against changes and further runs until the transaction ends. */
export async function lockConversation(
  scope: Scope,
  tx: Tx,
  id: string,
): Promise<ConversationRow | undefined> {
  if ((await findConversation(scope, tx, id)) === undefined) return undefined
  return await lockPart(tx, id)
}

/** Without a scope: for a conversation that runs of a locked conversation began with another agent. */
export const lockPart = (tx: Tx, id: string): Promise<ConversationRow | undefined> =>
  tx.selectFrom('conversations').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const insertConversation = inserts('conversations')

/** Adds one to the number of conversations that the agent's row keeps. */
export async function addConversation(tx: Tx, agentId: string): Promise<void> {
  await tx
    .updateTable('agents')
    .set(({ eb }) => ({ conversation_count: eb('conversation_count', '+', 1) }))
    .where('id', '=', agentId)
    .execute()
}

/** Counts one more run. This locks the conversation until the transaction ends. */
export const addRun = (
  { workspaceId, environment }: Scope,
  tx: Tx,
  { id, agentId, now }: { id: string; agentId: string; now: number },
): Promise<ConversationRow | undefined> =>
  tx
    .updateTable('conversations')
    .set(({ eb }) => ({
      run_count: eb('run_count', '+', 1),
      revision: eb('revision', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('agent_id', '=', agentId)
    .returningAll()
    .executeTakeFirst()

/** Counts the end of a run. Returns how many runs have not ended. */
export async function countEndedRun(tx: Tx, id: string): Promise<number> {
  const [row] = (await addEndedRun(tx, { id })).rows
  return row === undefined ? 0 : row.run_count - row.ended_count
}

const addEndedRun = statement((tx, { id }: { id: string }) =>
  tx
    .updateTable('conversations')
    .set(({ eb }) => ({ ended_count: eb('ended_count', '+', 1) }))
    .where('id', '=', id)
    .returning(['run_count', 'ended_count']),
)

/** In the order of their turns. */
export const unfinishedRuns = (
  { workspaceId }: Pick<Scope, 'workspaceId'>,
  query: Query,
  conversationId: string,
  limit: number,
): Promise<RunRow[]> =>
  query
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('finished_at', 'is', null)
    .orderBy('turn')
    .limit(limit)
    .execute()

export async function updateConversation(
  tx: Tx,
  id: string,
  change: Partial<Pick<ConversationRow, 'name' | 'shared_with' | 'revision' | 'updated_at'>>,
): Promise<void> {
  await tx.updateTable('conversations').set(change).where('id', '=', id).execute()
}

/** The runs of a conversation that was found in the scope, the latest first; `after` is the id of a run. */
export async function listConversationRuns(
  scope: Scope,
  query: Query,
  { id, run_count: runCount }: Pick<ConversationRow, 'id' | 'run_count'>,
  { after, ...page }: PageRequest,
): Promise<Page<ListedRunRow>> {
  const all = query.selectFrom('runs').select(listedRunColumns).where('conversation_id', '=', id)
  const readable = hasEndedOrIsOwn(scope)
  const runs = readable === null ? all : all.where(readable)
  const total = readable === null ? { total: async () => runCount } : {}
  const options = { idColumn: 'turn', unfiltered: all, ...total }
  if (after === undefined) return pageOf(runs, page, options)
  const last = await query
    .selectFrom('runs')
    .select('turn')
    .where('conversation_id', '=', id)
    .where('id', '=', after)
    .executeTakeFirst()
  if (last === undefined) throw unknownAfter()
  return pageOf(runs, { ...page, after: String(last.turn) }, options)
}

export const findRunOfConversation = (query: Query, conversationId: string, runId: string) =>
  query
    .selectFrom('runs')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('id', '=', runId)
    .executeTakeFirst()

export const runOfTurn = (query: Query, conversationId: string, turn: number): Promise<RunRow | undefined> =>
  query
    .selectFrom('runs')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('turn', '=', turn)
    .executeTakeFirst()

/** The ids of all conversations that branched from `id`, directly or through other branches. */
export async function descendantsOf(query: Query, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE branched (id) AS (
      SELECT id FROM conversations WHERE parent_id = ${id}
      UNION
      SELECT conversations.id FROM conversations JOIN branched ON conversations.parent_id = branched.id
    )
    SELECT id FROM branched`.execute(query)
  return rows.map(row => row.id)
}

/**
 * Deletes a conversation with its runs, and everything that belongs to the runs. Its branches stay, but no longer
 * remember it. Returns the ids of the runs.
 */
export async function deleteConversation(tx: Tx, conversation: ConversationRow): Promise<string[]> {
  const { id, agent_id: agentId } = conversation
  await copyShownToBranches(tx, id)
  const deleted = tx.deleteFrom('runs').where('conversation_id', '=', id)
  const runs = await deleted.returning(['id', 'stored_bytes']).execute()
  const bytes = runs.reduce((sum, run) => sum + run.stored_bytes, 0)
  await tx
    .updateTable('agents')
    .set(({ eb }) => ({
      run_count: eb('run_count', '-', runs.length),
      conversation_count: eb('conversation_count', '-', 1),
      run_bytes: eb('run_bytes', '-', bytes),
    }))
    .where('id', '=', agentId)
    .execute()
  await forgetSummaries(tx, await descendantsOf(tx, id))
  await tx
    .updateTable('conversations')
    .set({ parent_id: null, branch_run_id: null })
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('parent_id', '=', id)
    .execute()
  await tx.deleteFrom('conversations').where('id', '=', id).execute()
  return runs.map(run => run.id)
}

/** The ids of the conversations that runs of this conversation began with other agents. */
export async function partsOf(query: Query, id: string): Promise<string[]> {
  const rows = await query
    .selectFrom('runs as part')
    .innerJoin('runs as root', 'root.id', 'part.root_run_id')
    .select('part.conversation_id')
    .distinct()
    .where('root.conversation_id', '=', id)
    .where('part.conversation_id', '<>', id)
    .execute()
  return rows.map(row => row.conversation_id)
}

/** The ids of the conversation's direct branches that exist for the reader. */
export async function branchesOf(scope: Scope, query: Query, id: string): Promise<string[]> {
  const branches = selectConversations(scope, query, 'list').clearSelect().select('id')
  return (await branches.where('parent_id', '=', id).execute()).map(row => row.id)
}

/** The ids of the first runs, in the order in which the runs were made. */
export async function firstRunsOf(query: Query, ids: readonly string[], limit: number): Promise<string[]> {
  const runs = query
    .selectFrom('runs')
    .select('id')
    .where('conversation_id', 'in', [...ids])
  return (await runs.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

/** Deletes summaries with removed text. The next run that needs a summary makes it from the remaining turns. */
export async function forgetSummaries(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('conversations')
    .set({ summary: null, summary_until_run_id: null, summary_until_turn: null })
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', 'in', [...ids])
    .where('summary', 'is not', null)
    .execute()
}

/** A key that is narrowed to documents sees only conversations that were begun under the same narrowing. */
const selectConversations = (scope: Scope, query: Query, use: 'lookup' | 'list' | 'any owner' = 'lookup') => {
  const isReadable = use === 'list' ? isNotAmongWithheld : holdsNothingWithheld
  const { workspaceId, environment } = scope
  const narrowing = narrowingOf(scope)
  const conversations = query
    .selectFrom('conversations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .$if(narrowing !== null, narrowed => narrowed.where('narrowing', '=', narrowing))
  const conditions = [
    reachesAgent(scope, 'conversations.agent_id'),
    use === 'any owner' ? null : isOfReader(scope, 'conversations', use),
    isReadable(scope, 'conversations.id'),
  ]
  return conditions.reduce(
    (rows, condition) => (condition === null ? rows : rows.where(condition)),
    conversations,
  )
}
