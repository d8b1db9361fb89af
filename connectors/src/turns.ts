/** Politeness towards hosts that promise no speed: one call after another, with rest between them. */

/** Makes the call when its turn has come; rejects with the signal's reason where that is aborted before. */
export type Turns = <T>(
  host: string,
  everyMs: number,
  signal: AbortSignal,
  call: () => Promise<T>,
) => Promise<T>

const maxHosts = 1_000

export function createTurns(clock: {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}): Turns {
  /** The last call to each host: the time at which it began. */
  const lasts = new Map<string, Promise<number>>()

  return async (host, everyMs, signal, call) => {
    const before = lasts.get(host) ?? Promise.resolve(Number.NEGATIVE_INFINITY)
    const turn = Promise.withResolvers<number>()
    // Anew, so that the host is the one that was called last.
    lasts.delete(host)
    lasts.set(host, turn.promise)
    const [longestAgo] = lasts.keys()
    if (lasts.size > maxHosts && longestAgo !== undefined) lasts.delete(longestAgo)
    let beganAt = await before
    try {
      const restMs = beganAt + everyMs - clock.now()
      if (restMs > 0) await clock.sleep(restMs, signal)
      signal.throwIfAborted()
      beganAt = clock.now()
      return await call()
    } finally {
      turn.resolve(beganAt)
    }
  }
}
