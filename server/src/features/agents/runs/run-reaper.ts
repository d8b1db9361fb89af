/** Finds runs whose job is lost or was never written, and queues them again or ends them. */
import { minuteMs } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { createRounds, type RowRange } from '../../../platform/schedules/rounds.ts'
import { interrupted } from '../records/run-errors.ts'
import { noJob, queueRun } from '../records/run-job.ts'
import type { RunRow } from '../records/run-store.ts'
import type { RunDependencies } from './run-dependencies.ts'
import { type Ending, endTree } from './run-ending.ts'

/** The transaction that makes a run also makes its job; this time is for clocks that differ. */
const graceMs = minuteMs

type Outcome = 'requeued' | 'ended'

export function createRunReaper(dependencies: RunDependencies) {
  const { database, jobs, clock, log } = dependencies

  const heal = ({ id }: RunRow): Promise<Outcome | null> =>
    database.write(async tx => {
      const run = await lockLeftBehind(tx, id)
      if (run === undefined) return null
      const job = run.job_id === noJob ? undefined : await jobs.find(tx, run.job_id)
      const ending = endings[job?.state ?? 'done']
      if (ending !== undefined)
        return (await endTree(dependencies, tx, run, ending, clock())) ? 'ended' : null
      await queueRun(tx, jobs, run)
      return 'requeued'
    })

  const endOrphan = (run: RunRow): Promise<Outcome | null> =>
    database.write(async tx =>
      (await endTree(dependencies, tx, run, { status: 'cancelled' }, clock())) ? 'ended' : null,
    )

  const logged =
    (work: (run: RunRow) => Promise<Outcome | null>) =>
    async (run: RunRow): Promise<Outcome | null> => {
      const outcome = await work(run)
      if (outcome !== null) log.warn('A run was left behind', { runId: run.id, status: run.status, outcome })
      return outcome
    }
  const failure = 'A run that was left behind could not be repaired'
  const roundOf = (list: typeof listLeftBehind, work: typeof endOrphan) =>
    createRounds({
      list: range => list(database.read, { before: clock() - graceMs, ...range }),
      work: logged(work),
      log,
      failure,
    })
  const leftBehind = roundOf(listLeftBehind, heal)
  const orphans = roundOf(listOrphans, endOrphan)

  /** Returns how many runs it queued again and how many it ended. */
  return async (): Promise<{ requeued: number; ended: number }> => {
    const outcomes = [...(await leftBehind()), ...(await orphans())]
    const countOf = (outcome: Outcome): number => outcomes.filter(each => each === outcome).length
    return { requeued: countOf('requeued'), ended: countOf('ended') }
  }
}

/** The end of a run by the state of its job. In any other state the run is queued again. */
const endings: Readonly<Partial<Record<string, Ending>>> = {
  dead: { status: 'failed', error: interrupted },
  cancelled: { status: 'cancelled' },
}

type Range = RowRange & { before: number }

/** Runs made before `before` that wait for nothing and have no queued or running job. */
const listLeftBehind = (query: Query, { before, after, limit }: Range): Promise<RunRow[]> =>
  selectLeftBehind(query)
    .where('runs.created_at', '<', before)
    .where('runs.id', '>', after)
    .orderBy('runs.id')
    .limit(limit)
    .execute()

/** Locks the run's row until the transaction ends. Returns the run if it is still left behind. */
async function lockLeftBehind(tx: Tx, id: string): Promise<RunRow | undefined> {
  // The next statement sees what changed while this one waited for the lock.
  await tx.selectFrom('runs').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return await selectLeftBehind(tx).where('runs.id', '=', id).executeTakeFirst()
}

/** Unfinished parts of runs that have ended. */
const listOrphans = (query: Query, { before, after, limit }: Range): Promise<RunRow[]> =>
  query
    .selectFrom('runs')
    .innerJoin('runs as head', 'head.id', 'runs.root_run_id')
    .selectAll('runs')
    .where('runs.finished_at', 'is', null)
    .where('head.finished_at', 'is not', null)
    .where('runs.created_at', '<', before)
    .where('runs.id', '>', after)
    .orderBy('runs.id')
    .limit(limit)
    .execute()

/** A run without a job waits for earlier runs of its conversation. A run within another run has that run's job. */
const selectLeftBehind = (query: Query) =>
  query
    .selectFrom('runs')
    .selectAll('runs')
    .where('runs.finished_at', 'is', null)
    .where('runs.status', '<>', 'waiting')
    .where('runs.parent_run_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.id', '=', 'runs.job_id')
            .where('jobs.finished_at', 'is', null),
        ),
      ),
    )
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('runs.job_id', '<>', noJob),
        not(
          exists(
            selectFrom('runs as earlier')
              .select('earlier.id')
              .whereRef('earlier.workspace_id', '=', 'runs.workspace_id')
              .whereRef('earlier.conversation_id', '=', 'runs.conversation_id')
              .whereRef('earlier.turn', '<', 'runs.turn')
              .where('earlier.finished_at', 'is', null),
          ),
        ),
      ]),
    )
