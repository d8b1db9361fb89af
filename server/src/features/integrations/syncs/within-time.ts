/** Patience with what a connector does: it is waited for until its time is over or its work is called off. */
import { SourceFault } from './sync-failure.ts'

/** What comes too late is left to end by itself, and nobody reads it. */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      over.reject(new SourceFault('timeout', `It took longer than ${Math.round(timeoutMs / 1_000)} seconds`)),
    timeoutMs,
  )
  const stop = (): void => over.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // Whichever of the two lost has nobody who hears of its failure.
    work.catch(() => undefined)
    over.promise.catch(() => undefined)
  }
}
