/** Announces in this process that a document or an import has ended, so that a wait reads the database less. */
import { EventEmitter, once } from 'node:events'
import type { Patience } from '../../../platform/clock.ts'

export type Settled = ReturnType<typeof createSettled>

const pollMs = 250

export function createSettled() {
  const news = new EventEmitter()
  news.setMaxListeners(0)

  /** Resolves when this id is announced, or after `timeoutMs`. */
  const next = async (id: string, timeoutMs: number): Promise<void> => {
    // A timer takes whole milliseconds only. The timeout is an expected end, so its error is ignored.
    await once(news, id, { signal: AbortSignal.timeout(Math.ceil(timeoutMs)) }).catch(() => undefined)
  }

  return {
    /** The row once it has ended, or the current row when patience ends. */
    async wait<Row extends { id: string }>(
      known: Row,
      patience: Patience,
      hasEnded: (row: Row) => boolean,
      read: () => Promise<Row>,
    ): Promise<Row> {
      const giveUpAt = performance.now() + patience.waitMs
      for (let row = known; ; row = await read()) {
        const leftMs = giveUpAt - performance.now()
        if (hasEnded(row) || leftMs <= 0 || patience.signal.aborted) return row
        // Another process may do the work, so the row is polled. An announcement only shortens the wait.
        await next(known.id, Math.min(pollMs, leftMs))
      }
    },

    announce(id: string): void {
      news.emit(id)
    },
  }
}
