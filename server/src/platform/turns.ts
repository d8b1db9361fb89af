/** Long work in the server's own thread gives others their turn in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceMs = 8

/** Await it between pieces of the work. It lets the event loop turn if the work has gone on for a slice. */
export function createTurns(): () => Promise<void> {
  let begunAtMs = performance.now()
  return async () => {
    if (performance.now() - begunAtMs < sliceMs) return
    await nextTurn()
    begunAtMs = performance.now()
  }
}
