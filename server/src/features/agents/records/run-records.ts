/** Reads runs with their steps and their waiting calls, and shapes them for the API. */

import type { Scope } from '../../../platform/caller.ts'
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import type { Page } from '../../../platform/database/page.ts'
import { idPrefixes } from '../../../platform/ids.ts'
import { noParameters } from '../../../platform/models/parameters.ts'
import { etagOf } from '../../../platform/revision.ts'
import { kindIn } from '../../../platform/stored-caller.ts'
import { maxEventTexts, type PendingToolCall, type RunTexts } from '../../events/data-schemas.ts'
import { messagesOf, shownMessages } from './message-schemas.ts'
import { authorOf, shownNarrowing } from './run-callers.ts'
import { type RunErrorCode, runErrorCodes } from './run-errors.ts'
import { type Citation, type Expansion, expansionOf, type ListedRun, type Run } from './run-schemas.ts'
import {
  citationsOf,
  countInFront,
  type ListedRunRow,
  listRunTexts,
  type RunRow,
  stepsOf,
  stepsWithEstimates,
} from './run-store.ts'
import { runForPage, stepForPage } from './shown-to-pages.ts'
import { fromRow, presentStep, type Step, usageOf } from './steps.ts'
import { pendingOfRoots, type ToolCallRow } from './tool-calls-store.ts'

/** Returns records in the order of the rows. The caller must have read the rows within its scope. */
async function recordsOf<Row extends WaitingRow>(
  query: Query,
  rows: readonly Row[],
): Promise<RecordOf<Row>[]> {
  const steps = await stepsOf(query, idsOf(rows))
  const byRun = Map.groupBy(steps, step => step.run_id)
  const pending = await pendingOf(query, rows)
  const behind = await behindOf(query, rows)
  return rows.map(row => ({
    row,
    steps: (byRun.get(row.id) ?? []).map(fromRow),
    pending: pendingIn(row, pending),
    behind: behind.get(row.id) ?? 0,
  }))
}

export async function recordOf(query: Query, row: RunRow): Promise<RunRecord> {
  const [record] = await recordsOf(query, [row])
  return record ?? { row, steps: [], pending: [], behind: 0 }
}

const idsOf = (rows: readonly WaitingRow[]): string[] => rows.map(({ id }) => id)

/** Returns the present texts that events show of runs. Leaves out runs that the scope may not read. */
export async function readRunTexts(
  scope: Scope,
  query: Query,
  runIds: readonly string[],
): Promise<Map<string, RunTexts>> {
  const rows = await listRunTexts(scope, query, runIds, maxEventTexts)
  const calls = await pendingOf(query, rows)
  return new Map(
    rows.map(row => {
      const { metadata, output, structured_output: structured } = row
      const pending = calls.filter(call => concerns(row, call))
      const length = pending.reduce((sum, { input }) => sum + input.length, Number(row.length))
      const shown = length > maxEventTexts ? [] : pending
      const texts: RunTexts = {
        metadata: metadata === null ? null : decodeJson(metadata),
        output,
        structuredOutput: structured === null ? null : decodeJson(structured),
        pendingApprovals: presentPending(shown, 'approval'),
        pendingToolCalls: presentPending(shown, 'result'),
        truncated: length > maxEventTexts,
      }
      return [row.id, texts]
    }),
  )
}

type WaitingRow = Pick<RunRow, 'id' | 'status' | 'parent_run_id' | 'root_run_id'>

/** The calls for which the waiting runs and their parts wait. */
async function pendingOf(query: Query, rows: readonly WaitingRow[]): Promise<ToolCallRow[]> {
  const roots = rows.filter(({ status }) => status === 'waiting').map(row => row.root_run_id ?? row.id)
  return roots.length === 0 ? [] : await pendingOfRoots(query, roots)
}

/** The run at the head of a tree also waits for the calls of its parts. */
const concerns = (row: WaitingRow, call: ToolCallRow): boolean =>
  row.parent_run_id === null ? call.root_run_id === row.id : call.run_id === row.id

const pendingIn = (row: WaitingRow, calls: readonly ToolCallRow[]): ToolCallRow[] =>
  row.status === 'waiting' ? calls.filter(call => concerns(row, call)) : []

/** How many runs of its conversation each queued run waits for. */
const behindOf = (query: Query, rows: readonly WaitingRow[]): Promise<ReadonlyMap<string, number>> =>
  countInFront(
    query,
    rows.flatMap(({ id, status }) => (status === 'queued' ? [id] : [])),
  )

/** A run with its steps, the calls for which it waits, and how many runs are in front of it. */
type RecordOf<Row> = { row: Row; steps: Step[]; pending: readonly ToolCallRow[]; behind: number }
export type RunRecord = RecordOf<RunRow>

/** A run's revision changes with its steps and its status, and after its end with `change_count`. */
export const revisionOfRun = ({ row, steps }: Pick<RunRecord, 'row'> & { steps: readonly unknown[] }) => ({
  id: row.id,
  revision: `${row.status}.${steps.length}.${row.change_count}`,
})

export const runEtag = (record: RunRecord): { etag: string } => etagOf(revisionOfRun(record))

/** The run as a reader with this scope sees it. */
export const presentRun = ({ row, steps, pending, behind }: RunRecord, scope: Scope): Run => ({
  ...presentRow({ row, pending, behind, isEstimate: usageOf(steps).isEstimate }, scope),
  messages: scope.endUser === undefined ? presentMessages(row) : null,
  citations: presentCitations(row.citations),
  steps: presentSteps(steps, scope),
})

const presentSteps = (steps: readonly Step[], { endUser }: Scope): Run['steps'] =>
  steps.map(step => (endUser === undefined ? presentStep(step) : stepForPage(presentStep(step))))

type ShownRunRow = RunRow | ListedRunRow
type ShownRecord = Omit<RecordOf<ShownRunRow>, 'steps'> & Pick<ListedRecord, 'isEstimate'>

/** The fields that lists show of every run to a reader with this scope. */
function presentRow(record: ShownRecord, scope: Scope): ListedRun {
  const run = presentWholeRow(record, scope)
  return scope.endUser === undefined ? run : runForPage(run, scope.endUser)
}

function presentWholeRow({ row, pending, behind, isEstimate }: ShownRecord, scope: Scope): ListedRun {
  return {
    id: row.id,
    agentId: row.agent_id,
    agentRevision: row.agent_revision,
    conversationId: row.conversation_id,
    ownerId: row.owner_id,
    endUserId: row.end_user_id,
    status: row.status,
    behind,
    pendingApprovals: presentPending(pending, 'approval'),
    pendingToolCalls: presentPending(pending, 'result'),
    parentRunId: row.parent_run_id,
    prompt: row.prompt,
    output: row.output,
    structuredOutput: row.structured_output === null ? null : decodeJson(row.structured_output),
    responseSchema: row.response_schema === null ? null : decodeJson(row.response_schema),
    functions: decodeJson(row.functions),
    toolChoice: row.tool_choice === null ? 'auto' : decodeJson(row.tool_choice),
    attachments: decodeJson(row.attachments),
    ...shownNarrowing(row, scope),
    variables: decodeJson(row.variables),
    model: row.model,
    modelParameters: { ...noParameters, ...decodeJson(row.model_parameters) },
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      costUsd: row.cost_usd,
      isEstimate,
    },
    error: presentError(row),
    metadata: decodeJson(row.metadata),
    rerunOf: row.rerun_of,
    startedBy: startedBy(row),
    feedback: presentFeedback(row),
    endUserFeedback: presentEndUserFeedback(row),
    createdAt: toTimestamp(row.created_at),
    startedAt: toOptionalTimestamp(row.started_at),
    finishedAt: toOptionalTimestamp(row.finished_at),
    durationMs: row.started_at === null || row.finished_at === null ? null : row.finished_at - row.started_at,
  }
}

export function presentMessages(row: RunRow): Run['messages'] {
  const messages = messagesOf(row)
  return messages === null ? null : shownMessages(messages)
}

/** The run queue writes citations as the API shows them. */
const presentCitations = (citations: RunRow['citations']): Citation[] =>
  decodeJson(citations as Json<Citation[]>)

export function presentListed(record: ListedRecord, expansion: Expansion, scope: Scope): ListedRun {
  const expanded = expansionOf(expansion)
  const listed = presentRow(record, scope)
  if (expanded.has('steps')) listed.steps = presentSteps(record.steps, scope)
  if (expanded.has('citations')) listed.citations = presentCitations(record.citations)
  return listed
}

/** A run of a list. Its steps and citations are read only if the list shows them. */
export type ListedRecord = RecordOf<ListedRunRow> & {
  citations: RunRow['citations']
  /** Whether a part of its usage is estimated. */
  isEstimate: boolean
}

export async function recordsOfPage(
  query: Query,
  page: Page<ListedRunRow>,
  expansion: Pick<Expansion, 'expand'>,
): Promise<Page<ListedRecord>> {
  const { items: rows } = page
  const expanded = expansionOf(expansion)
  const cited = expanded.has('citations') ? await citationsOf(query, idsOf(rows)) : null
  const citationsIn = ({ id }: ListedRunRow) => cited?.get(id) ?? '[]'
  if (expanded.has('steps')) {
    const records = await recordsOf(query, rows)
    return {
      ...page,
      items: records.map(record => ({
        ...record,
        citations: citationsIn(record.row),
        isEstimate: usageOf(record.steps).isEstimate,
      })),
    }
  }
  const estimates = (await stepsWithEstimates(query, idsOf(rows))).map(step => ({
    runId: step.run_id,
    isEstimate: usageOf([fromRow(step)]).isEstimate,
  }))
  const estimated = new Set(estimates.flatMap(({ runId, isEstimate }) => (isEstimate ? [runId] : [])))
  const pending = await pendingOf(query, rows)
  const behind = await behindOf(query, rows)
  return {
    ...page,
    items: rows.map(row => ({
      row,
      steps: [],
      citations: citationsIn(row),
      pending: pendingIn(row, pending),
      behind: behind.get(row.id) ?? 0,
      isEstimate: estimated.has(row.id),
    })),
  }
}

const presentPending = (calls: readonly ToolCallRow[], awaited: ToolCallRow['awaits']): PendingToolCall[] =>
  calls
    .filter(({ awaits }) => awaits === awaited)
    .map(call => ({
      runId: call.run_id,
      toolCallId: call.call_id,
      name: call.name,
      input: decodeJson(call.input),
      requestedAt: toTimestamp(call.requested_at ?? 0),
      expiresAt: toTimestamp(call.expires_at ?? 0),
    }))

/** The nearest cause. For a part of a scheduled run it is the calling run, and for a rerun of that part the rerun. */
function startedBy(row: ShownRunRow): Run['startedBy'] {
  if (row.parent_run_id !== null) return { type: 'agent', id: row.parent_run_id }
  if (row.rerun_of !== null) return { type: 'rerun', id: row.rerun_of }
  const { started_by_id: id } = row
  if (id !== null) return { type: starterOf(id), id }
  const kind = 'caller_begin' in row ? kindIn(row.caller_begin) : authorOf(row).kind
  return { type: kind === 'key' ? 'api' : kind === 'person' ? 'person' : 'operator', id: null }
}

function starterOf(id: string): Run['startedBy']['type'] {
  if (id.startsWith(idPrefixes.schedule)) return 'schedule'
  return id.startsWith(idPrefixes.trigger) ? 'trigger' : 'page'
}

function presentFeedback(row: ShownRunRow): Run['feedback'] {
  const { feedback_rating: rating, feedback_comment: comment, feedback_end_user_id: endUserId } = row
  if (rating === null || row.feedback_at === null) return null
  return { rating, comment, endUserId, createdAt: toTimestamp(row.feedback_at) }
}

function presentEndUserFeedback({ end_user_feedback: stored, end_user_id: endUserId }: ShownRunRow) {
  if (stored === null) return null
  const { rating, comment, at } = decodeJson(stored)
  return { rating, comment, endUserId, createdAt: toTimestamp(at) }
}

function presentError({ error_code: code, error_message: message }: ShownRunRow): Run['error'] {
  if (code === null) return null
  // Only codes of `runErrorCodes` are ever written.
  return { code, message: message ?? '', retryable: runErrorCodes[code as RunErrorCode] }
}
