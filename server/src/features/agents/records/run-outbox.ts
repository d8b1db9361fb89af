/** What the outbox is told of runs: one row for each that ends or begins to wait. */
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { RunSummary } from '../../events/data-schemas.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { EndedRun } from './run-store.ts'

/** In the transaction of the change; `run` is as it is after it. */
export async function recordRunEvent(
  tx: Tx,
  outbox: Outbox,
  run: EndedRun,
  status: RunSummary['status'],
  now: number,
): Promise<void> {
  await outbox.record(tx, {
    workspaceId: run.workspace_id,
    environment: run.environment,
    type: `run.${status}`,
    data: {
      id: run.id,
      agentId: run.agent_id,
      conversationId: run.conversation_id,
      status,
      errorCode: run.error_code,
      usage: { inputTokens: run.input_tokens, outputTokens: run.output_tokens, costUsd: run.cost_usd },
      createdAt: toTimestamp(run.created_at),
      finishedAt: toOptionalTimestamp(run.finished_at),
    },
    agentId: run.agent_id,
    narrowing: run.narrowing,
    at: now,
  })
}
