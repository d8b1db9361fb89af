/** What is kept of a run's calls besides their answers, while a process works on the run. */
import type { Clock } from '../../../platform/clock.ts'
import type { Query } from '../../../platform/database/database.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { KeptCall, KeptCalls } from '../execution/execution.ts'
import type { Approval } from '../records/approval.ts'
import { insertBegun, type KeptCallRow, keptCallsOf } from '../records/kept-calls-store.ts'
import type { RunRow } from '../records/run-store.ts'

/** `isFresh` marks a run that no worker has taken up yet: it has no stored calls, so the query is skipped. */
export async function readKeptCalls(
  query: Query,
  run: Pick<RunRow, 'id' | 'root_run_id'>,
  { isFresh, write, clock }: { isFresh: boolean; write: Job['write']; clock: Clock },
): Promise<KeptCalls> {
  const rows = isFresh ? [] : await keptCallsOf(query, [run.id])
  const kept = new Map<string, KeptCall>(
    rows.map(row => [
      row.call_id,
      { callId: row.call_id, approval: approvalOf(row), startedAt: row.started_at },
    ]),
  )
  return {
    find: callId => kept.get(callId),
    async begin(calls) {
      const startedAt = clock()
      await write(tx => insertBegun(tx, run, calls, startedAt))
      for (const { callId } of calls) {
        kept.set(callId, { callId, approval: kept.get(callId)?.approval ?? null, startedAt })
      }
    },
  }
}

function approvalOf(row: KeptCallRow): Approval | null {
  if (row.decision === null) return null
  return {
    decision: row.decision,
    reason: row.reason,
    userId: row.decided_by_user_id,
    keyId: row.decided_by_key_id,
    at: row.decided_at ?? 0,
  }
}
