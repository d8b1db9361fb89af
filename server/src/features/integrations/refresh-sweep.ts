/** Refreshes credentials before they expire, so that whoever needs them need not wait, and a dead grant is known early. */
import type { Clock } from '../../platform/clock.ts'
import { hourMs, minuteMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Keeper } from './keeper.ts'
import { listSoonExpiring } from './store.ts'

/** Answers how many connections were looked at. */
export type RefreshSweep = () => Promise<number>

/** As long before as the keeper refreshes for whoever uses a connection. */
const aheadMs = 5 * minuteMs
/** What could not be refreshed for so long is left to whoever uses it. */
const overdueMs = hourMs
const connectionsAtOnce = 200
const refreshesAtOnce = 4

export function createRefreshSweep(dependencies: {
  database: Database
  clock: Clock
  keeper: Keeper
  log: Log
}): RefreshSweep {
  const { database, clock, keeper, log } = dependencies
  return async () => {
    const nowMs = clock()
    const span = { fromMs: nowMs - overdueMs, toMs: nowMs + aheadMs }
    const rows = await listSoonExpiring(database.read, span, connectionsAtOnce)
    const queue = [...rows]
    const work = async (): Promise<void> => {
      for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
        const scope = { workspaceId: row.workspace_id, environment: row.environment }
        await keeper.hold(scope, row.id).catch((error: unknown) => {
          // Given up, gone, or out of reach: the keeper has written down what has to be.
          if (!(error instanceof ServiceError)) throw error
          log.debug('Credentials were not refreshed ahead', { connectionId: row.id, code: error.code })
        })
      }
    }
    await Promise.all(Array.from({ length: refreshesAtOnce }, work))
    return rows.length
  }
}
