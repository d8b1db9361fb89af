/** What no sync can go on from: a promise that a source breaks, or work that takes too long. */
import { HttpFailure } from '../http.ts'

/** The connector or the service behind it broke a promise; `code` says which. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly code: string
  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The error itself where it says what happened; else the connector is at fault. */
export function faultOf(error: unknown, what: string): HttpFailure | SourceFault {
  if (error instanceof HttpFailure || error instanceof SourceFault) return error
  const why = error instanceof Error ? error.message : String(error)
  return new SourceFault('connector_fault', `${what}: ${why}`, error)
}

/** Work that comes too late is left to end by itself; its result is not read. */
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
    // The failure of the promise that lost the race is not needed.
    work.catch(() => undefined)
    over.promise.catch(() => undefined)
  }
}
