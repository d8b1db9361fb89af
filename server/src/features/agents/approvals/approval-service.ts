/** Records decisions on tool calls that wait for an approval, and fails runs whose approvals have expired. */

import { type Caller, keyIdOf } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type FieldError, found, ServiceError } from '../../../platform/errors.ts'
import type { Patience } from '../../../platform/patience.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { RunError } from '../records/run-errors.ts'
import type { RunRecord } from '../records/run-records.ts'
import type { Decisions } from '../records/run-schemas.ts'
import { findRun, type RunRow, updateRun } from '../records/run-store.ts'
import {
  decideCall,
  expiredRoots,
  lockTree,
  type ToolCallRow,
  toolCallsOf,
  treeOf,
} from '../records/tool-calls-store.ts'
import { endTree } from '../runs/run-ending.ts'
import { resumeTree } from '../runs/run-pause.ts'
import type { RunService } from '../runs/run-service.ts'

export type ApprovalService = ReturnType<typeof createApprovalService>

type Dependencies = Pick<Platform, 'database' | 'clock' | 'jobs' | 'log'> & {
  audit: AuditService
  outbox: Outbox
  runs: Pick<RunService, 'get'>
}

export function createApprovalService(dependencies: Dependencies) {
  const { database, clock, audit, jobs, runs, log } = dependencies

  async function decideIn(tx: Tx, caller: Caller, runId: string, { decisions }: Decisions): Promise<void> {
    const rootId = found(await findRun(caller.scope, tx, runId)).root_run_id ?? runId
    await lockTree(tx, rootId)
    // Another decision may have changed it before the lock.
    const run = found(await findRun(caller.scope, tx, runId))
    const now = clock()
    const calls = (await toolCallsOf(tx, [runId])).filter(call => call.requested_at !== null)
    checkWaits(run, calls, now)
    checkCalls(decisions, calls)
    for (const { toolCallId, decision, reason = null } of decisions) {
      await decideCall(tx, runId, toolCallId, {
        decision,
        reason,
        decided_by_user_id: caller.userId,
        decided_by_key_id: keyIdOf(caller),
        decided_at: now,
      })
    }
    await updateRun(tx, runId, { change_count: run.change_count + 1 })
    await resumeTree(tx, jobs, rootId, now)
    const details = { decisions: decisions.map(({ toolCallId, decision }) => ({ toolCallId, decision })) }
    await audit.record(tx, caller, { action: 'run.approve', resourceId: runId, details })
  }

  async function expireOne(tx: Tx, rootId: string): Promise<boolean> {
    await lockTree(tx, rootId)
    const tree = await treeOf(tx, rootId)
    const root = tree.find(({ id }) => id === rootId)
    const ids = tree.map(({ id }) => id)
    const calls = await toolCallsOf(tx, ids)
    const now = clock()
    if (root?.status !== 'waiting' || !calls.some(call => isExpired(call, now))) return false
    return await endTree(dependencies, tx, root, { status: 'failed', error: expired }, now)
  }

  const expireRound = createRounds({
    list: range => expiredRoots(database.read, clock(), range),
    work: async ({ id }) => ((await database.write(tx => expireOne(tx, id))) ? id : null),
    log,
    failure: 'A run whose approval came too late could not be ended',
  })

  return {
    /**
     * Once all calls are decided, the run goes on. Returns it when it has ended, waits again, or the patience is over. Throws
     * a 400 that names each call that is unknown or decided, and `run_ended` if nothing waits.
     */
    async decide(
      caller: Caller,
      runId: string,
      decisions: Decisions,
      patience: Patience,
    ): Promise<RunRecord> {
      await database.write(tx => decideIn(tx, caller, runId, decisions))
      return await runs.get(caller, runId, patience)
    },
    /** Fails the runs whose approvals have not come in time. Returns how many. */
    expire: async (): Promise<number> => (await expireRound()).length,
  }
}

const isExpired = ({ requested_at, decision, expires_at }: ToolCallRow, now: number): boolean =>
  requested_at !== null && decision === null && (expires_at ?? 0) <= now

const expired: RunError = {
  code: 'approval_expired',
  message: 'A call of a tool was neither approved nor rejected in time',
}

const runEnded = ({ id: runId, status }: RunRow, message: string): ServiceError =>
  new ServiceError('run_ended', message, { details: { runId, status } })

function checkWaits(run: RunRow, calls: readonly ToolCallRow[], now: number): void {
  if (run.finished_at !== null) {
    throw runEnded(run, `The run has ended: it is ${run.status}`)
  }
  if (run.status !== 'waiting') {
    throw runEnded(run, `The run does not wait for an approval: it is ${run.status}`)
  }
  if (calls.some(call => isExpired(call, now))) {
    throw runEnded(run, 'The time for an approval is over')
  }
}

function checkCalls(decisions: Decisions['decisions'], calls: readonly ToolCallRow[]): void {
  const known = new Map(calls.map(call => [call.call_id, call]))
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const [index, { toolCallId }] of decisions.entries()) {
    const fault = faultOf(toolCallId, known.get(toolCallId), seen)
    if (fault !== null) errors.push({ field: `decisions.${index}.toolCallId`, message: fault })
    seen.add(toolCallId)
  }
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

function faultOf(id: string, call: ToolCallRow | undefined, seen: ReadonlySet<string>): string | null {
  if (call === undefined) return 'No call with this id waits for an approval of this run'
  if (call.decision !== null) {
    return `is decided already: ${call.decision === 'approve' ? 'approved' : 'rejected'}`
  }
  return seen.has(id) ? 'is decided twice in this request' : null
}
