/** What was used, as it is read: sums over the days that are asked for, by whatever they are grouped. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../platform/caller.ts'
import type { Query } from '../../platform/database/database.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Interval } from './schemas.ts'

/** `stored` is what all collections of the workspace hold together. */
export type Kind = 'actor' | 'agent' | 'collection' | 'stored'

/** The first and the last day, and those whose use is wanted; undefined is all. */
type Selection = {
  kind: Kind
  first: string
  last: string
  subjectIds: readonly string[] | undefined
  /** Only days at whose end it was looked what is held: whether there are others tells of runs. */
  onlyHeld?: boolean
}

/** The most rows that one question may add up: a tenth of a second. */
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

/** A row for each day on which something was used. Throws a 400 if too much would have to be added up. */
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
 * Of each subject, newest period first; a subject's name as it is now, or as it was when it was seen last. Throws a 400
 * if too much would have to be added up.
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
    // Behind the last page, which the first one knows of.
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

/** The primary key's own range of days: what lies before and behind them is not read. */
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
