/** Makes calls to a host politely: one call after another, with rest between them. Owners take turns. */

/**
 * Makes the call when its turn has come. Rejects with the signal's reason if the signal is aborted before. An owner
 * with many calls to a host delays another owner by only one of them.
 */
export type Turns = <T>(
  turn: { host: string; owner: string; everyMs: number; signal: AbortSignal },
  call: () => Promise<T>,
) => Promise<T>

const maxHosts = 1_000

type Host = {
  /** When the last call to the host began. */
  calledAt: number
  isCalled: boolean
  /** The waiting calls of each owner, in the order of the owners' next turns. */
  waiting: Map<string, Set<() => Promise<void>>>
}

export function createTurns(clock: {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}): Turns {
  /** The host that was asked for last comes last. */
  const hosts = new Map<string, Host>()

  const hostOf = (name: string): Host => {
    const host: Host = hosts.get(name) ?? {
      calledAt: Number.NEGATIVE_INFINITY,
      isCalled: false,
      waiting: new Map(),
    }
    hosts.delete(name)
    hosts.set(name, host)
    const [longestAgo] = hosts.keys()
    if (hosts.size > maxHosts && longestAgo !== undefined) hosts.delete(longestAgo)
    return host
  }
  const next = (host: Host): void => {
    const [turn] = host.waiting
    if (turn === undefined || host.isCalled) return
    const [owner, calls] = turn
    const [call] = calls
    host.waiting.delete(owner)
    if (call === undefined) return
    calls.delete(call)
    if (calls.size > 0) host.waiting.set(owner, calls)
    host.isCalled = true
    void call().finally(() => {
      host.isCalled = false
      next(host)
    })
  }

  return ({ host: name, owner, everyMs, signal }, call) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const host = hostOf(name)
      const calls = host.waiting.get(owner) ?? new Set()
      const leave = (): void => {
        calls.delete(turn)
        if (calls.size === 0 && host.waiting.get(owner) === calls) host.waiting.delete(owner)
        reject(signal.reason)
      }
      const politely = async () => {
        const restMs = host.calledAt + everyMs - clock.now()
        if (restMs > 0) await clock.sleep(restMs, signal)
        signal.throwIfAborted()
        host.calledAt = clock.now()
        return await call()
      }
      const turn = (): Promise<void> => {
        signal.removeEventListener('abort', leave)
        return politely().then(resolve, reject)
      }
      signal.addEventListener('abort', leave, { once: true })
      host.waiting.set(owner, calls.add(turn))
      next(host)
    })
}
