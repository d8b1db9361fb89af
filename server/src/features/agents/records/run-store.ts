/** The runs' rows and their steps. */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { narrowingOf, type Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { insertRow, insertRows } from '../../../platform/database/insert-rows.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { statement, statementOfColumns } from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { isOfReader, reachesAgent } from '../../../platform/database/within-reach.ts'
import type { AgentRow } from '../definitions/agent-store.ts'
import type { Rating, RunStatus } from './run-schemas.ts'
import { hasEndedOrIsOwn, holdsNothingWithheld, isNotAmongWithheld } from './withheld-runs.ts'

export type RunRow = Selectable<Tables['runs']>
export type StepRow = Selectable<Tables['run_steps']>

export type RunSelection = {
  status?: RunStatus
  conversationId?: string
  endUserId?: string
  feedback?: Rating
  createdAfterMs?: number | undefined
  createdBeforeMs?: number | undefined
}

export function listRuns(
  scope: Scope,
  query: Query,
  agent: Pick<AgentRow, 'id' | 'run_count'>,
  selection: RunSelection,
  page: PageRequest,
): Promise<Page<RunRow>> {
  const { status, conversationId, endUserId, feedback, createdAfterMs, createdBeforeMs } = selection
  const unfiltered = selectRuns(scope, query, 'list').where('agent_id', '=', agent.id)
  let runs = unfiltered
  if (status !== undefined) runs = runs.where('status', '=', status)
  if (conversationId !== undefined) runs = runs.where('conversation_id', '=', conversationId)
  if (endUserId !== undefined) runs = runs.where('end_user_id', '=', endUserId)
  if (feedback !== undefined) runs = runs.where('feedback_rating', '=', feedback)
  if (createdAfterMs !== undefined) runs = runs.where('created_at', '>=', createdAfterMs)
  if (createdBeforeMs !== undefined) runs = runs.where('created_at', '<', createdBeforeMs)
  const { collectionIds, withheld } = scope
  const narrowings = [
    status,
    conversationId,
    endUserId,
    feedback,
    createdAfterMs,
    createdBeforeMs,
    collectionIds,
    withheld,
  ]
  const isFiltered = narrowings.some(narrowing => narrowing !== undefined)
  const total = isFiltered
    ? {}
    : { total: async () => agent.run_count - (await countHidden(scope, query, agent.id)) }
  return pageOf(runs, page, { unfiltered, ...total })
}

/** The agent's runs that do not exist for the reader, since they are other persons'. */
async function countHidden(scope: Scope, query: Query, agentId: string): Promise<number> {
  const { count } = await query
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('owner_id', 'is not', null)
    .where(sql<SqlBool>`NOT ${isOfReader(scope, 'runs', 'list')}`)
    .executeTakeFirstOrThrow()
  return count
}

export type LastRunRow = Pick<RunRow, 'id' | 'agent_id' | 'status' | 'created_at'>

/** Of each of the agents the newest run that the scope sees; of those without one none. */
export function listLastRuns(scope: Scope, query: Query, agentIds: readonly string[]): Promise<LastRunRow[]> {
  // One index lookup per agent, for any number of runs.
  const newest = selectRuns(scope, query, 'list')
    .clearSelect()
    .select('runs.id')
    .where(sql<SqlBool>`runs.agent_id = agents.id`)
    .orderBy('runs.id', 'desc')
    .limit(1)
  return query
    .selectFrom('agents')
    .innerJoin('runs as last', join => join.on('last.id', '=', newest))
    .where('agents.id', 'in', agentIds)
    .select(['last.id', 'last.agent_id', 'last.status', 'last.created_at'])
    .execute()
}

export const findRun = (scope: Scope, query: Query, id: string): Promise<RunRow | undefined> =>
  selectRuns(scope, query).where('id', '=', id).executeTakeFirst()

/** Of runs that the scope may read; texts of more than `maxLength` characters together are null, and `length` tells. */
export function listRunTexts(scope: Scope, query: Query, runIds: readonly string[], maxLength: number) {
  const length = sql<number>`length(metadata) + coalesce(length(output), 0) + coalesce(length(structured_output), 0)`
  return (
    selectRuns(scope, query)
      .clearSelect()
      // What is too long is not even read.
      .select(({ eb, fn }) => [
        'id',
        length.as('length'),
        eb
          .case()
          .when(fn('length', ['metadata']), '<=', maxLength)
          .then(eb.ref('metadata'))
          .end()
          .as('metadata'),
        eb.case().when(length, '<=', maxLength).then(eb.ref('output')).end().as('output'),
        eb
          .case()
          .when(length, '<=', maxLength)
          .then(eb.ref('structured_output'))
          .end()
          .as('structured_output'),
      ])
      .where('id', 'in', runIds)
      .execute()
  )
}

export type RunState = Pick<RunRow, 'finished_at' | 'status'>

/** How a run stands, without its texts: for those who ask again and again. */
export const findRunState = (scope: Scope, query: Query, id: string): Promise<RunState | undefined> =>
  selectRuns(scope, query)
    .clearSelect()
    .select(['finished_at', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Without a scope: for the worker that takes a run up, which has its id from the job. */
export const findRunOfJob = (query: Query, id: string): Promise<RunRow | undefined> =>
  query.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()

/** Runs of the whole workspace, in both environments, that are queued or worked on; parts of another run count with it. */
export async function countRunsUnderWay(scope: Scope, query: Query): Promise<number> {
  const [row] = (await countUnderWay(query, { workspaceId: scope.workspaceId })).rows
  return row?.count ?? 0
}

const countUnderWay = statement((query, { workspaceId }: Pick<Scope, 'workspaceId'>) =>
  query
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('finished_at', 'is', null)
    .where('status', '<>', 'waiting')
    .where('parent_run_id', 'is', null),
)

/** With the conversation that it begins, if it does. */
export async function insertRun(
  _scope: Scope,
  tx: Tx,
  row: Insertable<Tables['runs']>,
  conversation: Insertable<Tables['conversations']> | null,
): Promise<void> {
  // The agent first: behind the run's reference to it, two that run it at once could wait for each other.
  const conversations = conversation === null ? 0 : 1
  await addRun(tx, { agentId: row.agent_id, conversations, bytes: row.stored_bytes ?? 0 })
  if (conversation !== null) await insertRow(tx, 'conversations', conversation)
  await insertRow(tx, 'runs', row)
}

const addRun = statement((tx, added: { agentId: string; conversations: number; bytes: number }) =>
  tx
    .updateTable('agents')
    .set(({ eb }) => ({
      run_count: eb('run_count', '+', 1),
      conversation_count: eb('conversation_count', '+', added.conversations),
      run_bytes: eb('run_bytes', '+', added.bytes),
    }))
    .where('id', '=', added.agentId),
)

type RunChange = Partial<Omit<RunRow, 'id' | 'workspace_id' | 'environment'>>

/** Changes a run that has not ended; false if it has. */
export async function updateRun(tx: Tx, id: string, change: RunChange): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set(change)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** What the outbox and the usage need of a run that has ended, or waits. */
export type ChangedRun = Pick<RunRow, (typeof changedColumns)[number]>

const changedColumns = [
  'id',
  'workspace_id',
  'environment',
  'agent_id',
  'conversation_id',
  'narrowing',
  'caller',
  'callback_url',
  'error_code',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'created_at',
  'finished_at',
] as const

/** Changes a run that has not ended, and answers it as it is then; undefined if it has. */
export async function changeRun(tx: Tx, id: string, change: RunChange): Promise<ChangedRun | undefined> {
  const [row] = (await changeOf(tx, { ...change, id }, change)).rows
  return row
}

const changeOf = statementOfColumns((tx, values: RunChange & { id: string }, columns) =>
  tx
    .updateTable('runs')
    .set(Object.fromEntries(columns.map(column => [column, values[column as keyof RunChange]])))
    .where('id', '=', values.id)
    .where('finished_at', 'is', null)
    .returning(changedColumns),
)

type FeedbackColumns = Pick<
  RunRow,
  'feedback_rating' | 'feedback_comment' | 'feedback_end_user_id' | 'feedback_at'
>

export const noFeedback: FeedbackColumns = {
  feedback_rating: null,
  feedback_comment: null,
  feedback_end_user_id: null,
  feedback_at: null,
}

/** Of a run that the caller has found within its scope. */
export async function updateFeedback(
  { workspaceId, environment }: Scope,
  tx: Tx,
  runId: string,
  feedback: FeedbackColumns,
): Promise<void> {
  await tx
    .updateTable('runs')
    .set(feedback)
    .set(({ eb }) => ({ change_count: eb('change_count', '+', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('id', '=', runId)
    .execute()
}

export const insertSteps = (tx: Tx, rows: readonly Insertable<Tables['run_steps']>[]): Promise<void> =>
  insertRows(tx, 'run_steps', rows)

/** The steps of runs that the caller has read within its scope. */
export async function stepsOf(
  query: Query,
  runIds: readonly string[],
  which: 'all' | 'model' = 'all',
): Promise<StepRow[]> {
  const [runId, ...others] = runIds
  if (runId === undefined) return []
  if (others.length === 0 && which === 'all') return (await selectSteps(query, { runId })).rows
  const steps = query.selectFrom('run_steps').selectAll().where('run_id', 'in', runIds)
  const chosen = which === 'all' ? steps : steps.where('type', '=', 'model')
  return await chosen.orderBy('run_id').orderBy('seq').execute()
}

const selectSteps = statement((query, { runId }: { runId: string }) =>
  query.selectFrom('run_steps').selectAll().where('run_id', '=', runId).orderBy('seq'),
)

/**
 * A run stores passages from the collections that its key could read. A narrowed key therefore sees only the runs made
 * under the same narrowing. A member who lacks access to some collections sees every run that contains no text from them.
 * Runs of other persons exist for those alone with whom they are shared.
 */
const selectRuns = (scope: Scope, query: Query, use: 'lookup' | 'list' = 'lookup') => {
  const isReadable = use === 'list' ? isNotAmongWithheld : holdsNothingWithheld
  const { workspaceId, environment, collectionIds } = scope
  const runs = query
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .$if(collectionIds !== undefined, narrowed => narrowed.where('narrowing', '=', narrowingOf(scope)))
  const conditions = [
    reachesAgent(scope, 'runs.agent_id'),
    isOfReader(scope, 'runs', use),
    hasEndedOrIsOwn(scope),
    isReadable(scope, 'runs.conversation_id'),
  ]
  return conditions.reduce((rows, condition) => (condition === null ? rows : rows.where(condition)), runs)
}

type RequestTexts = Pick<
  RunRow,
  'prompt' | 'metadata' | 'response_schema' | 'variables' | 'collection_ids' | 'filter' | 'functions'
>

/** The bytes of the request; `countRunBytes` counts what the run writes. */
export const requestBytes = ({
  prompt,
  metadata,
  response_schema: schema,
  variables,
  collection_ids: ids,
  filter,
  functions,
}: RequestTexts): number =>
  [prompt, metadata, schema ?? '', variables, ids ?? '', filter ?? '', functions].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  )

/** Counts all stored bytes of the run, on its row and on its agent's. */
export async function countRunBytes(tx: Tx, runId: string): Promise<void> {
  const [row] = (await selectBytes(tx, { runId })).rows
  if (row === undefined) return
  const bytes = Number(row.bytes)
  const added = bytes - row.before
  if (added === 0) return
  await setBytes(tx, { runId, bytes })
  await addBytes(tx, { agentId: row.agentId, added })
}

const selectBytes = statement((query, { runId }: { runId: string }) =>
  query
    .selectFrom('runs')
    .select(['agent_id as agentId', 'stored_bytes as before'])
    .select(
      sql<number>`octet_length(prompt) + coalesce(octet_length(output), 0)
        + coalesce(octet_length(structured_output), 0) + coalesce(octet_length(response_schema), 0)
        + octet_length(citations) + octet_length(metadata) + octet_length(variables) + octet_length(functions)
        + coalesce(octet_length(collection_ids), 0) + coalesce(octet_length(filter), 0)
        + coalesce((SELECT sum(octet_length(record)) FROM run_steps WHERE run_id = runs.id), 0)
        + coalesce((SELECT sum(octet_length(data)) FROM run_events WHERE run_id = runs.id), 0)
        + coalesce((SELECT sum(octet_length(input) + coalesce(octet_length(result), 0)) FROM run_tool_calls WHERE run_id = runs.id), 0)`.as(
        'bytes',
      ),
    )
    .where('id', '=', runId),
)

const setBytes = statement((tx, { runId, bytes }: { runId: string; bytes: number }) =>
  tx.updateTable('runs').set({ stored_bytes: bytes }).where('id', '=', runId),
)

const addBytes = statement((tx, { agentId, added }: { agentId: string; added: number }) =>
  tx
    .updateTable('agents')
    .set(({ eb }) => ({ run_bytes: eb('run_bytes', '+', added) }))
    .where('id', '=', agentId),
)
