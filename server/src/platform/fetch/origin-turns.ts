/** The connections to an origin are few: those on whose behalf requests are sent take turns for them. */
import { createFairQueue, type FairQueue } from '../fair-queue.ts'

export type OriginTurns = {
  /** Settles once the owner's turn has come; it lasts until the answer is called. Throws `NoTurn` if `signal` is aborted before. */
  take(origin: string, owner: string, signal: AbortSignal): Promise<() => void>
}

export class NoTurn extends Error {}

/** So many turns are in progress at each origin. */
export function createOriginTurns(width: number): OriginTurns {
  /** Those that have requests; of the others nothing is kept. */
  const origins = new Map<string, { queue: FairQueue; requests: number }>()
  return {
    take(origin, owner, signal) {
      const busy = origins.get(origin) ?? { queue: createFairQueue(width), requests: 0 }
      origins.set(origin, busy)
      busy.requests += 1
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const turn = () => new Promise<void>(end => resolve(end))
      busy.queue
        .run(owner, turn, signal)
        .catch(cause => reject(new NoTurn('No turn in time', { cause })))
        .finally(() => {
          busy.requests -= 1
          if (busy.requests === 0) origins.delete(origin)
        })
      return promise
    },
  }
}
