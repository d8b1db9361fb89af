/** A run as the API shows it. */
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import { etagOf } from '../../../platform/revision.ts'
import type { PendingApproval } from './approval-schemas.ts'
import type { KeptCallRow } from './kept-calls-store.ts'
import { type RunErrorCode, runErrorCodes } from './run-errors.ts'
import type { Citation, Run } from './run-schemas.ts'
import type { RunRow } from './run-store.ts'
import { presentStep, type Step, usageOf } from './steps.ts'

/** A run with its steps, and the calls for whose approval it waits. */
export type RunRecord = { row: RunRow; steps: Step[]; pending: readonly KeptCallRow[] }

/** A run changes by its steps and its status, and after its end as often as it counts. */
export const revisionOfRun = ({ row, steps }: Pick<RunRecord, 'row'> & { steps: readonly unknown[] }) => ({
  id: row.id,
  revision: `${row.status}.${steps.length}.${row.change_count}`,
})

export const runEtag = (record: RunRecord): { etag: string } => etagOf(revisionOfRun(record))

export function presentRun({ row, steps, pending }: RunRecord): Run {
  return {
    id: row.id,
    agentId: row.agent_id,
    agentRevision: row.agent_revision,
    conversationId: row.conversation_id,
    endUserId: row.end_user_id,
    status: row.status,
    pendingApprovals: pending.map(presentPending),
    parentRunId: row.parent_run_id,
    prompt: row.prompt,
    output: row.output,
    structuredOutput: row.structured_output === null ? null : decodeJson(row.structured_output),
    responseSchema: row.response_schema === null ? null : decodeJson(row.response_schema),
    attachments: decodeJson(row.attachments),
    variables: decodeJson(row.variables),
    // The run queue writes citations as the API shows them.
    citations: decodeJson(row.citations as Json<Citation[]>),
    steps: steps.map(presentStep),
    model: row.model,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      costUsd: row.cost_usd,
      isEstimate: usageOf(steps).isEstimate,
    },
    error: presentError(row),
    metadata: decodeJson(row.metadata),
    rerunOf: row.rerun_of,
    feedback: presentFeedback(row),
    createdAt: toTimestamp(row.created_at),
    startedAt: toOptionalTimestamp(row.started_at),
    finishedAt: toOptionalTimestamp(row.finished_at),
    durationMs: row.started_at === null || row.finished_at === null ? null : row.finished_at - row.started_at,
  }
}

const presentPending = (call: KeptCallRow): PendingApproval => ({
  runId: call.run_id,
  toolCallId: call.call_id,
  name: call.name,
  input: decodeJson(call.input),
  requestedAt: toTimestamp(call.requested_at ?? 0),
  expiresAt: toTimestamp(call.expires_at ?? 0),
})

function presentFeedback(row: RunRow): Run['feedback'] {
  const { feedback_rating: rating, feedback_comment: comment, feedback_end_user_id: endUserId } = row
  if (rating === null || row.feedback_at === null) return null
  return { rating, comment, endUserId, createdAt: toTimestamp(row.feedback_at) }
}

function presentError({ error_code: code, error_message: message }: RunRow): Run['error'] {
  if (code === null) return null
  // Only codes of the list are ever written.
  return { code, message: message ?? '', retryable: runErrorCodes[code as RunErrorCode] }
}
