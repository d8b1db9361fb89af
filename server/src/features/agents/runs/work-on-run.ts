/** Works on a run that has been taken up, until it has ended or has to wait. Runs within runs are worked on in the same way. */
import { JobCancelled, JobTimedOut } from '../../../platform/jobs/job.ts'
import { insertRunEvents } from '../events/run-events-store.ts'
import { createRunLog, type RunLog } from '../events/run-log.ts'
import type { Pause } from '../execution/execution.ts'
import { execute } from '../execution/executor.ts'
import { callerOf } from '../records/run-callers.ts'
import { type RunError, RunFailure, toRunError } from '../records/run-errors.ts'
import { lastModel } from '../records/steps.ts'
import { callableAgents, type RunLease } from './called-agents.ts'
import { type CallerWatch, watchCaller } from './caller-watch.ts'
import type { RunDependencies } from './run-dependencies.ts'
import { type Ending, endRun, endTree, used } from './run-ending.ts'
import { executionOf } from './run-execution.ts'
import { pauseRun } from './run-pause.ts'
import { createRunRecorder, type RunRecorder } from './run-recorder.ts'
import type { TakenRun } from './take-run.ts'

/** Within this time after a run was requested, the worker trusts the caller as it was and skips the lookup. */
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
    const calling = { run, steps, agentIds, caller, lease: { ...lease, signal } }
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
