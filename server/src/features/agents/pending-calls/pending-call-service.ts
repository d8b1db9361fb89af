/** Records decisions and results for waiting tool calls, and fails runs for which these come too late. */

import { isDeepStrictEqual } from 'node:util'
import { type Caller, keyIdOf } from '../../../platform/caller.ts'
import type { Patience } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { type FieldError, found, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { type Decisions, maxResultCharacters, type ToolResults } from '../records/answer-schemas.ts'
import { requireChange } from '../records/ownership.ts'
import type { RunError } from '../records/run-errors.ts'
import type { RunRecord } from '../records/run-records.ts'
import { findRun, findRunOfJob, type RunRow, updateRun } from '../records/run-store.ts'
import type { WaitingCall } from '../records/steps.ts'
import {
  decideCall,
  expiredRoots,
  lockTree,
  pendingOfRoots,
  type ToolCallRow,
  toolCallsOf,
} from '../records/tool-calls-store.ts'
import { endTree } from '../runs/run-ending.ts'
import type { RunService } from '../runs/run-service.ts'
import { resumeTree } from '../runs/take-run.ts'

export type PendingCallService = ReturnType<typeof createPendingCallService>

type Dependencies = Pick<Platform, 'database' | 'clock' | 'jobs' | 'log'> & {
  audit: AuditService
  outbox: Outbox
  runs: Pick<RunService, 'get'>
}

/** The decision or the result that has come for a call. */
type Settled = { toolCallId: string } & Pick<ToolCallRow, 'decision' | 'reason' | 'result'>

/** A run with the calls that wait or have waited, read under the lock of the run's tree. */
type Locked = { run: RunRow; calls: readonly ToolCallRow[]; now: number }

/** `settle` returns what to store, or throws. `name` is the name of this list in the audit log. */
type Settling = {
  action: string
  name: 'decisions' | 'results'
  settle: (locked: Locked) => readonly Settled[]
}

export function createPendingCallService(dependencies: Dependencies) {
  const { database, clock, audit, jobs, runs, log } = dependencies

  async function settleIn(
    tx: Tx,
    caller: Caller,
    runId: string,
    { action, name, settle }: Settling,
  ): Promise<void> {
    const before = found(await findRun(caller.scope, tx, runId))
    requireChange(caller, before)
    const rootId = before.root_run_id ?? runId
    await lockTree(tx, rootId)
    // Another request may have changed the run before the lock.
    const run = found(await findRun(caller.scope, tx, runId))
    const now = clock()
    const calls = (await toolCallsOf(tx, [runId])).filter(
      call => call.awaits !== null && isOpenTo(caller, call),
    )
    const settled = settle({ run, calls, now })
    for (const { toolCallId, ...what } of settled) {
      await decideCall(tx, runId, toolCallId, {
        ...what,
        decided_by_user_id: caller.userId,
        decided_by_key_id: keyIdOf(caller),
        decided_at: now,
      })
    }
    if (settled.length > 0) {
      await updateRun(tx, runId, { change_count: run.change_count + 1 })
      await resumeTree(tx, jobs, rootId, now)
    }
    const details = { [name]: settled.map(({ toolCallId, decision }) => ({ toolCallId, decision })) }
    await audit.record(tx, caller, { action, resourceId: runId, details })
  }

  async function expireOne(tx: Tx, rootId: string): Promise<boolean> {
    await lockTree(tx, rootId)
    const root = await findRunOfJob(tx, rootId)
    const now = clock()
    // Calls of ended parts count too: the root waits for them, and no decision about them is taken any more.
    const late = (await pendingOfRoots(tx, [rootId])).find(call => isExpired(call, now))
    if (root?.status !== 'waiting' || late === undefined) return false
    const error = expired[late.awaits ?? 'approval']
    return await endTree(dependencies, tx, root, { status: 'failed', error }, now)
  }

  const expireRound = createRounds({
    list: range => expiredRoots(database.read, clock(), range),
    work: async ({ id }) => ((await database.write(tx => expireOne(tx, id))) ? id : null),
    log,
    failure: 'A run for which an approval or a result came too late could not be ended',
  })

  return {
    /**
     * The run continues once no decision or result is missing. Returns the run when it has ended, waits again, or the
     * patience is over. Throws a 400 that names each call that is unknown or decided, and `run_ended` if the run does
     * not wait.
     */
    async decide(
      caller: Caller,
      runId: string,
      { decisions }: Decisions,
      patience: Patience,
    ): Promise<RunRecord> {
      const settle = (locked: Locked) => settleDecisions(decisions, locked)
      await database.write(tx =>
        settleIn(tx, caller, runId, { action: 'run.approve', name: 'decisions', settle }),
      )
      return await runs.get(caller, runId, patience)
    },
    /**
     * Like `decide`, for results of functions. A result that is stored already changes nothing, in any state of the
     * run. Throws a 400 that names each result that does not fit, and `run_ended` if the run no longer waits for a
     * new result.
     */
    async answer(
      caller: Caller,
      runId: string,
      { results }: ToolResults,
      patience: Patience,
    ): Promise<RunRecord> {
      throwFaults(results.flatMap(formFaults))
      const settle = (locked: Locked) => settleResults(results, locked)
      await database.write(tx =>
        settleIn(tx, caller, runId, { action: 'run.tool_results', name: 'results', settle }),
      )
      return await runs.get(caller, runId, patience)
    },
    /** Fails the runs whose approvals or results have not come in time. Returns how many. */
    expire: async (): Promise<number> => (await expireRound()).length,
  }
}

/** A page answers only the functions that its token names. Other functions are answered by a server. */
const isOpenTo = ({ scope: { endUser } }: Caller, { name }: ToolCallRow): boolean =>
  endUser === undefined || endUser.functions.includes(name)

const isExpired = ({ awaits, decision, expires_at }: ToolCallRow, now: number): boolean =>
  awaits !== null && decision === null && (expires_at ?? 0) <= now

const expired: Record<WaitingCall['awaits'], RunError> = {
  approval: {
    code: 'approval_expired',
    message: 'A call of a tool was neither approved nor rejected in time',
  },
  result: {
    code: 'tool_result_expired',
    message: 'The result of a function that your program runs did not come in time',
  },
}

const runEnded = ({ id: runId, status }: RunRow, message: string): ServiceError =>
  new ServiceError('run_ended', message, { details: { runId, status } })

function checkOpen({ run, calls, now }: Locked, wanted: string): void {
  if (run.finished_at !== null) {
    throw runEnded(run, `The run has ended: it is ${run.status}`)
  }
  if (calls.some(call => isExpired(call, now))) {
    throw runEnded(run, `The time for ${wanted} is over`)
  }
}

function throwFaults(errors: FieldError[]): void {
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

const callsThatAwait = (
  { calls }: Locked,
  awaited: WaitingCall['awaits'],
): ReadonlyMap<string, ToolCallRow> =>
  new Map(calls.filter(({ awaits }) => awaits === awaited).map(call => [call.call_id, call]))

type Decision = Decisions['decisions'][number]

function settleDecisions(decisions: readonly Decision[], locked: Locked): Settled[] {
  checkOpen(locked, 'an approval')
  if (locked.run.status !== 'waiting') {
    throw runEnded(locked.run, `The run does not wait for an approval: it is ${locked.run.status}`)
  }
  const known = callsThatAwait(locked, 'approval')
  const seen = new Set<string>()
  throwFaults(
    decisions.flatMap(({ toolCallId }, index) => {
      const fault = decisionFault(known.get(toolCallId), seen.has(toolCallId))
      seen.add(toolCallId)
      return fault === null ? [] : [{ field: `decisions.${index}.toolCallId`, message: fault }]
    }),
  )
  return decisions.map(({ toolCallId, decision, reason = null }) => ({
    toolCallId,
    decision,
    reason,
    result: null,
  }))
}

function decisionFault(call: ToolCallRow | undefined, isSeen: boolean): string | null {
  if (call === undefined) return 'No call with this id waits for an approval of this run'
  if (call.decision !== null) {
    return `is decided already: ${call.decision === 'approve' ? 'approved' : 'rejected'}`
  }
  return isSeen ? 'is decided twice in this request' : null
}

type ToolResult = ToolResults['results'][number]

/** The faults of a result that can be found without the run. */
function formFaults(result: ToolResult, index: number): FieldError[] {
  const fault = (field: 'output' | 'error', message: string) => [
    { field: `results.${index}.${field}`, message },
  ]
  if (!('output' in result))
    return result.error === undefined ? fault('output', 'is required, or `error`') : []
  if (result.error !== undefined) return fault('error', 'cannot stand beside `output`; send one of them')
  if (JSON.stringify(result.output).length <= maxResultCharacters) return []
  return fault('output', `must have at most ${maxResultCharacters} characters as JSON`)
}

function settleResults(results: readonly ToolResult[], locked: Locked): Settled[] {
  const known = callsThatAwait(locked, 'result')
  const seen = new Set<string>()
  const settled: Settled[] = []
  const errors: FieldError[] = []
  for (const [index, result] of results.entries()) {
    const { toolCallId } = result
    const sent = settledBy(result)
    const call = known.get(toolCallId)
    const isStored = call !== undefined && isSame(call, sent)
    const fault = resultFault(call, { isSeen: seen.has(toolCallId), isStored })
    if (fault !== null) errors.push({ field: `results.${index}.toolCallId`, message: fault })
    else if (!isStored) settled.push(sent)
    seen.add(toolCallId)
  }
  // A program that has lost the reply sends the same results again, and gets the run as it is now.
  if (settled.length > 0 || errors.length > 0) checkOpen(locked, 'a result')
  throwFaults(errors)
  return settled
}

const settledBy = ({ toolCallId, output, error }: ToolResult): Settled => ({
  toolCallId,
  decision: error === undefined ? 'output' : 'error',
  reason: null,
  result: encodeJson(error ?? output),
})

const isSame = (call: ToolCallRow, sent: Settled): boolean =>
  call.decision === sent.decision &&
  call.result !== null &&
  sent.result !== null &&
  isDeepStrictEqual(decodeJson(call.result), decodeJson(sent.result))

function resultFault(
  call: ToolCallRow | undefined,
  { isSeen, isStored }: { isSeen: boolean; isStored: boolean },
): string | null {
  if (call === undefined) return 'No call with this id waits for a result in this run'
  if (isSeen) return 'is answered twice in this request'
  return call.decision === null || isStored ? null : 'is answered already, with another result'
}
