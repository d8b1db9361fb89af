/** A run as the API shows it. */
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import { type RunErrorCode, runErrorCodes } from './run-errors.ts'
import type { Citation, Run } from './run-schemas.ts'
import type { RunRow } from './run-store.ts'
import { presentStep, type Step } from './steps.ts'

/** A run with its steps. */
export type RunRecord = { row: RunRow; steps: Step[] }

/** A run changes by its steps and by its status, and by nothing else. */
export const runEtag = ({ row, steps }: RunRecord): { etag: string } => ({
  etag: `"${row.id}.${row.status}.${steps.length}"`,
})

export function presentRun({ row, steps }: RunRecord): Run {
  return {
    id: row.id,
    agentId: row.agent_id,
    agentRevision: row.agent_revision,
    conversationId: row.conversation_id,
    endUserId: row.end_user_id,
    status: row.status,
    prompt: row.prompt,
    output: row.output,
    structuredOutput: null,
    // The run queue writes citations as the API shows them.
    citations: decodeJson(row.citations as Json<Citation[]>),
    steps: steps.map(presentStep),
    model: row.model,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens, costUsd: row.cost_usd },
    error: presentError(row),
    metadata: decodeJson(row.metadata),
    createdAt: toTimestamp(row.created_at),
    startedAt: toOptionalTimestamp(row.started_at),
    finishedAt: toOptionalTimestamp(row.finished_at),
    durationMs: row.started_at === null || row.finished_at === null ? null : row.finished_at - row.started_at,
  }
}

function presentError({ error_code: code, error_message: message }: RunRow): Run['error'] {
  if (code === null) return null
  // Only codes of the list are ever written.
  return { code, message: message ?? '', retryable: runErrorCodes[code as RunErrorCode] }
}
