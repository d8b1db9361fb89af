/** A job engine on a database of its own, for tests of long work. */
import type { TestContext } from 'node:test'
import { systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { openDatabase } from '../platform/database/open.ts'
import { noFaults } from '../platform/faults.ts'
import { createIds } from '../platform/ids.ts'
import type { NewJob, Queue, Queues } from '../platform/jobs/job.ts'
import { createJobs, type Jobs } from '../platform/jobs/jobs.ts'
import { QueueRunner } from '../platform/jobs/queue-runner.ts'
import type { JobRow } from '../platform/jobs/rows.ts'
import { createWorker, type Worker, type WorkerOptions } from '../platform/jobs/worker.ts'
import { createLog } from '../platform/log.ts'
import { createWorks } from '../platform/watch/works.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { eventually } from './eventually.ts'

export type TestJobs = {
  place: TestDatabase
  database: Database
  jobs: Jobs
  enqueue(job?: Partial<NewJob>): Promise<string>
  find(jobId: string): Promise<JobRow>
  /** Started; drained when the test ends. */
  startWorker(queues: Queues, options?: Partial<WorkerOptions>): Worker
  createWorker(queues: Queues, options?: Partial<WorkerOptions>): Worker
  /** Takes the job back from its lost worker, as the worker of this process does each second. */
  reapOnce(jobId: string, queue?: Queue): Promise<void>
  /** An engine over connections of its own, as another process has it. */
  asOtherProcess(): Promise<Jobs>
}

export const testLog = createLog({ level: 'silent' })

/** A queue whose numbers suit tests, with this handler. */
export const testQueue = (handle: Queue['handle'], rest: Partial<Queue> = {}): Queue => ({
  concurrency: 4,
  leaseMs: 5_000,
  maxAttempts: 3,
  timeoutMs: 30_000,
  backoffMs: 5,
  handle,
  ...rest,
})

export async function createTestJobs(t: TestContext): Promise<TestJobs> {
  const place = await createTestDatabase()
  const { database } = place
  const jobs = createJobs({ database, newId: createIds(systemClock) })
  const workers: Worker[] = []
  const others: Database[] = []
  t.after(async () => {
    for (const worker of workers) await worker.drain(1_000)
    // What was put back ends with a write, for which it would wait for a connection of a pool that is closed.
    await eventually('no job runs', () => workers.every(worker => worker.running() === 0))
    for (const other of others) await other.close()
    await place.close()
  })
  const test: TestJobs = {
    place,
    database,
    jobs,
    enqueue: job =>
      database.write(tx => jobs.enqueue(tx, { queue: 'test', payload: null, workspaceId: 'wsp_a', ...job })),
    find: async jobId => {
      const row = await jobs.find(database.read, jobId)
      if (row === undefined) throw new Error(`There is no job ${jobId}`)
      return row
    },
    createWorker: (queues, options) => {
      const worker = createWorker({ jobs, log: testLog, pollMs: 20, ...options })
      worker.serve(queues)
      workers.push(worker)
      return worker
    },
    startWorker: (queues, options) => {
      const worker = test.createWorker(queues, options)
      worker.start()
      return worker
    },
    reapOnce: async (jobId, queue = testQueue(async () => undefined)) => {
      const { store } = jobs.internal
      const works = createWorks()
      const runner = new QueueRunner('test', queue, {
        database,
        store,
        log: testLog,
        faults: noFaults,
        works,
      })
      await runner.reap(await test.find(jobId))
    },
    asOtherProcess: async () => {
      const other = await openDatabase(place.settings)
      others.push(other)
      return createJobs({ database: other, newId: createIds(systemClock) })
    },
  }
  return test
}
