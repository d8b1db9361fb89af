/** Stores what a run has done so far: its steps, the documents and connections that it was shown, and its events. */
import type { Tx } from '../../../platform/database/database.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Log } from '../../../platform/log.ts'
import { insertRunEvents } from '../events/run-events-store.ts'
import type { RunLog, StoredEvent } from '../events/run-log.ts'
import { insertSteps } from '../records/run-store.ts'
import { connectionsIn, documentsIn, type Step, toRow } from '../records/steps.ts'
import { insertShown, insertShownConnections } from '../records/traces-store.ts'

/** A process that dies loses at most this time of an answer, and other processes see the answer this much later. */
const storeEveryMs = 400

export type RunRecorder = ReturnType<typeof createRunRecorder>

export function createRunRecorder(options: {
  lease: Pick<Job, 'write' | 'complete'>
  runId: string
  steps: readonly Step[]
  events: RunLog
  log: Log
}) {
  const { lease, runId, steps, events, log } = options
  let recordedSteps = steps.length
  let last: Promise<void> = Promise.resolve()

  /** `finish` stores the events and what changes with them. Without it, nothing is written if nothing is new. */
  async function store(
    write: Job['write'],
    finish?: (tx: Tx, events: readonly StoredEvent[]) => Promise<unknown>,
  ): Promise<void> {
    const fresh = steps.slice(recordedSteps)
    const unstored = events.unstored()
    if (fresh.length === 0 && unstored.length === 0 && finish === undefined) return
    await write(async tx => {
      await insertSteps(
        tx,
        fresh.map((step, index) => toRow(runId, step, recordedSteps + index + 1)),
      )
      await insertShown(tx, runId, documentsIn(fresh))
      await insertShownConnections(tx, runId, connectionsIn(fresh))
      if (finish === undefined) await insertRunEvents(tx, runId, unstored)
      else await finish(tx, unstored)
    })
    recordedSteps += fresh.length
    events.forget(unstored.length)
  }

  /** Runs one store after the other. What could not be stored is stored the next time. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  /** Stores everything so far, and what `also` changes, in a transaction that the lease guards. */
  const record = (also?: (tx: Tx) => Promise<unknown>): Promise<void> =>
    inTurn(() =>
      store(
        lease.write,
        also === undefined
          ? undefined
          : async (tx, unstored) => {
              await insertRunEvents(tx, runId, unstored)
              await also(tx)
            },
      ),
    )
  const timer = setInterval(() => {
    record().catch(error => log.warn('What a run has written could not be stored yet', { runId, error }))
  }, storeEveryMs)
  timer.unref()

  return {
    record,
    /** Like `record`, and ends the job too. `end` stores the events, together with the one that it adds. */
    complete: (end: (tx: Tx, events: readonly StoredEvent[]) => Promise<unknown>): Promise<void> =>
      inTurn(() => store(lease.complete, end)),
    /** Ends the storing of answers that are still being written. */
    stop: () => clearInterval(timer),
  }
}
