/**
 * A thread beside the reader: ends the process if it holds too much memory, works too long, or has lost its server.
 */
import { workerData } from 'node:worker_threads'
import type { WatchData } from './child-process.ts'

const everyMs = 10

const { limitBytes, parentId, until } = workerData as WatchData
const pause = new Int32Array(new SharedArrayBuffer(4))

// The reader's own thread may be busy inside a library, so this thread only sleeps and checks.
for (;;) {
  const isOrphan = process.ppid !== parentId
  if (isOrphan || process.memoryUsage.rss() > limitBytes) process.kill(process.pid, 'SIGKILL')
  const { user, system } = process.cpuUsage()
  if ((user + system) / 1_000 > (until[0] ?? 0)) process.kill(process.pid, 'SIGXCPU')
  Atomics.wait(pause, 0, 0, everyMs)
}
