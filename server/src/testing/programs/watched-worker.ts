/**
 * A watched worker in a process of its own. Each of its jobs says what it is when it begins: `innocent` waits for a
 * while, `blocks` never gives the thread back, `sorts` does so in native code, `fills` uses up the memory, and `ends`
 * ends the process without another word, as a crash in native code does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { createIds } from '../../platform/ids.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { createWorker } from '../../platform/jobs/worker.ts'
import { createLog } from '../../platform/log.ts'
import { takeVerdicts } from '../../platform/watch/watch-files.ts'
import { startWatcher } from '../../platform/watch/watcher.ts'
import { createWorks } from '../../platform/watch/works.ts'

const { settings, dataDir, watchTimes, aloneTimes, leaseMs, innocentMs, watchUrl } = JSON.parse(
  process.argv[2] ?? '',
)
const database = await openDatabase(settings)
const jobs = createJobs({ database, newId: createIds(systemClock) })
const log = createLog({ level: 'warn' })
const works = createWorks()
await takeVerdicts(dataDir, true, jobs.judge)
// Each test has one such process at a time.
await jobs.expireLeases()

const handlers: Record<string, (job: Job) => Promise<void>> = {
  innocent: () => sleep(innocentMs),
  // Within a transaction, as most work is: its job's row is locked meanwhile.
  blocks: job =>
    job.write(async () => {
      for (;;);
    }),
  async sorts() {
    for (;;) longText.split('').sort().join('')
  },
  async ends() {
    process.kill(process.pid, 'SIGKILL')
    await sleep(60_000)
  },
  async fills() {
    const kept: unknown[] = []
    for (;;) {
      kept.push(new Array(100_000).fill(1.5))
      await sleep(2)
    }
  },
}
const longText = 'kjhgfds'.repeat(3_000_000)

const worker = createWorker({ jobs, log, works, pollMs: 20, aloneTimes })
worker.serve({
  test: {
    concurrency: 4,
    leaseMs,
    maxAttempts: 3,
    timeoutMs: 600_000,
    async handle(job) {
      console.log(`began ${job.payload}`)
      await handlers[String(job.payload)]?.(job)
      console.log(`ended ${job.payload}`)
    },
  },
})
startWatcher({
  works,
  log,
  dataDir,
  databaseUrl: watchUrl ?? (settings.engine === 'postgres' ? settings.url : null),
  logLevel: 'warn',
  times: watchTimes,
})
worker.start()
console.log('ready')
