/** Works on one run that has been taken up, until it has ended or has to wait; runs within runs are worked on in the same way. */
import type { Clock, Sleep } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Faults } from '../../../platform/faults.ts'
import { JobCancelled, JobTimedOut } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import { createCallModel } from '../../../platform/models/call.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { LiveRuns } from '../events/live-runs.ts'
import { createRunLog, type RunLog } from '../events/run-log.ts'
import type { Pause } from '../execution/execution.ts'
import { createExecute } from '../execution/executor.ts'
import { createCallTools } from '../execution/tool-calls.ts'
import { type CurrentCaller, callerOf } from '../records/run-callers.ts'
import { type RunError, RunFailure, toRunError } from '../records/run-errors.ts'
import { findRunState } from '../records/run-store.ts'
import { lastModel } from '../records/steps.ts'
import { type CallerWatch, watchCaller } from './caller-watch.ts'
import { endTree } from './end-tree.ts'
import { createExecutionOf, type StartedRun } from './execution-of-run.ts'
import type { PauseRun } from './pause-run.ts'
import type { ReadInputs } from './read-inputs.ts'
import { type Ending, type EndRun, used } from './run-ending.ts'
import { createRunRecorder, type RunRecorder } from './run-recorder.ts'
import type { TakenRun } from './take-run.ts'
import type { CallPart, Hold, RunToWorkOn, WorkOnRun } from './work.ts'

/** Within this time after a run was requested, the worker trusts the caller as it was and skips the lookup. */
const freshMs = 2_000

export function createWorkOnRun(dependencies: {
  database: Database
  clock: Clock
  sleep: Sleep
  log: Log
  jobs: Jobs
  models: WorkspaceModels
  tools: readonly Tool[]
  live: LiveRuns
  endRun: EndRun
  pauseRun: PauseRun
  budgets: Budgets
  currentCaller: CurrentCaller
  /** How often the author of a run under way is looked up. */
  callerCheckMs: number
  inputs: ReadInputs
  callPart: (work: WorkOnRun) => CallPart
  faults: Faults
  random: () => number
}): WorkOnRun {
  const { clock, log, jobs, tools, live, endRun, pauseRun, currentCaller, callerCheckMs, faults } =
    dependencies
  const callModel = createCallModel(dependencies)
  const execute = createExecute({
    callModel,
    callTools: createCallTools({ clock, log, faults }),
    clock,
    faults,
  })
  const executionOf = createExecutionOf({ ...dependencies, callModel, callPart: dependencies.callPart(work) })

  const mayRead: Parameters<typeof watchCaller>[0]['mayRead'] = async (scope, { id }) =>
    (await findRunState(scope, dependencies.database.read, id)) !== undefined

  async function work(taken: RunToWorkOn, hold: Hold): Promise<'ended' | 'waits'> {
    const { run, steps, takes, isToldStarted } = taken
    const events = live.open(run.id, tell => createRunLog({ takes, clock, tell }))
    const recorder = createRunRecorder({ job: hold, runId: run.id, steps, events, log, faults })
    try {
      // One that was queued has never been begun, or has waited; what it did is all there.
      const wasCutShort = takes > 0 && run.status !== 'queued'
      if (!wasCutShort || !isToldStarted) events.emit('run.started', {})
      if (wasCutShort) events.emit('step.restarted', { stepIndex: steps.length })
      // Kept before anything else is told: after another kill the next process must not use the same positions.
      if (takes > 0) await recorder.record()
      const outcome = await executeToEnd({ ...taken, recorder, events }, hold)
      recorder.stop()
      if ('waitsFor' in outcome) return await pause(taken, outcome, { hold, recorder, events })
      await recorder.complete(async tx => {
        await endRun(tx, run.id, { ...outcome, ...used(steps) }, clock(), events.nextPosition())
        faults.reach('run.before-end')
      })
      faults.reach('run.ended')
      return 'ended'
    } finally {
      recorder.stop()
      live.close(run.id)
    }
  }

  async function pause(
    { run, steps }: RunToWorkOn,
    { waitsFor }: Pause,
    { hold, recorder, events }: { hold: Hold; recorder: RunRecorder; events: RunLog },
  ): Promise<'waits'> {
    await recorder.complete(async tx => {
      const now = clock()
      // Once the job has completed, no worker would see the request to cancel.
      const job = await jobs.find(tx, hold.jobId)
      if (job?.cancel_requested_at != null) {
        await endTree(endRun, tx, run, { status: 'cancelled' }, now)
        return
      }
      const model = lastModel(steps)
      await pauseRun(tx, run, { waitsFor, used: used(steps), model, now, position: events.nextPosition() })
      faults.reach('run.before-pause')
    })
    faults.reach('run.paused')
    return 'waits'
  }

  async function executeToEnd(started: StartedRun, hold: Hold): Promise<Ending | Pause> {
    const { run, startedAt, steps } = started
    const deadline = new AbortController()
    const remainingMs = startedAt + run.timeout_ms + run.waited_ms - clock()
    const late = () => deadline.abort(tooLate(run.timeout_ms))
    const timer = setTimeout(late, Math.max(0, remainingMs))
    if (remainingMs <= 0) late()
    let watch: CallerWatch | null = null
    try {
      const agentTools = toolsOf(started)
      const stored = callerOf(run)
      const isFresh = started.takes === 0 && clock() - run.created_at < freshMs
      const watched = { run, stored, tools: agentTools, currentCaller, mayRead, isFresh, log }
      watch = await watchCaller({ ...watched, everyMs: callerCheckMs })
      const signal = AbortSignal.any([hold.signal, deadline.signal, watch.signal])
      signal.throwIfAborted()
      const outcome = await execute(await executionOf(started, { tools: agentTools, watch, signal, hold }))
      if ('waitsFor' in outcome) return outcome
      return { ...outcome, status: 'succeeded', model: lastModel(steps) }
    } catch (failure) {
      const model = lastModel(steps)
      if (failure instanceof JobCancelled) return { status: 'cancelled', model }
      const error = failure instanceof JobTimedOut ? tooLate(run.timeout_ms) : toRunError(failure)
      if (error !== null) return { status: 'failed', model, error }
      if (hold.signal.aborted) throw failure
      log.error('A run failed by a fault of the server', { runId: run.id, error: failure })
      return { status: 'failed', model, error: internalError }
    } finally {
      watch?.stop()
      clearTimeout(timer)
    }
  }

  const toolsOf = ({ content }: TakenRun): Tool[] => tools.filter(({ name }) => content.tools.includes(name))

  return work
}

const internalError: RunError = { code: 'internal_error', message: 'Something went wrong on our side' }

const tooLate = (timeoutMs: number): RunFailure =>
  new RunFailure('run_timeout', `The run did not end within its ${timeoutMs / 1000} seconds`)
