/** How long to wait for something that goes on by itself. */

/** `signal` is aborted where waiting has no more use; the work goes on. It is made when it is first asked for. */
export type Patience = { waitMs: number; readonly signal: AbortSignal }

/** Resolves once the work has ended, the time is over or the signal is aborted; rejects where the work does before that. */
export async function waitFor(
  work: Promise<unknown>,
  { waitMs, signal }: Pick<Patience, 'waitMs'> & Partial<Patience>,
): Promise<void> {
  let stop = (): void => undefined
  // Not a timer with a signal of its own: the error that ends it, and its stack, cost more than the rest.
  const enough = new Promise<void>(resolve => {
    const end = (): void => resolve()
    const timer = setTimeout(end, waitMs)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  })
  await Promise.race([work, enough]).finally(stop)
}
