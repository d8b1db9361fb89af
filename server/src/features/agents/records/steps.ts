/** A run's steps: as the executor makes them, as they are stored, and as the API shows them. */
import type { LanguageModelV3Content, LanguageModelV3ToolCall } from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { toTimestamp } from '../../../platform/clock.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { ModelAnswer, ModelUsage } from '../../../platform/models/call.ts'
import type { Spent, UsedConnection } from '../../../platform/tool.ts'
import type { NumberedPassage } from './citations.ts'
import type { RunError } from './run-errors.ts'
import type { StepRow } from './run-store.ts'
import type { ModelStepOutput, RunStep, ToolStepOutput } from './step-schemas.ts'

type Timed = { name: string; startedAt: number; durationMs: number }

/** A call of the model, with all that a later call needs to continue. */
export type ModelStep = Timed & {
  type: 'model'
  record: {
    /** How many messages the model read. */
    messages: number
    content: LanguageModelV3Content[]
    finish: ModelAnswer['finish'] | null
    usage: ModelUsage
    costUsd: number | null
    /** Set if the usage is estimated from what was sent and received: the call was cut short, or nothing was told. */
    isEstimate?: true
    /** The part of an answer that failed validation, when the model was asked to correct the answer. */
    rejected?: string
    /** Set on a rejected answer that lacks a call that the run demands: what had to be called. */
    missingCall?: string
    /** What was repaired in the server's reply. */
    notes?: string[]
    /** The number of turns that the call summarised. Set on a call that made a summary instead of an answer. */
    summarises?: number
    error?: RunError
  }
}

/** A call of a tool, with the passages and other output, or an error. */
export type ToolStep = Timed & {
  type: 'tool'
  record: {
    toolCallId: string
    input: unknown
    passages: NumberedPassage[]
    /** Set on the step that stands for the documents that were attached to the prompt: no model called it. */
    attached?: { documentId: string; documentVersion: number; kind: 'text' | 'image' }[]
    content?: unknown
    note?: string
    /** The tokens and cost of the agent's run that this call started, which are also on that run's own record. */
    spent?: Spent
    /** The connections whose words are in the answer. */
    connections?: UsedConnection[]
    approval?: Approval
    /** Set where the caller's program answered the call. */
    sent?: Sender
    error?: { message: string }
  }
}

export type Step = ModelStep | ToolStep

export type RunUsage = {
  inputTokens: number
  outputTokens: number
  costUsd: number | null
  /** Whether a call was cut short or its server told no tokens, so that its part is estimated. */
  isEstimate: boolean
}

/** The cost of a run is unknown if the cost of any step is unknown. */
export function usageOf(steps: readonly Step[]): RunUsage {
  const usage: RunUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0, isEstimate: false }
  for (const step of steps) {
    if (step.type !== 'model') continue
    usage.inputTokens += step.record.usage.inputTokens
    usage.outputTokens += step.record.usage.outputTokens
    if (step.record.isEstimate) usage.isEstimate = true
    usage.costUsd =
      usage.costUsd === null || step.record.costUsd === null ? null : usage.costUsd + step.record.costUsd
  }
  return usage
}

/** The cost that counts against the run's limit: of its own model calls, and of the agents that it called. */
export function spentOf(steps: readonly Step[]): number | null {
  let total = usageOf(steps).costUsd
  for (const step of steps) {
    if (step.type === 'model' || step.record.spent === undefined) continue
    const { costUsd } = step.record.spent
    total = total === null || costUsd === null ? null : total + costUsd
  }
  return total
}

/** Whether the step is a model call that continues the run, and not one that summarises earlier turns. */
export const isAnswering = (step: Step): step is ModelStep =>
  step.type === 'model' && step.record.summarises === undefined

/** How often the model has answered. Failed calls do not count: retries and the fallback deal with them. */
export const answersOf = (steps: readonly Step[]): number =>
  steps.filter(step => isAnswering(step) && step.record.error === undefined).length

/** The last model that was called; null before the first call. */
export const lastModel = (steps: readonly Step[]): string | null =>
  steps.findLast(({ type }) => type === 'model')?.name ?? null

/** The tool calls of the last answer that have no result, because the run was cut short while it called tools. */
export function unansweredCalls(steps: readonly Step[]): LanguageModelV3ToolCall[] {
  const last = steps.findLastIndex(isAnswering)
  const step = steps[last]
  if (step?.type !== 'model' || step.record.error !== undefined) return []
  const answered = new Set(
    steps.slice(last + 1).flatMap(later => (later.type === 'tool' ? [later.record.toolCallId] : [])),
  )
  return callsOf(step).filter(({ toolCallId }) => !answered.has(toolCallId))
}

export const callsOf = ({ record }: ModelStep): LanguageModelV3ToolCall[] =>
  record.content.filter(part => part.type === 'tool-call')

/** The step that stands for the documents that were attached to the prompt. */
export const attachedTo = (steps: readonly Step[]): ToolStep | undefined =>
  steps.find((step): step is ToolStep => step.type === 'tool' && step.record.attached !== undefined)

/** Every document whose words or pictures the run was shown in these steps. */
export const documentsIn = (steps: readonly Step[]): string[] => [
  ...new Set([
    ...passagesOf(steps).map(({ passage }) => passage.documentId),
    ...(attachedTo(steps)?.record.attached ?? []).map(({ documentId }) => documentId),
  ]),
]

/** Every connection whose words the run was shown in these steps. */
export const connectionsIn = (steps: readonly Step[]): UsedConnection[] =>
  steps.flatMap(step => (step.type === 'tool' ? (step.record.connections ?? []) : []))

/** Every passage that the run's tools have found. */
export const passagesOf = (steps: readonly Step[]): NumberedPassage[] =>
  steps.flatMap(step => (step.type === 'tool' ? step.record.passages : []))

export const toRow = (runId: string, step: Step, seq: number) => ({
  run_id: runId,
  seq,
  type: step.type,
  name: step.name,
  record: encodeJson<Record<string, unknown>>(step.record),
  started_at: step.startedAt,
  duration_ms: step.durationMs,
})

export function fromRow(row: StepRow): Step {
  const timed = { name: row.name, startedAt: row.started_at, durationMs: row.duration_ms }
  // `toRow` wrote the record, so the type tells the record's shape.
  return row.type === 'model'
    ? { type: 'model', ...timed, record: decodeJson(row.record as Json<ModelStep['record']>) }
    : { type: 'tool', ...timed, record: decodeJson(row.record as Json<ToolStep['record']>) }
}

export function presentStep(step: Step): RunStep {
  const { name, durationMs } = step
  const about = { name, startedAt: toTimestamp(step.startedAt), durationMs }
  return step.type === 'model'
    ? { type: 'model', ...about, ...presentModel(step.record) }
    : { type: 'tool', ...about, ...presentTool(step.record) }
}

function presentModel(record: ModelStep['record']) {
  const { messages, content, finish, usage, costUsd, error, rejected, notes, summarises } = record
  if (summarises !== undefined) return presentSummary(record, summarises)
  if (error !== undefined && content.length === 0) return { input: { messages }, output: { error } }
  const toolCalls = content
    .filter(part => part.type === 'tool-call')
    .map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, arguments: input }))
  return {
    input: { messages },
    output: withoutUndefined<ModelStepOutput>({
      text: textOf(content),
      toolCalls,
      finish,
      usage: { ...usage, costUsd },
      rejected,
      notes,
      error,
    }),
  }
}

function presentSummary({ messages, usage, costUsd, error }: ModelStep['record'], turns: number) {
  const output = { usage: { ...usage, costUsd } }
  return {
    input: { messages, summarises: { turns } },
    output: error === undefined ? output : { ...output, error, note: 'The oldest turns were left out' },
  }
}

function presentTool(record: ToolStep['record']) {
  const { input, passages, content, note, spent, approval, sent, error, toolCallId, attached } = record
  if (attached !== undefined) return presentAttached(record, attached)
  const about = withoutUndefined({
    toolCallId,
    approval: approval === undefined ? undefined : presentApproval(approval),
    result: sent === undefined ? undefined : presentSender(sent),
  })
  if (error !== undefined) return { ...about, input, output: { error } }
  const shown = passages.map(({ number, passage }) => ({ marker: `[${number}]`, ...passage }))
  return {
    ...about,
    input,
    output: withoutUndefined<ToolStepOutput>({
      passages: content === undefined || shown.length > 0 ? shown : undefined,
      content,
      note,
      usage: spent,
    }),
  }
}

/** Shows the positions of the passages, but not their words, which are the documents' own and may be very many. */
function presentAttached(
  { input, passages, note }: ToolStep['record'],
  documents: NonNullable<ToolStep['record']['attached']>,
) {
  const shown = passages.map(({ number, passage: { text: _text, headings: _headings, ...position } }) => ({
    marker: `[${number}]`,
    ...position,
  }))
  return { input, output: withoutUndefined<ToolStepOutput>({ documents, passages: shown, note }) }
}

const presentApproval = ({ decision, reason, userId, keyId, at }: Approval) => ({
  decision,
  reason,
  decidedBy: { userId, keyId },
  decidedAt: toTimestamp(at),
})

const presentSender = ({ userId, keyId, at }: Sender) => ({
  sentBy: { userId, keyId },
  sentAt: toTimestamp(at),
})

/** The text of a model's answer, without NUL, which some databases cannot store, and without halves of characters. */
export const textOf = (content: readonly LanguageModelV3Content[]): string =>
  content
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('')
    .replaceAll('\0', '')
    .toWellFormed()

export type PendingCall = { callId: string; name: string; input: unknown }

/** A call that waits for a person's approval, or for a result of the caller's program. */
export type WaitingCall = PendingCall & { awaits: 'approval' | 'result' }

export type Sender = { userId: string | null; keyId: string | null; at: number }

/** The result that the caller's program has sent for a call. */
export type SentResult = {
  answer: { output: unknown } | { error: string }
  requestedAt: number
  sender: Sender
}

/** The decision about a call that waited for an approval, and the author of the decision. */
export type Approval = {
  decision: 'approve' | 'reject'
  reason: string | null
  userId: string | null
  keyId: string | null
  at: number
}
