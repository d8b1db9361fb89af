/** What it takes to work on a run, and on the runs within it. */
import type { Caller } from '../../../platform/caller.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { CallableAgents } from '../../../platform/tool.ts'
import type { RunRow } from '../records/run-store.ts'
import type { Step } from '../records/steps.ts'
import type { TakenRun } from './take-run.ts'

/** What a process holds that works on a run: its job, or that of the run which it is a part of. */
export type Hold = Pick<Job, 'signal' | 'write' | 'complete'> & { jobId: string }

export type RunToWorkOn = TakenRun & { goesOn: boolean }

/** Answers whether the run has ended. Throws where it has not and is to be taken up again. */
export type WorkOnRun = (taken: RunToWorkOn, hold: Hold) => Promise<'ended' | 'waits'>

/** A run as it calls others: `agentIds` are those that its agent may call. */
export type Calling = {
  run: RunRow
  steps: readonly Step[]
  agentIds: readonly string[]
  caller: () => Caller
  /** Its signal is aborted where the calling run stops, for whatever reason. */
  hold: Hold
}

export type CallPart = (calling: Calling) => CallableAgents
