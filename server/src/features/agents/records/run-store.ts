/** The rows of runs and of their steps. */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { narrowingOf, type Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { type Matching, pageOfMatching } from '../../../platform/database/lists/matching-page.ts'
import { listInScope, type Page, type PageRequest } from '../../../platform/database/page.ts'
import { insertRow, insertRows } from '../../../platform/database/rows.ts'
import { agentsTables } from '../../../platform/database/schema/agents.ts'
import {
  engineOf,
  statement,
  statementInScope,
  statementOfColumns,
} from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { isOfReader, reachesAgent } from '../../../platform/database/within-reach.ts'
import { invalidField, type ServiceError } from '../../../platform/errors.ts'
import { countConditions, readyFilter } from '../../../platform/filter/meets.ts'
import type { Filter } from '../../../platform/narrowing.ts'
import { createTurns } from '../../../platform/turns.ts'
import { sumOfAgents } from '../definitions/agent-store.ts'
import type { Rating } from './answer-schemas.ts'
import type { RunStatus } from './run-schemas.ts'
import { hasEndedOrIsOwn, holdsNothingWithheld, isNotAmongWithheld } from './withheld-runs.ts'

export type RunRow = Selectable<Tables['runs']>
export type StepRow = Selectable<Tables['run_steps']>

/** Columns that lists do not show, or read separately: with messages, a page could be hundreds of megabytes. */
const unlistedColumns = [
  ...([
    'messages',
    'citations',
    'caller',
    'author_id',
    'narrowing',
    'workspace_id',
    'environment',
    'turn',
  ] as const),
  ...(['max_steps', 'max_cost_usd', 'max_output_tokens', 'timeout_ms', 'wanted_model', 'job_id'] as const),
  ...(['parent_call_id', 'waited_ms', 'waiting_since', 'change_count', 'stored_bytes'] as const),
  ...(['callback_url'] as const),
] satisfies (keyof RunRow)[]

type ListedColumns = Omit<RunRow, (typeof unlistedColumns)[number]>
export type ListedRunRow = ListedColumns & {
  /** The beginning of the stored caller, which is not read whole: see `kindIn`. */
  caller_begin: string
}

/** The columns that lists read of runs. */
export const listedRunColumns = [
  ...agentsTables.runs.columns.filter(
    (column): column is keyof ListedColumns => !unlistedColumns.some(unlisted => unlisted === column),
  ),
  sql<string>`substr(runs.caller, 1, 20)`.as('caller_begin'),
] as const

export type RunSelection = {
  agentId?: string
  status?: RunStatus
  conversationId?: string
  endUserId?: string
  feedback?: Rating
  /** A filter for the metadata of the runs. */
  matching?: Filter | undefined
}

/** Lists runs of all agents of the scope, deleted agents included, unless `agentId` names one. */
export function listRuns(
  scope: Scope,
  query: Query,
  selection: RunSelection,
  page: PageRequest,
): Promise<Page<ListedRunRow>> {
  const { agentId, status, conversationId, endUserId, feedback, matching } = selection
  const chosen = { agentId, status, conversationId, endUserId, feedback }
  if (matching === undefined) return pagesOfRuns(scope, query, chosen, page)
  const unfiltered = selectChosen(scope, query, { agentId })
  return pageOfMatching(
    selectChosen(scope, query, chosen),
    page,
    { unfiltered },
    matchingRuns(query, matching),
  )
}

type Chosen = { [Name in Exclude<keyof RunSelection, 'matching'>]?: RunSelection[Name] | undefined }

function selectChosen(
  scope: Scope,
  query: Query,
  { agentId, status, conversationId, endUserId, feedback }: Chosen,
) {
  let runs = selectRuns(scope, query, 'list').clearSelect().select(listedRunColumns)
  if (agentId !== undefined) runs = runs.where('agent_id', '=', agentId)
  if (status !== undefined) runs = runs.where('status', '=', status)
  if (conversationId !== undefined) runs = runs.where('conversation_id', '=', conversationId)
  if (endUserId !== undefined) runs = runs.where('end_user_id', '=', endUserId)
  if (feedback !== undefined) runs = runs.where('feedback_rating', '=', feedback)
  return runs
}

const pagesOfRuns = listInScope(selectChosen, (scope, query, { agentId, ...narrowings }) => {
  const { collectionIds, documentFilter, withheld, endUser } = scope
  const all = [...Object.values(narrowings), collectionIds, documentFilter, withheld, endUser]
  const isFiltered = all.some(narrowing => narrowing !== undefined)
  const total = isFiltered ? {} : { total: () => totalOf(scope, query, agentId) }
  return { unfiltered: selectChosen(scope, query, { agentId }), ...total }
})

const totalOf = async (scope: Scope, query: Query, agentId: string | undefined): Promise<number> =>
  (await sumOfAgents(scope, query, 'run_count', agentId)) - (await countHidden(scope, query, agentId))

/** Counts the runs that are hidden from the reader because they belong to other persons. */
async function countHidden(scope: Scope, query: Query, agentId: string | undefined): Promise<number> {
  const [row] = (await countOfHidden(scope, query, { agentId })).rows
  return row?.count ?? 0
}

const countOfHidden = statementInScope((scope, query, { agentId }: { agentId: string | undefined }) => {
  const reached = reachesAgent(scope, 'runs.agent_id')
  return query
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('owner_id', 'is not', null)
    .where(sql<SqlBool>`NOT ${isOfReader(scope, 'runs', 'list')}`)
    .$if(agentId !== undefined, rows => rows.where('agent_id', '=', agentId ?? ''))
    .$if(reached !== null, rows => rows.where(reached ?? sql<SqlBool>`1 = 1`))
})

const runsAtOnce = 200
/** The most runs for a filter of up to ten conditions. At worst it takes seconds, with turns for other work. */
const mostAskedRuns = 100_000
/** A run whose metadata is longer counts as several. */
const charactersOfRun = 1_000
/** Longer metadata is read one run at a time, because it may have megabytes. */
const mostShared = 5_000

/** Tests each run in the server's own thread. The query that calls this has already limited the rows to its scope. */
function matchingRuns(query: Query, filter: Filter): Matching<RunRow['metadata'] | null> {
  const meets = readyFilter(filter)
  const most = Math.floor((mostAskedRuns * 10) / Math.max(10, countConditions(filter)))
  const othersTurn = createTurns()
  let asked = 0
  return {
    tested: sql`CASE WHEN length(metadata) <= ${mostShared} THEN metadata END`,
    atOnce: runsAtOnce,
    async tell(slice) {
      const matches: boolean[] = []
      for (const { id, tested } of slice) {
        const text = tested ?? (await readMetadata(query, id))
        asked += Math.ceil(text.length / charactersOfRun)
        if (asked > most) throw tooManyRuns(most)
        matches.push(meets(decodeJson(text)))
        await othersTurn()
      }
      return matches
    },
  }
}

async function readMetadata(query: Query, id: string): Promise<RunRow['metadata']> {
  const row = await query.selectFrom('runs').select('metadata').where('id', '=', id).executeTakeFirst()
  // The run was deleted after its slice was read, so it has nothing that could match.
  return row?.metadata ?? encodeJson({})
}

const tooManyRuns = (most: number): ServiceError =>
  invalidField(
    'filter',
    `would be asked of more than ${most} runs, of which one with long metadata counts as several: give it fewer by \`createdAfter\` and \`createdBefore\`, or by another filter of the list`,
  )

export type LastRunRow = Pick<RunRow, 'id' | 'agent_id' | 'status' | 'created_at'>

/** The newest run of each agent that the scope sees; an agent without runs is left out. */
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

export const findRun = async (scope: Scope, query: Query, id: string): Promise<RunRow | undefined> =>
  (await runById(scope, query, { id })).rows[0]

const runById = statementInScope((scope, query, { id }: { id: string }) =>
  selectRuns(scope, query).where('id', '=', id),
)

/** The ids that name runs which the scope may read. */
export async function readableRunIds(
  scope: Scope,
  query: Query,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await selectRuns(scope, query).clearSelect().select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * The texts of runs that the scope may read, with their total `length`. The answer is null if the total is more than
 * `maxLength`, and the metadata if it alone is longer.
 */
export function listRunTexts(scope: Scope, query: Query, runIds: readonly string[], maxLength: number) {
  const length = sql<number>`length(metadata) + coalesce(length(output), 0) + coalesce(length(structured_output), 0)`
  return (
    selectRuns(scope, query)
      .clearSelect()
      // Texts that are too long are not read.
      .select(({ eb, fn }) => [
        'id',
        'status',
        'parent_run_id',
        'root_run_id',
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

/** The state of a run without its texts, for code that asks again and again. */
export const findRunState = async (scope: Scope, query: Query, id: string): Promise<RunState | undefined> =>
  (await runStateById(scope, query, { id })).rows[0]

const runStateById = statementInScope((scope, query, { id }: { id: string }) =>
  selectRuns(scope, query).clearSelect().select(['finished_at', 'status']).where('id', '=', id),
)

/** Has no scope: the worker that takes the run up has its id from the job. */
export const findRunOfJob = (query: Query, id: string): Promise<RunRow | undefined> =>
  query.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Counts the runs of the whole workspace, in both environments, that are queued or running. A part of another run
 * counts with that run.
 */
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

/** Inserts a run, and its conversation if the run begins one. */
export async function insertRun(
  _scope: Scope,
  tx: Tx,
  row: Insertable<Tables['runs']>,
  conversation: Insertable<Tables['conversations']> | null,
): Promise<void> {
  // The agent's row is changed first. After the run's reference to the agent, two new runs of one agent could
  // deadlock.
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

/** The columns that the outbox and the usage need of a run that has ended or waits. */
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

/** Changes a run that has not ended, and returns the changed run. Undefined if the run has ended. */
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
  'feedback_rating' | 'feedback_comment' | 'feedback_end_user_id' | 'feedback_at' | 'end_user_feedback'
>

export const noFeedback: FeedbackColumns = {
  feedback_rating: null,
  feedback_comment: null,
  feedback_end_user_id: null,
  feedback_at: null,
  end_user_feedback: null,
}

/** Changes the feedback of a run that the caller has found within its scope. */
export async function updateFeedback(
  { workspaceId, environment }: Scope,
  tx: Tx,
  runId: string,
  feedback: Partial<FeedbackColumns>,
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
export async function stepsOf(query: Query, runIds: readonly string[]): Promise<StepRow[]> {
  const [runId, ...others] = runIds
  if (runId === undefined) return []
  if (others.length === 0) return (await selectSteps(query, { runId })).rows
  return query
    .selectFrom('run_steps')
    .selectAll()
    .where('run_id', 'in', runIds)
    .orderBy('run_id')
    .orderBy('seq')
    .execute()
}

/** The citations of runs that the caller has read within its scope, by run id. */
export async function citationsOf(
  query: Query,
  runIds: readonly string[],
): Promise<Map<string, RunRow['citations']>> {
  if (runIds.length === 0) return new Map()
  const rows = await query.selectFrom('runs').select(['id', 'citations']).where('id', 'in', runIds).execute()
  return new Map(rows.map(({ id, citations }) => [id, citations]))
}

/** The model steps of such runs whose usage may be estimated. A record without this name has no estimate. */
export const stepsWithEstimates = async (query: Query, runIds: readonly string[]): Promise<StepRow[]> =>
  runIds.length === 0 ? [] : (await selectEstimates(query, { runIds: JSON.stringify(runIds) })).rows

const selectEstimates = statement((query, { runIds }: { runIds: string }) => {
  const isSqlite = engineOf(query) === 'sqlite'
  const ids = isSqlite
    ? sql`IN (SELECT value FROM json_each(${runIds}))`
    : sql`= ANY (ARRAY(SELECT json_array_elements_text(${runIds}::json)))`
  const place = isSqlite ? sql`instr(record, '"isEstimate"')` : sql`strpos(record, '"isEstimate"')`
  return query
    .selectFrom('run_steps')
    .selectAll()
    .where(sql<boolean>`run_id ${ids}`)
    .where('type', '=', 'model')
    .where(sql<boolean>`${place} > 0`)
})

/** For each of these runs that has unfinished runs of its conversation in front of it, how many. */
export async function countInFront(
  query: Query,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (runIds.length === 0) return new Map()
  const rows = await query
    .selectFrom('runs as own')
    .innerJoin('runs as other', join =>
      join
        .onRef('other.conversation_id', '=', 'own.conversation_id')
        .onRef('other.turn', '<', 'own.turn')
        .on('other.finished_at', 'is', null),
    )
    .select(({ fn }) => ['own.id as id', fn.countAll<number>().as('count')])
    .where('own.id', 'in', [...runIds])
    .groupBy('own.id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

const selectSteps = statement((query, { runId }: { runId: string }) =>
  query.selectFrom('run_steps').selectAll().where('run_id', '=', runId).orderBy('seq'),
)

/**
 * A run stores passages from the collections that its key could read. A narrowed key therefore sees only the runs
 * made under the same narrowing. A member who lacks access to some collections sees every run that contains no text
 * from them. Runs of other persons are visible only if they are shared with the reader.
 */
const selectRuns = (scope: Scope, query: Query, use: 'lookup' | 'list' = 'lookup') => {
  const isReadable = use === 'list' ? isNotAmongWithheld : holdsNothingWithheld
  const narrowing = narrowingOf(scope)
  const runs = query
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .$if(narrowing !== null, narrowed => narrowed.where('narrowing', '=', narrowing))
  const conditions = [
    reachesAgent(scope, 'runs.agent_id'),
    isOfReader(scope, 'runs', use),
    hasEndedOrIsOwn(scope),
    isReadable(scope, 'runs.conversation_id'),
  ]
  return conditions.reduce((rows, condition) => (condition === null ? rows : rows.where(condition)), runs)
}
