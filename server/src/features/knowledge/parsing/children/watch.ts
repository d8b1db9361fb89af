/**
 * A thread beside the reader: ends the process if it holds too much memory, works too long, or has lost its server.
 */
import { workerData } from 'node:worker_threads'
import type { WatchData } from './child-process.ts'
import { watchSignals } from './death.ts'

const everyMs = 10

const { parentId, limits } = workerData as WatchData
const pause = new Int32Array(new SharedArrayBuffer(4))

// The reader's own thread may be busy inside a library, so this thread only sleeps and checks.
for (;;) {
  if (process.ppid !== parentId) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > (limits[0] ?? 0)) process.kill(process.pid, watchSignals.memory)
  const { user, system } = process.cpuUsage()
  if ((user + system) / 1_000 > (limits[1] ?? 0)) process.kill(process.pid, watchSignals.time)
  Atomics.wait(pause, 0, 0, everyMs)
}
