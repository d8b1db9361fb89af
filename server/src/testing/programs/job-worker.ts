/**
 * A worker in a process of its own. Its job says `started`, waits for a line, and then tries to write: it says
 * `written`, or the name of the error that refused it.
 */
import { once } from 'node:events'
import { systemClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { createIds } from '../../platform/ids.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { createWorker } from '../../platform/jobs/worker.ts'
import { createLog } from '../../platform/log.ts'

const { settings, queue, leaseMs } = JSON.parse(process.argv[2] ?? '')
const database = await openDatabase(settings)
const jobs = createJobs({ database, newId: createIds(systemClock) })
const worker = createWorker({ jobs, log: createLog({ level: 'silent' }), pollMs: 20 })
worker.serve({
  [queue]: {
    concurrency: 1,
    leaseMs,
    maxAttempts: 3,
    timeoutMs: 60_000,
    handle: async job => {
      console.log('started')
      await once(process.stdin, 'data')
      try {
        await job.write(tx => tx.insertInto('meta').values({ name: job.id, value: 'child' }).execute())
        console.log('written')
      } catch (error) {
        console.log(error instanceof Error ? error.name : 'unknown')
      }
    },
  },
})
worker.start()
console.log('ready')
