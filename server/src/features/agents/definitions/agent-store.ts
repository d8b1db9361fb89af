/** The agents' rows and their revisions. */
import type { Insertable, Selectable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Engine, Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesAgent } from '../../../platform/database/within-reach.ts'

export type AgentRow = Selectable<Tables['agents']>
export type RevisionRow = Selectable<Tables['agent_revisions']>

export const listAgents = (scope: Scope, query: Query, page: PageRequest): Promise<Page<AgentRow>> =>
  pageOf(selectAgents(scope, query), page)

export const findAgent = (scope: Scope, query: Query, id: string): Promise<AgentRow | undefined> =>
  selectAgents(scope, query).where('id', '=', id).executeTakeFirst()

/** Without a scope, and deleted or not: for the run that is worked on. */
export const findAgentOfRun = (
  query: Query,
  { agent_id: id }: { agent_id: string },
): Promise<AgentRow | undefined> =>
  query.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockAgent = (scope: Scope, tx: Tx, engine: Engine, id: string): Promise<AgentRow | undefined> =>
  selectAgents(scope, tx)
    .where('id', '=', id)
    .$if(engine === 'postgres', query => query.forUpdate())
    .executeTakeFirst()

/** Those of the ids that name agents of the scope. */
export async function existingAgentIds(
  scope: Scope,
  query: Query,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await selectAgents(scope, query).clearSelect().select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function countAgents(scope: Scope, query: Query): Promise<number> {
  const { count } = await selectAgents(scope, query)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertAgent(_scope: Scope, tx: Tx, row: Insertable<Tables['agents']>): Promise<void> {
  await tx.insertInto('agents').values(row).execute()
}

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

export async function insertRevision(
  _scope: Scope,
  tx: Tx,
  row: Insertable<Tables['agent_revisions']>,
): Promise<void> {
  await tx.insertInto('agent_revisions').values(row).execute()
}

export const findRevision = (
  scope: Scope,
  query: Query,
  agentId: string,
  revision: number,
): Promise<RevisionRow | undefined> =>
  selectRevisions(scope, query, agentId).where('revision', '=', revision).executeTakeFirst()

export const listRevisions = (
  scope: Scope,
  query: Query,
  agentId: string,
  page: PageRequest,
): Promise<Page<RevisionRow>> => pageOf(selectRevisions(scope, query, agentId), page)

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
