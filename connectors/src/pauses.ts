/** Lets other work have its turn during long work. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceMs = 8

/**
 * The returned function is awaited between pieces of the work. It lets the event loop turn after each slice of work.
 */
export function createPauses(): () => Promise<void> {
  let begunAtMs = performance.now()
  return async () => {
    if (performance.now() - begunAtMs < sliceMs) return
    await nextTurn()
    begunAtMs = performance.now()
  }
}
