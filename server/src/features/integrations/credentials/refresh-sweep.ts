/** Refreshes credentials before they expire, so that whoever needs them need not wait, and a dead grant is known early. */
import type { Clock } from '../../../platform/clock.ts'
import { hourMs, minuteMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import { listSoonExpiring } from '../records/store.ts'
import type { Keeper } from './keeper.ts'

/** Answers how many connections were looked at. */
export type RefreshSweep = () => Promise<number>

/** As long before as the keeper refreshes for whoever uses a connection. */
const aheadMs = 5 * minuteMs
/** What could not be refreshed for so long is left to whoever uses it. */
const overdueMs = hourMs
const refreshesAtOnce = 4

export function createRefreshSweep(dependencies: {
  database: Database
  clock: Clock
  keeper: Keeper
  log: Log
}): RefreshSweep {
  const { database, clock, keeper, log } = dependencies
  const round = createRounds({
    list: range => {
      const nowMs = clock()
      return listSoonExpiring(database.read, { fromMs: nowMs - overdueMs, toMs: nowMs + aheadMs }, range)
    },
    work: async ({ id, workspace_id: workspaceId, environment }) => {
      await keeper.hold({ workspaceId, environment }, id).catch((error: unknown) => {
        // Given up, gone, or out of reach: the keeper has written down what has to be.
        if (!(error instanceof ServiceError)) throw error
        log.debug('Credentials were not refreshed ahead', { connectionId: id, code: error.code })
      })
      return id
    },
    log,
    failure: 'Credentials of a connection could not be refreshed ahead',
    rowsAtOnce: 200,
    concurrency: refreshesAtOnce,
  })
  return async () => (await round()).length
}
