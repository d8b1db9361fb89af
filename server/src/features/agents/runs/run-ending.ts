/** How a run ends: on its record and, in the same transaction, for those who follow it, in the outbox and in what was used. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { countRun } from '../../usage/service.ts'
import { endTurn } from '../conversations/turns.ts'
import { endEventOf } from '../events/run-event-schemas.ts'
import { insertRunEvents, lastEventPosition } from '../events/run-events-store.ts'
import { positionBehindTakes } from '../events/run-log.ts'
import type { Answer } from '../execution/execution.ts'
import { countRunBytes } from '../records/run-bytes-store.ts'
import { authorOf } from '../records/run-callers.ts'
import type { RunError } from '../records/run-errors.ts'
import { queueRun } from '../records/run-job.ts'
import { recordRunEvent } from '../records/run-outbox.ts'
import { changeRun } from '../records/run-store.ts'
import { type Step, usageOf } from '../records/steps.ts'

export type Ending = Partial<Answer> & {
  status: 'succeeded' | 'failed' | 'cancelled'
  /** The model as the steps name it; absent where it is left as it was. */
  model?: string | null
  error?: RunError
}

export type Used = { input_tokens: number; output_tokens: number; cost_usd: number | null }

/** Ends a run, and lets the one begin that waits for it; false where it has ended already. `position` is that of its last event, for those who know what was told before. */
export type EndRun = (
  tx: Tx,
  runId: string,
  ending: Ending & Partial<Used>,
  now: number,
  position?: number,
) => Promise<boolean>

export function createEndRun(dependencies: { outbox: Outbox; jobs: Jobs; faults: Faults }): EndRun {
  const { outbox, jobs, faults } = dependencies
  return async (tx, runId, ending, now, position) => {
    const { status, output = null, structuredOutput = null, citations = [], model, error, ...usage } = ending
    const ended = await changeRun(
      tx,
      runId,
      withoutUndefined({
        status,
        output,
        structured_output: structuredOutput === null ? null : encodeJson(structuredOutput),
        citations: encodeJson<Record<string, unknown>[]>(citations),
        model,
        ...usage,
        error_code: error?.code ?? null,
        error_message: error?.message ?? null,
        finished_at: now,
      }),
    )
    if (ended === undefined) return false
    const at = position ?? positionBehindTakes(await lastEventPosition(tx, runId))
    await insertRunEvents(tx, runId, [{ position: at, type: endEventOf(status), data: {}, at: now }])
    await recordRunEvent(tx, outbox, ended, status, now)
    await endTurn(tx, ended, async next => {
      await queueRun(tx, jobs, next)
      faults.reach('run.successor-queued')
    })
    // Last, since other runs of its key and agent wait for these rows until the transaction is over.
    await countRunBytes(tx, runId)
    await countRun(tx, ended, authorOf(ended), now)
    return true
  }
}

export function used(steps: readonly Step[]): Used {
  const { inputTokens, outputTokens, costUsd } = usageOf(steps)
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd }
}
