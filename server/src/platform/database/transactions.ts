/** Transactions over Kysely: tried again where two of them crossed, and followed by what waits for the commit. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Query, Tx } from './database.ts'

const maxAttempts = 3
const maxJitterMs = 20

/** `isCrossed` tells the errors by which an engine refuses one of two transactions that got in each other's way. */
export function createTransactions(
  kysely: Query,
  isCrossed: (error: unknown) => boolean,
): Pick<Database, 'write' | 'afterCommit'> {
  const waitingFor = new WeakMap<Tx, (() => void)[]>()

  const attempt = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const actions: (() => void)[] = []
    const result = await kysely.transaction().execute(tx => {
      waitingFor.set(tx, actions)
      return work(tx)
    })
    for (const action of actions) action()
    return result
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
    afterCommit: (tx, action) => {
      const actions = waitingFor.get(tx)
      if (actions === undefined) throw new Error('`afterCommit` was given a tx that `write` did not begin')
      actions.push(action)
    },
  }
}
