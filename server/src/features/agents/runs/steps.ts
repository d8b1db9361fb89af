/** A run's steps: as the executor makes them, as they are stored, and as the API shows them. */
import type { LanguageModelV3Content } from '@ai-sdk/provider'
import { toTimestamp } from '../../../platform/clock.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { ModelAnswer, ModelUsage } from '../../../platform/models/call.ts'
import type { NumberedPassage } from '../execution/citations.ts'
import type { RunError } from './run-errors.ts'
import type { RunStep } from './run-schemas.ts'
import type { StepRow } from './run-store.ts'

type Timed = { name: string; startedAt: number; durationMs: number }

/** A call of the model; all that a later call needs to go on from it. */
export type ModelStep = Timed & {
  type: 'model'
  record: {
    /** How many messages the model read. */
    messages: number
    content: LanguageModelV3Content[]
    finish: ModelAnswer['finish'] | null
    usage: ModelUsage
    costUsd: number | null
    error?: RunError
  }
}

/** A call of a tool, answered either by passages or by an error. */
export type ToolStep = Timed & {
  type: 'tool'
  record: {
    toolCallId: string
    input: unknown
    passages: NumberedPassage[]
    note?: string
    error?: { message: string }
  }
}

export type Step = ModelStep | ToolStep

export type RunUsage = { inputTokens: number; outputTokens: number; costUsd: number | null }

/** The cost of a run is unknown as soon as that of one step is. */
export function usageOf(steps: readonly Step[]): RunUsage {
  const usage: RunUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
  for (const step of steps) {
    if (step.type !== 'model') continue
    usage.inputTokens += step.record.usage.inputTokens
    usage.outputTokens += step.record.usage.outputTokens
    usage.costUsd =
      usage.costUsd === null || step.record.costUsd === null ? null : usage.costUsd + step.record.costUsd
  }
  return usage
}

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
  // What `toRow` wrote: the type tells the shape of the record.
  return row.type === 'model'
    ? { type: 'model', ...timed, record: decodeJson(row.record as Json<ModelStep['record']>) }
    : { type: 'tool', ...timed, record: decodeJson(row.record as Json<ToolStep['record']>) }
}

export function presentStep(step: Step): RunStep {
  return {
    type: step.type,
    name: step.name,
    ...(step.type === 'model' ? presentModel(step.record) : presentTool(step.record)),
    startedAt: toTimestamp(step.startedAt),
    durationMs: step.durationMs,
  }
}

function presentModel({ messages, content, finish, usage, costUsd, error }: ModelStep['record']) {
  if (error !== undefined) return { input: { messages }, output: { error } }
  const toolCalls = content
    .filter(part => part.type === 'tool-call')
    .map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, arguments: input }))
  return {
    input: { messages },
    output: {
      text: textOf(content),
      toolCalls,
      finish,
      usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, costUsd },
    },
  }
}

function presentTool({ input, passages, note, error }: ToolStep['record']) {
  if (error !== undefined) return { input, output: { error } }
  const shown = passages.map(({ number, passage }) => ({ marker: `[${number}]`, ...passage }))
  return { input, output: { passages: shown, ...(note === undefined ? {} : { note }) } }
}

/** The text of a model's answer. NUL cannot be stored on every database, and half a character nowhere. */
export const textOf = (content: readonly LanguageModelV3Content[]): string =>
  content
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('')
    .replaceAll('\0', '')
    .toWellFormed()
