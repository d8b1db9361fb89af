/** A thread beside the reader: ends the process once it holds too much memory, or once its server is gone. */
import { workerData } from 'node:worker_threads'

const everyMs = 10

const { limitBytes, parentId } = workerData as { limitBytes: number; parentId: number }
const pause = new Int32Array(new SharedArrayBuffer(4))

// The reader's own thread may be busy inside a library, so this thread only sleeps and checks.
for (;;) {
  const isOrphan = process.ppid !== parentId
  if (isOrphan || process.memoryUsage.rss() > limitBytes) process.kill(process.pid, 'SIGKILL')
  Atomics.wait(pause, 0, 0, everyMs)
}
