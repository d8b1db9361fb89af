/** Transactions over Kysely: tried again if two of them crossed, and followed by actions at their end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUnavailable } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import type { Database, Query, Tx } from './database.ts'

const maxAttempts = 3
const maxJitterMs = 20

/** `isCrossed` knows the errors with which an engine refuses one of two transactions that got in each other's way. */
export function createTransactions(
  kysely: Query,
  isCrossed: (error: unknown) => boolean,
): Pick<Database, 'write' | 'afterCommit' | 'afterEnd'> {
  const waitingFor = new WeakMap<Tx, ((isCommitted: boolean) => void)[]>()

  const attempt = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const actions: ((isCommitted: boolean) => void)[] = []
    const end = (isCommitted: boolean): void => {
      for (const action of actions) action(isCommitted)
    }
    let result: T
    try {
      result = await kysely.transaction().execute(tx => {
        waitingFor.set(tx, actions)
        return work(tx)
      })
    } catch (error) {
      end(false)
      throw error
    }
    end(true)
    return result
  }

  const afterEnd: Database['afterEnd'] = (tx, action) => {
    const actions = waitingFor.get(tx)
    if (actions === undefined) throw new Error('The tx is not one that `write` began')
    actions.push(action)
  }

  return {
    write: async work => {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work)
        } catch (error) {
          if (tries === maxAttempts || !isCrossed(error)) throw error
          await sleep(Math.random() * maxJitterMs * tries)
        }
      }
    },
    afterEnd,
    afterCommit: (tx, action) =>
      afterEnd(tx, isCommitted => {
        if (isCommitted) action()
      }),
  }
}

/** Turns for snapshots: few can run at once, so their owners take turns. */
type SnapshotTurns = {
  /** Throws `unavailable` if the owner's turn does not come within the limit. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
  /** Refuses the owners that wait. */
  close(): void
}

export function createSnapshotTurns(width: number, acquireTimeoutMs: number): SnapshotTurns {
  const queue = createFairQueue(width)
  const closing = new AbortController()
  return {
    async run(owner, work) {
      const late = new AbortController()
      const timer = setTimeout(
        () => late.abort(databaseUnavailable(`No snapshot was free within ${acquireTimeoutMs} ms`)),
        acquireTimeoutMs,
      )
      const begin = () => {
        clearTimeout(timer)
        return work()
      }
      try {
        return await queue.run(owner, begin, AbortSignal.any([late.signal, closing.signal]))
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => closing.abort(databaseUnavailable('The database is being closed')),
  }
}
