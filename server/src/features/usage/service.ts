/** Sums usage from its daily rows, and writes and removes these rows. */

import type { Limiter } from '../../platform/admission.ts'
import { type Caller, type Environment, isNarrowed, type Scope } from '../../platform/caller.ts'
import { dayMs, secondMs, toDay, toTimestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import type { Actor } from '../events/data-schemas.ts'
import { actorOf } from '../events/outbox-service.ts'
import type { Limits } from '../limits/service.ts'
import { actorIdOf, dayBegin, daysBetween, presentActor } from './request-meter.ts'
import {
  type Grouping,
  type Interval,
  maxDays,
  type Usage,
  type UsageQuestion,
  type UsageRow,
} from './schemas.ts'
import {
  addRun,
  type DaySums,
  deletePeriodsBefore,
  type Kind,
  type MeasuredSlice,
  measureCollections,
  measureWorkspaces,
  type SubjectSums,
  type Sums,
  sumByDay,
  sumBySubject,
  writeAmounts,
} from './store.ts'

export type UsageHistoryService = ReturnType<typeof createUsageHistoryService>

const daysUnlessAsked = 30
/** Takes a few milliseconds of a reader and of the database's single writer. */
const measuredAtOnce = 200
const rowsAtOnce = 1_000

type Days = { first: string; last: string }

export function createUsageHistoryService(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    /** How long days are kept. */
    usageMs: number
  },
) {
  const { database, clock, usageMs } = dependencies
  const { read } = database

  async function together(caller: Caller, days: Days, interval: Interval): Promise<UsageRow[]> {
    const { scope } = caller
    const isOfCollections = scope.collectionIds !== undefined
    const sum = (kind: Kind): Promise<DaySums[]> =>
      sumByDay(scope, read, {
        ...days,
        kind,
        subjectIds: reach[kind](caller),
        onlyHeld: isOfCollections && kind === 'collection',
      })
    const [actors, agents, collections] = await Promise.all([
      sum('actor'),
      sum(isOfCollections ? 'actor' : 'agent'),
      sum(isOfCollections ? 'collection' : 'stored'),
    ])
    return togetherBy(interval, spanOf(days), { actors, agents, collections })
  }

  async function bySubject(
    caller: Caller,
    days: Days,
    { grouping, interval }: { grouping: Exclude<Grouping, 'day'>; interval: Interval },
    page: PageRequest,
  ): Promise<Page<UsageRow>> {
    const kind = kinds[grouping]
    // Runs of other callers that were shown its documents may have been shown more, by agents that the key does not
    // reach.
    const onlyHeld = kind === 'collection' && isNarrowed(caller.scope)
    const selection = { ...days, kind, subjectIds: reach[kind](caller), onlyHeld }
    const { items, total } = await sumBySubject(caller.scope, read, selection, interval, page)
    const rows = items.map(row => present(kind, row, spanOf(days)))
    return { items: onlyHeld ? rows.map(row => ({ ...row, ...noRuns })) : rows, total }
  }

  /** Measures in slices, so that readers and the writer do not wait long. */
  async function measureAll(look: typeof measureCollections): Promise<number> {
    let measured = 0
    for (let after: string | null = ''; after !== null; ) {
      const day = toDay(clock())
      // The limit is even, so that both environments of a workspace are in one slice.
      const { changed, next }: MeasuredSlice = await look(read, { day, after, limit: measuredAtOnce })
      if (changed.length > 0) {
        await database.write(async tx => {
          for (const held of changed) await writeAmounts(tx, held, day)
        })
      }
      measured += changed.length
      after = next
    }
    return measured
  }

  return {
    async history(caller: Caller, question: UsageQuestion, page: PageRequest): Promise<Page<UsageRow>> {
      const { groupBy: grouping = 'day', interval = 'day' } = question
      const days = daysOf(question, clock())
      if (grouping !== 'day') return await bySubject(caller, days, { grouping, interval }, page)
      const rows = await together(caller, days, interval)
      const begin = (page.page - 1) * page.pageSize
      return { items: rows.slice(begin, begin + page.pageSize), total: rows.length }
    },
    /** Writes today's amounts of collections and workspaces where they have changed. Returns the number of rows. */
    measure: async (): Promise<number> =>
      (await measureAll(measureCollections)) + (await measureAll(measureWorkspaces)),
    /** Removes days that are older than they are kept, slice by slice. Returns how many rows were removed. */
    async tidy(): Promise<number> {
      const first = toDay(clock() - usageMs)
      return bySlices(limit => database.write(tx => deletePeriodsBefore(tx, first, limit)), rowsAtOnce)
    },
  }
}

const kinds = { key: 'actor', agent: 'agent', collection: 'collection' } as const

const noRuns = { runs: null, unpricedRuns: null, inputTokens: null, outputTokens: null, costUsd: null }

/**
 * The subjects whose rows a caller may read; undefined means all. A key narrowed to collections may only see runs
 * made under its narrowing. The rows of agents count all runs, so such a key reads its own rows.
 */
const reach: Readonly<Record<Kind, (caller: Caller) => readonly string[] | undefined>> = {
  actor: caller => (isNarrowed(caller.scope) ? [actorIdOf(actorOf(caller))] : undefined),
  agent: ({ scope }) => (scope.collectionIds === undefined ? scope.agentIds : []),
  collection: ({ scope }) => scope.collectionIds,
  stored: () => undefined,
}

const spanOf = ({ first, last }: Days): string => `${first}/${last}`

function daysOf({ from, to }: UsageQuestion, now: number): Days {
  const last = beginOf('to', to ?? toDay(now))
  const first = from === undefined ? last - (daysUnlessAsked - 1) * dayMs : beginOf('from', from)
  if (first > last) throw invalidField('from', 'must not be after `to`')
  if (daysBetween(first, last) > maxDays) {
    throw invalidField('from', `must be at most ${maxDays} days before \`to\`, both included; ask in parts`)
  }
  return { first: toDay(first), last: toDay(last) }
}

function beginOf(field: 'from' | 'to', day: string): number {
  const begin = dayBegin(day)
  if (begin === null) throw invalidField(field, 'is no day of the calendar; write it as 2026-11-21')
  return begin
}

function present(kind: Exclude<Kind, 'stored'>, row: SubjectSums, span: string): UsageRow {
  const { subjectId, name, period, requests, documents, storedBytes, ...used } = row
  return {
    ...used,
    period: period === '' ? span : period,
    subject: kind === 'actor' ? presentActor(subjectId, name) : { type: kind, id: subjectId, name },
    requests: kind === 'actor' ? requests : null,
    documents: kind === 'collection' ? documents : null,
    storageBytes: kind === 'collection' ? storedBytes : null,
  }
}

/** A row whose requests and figures of runs are never null. */
type Together = UsageRow & Record<keyof Omit<Sums, 'requests'>, number> & { requests: number }

/** Returns the newest period first. Requests come from `actors`, runs from `agents`, documents from `collections`. */
function togetherBy(
  interval: Interval,
  span: string,
  { actors, agents, collections }: Record<'actors' | 'agents' | 'collections', readonly DaySums[]>,
): UsageRow[] {
  const rows = new Map<string, Together>()
  const rowOf = (day: string): Together => {
    const period = periodOf[interval](day, span)
    const row = rows.get(period) ?? empty(period)
    rows.set(period, row)
    return row
  }
  for (const { day, requests } of actors) rowOf(day).requests += requests
  for (const { day, ...used } of agents) {
    const row = rowOf(day)
    row.runs += used.runs
    row.unpricedRuns += used.unpricedRuns
    row.inputTokens += used.inputTokens
    row.outputTokens += used.outputTokens
    row.costUsd += used.costUsd
  }
  // In the order of the days, because the last day of a period says what is stored at its end.
  for (const { day, documents, storedBytes } of collections) {
    const row = rowOf(day)
    row.documents = documents ?? row.documents
    row.storageBytes = storedBytes ?? row.storageBytes
  }
  return [...rows.values()].sort((one, other) => (one.period < other.period ? 1 : -1))
}

const periodOf: Readonly<Record<Interval, (day: string, span: string) => string>> = {
  day: day => day,
  month: day => day.slice(0, 7),
  total: (_day, span) => span,
}

const empty = (period: string): Together => ({
  period,
  subject: null,
  requests: 0,
  runs: 0,
  unpricedRuns: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  documents: null,
  storageBytes: null,
})

type RunToCount = {
  id: string
  workspace_id: string
  environment: Environment
  agent_id: string
  input_tokens: number
  output_tokens: number
  /** Null if the model's price is not known. */
  cost_usd: number | null
}

export const countRun = (tx: Tx, run: RunToCount, author: Actor, now: number): Promise<void> =>
  count(tx, { ...run, runs: 1, unpricedRuns: run.cost_usd === null ? 1 : 0 }, author, now)

/** Counts the tokens that a model used outside a run. */
export const countTokens = (
  tx: Tx,
  used: Omit<RunToCount, 'id' | 'output_tokens'>,
  author: Actor,
  now: number,
): Promise<void> => count(tx, { ...used, id: '', output_tokens: 0, runs: 0, unpricedRuns: 0 }, author, now)

async function count(
  tx: Tx,
  run: RunToCount & { runs: number; unpricedRuns: number },
  author: Actor,
  now: number,
): Promise<void> {
  const day = toDay(now)
  await addRun(tx, {
    workspaceId: run.workspace_id,
    environment: run.environment,
    runId: run.id,
    runs: run.runs,
    agentId: run.agent_id,
    actorId: actorIdOf(author),
    day,
    month: day.slice(0, 7),
    unpricedRuns: run.unpricedRuns,
    inputTokens: run.input_tokens,
    outputTokens: run.output_tokens,
    costUsd: run.cost_usd ?? 0,
  })
}

export type UsageSources = {
  storageBytes(scope: Scope): Promise<number>
  members(scope: Scope): Promise<number>
  runsAtOnce(scope: Scope): Promise<number>
  month(caller: Caller): Promise<Usage['month']>
}

export type UsageService = ReturnType<typeof createUsageService>

export function createUsageService(dependencies: {
  limits: Limits
  limiter: Limiter
  sources: UsageSources
}) {
  const { limits, limiter, sources } = dependencies
  return {
    async get(caller: Caller): Promise<Usage> {
      const { scope } = caller
      const allowed = limits.of(caller)
      const [requests, storageBytes, members, runsAtOnce, month] = await Promise.all([
        limiter.peek(caller),
        isNarrowed(scope) ? null : sources.storageBytes(scope),
        sources.members(scope),
        isNarrowed(scope) ? null : sources.runsAtOnce(scope),
        sources.month(caller),
      ])
      return {
        plan: caller.plan,
        environment: scope.environment,
        requestsPerMinute: {
          limit: requests.limit,
          used: requests.limit - requests.remaining,
          resetsAt: toTimestamp(requests.resetAtSeconds * secondMs),
        },
        storageBytes: { limit: allowed.storageBytes, used: storageBytes },
        uploadBytes: { limit: allowed.uploadBytes },
        members: { limit: allowed.members, used: members },
        runsAtOnce: { limit: allowed.runsAtOnce, used: runsAtOnce },
        month,
      }
    },
  }
}
