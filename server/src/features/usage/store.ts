/** Rows of usage, and the statements that raise, measure, delete and sum them. */
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Scope, WholeScope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { statement } from '../../platform/database/statement.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Interval } from './schemas.ts'

/** The usage of a run, or of a model outside a run, with the day and the month that count it. */
export type RunUsage = WholeScope & {
  /** Empty if the usage has no run. */
  runId: string
  runs: number
  agentId: string
  actorId: string
  day: string
  month: string
  unpricedRuns: number
  inputTokens: number
  outputTokens: number
  costUsd: number
}

/** Raw SQL as a statement's text. */
const text = <Row>(query: Query, raw: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => raw.compile(query),
})

const columns = sql`workspace_id, environment, kind, period, subject_id, name, requests, runs, unpriced_runs,
  input_tokens, output_tokens, cost_usd, documents, stored_bytes`
const sameRow = sql`(workspace_id, environment, kind, period, subject_id)`

/**
 * One statement raises all rows of a run, which saves round trips on PostgreSQL. The actor's row comes first, so that
 * two transactions that end runs of one key wait for each other there and do not deadlock.
 */
export async function addRun(tx: Tx, run: RunUsage): Promise<void> {
  await raiseByRun(tx, run)
}

const raiseByRun = statement((tx, run: RunUsage) =>
  text(
    tx,
    sql`WITH subjects (kind, period, subject_id) AS (
      SELECT 'actor', cast(${run.day} AS text), cast(${run.actorId} AS text)
      UNION ALL SELECT 'agent', cast(${run.day} AS text), cast(${run.agentId} AS text)
      UNION ALL SELECT 'agent_month', cast(${run.month} AS text), cast(${run.agentId} AS text)
      UNION ALL SELECT DISTINCT 'collection', cast(${run.day} AS text), documents.collection_id
        FROM run_documents JOIN documents ON documents.id = run_documents.document_id
        WHERE run_documents.run_id = ${run.runId}
    )
    INSERT INTO usage_periods (${columns})
    SELECT cast(${run.workspaceId} AS text), cast(${run.environment} AS text), kind, period, subject_id, NULL, 0,
      cast(${run.runs} AS bigint),
      cast(${run.unpricedRuns} AS bigint), cast(${run.inputTokens} AS bigint), cast(${run.outputTokens} AS bigint),
      cast(${run.costUsd} AS double precision), NULL, NULL
    FROM subjects WHERE true
    ON CONFLICT ${sameRow} DO UPDATE SET
      runs = usage_periods.runs + excluded.runs,
      unpriced_runs = usage_periods.unpriced_runs + excluded.unpriced_runs,
      input_tokens = usage_periods.input_tokens + excluded.input_tokens,
      output_tokens = usage_periods.output_tokens + excluded.output_tokens,
      cost_usd = usage_periods.cost_usd + excluded.cost_usd`,
  ),
)

export type RequestUsage = WholeScope & { day: string; actorId: string; requests: number }

/** Adds requests, and stores the present name of the key or person. Does nothing if the workspace is gone. */
export async function addRequests(tx: Tx, counted: RequestUsage): Promise<void> {
  await raiseByRequests(tx, counted)
}

const raiseByRequests = statement((tx, counted: RequestUsage) =>
  text(
    tx,
    sql`INSERT INTO usage_periods (${columns})
    SELECT id, cast(${counted.environment} AS text), 'actor', cast(${counted.day} AS text),
      cast(${counted.actorId} AS text),
      coalesce(
        (SELECT name FROM api_keys WHERE id = ${counted.actorId}),
        (SELECT name FROM users WHERE id = ${counted.actorId})
      ),
      cast(${counted.requests} AS bigint), 0, 0, 0, 0, 0, NULL, NULL
    FROM workspaces WHERE id = ${counted.workspaceId}
    ON CONFLICT ${sameRow} DO UPDATE SET
      name = coalesce(excluded.name, usage_periods.name),
      requests = usage_periods.requests + excluded.requests`,
  ),
)

/** What one collection holds, or all collections of a workspace and environment together. */
type StoredAmounts = WholeScope & {
  kind: 'collection' | 'stored'
  /** The collection's id; empty for all collections together. */
  id: string
  name: string | null
  documents: number
  storedBytes: number
}

/**
 * `changed` holds the amounts that differ from the day's rows. `next` is the id after which the next slice begins;
 * null at the end.
 */
export type MeasuredSlice = { changed: StoredAmounts[]; next: string | null }

/** Measures the collections of all workspaces, in the order of their ids. */
export const measureCollections = (query: Query, look: MeasureFrom): Promise<MeasuredSlice> =>
  lookAt(query, look, collectionsHeld, ({ id }) => id)

/** Measures workspaces in the order of their ids: what all their collections hold together. */
export const measureWorkspaces = (query: Query, look: MeasureFrom): Promise<MeasuredSlice> =>
  lookAt(query, look, workspacesHeld, ({ workspaceId }) => workspaceId)

type MeasureFrom = { day: string; after: string; limit: number }
type StoredChange = StoredAmounts & { documentsBefore: number | null; bytesBefore: number | null }

async function lookAt(
  query: Query,
  look: MeasureFrom,
  read: (query: Query, look: MeasureFrom) => Promise<{ rows: StoredChange[] }>,
  idOf: (row: StoredAmounts) => string,
): Promise<MeasuredSlice> {
  const { rows } = await read(query, look)
  const last = rows.at(-1)
  return {
    changed: rows.filter(({ documents, storedBytes, documentsBefore, bytesBefore }) =>
      documentsBefore === null || bytesBefore === null
        ? documents > 0 || storedBytes > 0
        : documentsBefore !== documents || bytesBefore !== storedBytes,
    ),
    next: last === undefined || rows.length < look.limit ? null : idOf(last),
  }
}

/** The documents of a collection in the trash do not count, but their bytes do. */
const documentsOf = sql`CASE WHEN collections.deleted_at IS NULL THEN collections.document_count ELSE 0 END`

const collectionsHeld = statement<MeasureFrom, StoredChange>((query, { day, after, limit }) =>
  text(
    query,
    sql<StoredChange>`SELECT 'collection' AS "kind", collections.id AS "id", collections.name AS "name",
      collections.workspace_id AS "workspaceId", collections.environment AS "environment",
      ${documentsOf} AS "documents", collections.stored_bytes AS "storedBytes",
      usage_periods.documents AS "documentsBefore", usage_periods.stored_bytes AS "bytesBefore"
    FROM collections LEFT JOIN usage_periods ON usage_periods.workspace_id = collections.workspace_id
      AND usage_periods.environment = collections.environment AND usage_periods.kind = 'collection'
      AND usage_periods.period = ${day} AND usage_periods.subject_id = collections.id
    WHERE collections.id > ${after} ORDER BY collections.id LIMIT ${limit}`,
  ),
)

const workspacesHeld = statement<MeasureFrom, StoredChange>((query, { day, after, limit }) =>
  text(
    query,
    sql<StoredChange>`WITH places AS (
      SELECT workspaces.id AS workspace_id, environments.environment FROM workspaces
        CROSS JOIN (SELECT 'live' AS environment UNION ALL SELECT 'test') AS environments
      WHERE workspaces.id > ${after} ORDER BY workspaces.id, environments.environment LIMIT ${limit}
    )
    SELECT 'stored' AS "kind", '' AS "id", NULL AS "name", places.workspace_id AS "workspaceId",
      places.environment AS "environment", coalesce(sum(${documentsOf}), 0) AS "documents",
      coalesce(sum(collections.stored_bytes), 0) AS "storedBytes",
      max(usage_periods.documents) AS "documentsBefore", max(usage_periods.stored_bytes) AS "bytesBefore"
    FROM places LEFT JOIN collections ON collections.workspace_id = places.workspace_id
      AND collections.environment = places.environment
    LEFT JOIN usage_periods ON usage_periods.workspace_id = places.workspace_id
      AND usage_periods.environment = places.environment AND usage_periods.kind = 'stored'
      AND usage_periods.period = ${day} AND usage_periods.subject_id = ''
    GROUP BY places.workspace_id, places.environment ORDER BY places.workspace_id, places.environment`,
  ),
)

/** Writes the amounts of a day. Does nothing if the workspace is gone. */
export async function writeAmounts(tx: Tx, held: StoredAmounts, day: string): Promise<void> {
  await amountsStatement(tx, { ...held, day })
}

const amountsStatement = statement((tx, held: StoredAmounts & { day: string }) =>
  text(
    tx,
    sql`INSERT INTO usage_periods (${columns})
    SELECT id, cast(${held.environment} AS text), cast(${held.kind} AS text), cast(${held.day} AS text),
      cast(${held.id} AS text), cast(${held.name} AS text), 0, 0, 0, 0, 0, 0,
      cast(${held.documents} AS bigint), cast(${held.storedBytes} AS bigint)
    FROM workspaces WHERE id = ${held.workspaceId}
    ON CONFLICT ${sameRow} DO UPDATE SET
      name = excluded.name, documents = excluded.documents, stored_bytes = excluded.stored_bytes`,
  ),
)

/** Deletes a slice of the rows of all workspaces before a day. Returns how many. */
export async function deletePeriodsBefore(tx: Tx, day: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM usage_periods WHERE ${sameRow} IN (
    SELECT workspace_id, environment, kind, period, subject_id FROM usage_periods
    WHERE period < ${day} ORDER BY period LIMIT ${limit}
  )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The kind `stored` has what all collections of the workspace hold together. */
export type Kind = 'actor' | 'agent' | 'collection' | 'stored'

/** The first and the last day, and the subjects whose usage is wanted; undefined means all subjects. */
type Selection = {
  kind: Kind
  first: string
  last: string
  subjectIds: readonly string[] | undefined
  /** Only days with a measurement. Other days exist only because of runs, so they would tell about these runs. */
  onlyHeld?: boolean
}

/** The most rows that one question may add up, which takes a tenth of a second. */
const maxRows = 50_000

export type Sums = {
  requests: number
  runs: number
  unpricedRuns: number
  inputTokens: number
  outputTokens: number
  costUsd: number
}

export type DaySums = Sums & { day: string; documents: number | null; storedBytes: number | null }

/** Returns a row for each day with usage. Throws a 400 if too many rows would have to be added up. */
export async function sumByDay(scope: Scope, query: Query, selection: Selection): Promise<DaySums[]> {
  const { rows } = await sql<DaySums & { added: number }>`SELECT period AS "day", ${sums},
      sum(documents) AS "documents", sum(stored_bytes) AS "storedBytes", count(*) AS "added"
    FROM ${selected(scope, selection)} AS selected GROUP BY period ORDER BY period`.execute(query)
  checkAdded(rows.reduce((total, { added }) => total + added, 0))
  return rows.map(({ added: _, ...row }) => row)
}

export type SubjectSums = Sums & {
  period: string
  subjectId: string
  name: string | null
  documents: number | null
  storedBytes: number | null
}

/**
 * Returns a row per subject and period, newest period first, with the subject's present or last known name. Throws a
 * 400 if too many rows would have to be added up.
 */
export async function sumBySubject(
  scope: Scope,
  query: Query,
  selection: Selection & { kind: Exclude<Kind, 'stored'> },
  interval: Interval,
  { page, pageSize }: PageRequest,
): Promise<Page<SubjectSums>> {
  const { kind } = selection
  const { rows } = await sql<SubjectSums & { added: number; groups: number }>`
    WITH every_group AS (
      SELECT ${periods[interval]} AS period, subject_id, ${sums},
        max(CASE WHEN name IS NOT NULL THEN selected.period END) AS seen_on,
        count(*) OVER () AS "groups", sum(count(*)) OVER () AS "added"
      FROM ${selected(scope, selection)} AS selected
      GROUP BY ${periods[interval]}, subject_id
    ), grouped AS (
      SELECT * FROM every_group ORDER BY period DESC, subject_id
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
    )
    SELECT grouped.period AS "period", grouped.subject_id AS "subjectId",
      coalesce(${names[kind]}, seen.name) AS "name", grouped."requests", grouped."runs", grouped."unpricedRuns",
      grouped."inputTokens", grouped."outputTokens", grouped."costUsd", seen.documents AS "documents",
      seen.stored_bytes AS "storedBytes", grouped."groups", grouped."added"
    FROM grouped LEFT JOIN usage_periods AS seen ON seen.workspace_id = ${scope.workspaceId}
      AND seen.environment = ${scope.environment} AND seen.kind = ${kind} AND seen.period = grouped.seen_on
      AND seen.subject_id = grouped.subject_id
    ORDER BY grouped.period DESC, grouped.subject_id`.execute(query)
  const [first] = rows
  checkAdded(first?.added ?? 0)
  if (first === undefined && page > 1) {
    // This page is after the last one, but the first page still knows the total.
    const { total } = await sumBySubject(scope, query, selection, interval, { page: 1, pageSize: 1 })
    return { items: [], total }
  }
  return { items: rows.map(({ added: _, groups: __, ...row }) => row), total: first?.groups ?? 0 }
}

function checkAdded(rows: number): void {
  if (rows <= maxRows) return
  throw invalidField(
    'from',
    `More than ${maxRows} days of those who used something would have to be added up; ask for fewer days`,
  )
}

const sums = sql`sum(requests) AS "requests", sum(runs) AS "runs", sum(unpriced_runs) AS "unpricedRuns",
  sum(input_tokens) AS "inputTokens", sum(output_tokens) AS "outputTokens", sum(cost_usd) AS "costUsd"`

const periods: Readonly<Record<Interval, RawBuilder<unknown>>> = {
  day: sql`selected.period`,
  month: sql`substr(selected.period, 1, 7)`,
  total: sql`substr(selected.period, 1, 0)`,
}

const names: Readonly<Record<Exclude<Kind, 'stored'>, RawBuilder<unknown>>> = {
  actor: sql`(SELECT name FROM api_keys WHERE id = grouped.subject_id),
    (SELECT name FROM users WHERE id = grouped.subject_id)`,
  agent: sql`(SELECT name FROM agents WHERE id = grouped.subject_id)`,
  collection: sql`(SELECT name FROM collections WHERE id = grouped.subject_id)`,
}

/** Reads only the wanted range of days, by the primary key. */
const selected = (
  scope: Scope,
  { kind, first, last, subjectIds, onlyHeld = false }: Selection,
): RawBuilder<unknown> => {
  const named =
    subjectIds === undefined
      ? sql``
      : subjectIds.length === 0
        ? sql`AND false`
        : sql`AND subject_id IN (${sql.join([...subjectIds])})`
  return sql`(SELECT * FROM usage_periods WHERE workspace_id = ${scope.workspaceId}
    AND environment = ${scope.environment} AND kind = ${kind} AND period BETWEEN ${first} AND ${last} ${named}
    ${onlyHeld ? sql`AND documents IS NOT NULL` : sql``}
    LIMIT ${maxRows + 1})`
}
