/**
 * Measures the event loop delay of a process; loaded before the process's own code. On SIGUSR2 it writes the
 * figures to the file that LOOP_DELAY_FILE names, and resets them.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const resolutionMs = 2
const file = process.env.LOOP_DELAY_FILE

// Threads and children of the process load this too; theirs is not the loop that is asked about.
if (isMainThread && file !== undefined && process.argv[1]?.endsWith('main.js')) {
  const monitor = monitorEventLoopDelay({ resolution: resolutionMs })
  monitor.enable()
  // What is recorded is the time between two ticks of a timer, its own interval included.
  const lateness = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  process.on('SIGUSR2', () => {
    const seen = { p99Ms: lateness(monitor.percentile(99)), maxMs: lateness(monitor.max) }
    monitor.reset()
    writeFileSync(`${file}.new`, JSON.stringify(seen))
    renameSync(`${file}.new`, file)
  })
}
