/** News within this process that a document is ready or has failed, so that who waits need not ask the database. */
import { EventEmitter, once } from 'node:events'

export type Settled = {
  /** Resolves at the news of this document, or after `timeoutMs` without any. */
  next(documentId: string, timeoutMs: number): Promise<void>
  announce(documentId: string): void
}

export function createSettled(): Settled {
  const news = new EventEmitter()
  news.setMaxListeners(0)
  return {
    async next(documentId, timeoutMs) {
      // A timer takes whole milliseconds only. Time running out is one of the two ways in which this is meant to end.
      await once(news, documentId, { signal: AbortSignal.timeout(Math.ceil(timeoutMs)) }).catch(
        () => undefined,
      )
    },
    announce(documentId) {
      news.emit(documentId)
    },
  }
}
