/** How long to wait for something that goes on by itself. */
import { setTimeout as sleep } from 'node:timers/promises'

/** `signal` is aborted where waiting has no more use; the work goes on. It is made when it is first asked for. */
export type Patience = { waitMs: number; readonly signal: AbortSignal }

/** Resolves once the work has ended, the time is over or the signal is aborted; rejects where the work does before that. */
export async function waitFor(
  work: Promise<unknown>,
  { waitMs, signal }: Pick<Patience, 'waitMs'> & Partial<Patience>,
): Promise<void> {
  const enough = new AbortController()
  const over = signal === undefined ? enough.signal : AbortSignal.any([enough.signal, signal])
  // The timer's end by the signal is no news.
  await Promise.race([work, sleep(waitMs, undefined, { signal: over }).catch(() => undefined)]).finally(() =>
    enough.abort(),
  )
}
