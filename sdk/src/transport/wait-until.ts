/** Waiting for a record: the server holds each call open, so there is no pause between two of them. */
import { TimeoutError } from './errors.ts'

type Waiting<Found> = {
  isOver: (found: Found) => boolean
  /** For how long the server is asked to hold a call open, at most. */
  heldSeconds: number
  /** How long to wait in all. */
  timeoutMs: number
}

/**
 * Resolves with the record once it is over. `read` asks for it with these headers. Throws `TimeoutError`: the server counts
 * whole seconds, so up to one second late.
 */
export async function waitUntil<Found extends { id: string; status: string }>(
  read: (headers: Record<string, string>) => Promise<Found>,
  { isOver, heldSeconds, timeoutMs }: Waiting<Found>,
): Promise<Found> {
  const deadline = Date.now() + timeoutMs
  while (true) {
    const leftMs = deadline - Date.now()
    const seconds = Math.max(0, Math.min(heldSeconds, Math.ceil(leftMs / 1000)))
    const found = await read({ prefer: `wait=${seconds}` })
    if (isOver(found)) return found
    if (Date.now() >= deadline) {
      throw new TimeoutError(`${found.id} is still ${found.status} after ${timeoutMs} ms`)
    }
  }
}
