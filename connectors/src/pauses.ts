/** Long work gives others their turn in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceMs = 8

/** To be awaited between pieces of the work: lets the event loop turn where the work has gone on for a slice. */
export function createPauses(): () => Promise<void> {
  let begunAtMs = performance.now()
  return async () => {
    if (performance.now() - begunAtMs < sliceMs) return
    await nextTurn()
    begunAtMs = performance.now()
  }
}
