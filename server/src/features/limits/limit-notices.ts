/** Tells the outbox that something was refused by a limit: at most once a day for each, however often it is refused. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { LimitSummary } from '../events/data-schemas.ts'
import type { Occurrence, Outbox } from '../events/outbox-service.ts'

/** Writes in a transaction of its own, since that of the refusal is rolled back; answers at once. */
export type TellLimit = (scope: Scope, reached: LimitSummary) => void

/** More limits in a day than this are told again after a while, which the outbox refuses by itself. */
const maxRemembered = 10_000

export function createTellLimit(dependencies: {
  database: Database
  outbox: Outbox
  clock: Clock
  log: Log
}): TellLimit {
  const { database, outbox, clock, log } = dependencies
  const told = new Set<string>()
  return ({ workspaceId, environment }, reached) => {
    const at = clock()
    const day = toTimestamp(at).slice(0, 10)
    const uniqueKey = `limit ${reached.limit} ${reached.agentId ?? ''} ${day}`
    const name = `${workspaceId} ${environment} ${uniqueKey}`
    if (told.has(name)) return
    if (told.size >= maxRemembered) told.clear()
    told.add(name)
    const occurrence = withoutUndefined<Occurrence>({
      workspaceId,
      environment,
      at,
      uniqueKey,
      type: 'limit.reached',
      data: reached,
      agentId: reached.agentId ?? undefined,
    })
    database
      .write(tx => outbox.record(tx, occurrence))
      .catch((error: unknown) => {
        told.delete(name)
        log.warn('That a limit is reached could not be told', { limit: reached.limit, error })
      })
  }
}
