/** The agents' rows and their revisions. */
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { listInScope, type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf, inserts } from '../../../platform/database/rows.ts'
import { agentsTables } from '../../../platform/database/schema/agents.ts'
import { statementInScope } from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesAgent } from '../../../platform/database/within-reach.ts'

export type AgentRow = Selectable<Tables['agents']>
export type RevisionRow = Selectable<Tables['agent_revisions']>

const unlistedColumns = [
  ...(['workspace_id', 'environment', 'serves_models', 'change_count', 'deleted_at'] as const),
  ...(['reach', 'run_count', 'conversation_count', 'run_bytes'] as const),
] satisfies (keyof AgentRow)[]

/** The columns of an agent that are shown. */
export type ShownAgentRow = Omit<AgentRow, (typeof unlistedColumns)[number]>

const listedColumns = agentsTables.agents.columns.filter(
  (column): column is keyof ShownAgentRow => !unlistedColumns.some(unlisted => unlisted === column),
)

/** Without a scope: anybody may open the page. The origins are those of a public chat. */
export const findFrame = (query: Query, id: string) =>
  query
    .selectFrom('agents')
    .leftJoin('public_chats', 'public_chats.agent_id', 'agents.id')
    .select(['agents.frame', 'public_chats.origins'])
    .where('agents.id', '=', id)
    .where('agents.deleted_at', 'is', null)
    .executeTakeFirst()

export const listAgents = (scope: Scope, query: Query, page: PageRequest): Promise<Page<ShownAgentRow>> =>
  pagesOfAgents(scope, query, {}, page)

/** What other doors show of an agent; `published` is the published content, or null if it is that of the row. */
export type OfferedRow = Awaited<ReturnType<typeof listOffered>>[number]

/** Active agents after the id `after`, oldest first; for viewers only the agents that viewers may run. */
export const listOffered = (
  scope: Scope,
  query: Query,
  { after, limit, toViewers }: { after: string | null; limit: number; toViewers: boolean },
) =>
  selectOffered(scope, query, toViewers)
    .$if(after !== null, agents => agents.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()

/** The active agent whose id ends with these letters and digits; the oldest if there are two. */
export const findOffered = (
  scope: Scope,
  query: Query,
  { idEnd, toViewers }: { idEnd: string; toViewers: boolean },
): Promise<OfferedRow | undefined> =>
  selectOffered(scope, query, toViewers)
    .where('id', 'like', `%${idEnd}`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export type AgentName = Pick<AgentRow, 'id' | 'name' | 'created_at'>

/** The newest first. */
export const listAgentNames = (scope: Scope, query: Query, most: number): Promise<AgentName[]> =>
  selectAgents(scope, query)
    .clearSelect()
    .select(['id', 'name', 'created_at'])
    .orderBy('id', 'desc')
    .limit(most)
    .execute()

const pagesOfAgents = listInScope(
  (scope, query) => selectAgents(scope, query).clearSelect().select(listedColumns),
  (_scope, query) => ({ columns: { named: { query, name: 'name', texts: ['name', 'description'] } } }),
)

export const findAgent = async (scope: Scope, query: Query, id: string): Promise<AgentRow | undefined> =>
  (await agentById(scope, query, { id })).rows[0]

const agentById = statementInScope((scope, query, { id }: { id: string }) =>
  selectAgents(scope, query).where('id', '=', id),
)

/** Whether the agent exists, without reading its content. */
export const agentExists = async (scope: Scope, query: Query, id: string): Promise<boolean> =>
  (await idOfAgent(scope, query, { id })).rows.length > 0

const idOfAgent = statementInScope((scope, query, { id }: { id: string }) =>
  selectAgents(scope, query).clearSelect().select('id').where('id', '=', id),
)

/** The agent of models, whose runs use the model that their request names, even if the scope does not reach it. */
export const findModelsAgent = (
  { workspaceId, environment }: Scope,
  query: Query,
): Promise<AgentRow | undefined> =>
  query
    .selectFrom('agents')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('serves_models', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Finds deleted agents too, and needs no scope: for a run that is worked on. */
export const findAgentOfRun = (query: Query, { agent_id: id }: { agent_id: string }) =>
  query.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst()

/** The ids of the scope's agents whose latest revision names the collection, and how many there are. */
export async function agentsNamingCollection(
  scope: Scope,
  query: Query,
  { collectionId, limit }: { collectionId: string; limit: number },
): Promise<{ count: number; ids: string[] }> {
  const naming = selectAgents(scope, query)
    .clearSelect()
    // The column holds a list of ids as JSON, and no id is a part of another one.
    .where(sql<string>`collection_ids`, 'like', `%"${collectionId}"%`)
  const rows = await naming.select('id').orderBy('id').limit(limit).execute()
  const { count } = await naming
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), ids: rows.map(({ id }) => id) }
}

/** Like `findAgent`, but locks the row until the transaction ends. */
export const lockAgent = (scope: Scope, tx: Tx, id: string) =>
  selectAgents(scope, tx).where('id', '=', id).forUpdate().executeTakeFirst()

/** The ids that name agents of the scope. */
export async function existingAgentIds(
  scope: Scope,
  query: Query,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await selectAgents(scope, query).clearSelect().select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export const countAgents = (scope: Scope, query: Query): Promise<number> =>
  countOf(selectAgents(scope, query))

/** Sums a count of all agents or of one, also deleted ones. Counting the runs or conversations takes long. */
export async function sumOfAgents(
  scope: Scope,
  query: Query,
  column: 'run_count' | 'conversation_count',
  agentId?: string,
): Promise<number> {
  const [row] = (await sums[column](scope, query, { agentId })).rows
  return row?.total ?? 0
}

const sumOf = (column: 'run_count' | 'conversation_count') =>
  statementInScope((scope, query, { agentId }: { agentId: string | undefined }) => {
    const reached = reachesAgent(scope, 'agents.id')
    return query
      .selectFrom('agents')
      .select(({ fn }) => fn.sum<number | null>(column).as('total'))
      .where('workspace_id', '=', scope.workspaceId)
      .where('environment', '=', scope.environment)
      .$if(agentId !== undefined, rows => rows.where('id', '=', agentId ?? ''))
      .$if(reached !== null, rows => rows.where(reached ?? sql<SqlBool>`1 = 1`))
  })

const sums = { run_count: sumOf('run_count'), conversation_count: sumOf('conversation_count') }

export const insertAgent = inserts('agents')

export async function updateAgent(
  scope: Scope,
  tx: Tx,
  id: string,
  change: Partial<Omit<AgentRow, 'id' | 'workspace_id' | 'environment'>>,
): Promise<void> {
  await tx
    .updateTable('agents')
    .set(change)
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .execute()
}

const starterTables = { schedule: 'agent_schedules', trigger: 'agent_triggers' } as const

/** The ids of the starters of an agent, by kind. */
export type StarterIds = Record<keyof typeof starterTables, string[]>

export async function starterIdsOf(scope: Scope, tx: Tx, agentId: string): Promise<StarterIds> {
  const idsIn = async (table: 'agent_schedules' | 'agent_triggers'): Promise<string[]> => {
    const rows = await tx
      .selectFrom(table)
      .select('id')
      .where('workspace_id', '=', scope.workspaceId)
      .where('environment', '=', scope.environment)
      .where('agent_id', '=', agentId)
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id)
  }
  return { schedule: await idsIn(starterTables.schedule), trigger: await idsIn(starterTables.trigger) }
}

/** A deleted agent cannot be run, so its starters are deleted too. */
export async function deleteStarters(
  { workspaceId }: Scope,
  tx: Tx,
  { schedule, trigger }: StarterIds,
): Promise<void> {
  for (const [table, ids] of [
    [starterTables.schedule, schedule],
    [starterTables.trigger, trigger],
  ] as const) {
    if (ids.length === 0) continue
    await tx.deleteFrom(table).where('workspace_id', '=', workspaceId).where('id', 'in', ids).execute()
  }
}

export const insertRevision = inserts('agent_revisions')

/** From now on the runs of the revision reach what their callers do. */
export async function freeRevision(
  { workspaceId, environment }: Scope,
  tx: Tx,
  agentId: string,
  revision: number,
): Promise<void> {
  await tx
    .updateTable('agent_revisions')
    .set({ reach: null })
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('agent_id', '=', agentId)
    .where('revision', '=', revision)
    .execute()
}

export const findRevision = (scope: Scope, query: Query, agentId: string, revision: number) =>
  selectRevisions(scope, query, agentId).where('revision', '=', revision).executeTakeFirst()

export const listRevisions = (scope: Scope, query: Query, agentId: string, page: PageRequest) =>
  pageOf(selectRevisions(scope, query, agentId), page)

export async function revisionsNumbered(
  scope: Scope,
  query: Query,
  agentId: string,
  numbers: readonly number[],
): Promise<RevisionRow[]> {
  if (numbers.length === 0) return []
  return await selectRevisions(scope, query, agentId).where('revision', 'in', numbers).execute()
}

const selectRevisions = ({ workspaceId, environment }: Scope, query: Query, agentId: string) =>
  query
    .selectFrom('agent_revisions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('agent_id', '=', agentId)

const selectOffered = (scope: Scope, query: Query, toViewers: boolean) =>
  selectAgents(scope, query)
    .clearSelect()
    .select(['id', 'name', 'description', 'tools', 'functions', 'agent_ids', 'variables'])
    .select(({ selectFrom }) =>
      selectFrom('agent_revisions')
        .select('content')
        .whereRef('agent_revisions.agent_id', '=', 'agents.id')
        .whereRef('agent_revisions.revision', '=', 'agents.published_revision')
        .whereRef('agents.published_revision', '<>', 'agents.revision')
        .as('published'),
    )
    .where('status', '=', 'active')
    .$if(toViewers, agents => agents.where('viewers_may_run', '=', 1))

const selectAgents = (scope: Scope, query: Query) => {
  const agents = query
    .selectFrom('agents')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('deleted_at', 'is', null)
  const reached = reachesAgent(scope, 'agents.id')
  return reached === null ? agents : agents.where(reached)
}
