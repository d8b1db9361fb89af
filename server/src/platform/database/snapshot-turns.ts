/** Who reads a snapshot next: there are few at once, and their owners take turns for them. */
import { databaseUnavailable } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'

export type SnapshotTurns = {
  /** Throws `unavailable` if the owner's turn does not come within the limit. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
  /** Refuses those who wait. */
  close(): void
}

export function createSnapshotTurns(width: number, acquireTimeoutMs: number): SnapshotTurns {
  const queue = createFairQueue(width)
  const closing = new AbortController()
  return {
    async run(owner, work) {
      const late = new AbortController()
      const timer = setTimeout(
        () => late.abort(databaseUnavailable(`No snapshot was free within ${acquireTimeoutMs} ms`)),
        acquireTimeoutMs,
      )
      const begin = () => {
        clearTimeout(timer)
        return work()
      }
      try {
        return await queue.run(owner, begin, AbortSignal.any([late.signal, closing.signal]))
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => closing.abort(databaseUnavailable('The database is being closed')),
  }
}
