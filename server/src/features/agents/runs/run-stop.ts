/** Makes runs stop before they have ended by themselves. */
import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { noJob, type StopRuns } from '../conversations/turns.ts'
import type { RunRow } from '../records/run-store.ts'
import { endTree } from './end-tree.ts'
import type { EndRun } from './run-ending.ts'

export function createStopRuns(dependencies: { jobs: Jobs; clock: Clock; endRun: EndRun }): StopRuns {
  const { jobs, clock, endRun } = dependencies
  const isWorkedOn = async (tx: Tx, { job_id: jobId }: RunRow): Promise<boolean> =>
    jobId !== noJob && (await jobs.cancel(tx, jobId)) === 'requested'

  return async (tx, runs) => {
    const idle: RunRow[] = []
    for (const run of runs) if (!(await isWorkedOn(tx, run))) idle.push(run)
    let ended = 0
    // From the last: the end of one would let the next begin.
    for (const run of idle.toReversed()) {
      if (await endTree(endRun, tx, run, { status: 'cancelled' }, clock())) ended++
    }
    return ended
  }
}
