/** Finds runs whose job is lost or was never written, and queues them again or ends them. */
import { type Clock, minuteMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import { noJob } from '../conversations/turns.ts'
import { interrupted } from '../records/run-errors.ts'
import { queueRun } from '../records/run-job.ts'
import type { RunRow } from '../records/run-store.ts'
import { endTree } from './end-tree.ts'
import { listLeftBehind, listOrphans, lockLeftBehind } from './reaper-store.ts'
import type { Ending, EndRun } from './run-ending.ts'

/** Queues them again, ends those whose job was given up or whose head has ended, and answers how many of each there were. */
export type RunReaper = () => Promise<{ requeued: number; ended: number }>

/** A run has its job by the transaction that makes it; this is for clocks that differ. */
const graceMs = minuteMs

type Outcome = 'requeued' | 'ended'

export function createRunReaper(dependencies: {
  database: Database
  jobs: Jobs
  clock: Clock
  log: Log
  endRun: EndRun
}): RunReaper {
  const { database, jobs, clock, log, endRun } = dependencies

  const heal = ({ id }: RunRow): Promise<Outcome | null> =>
    database.write(async tx => {
      const run = await lockLeftBehind(tx, id)
      if (run === undefined) return null
      const job = run.job_id === noJob ? undefined : await jobs.find(tx, run.job_id)
      const ending = endings[job?.state ?? 'done']
      if (ending !== undefined) return (await endTree(endRun, tx, run, ending, clock())) ? 'ended' : null
      await queueRun(tx, jobs, run)
      return 'requeued'
    })

  const endOrphan = (run: RunRow): Promise<Outcome | null> =>
    database.write(async tx =>
      (await endTree(endRun, tx, run, { status: 'cancelled' }, clock())) ? 'ended' : null,
    )

  const logged =
    (work: (run: RunRow) => Promise<Outcome | null>) =>
    async (run: RunRow): Promise<Outcome | null> => {
      const outcome = await work(run)
      if (outcome !== null) log.warn('A run was left behind', { runId: run.id, status: run.status, outcome })
      return outcome
    }
  const failure = 'A run that was left behind could not be put right'
  const roundOf = (list: typeof listLeftBehind, work: typeof endOrphan) =>
    createRounds({
      list: range => list(database.read, { before: clock() - graceMs, ...range }),
      work: logged(work),
      log,
      failure,
    })
  const leftBehind = roundOf(listLeftBehind, heal)
  const orphans = roundOf(listOrphans, endOrphan)

  return async () => {
    const outcomes = [...(await leftBehind()), ...(await orphans())]
    const countOf = (outcome: Outcome): number => outcomes.filter(each => each === outcome).length
    return { requeued: countOf('requeued'), ended: countOf('ended') }
  }
}

/** What became of a job that was not done. */
const endings: Readonly<Partial<Record<string, Ending>>> = {
  dead: { status: 'failed', error: interrupted },
  cancelled: { status: 'cancelled' },
}
