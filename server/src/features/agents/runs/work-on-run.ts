/** Works on a run until it has ended or has to wait, and stops it if its author loses the right to it. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Caller, isViewer, narrowingOf } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { JobCancelled, JobTimedOut } from '../../../platform/jobs/job.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tool } from '../../../platform/tool.ts'
import { findAgentOfRun } from '../definitions/agent-store.ts'
import { insertRunEvents } from '../events/run-events-store.ts'
import { createRunLog, type RunLog } from '../events/run-log.ts'
import type { Pause } from '../execution/execution.ts'
import { execute } from '../execution/executor.ts'
import { asRunner } from '../records/ownership.ts'
import { type CurrentCaller, callerOf } from '../records/run-callers.ts'
import { type RunError, RunFailure, toRunError } from '../records/run-errors.ts'
import { findRunState, type RunRow } from '../records/run-store.ts'
import { lastModel } from '../records/steps.ts'
import { callableAgents, type RunLease } from './called-agents.ts'
import type { RunDependencies } from './run-dependencies.ts'
import { type Ending, endRun, endTree, used } from './run-ending.ts'
import { executionOf } from './run-execution.ts'
import { createRunRecorder, type RunRecorder } from './run-recorder.ts'
import { pauseRun, type TakenRun } from './take-run.ts'

/** Within this time after a run was requested, the worker trusts the stored caller and skips the lookup. */
const freshMs = 2_000

/** What a process uses while it works on a run. */
type Desk = { lease: RunLease; recorder: RunRecorder; events: RunLog }

/** Throws if the run has not ended and is to be taken up again. */
export async function workOnRun(
  dependencies: RunDependencies,
  taken: TakenRun,
  lease: RunLease,
): Promise<'ended' | 'waits'> {
  const { live, clock, log } = dependencies
  const { run, steps, takes, isStartStored } = taken
  const events = live.open(run.id, tell => createRunLog({ takes, clock, tell }))
  const recorder = createRunRecorder({ lease, runId: run.id, steps, events, log })
  try {
    // A queued run was never begun, or has waited for approvals or results; everything that it did is stored.
    const wasCutShort = takes > 0 && run.status !== 'queued'
    if (!wasCutShort || !isStartStored) events.emit('run.started', {})
    if (wasCutShort) events.emit('step.restarted', { stepIndex: steps.length })
    // Stored before other events are sent: after another kill the next process must not use the same positions.
    if (takes > 0) await recorder.record()
    const outcome = await executeToEnd(dependencies, taken, { lease, recorder, events })
    recorder.stop()
    if ('waitsFor' in outcome) return await pause(dependencies, taken, outcome, { lease, recorder, events })
    await recorder.complete(async (tx, before) => {
      const ending = { ...outcome, ...used(steps) }
      await endRun(dependencies, tx, run.id, ending, clock(), { before, position: events.nextPosition() })
    })
    return 'ended'
  } finally {
    recorder.stop()
    live.close(run.id)
  }
}

async function executeToEnd(
  dependencies: RunDependencies,
  taken: TakenRun,
  { lease, recorder, events }: Desk,
): Promise<Ending | Pause> {
  const { clock, log, callerCheckMs } = dependencies
  const { run, content, startedAt, steps, takes } = taken
  const deadline = new AbortController()
  const remainingMs = startedAt + run.timeout_ms + run.waited_ms - clock()
  const late = () => deadline.abort(tooLate(run.timeout_ms))
  const timer = setTimeout(late, Math.max(0, remainingMs))
  if (remainingMs <= 0) late()
  let watch: CallerWatch | null = null
  try {
    const stored = callerOf(run)
    const tools = [
      ...dependencies.tools.filter(({ name }) => content.tools.includes(name)),
      ...(await dependencies.remoteTools.usable(stored.scope, content.tools)),
    ]
    const isFresh = takes === 0 && clock() - run.created_at < freshMs
    watch = await watchCaller(dependencies, { run, stored, tools, isFresh, everyMs: callerCheckMs })
    const { caller } = watch
    const signal = AbortSignal.any([lease.signal, deadline.signal, watch.signal])
    signal.throwIfAborted()
    const { agentIds } = content
    const { record } = recorder
    const calling = { run, steps, agentIds, caller, record, lease: { ...lease, signal } }
    const agents = callableAgents(dependencies, calling, workOnRun)
    const work = { tools, agents, caller, signal, lease, recorder, events }
    const outcome = await execute(dependencies, await executionOf(dependencies, taken, work))
    if ('waitsFor' in outcome) return outcome
    return { ...outcome, status: 'succeeded', model: lastModel(steps) }
  } catch (failure) {
    const model = lastModel(steps)
    if (failure instanceof JobCancelled) return { status: 'cancelled', model }
    const error = failure instanceof JobTimedOut ? tooLate(run.timeout_ms) : toRunError(failure)
    if (error !== null) return { status: 'failed', model, error }
    if (lease.signal.aborted) throw failure
    log.error('A run failed by a fault of the server', { runId: run.id, error: failure })
    return { status: 'failed', model, error: internalError }
  } finally {
    watch?.stop()
    clearTimeout(timer)
  }
}

async function pause(
  dependencies: RunDependencies,
  { run, steps }: TakenRun,
  { waitsFor }: Pause,
  { lease, recorder, events }: Desk,
): Promise<'waits'> {
  const { clock, jobs } = dependencies
  await recorder.complete(async (tx, before) => {
    await insertRunEvents(tx, run.id, before)
    const now = clock()
    // Once the job has completed, no worker would see the request to cancel.
    const job = await jobs.find(tx, lease.jobId)
    if (job?.cancel_requested_at != null) {
      await endTree(dependencies, tx, run, { status: 'cancelled' }, now)
      return
    }
    await pauseRun(dependencies, tx, run, { waitsFor, steps, now, position: events.nextPosition() })
  })
  return 'waits'
}

const internalError: RunError = { code: 'internal_error', message: 'Something went wrong on our side' }

const tooLate = (timeoutMs: number): RunFailure =>
  new RunFailure('run_timeout', `The run did not end within its ${timeoutMs / 1000} seconds`)

// Makes sure that a run stops once its author may no longer do what the run does.

type CallerWatch = {
  /** The author as last looked up. */
  caller(): Caller
  /** Aborted with `RunFailure` once the author may no longer do this. */
  signal: AbortSignal
  stop(): void
}

/** Looks the author up at once, unless `isFresh`: then the author was checked a moment ago. */
async function watchCaller(
  { database, currentCaller, log }: { database: Database; currentCaller: CurrentCaller; log: Log },
  options: {
    run: Pick<RunRow, 'id' | 'agent_id' | 'narrowing'>
    stored: Caller
    tools: readonly Tool[]
    isFresh: boolean
    /** How often the author is looked up again. */
    everyMs: number
  },
): Promise<CallerWatch> {
  const { run, stored, tools, isFresh, everyMs } = options
  const lost = new AbortController()
  let caller = stored

  const look = async (): Promise<void> => {
    const now = await currentRunner()
    const fault = faultOf(now, run, tools, stored.kind) ?? (await faultOfWithheld(now))
    if (fault !== null) lost.abort(new RunFailure('access_revoked', fault))
    else if (now !== null) {
      const { requestId, address, hops } = stored
      caller = withoutUndefined({ ...now, requestId, address, hops })
    }
  }
  async function currentRunner(): Promise<Caller | null> {
    const now = await currentCaller(stored)
    if (now === null || !isViewer(now)) return now
    const agent = await findAgentOfRun(database.read, run)
    return agent === undefined ? now : asRunner(now, agent)
  }
  async function faultOfWithheld(now: Caller | null): Promise<string | null> {
    if (now?.scope.withheld === undefined) return null
    if ((await findRunState(now.scope, database.read, run.id)) !== undefined) return null
    return 'What the run was shown is kept to teams that its author is in none of'
  }
  // Other members may have used withheld sources in the conversation while the run waited for its turn.
  if (!isFresh || stored.scope.withheld !== undefined) await look()
  const timer = setInterval(() => {
    look().catch(error => log.warn("A run's author could not be looked up", { runId: run.id, error }))
  }, everyMs)
  timer.unref()
  return { caller: () => caller, signal: lost.signal, stop: () => clearInterval(timer) }
}

/** What the author may no longer do; null if nothing has changed. */
function faultOf(
  caller: Caller | null,
  run: Pick<RunRow, 'agent_id' | 'narrowing'>,
  tools: readonly Tool[],
  kind: Caller['kind'],
): string | null {
  if (caller === null) return gone(kind)
  const needed = ['agents:run' as const, ...tools.map(({ permission }) => permission)]
  const missing = needed.find(permission => !caller.permissions.has(permission))
  if (missing !== undefined) {
    return `The ${kind === 'person' ? 'person' : 'key'} that began the run has lost the permission ${missing}`
  }
  const { agentIds, withheld } = caller.scope
  if (withheld?.agentIds.includes(run.agent_id) === true) {
    return 'The agent is kept to teams that the author of the run is in none of'
  }
  const reachesAgent = agentIds === undefined || agentIds.includes(run.agent_id)
  if (!reachesAgent || narrowingOf(caller.scope) !== run.narrowing) {
    return 'The key that began the run has been narrowed to other agents or collections'
  }
  return null
}

const gone = (kind: Caller['kind']): string =>
  kind === 'person'
    ? 'The person who began the run is no member of the workspace any more, or the workspace is deleted'
    : 'The key that began the run has been revoked or has expired'
