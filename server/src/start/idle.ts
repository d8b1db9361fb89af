/**
 * Gives back what a load leaves behind. V8 collects when something is allocated, so a server without work would keep the
 * garbage of the last load, and the room that it took.
 */
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

const everyMs = 8_000
/** Of the event loop's time. What a server does by itself takes less. */
const idleShare = 0.02
/** A collection of more would stop the process for longer than half a second. */
const mostBytes = 256 * 1024 * 1024

/** Without `--expose-gc`, as `npm start` has it, all stays as it is. */
export function collectWhenIdle(): void {
  const { gc } = globalThis
  if (gc === undefined) return
  // The usual collection frees less than a third of it: it leaves pages that are only partly used.
  const look = createIdleWatch(() => {
    if (usedHeapBytes() <= mostBytes) gc({ type: 'major', flavor: 'last-resort' })
  })
  let last = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    look(performance.eventLoopUtilization(now, last).utilization)
    last = now
  }, everyMs).unref()
}

/** Asks V8 alone: `process.memoryUsage` opens a file, and throws where no more can be opened. */
export const usedHeapBytes = (): number => getHeapStatistics().used_heap_size

/** `act` is called once after each time of work: it stops the process for some tenths of a second. */
export function createIdleWatch(act: () => void): (utilization: number) => void {
  let hasWorked = false
  return utilization => {
    if (utilization > idleShare) hasWorked = true
    else if (hasWorked) {
      hasWorked = false
      act()
    }
  }
}
