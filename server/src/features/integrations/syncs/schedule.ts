/** Connections that are synchronized by themselves: each minute, those whose time has come are begun. */
import { randomInt } from 'node:crypto'
import { minuteMs } from '../../../platform/clock.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import type { ActingMember } from '../../authentication/callers-service.ts'
import type { ConnectionRow } from '../records/store.ts'
import type { StartSync } from './sync-start.ts'
import { listDue, takeTurn, updateSyncSettings } from './syncs-store.ts'

/** So that connections which were set up together do not all ask their services at the same moment. */
const jitter = 0.1

/** When the next turn is, after one at `nowMs`: as often as wanted on average. */
const nextTurn = (everyMinutes: number, nowMs: number): number => {
  const thousandths = randomInt(1_000 * (1 - jitter), 1_000 * (1 + jitter))
  return nowMs + Math.round((everyMinutes * minuteMs * thousandths) / 1_000)
}

/** The first turn after the schedule was set: at once where the last sync is longer ago than that. */
export const firstTurn = (everyMinutes: number, lastSyncAt: number | null, nowMs: number): number =>
  Math.max(nowMs, (lastSyncAt ?? 0) + everyMinutes * minuteMs)

/** Returns how many syncs were begun, in every workspace; several processes may do it at once. */
export function createScheduleSweep(
  dependencies: Pick<Platform, 'database' | 'clock' | 'log'> & {
    start: StartSync
    actingMember: ActingMember
  },
): () => Promise<number> {
  const { database, clock, start, actingMember, log } = dependencies

  const begin = async (row: ConnectionRow): Promise<boolean> => {
    const scope = { workspaceId: row.workspace_id, environment: row.environment }
    const caller = await actingMember(scope, row.sync_user_id ?? row.created_by)
    const nowMs = clock()
    const nextMs = row.sync_every_minutes === null ? null : nextTurn(row.sync_every_minutes, nowMs)
    if (caller === null || nextMs === null) {
      const message = 'The schedule is stopped: the member who set it has left. Set it again'
      log.warn(message, { connectionId: row.id })
      const last_error = encodeJson({ code: 'creator_gone', message, at: nowMs })
      await database.write(tx => updateSyncSettings(scope, tx, row.id, { next_sync_at: null, last_error }))
      return false
    }
    const turn = { id: row.id, nowMs, nextMs }
    try {
      await start(caller, row.id, {}, 'schedule', async tx => {
        if (!(await takeTurn(scope, tx, turn))) throw new TurnTaken()
      })
      return true
    } catch (error) {
      if (error instanceof TurnTaken) return false
      if (!(error instanceof ServiceError)) throw error
      // One is in progress, or something is missing that a person has to see to: the next turn tries again.
      log.info('A scheduled sync was not begun', { connectionId: row.id, error })
      await database.write(tx => takeTurn(scope, tx, turn))
      return false
    }
  }

  const round = createRounds({
    list: range => listDue(database.read, clock(), range),
    work: async (row: ConnectionRow) => ((await begin(row)) ? row.id : null),
    log,
    failure: 'A scheduled sync could not be begun',
  })
  return async () => (await round()).length
}

/** Another process began it a moment ago. */
class TurnTaken extends Error {
  override readonly name = 'TurnTaken'
}
