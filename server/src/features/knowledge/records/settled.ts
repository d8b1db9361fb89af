/** News within this process that a document or an import has ended, so that a wait need not ask the database again and again. */
import { EventEmitter, once } from 'node:events'
import type { Patience } from '../../../platform/clock.ts'

export type Settled = ReturnType<typeof createSettled>

const pollMs = 250

export function createSettled() {
  const news = new EventEmitter()
  news.setMaxListeners(0)

  /** Resolves at the news of this id, or after `timeoutMs` without any. */
  const next = async (id: string, timeoutMs: number): Promise<void> => {
    // A timer takes whole milliseconds only. Time running out is one of the two ways in which this is meant to end.
    await once(news, id, { signal: AbortSignal.timeout(Math.ceil(timeoutMs)) }).catch(() => undefined)
  }

  return {
    /** The row once it has ended, or as it stands when patience ends. */
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
        // Another process may do the work, so the news of this one only hastens.
        await next(known.id, Math.min(pollMs, leftMs))
      }
    },

    announce(id: string): void {
      news.emit(id)
    },
  }
}
