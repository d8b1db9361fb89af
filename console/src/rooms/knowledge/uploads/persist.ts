/** Tries again for as long as only the line is to blame, and says so meanwhile. */

import { ApiError, mayPass } from '@atrium/sdk'
import { untilWorthTrying } from '../../../api/connection.ts'

/** How often in a row, without a byte of progress between: about half an hour. */
const maxAttempts = 120
const longestPauseMs = 15_000

/** `attempt` is called again and again; each byte of progress that it notes gives it all of its tries back. */
export async function persist<Result>(
  attempt: (noteProgress: () => void) => Promise<Result>,
  { signal, onInterrupted }: { signal: AbortSignal; onInterrupted: () => void },
): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      return await attempt(() => {
        failures = 0
      })
    } catch (error) {
      failures += 1
      if (signal.aborted || failures > maxAttempts || !isPassing(error)) throw error
      onInterrupted()
      const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      await untilWorthTrying(Math.max(asked, Math.min(longestPauseMs, 500 * 2 ** failures)), signal)
      signal.throwIfAborted()
    }
  }
}

/** The line, a server that is busy, or an earlier request: it is still adding, or its reply was lost. */
export const isPassing = (error: unknown): boolean =>
  mayPass(error) || (error instanceof ApiError && ['upload_offset', 'upload_ended'].includes(error.code))
