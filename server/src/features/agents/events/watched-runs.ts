/** The runs that requests in this process wait for: one query for all of them. */

export type WatchedRuns = ReturnType<typeof createWatchedRuns>

export type RunWatch = {
  /**
   * Resolves once a query finds another state than the query before. The first query resolves it, so that a caller
   * who has read the run misses nothing. Also resolves if a query fails, the signal is aborted, or time is over.
   */
  changed(until: { signal: AbortSignal; waitMs?: number }): Promise<void>
  /** Each caller of `watch` calls this once. */
  end(): void
}

/** How often to look for changes that other processes make. */
const lookEveryMs = 100
const runsAtOnce = 1_000

export function createWatchedRuns({
  read,
  everyMs = lookEveryMs,
}: {
  /** Returns the state of each run, as a text that differs once something has changed. */
  read(runIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  everyMs?: number
}) {
  const watches = new Map<string, Set<(state: string | null) => void>>()
  let isLooking = false
  let timer: NodeJS.Timeout | null = null

  const lookSoon = (): void => {
    if (timer !== null || isLooking || watches.size === 0) return
    timer = setTimeout(() => {
      timer = null
      void look()
    }, everyMs)
  }
  const look = async (): Promise<void> => {
    isLooking = true
    const ids = [...watches.keys()]
    for (let from = 0; from < ids.length; from += runsAtOnce) {
      const some = ids.slice(from, from + runsAtOnce)
      // The waiting requests then ask the database themselves, and report its error.
      const states = await read(some).catch(() => null)
      for (const id of some) {
        for (const see of watches.get(id) ?? []) see(states === null ? null : (states.get(id) ?? 'gone'))
      }
    }
    isLooking = false
    lookSoon()
  }

  return {
    watch(runId: string): RunWatch {
      let seen: string | null = null
      let isChanged = false
      let wake: () => void = () => undefined
      const see = (state: string | null): void => {
        if (state !== null && state === seen) return
        seen = state
        isChanged = true
        wake()
      }
      const ofRun = watches.get(runId) ?? new Set()
      watches.set(runId, ofRun.add(see))
      lookSoon()
      return {
        async changed({ signal, waitMs }) {
          const over = waitMs === undefined ? null : setTimeout(() => wake(), waitMs)
          const abort = (): void => wake()
          signal.addEventListener('abort', abort, { once: true })
          await new Promise<void>(resolve => {
            wake = resolve
            if (isChanged || signal.aborted) resolve()
          })
          isChanged = false
          if (over !== null) clearTimeout(over)
          signal.removeEventListener('abort', abort)
        },
        end() {
          ofRun.delete(see)
          if (ofRun.size === 0 && watches.get(runId) === ofRun) watches.delete(runId)
          if (watches.size > 0 || timer === null) return
          clearTimeout(timer)
          timer = null
        },
      }
    },
  }
}
