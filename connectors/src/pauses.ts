/** Lets other work have its turn during long work. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { OutsideFault } from './gate/gate.ts'

const sliceMs = 8

/**
 * The returned function is awaited between pieces of the work. It lets the event loop turn after each slice of work.
 * Throws `OutsideFault` once the slices have taken `mostMs` of the processor.
 */
export function createPauses(mostMs = Number.POSITIVE_INFINITY): () => Promise<void> {
  let begunAtMs = performance.now()
  let begunAtUsedMs = processorMs()
  let usedMs = 0
  return async () => {
    if (performance.now() - begunAtMs < sliceMs) return
    usedMs += processorMs() - begunAtUsedMs
    if (usedMs > mostMs) throw new OutsideFault('time', mostMs)
    await nextTurn()
    begunAtMs = performance.now()
    begunAtUsedMs = processorMs()
  }
}

/** Of this thread. Node before 23.9 only tells the time of the clock, which is never less. */
function processorMs(): number {
  if (process.threadCpuUsage === undefined) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
