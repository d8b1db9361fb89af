/** Computes the times of schedules, and starts the runs whose time has come. */

import { Cron } from 'croner'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import type { StopReason } from '../../events/data-schemas.ts'
import { isUnderWay, listDueSchedules, passTime, type ScheduleRow } from './starter-store.ts'
import {
  actingFor,
  endedBy,
  errorColumn,
  recordStop,
  type StarterDependencies,
  stopColumns,
} from './starters.ts'

/** A time longer ago than this is missed. Until then a refusal that may pass is tried again. */
const missedMs = 5 * minuteMs
const rowsOfRound = 500
const atTheSameTime = 4

type Outcome = 'started' | 'skipped' | 'refused' | 'stopped'

/** Another server has started the run of this time, or the schedule has changed. Rolls the transaction back. */
class TimeTaken extends Error {}

/**
 * Each call of the returned function starts the runs whose time has come. The transaction that writes a run also
 * takes its time. So a second server or a kill cannot cause two runs for one time, or none.
 */
export function createScheduleRound(dependencies: StarterDependencies & Pick<Platform, 'faults'>) {
  const { database, clock, newId, log, faults, runs } = dependencies

  async function work(row: ScheduleRow): Promise<Outcome | null> {
    const now = clock()
    const timetable = timetableOf(row.cron, row.time_zone)
    const due = row.next_run_at ?? now
    // If several times have passed, the last one decides.
    const latest = Math.max(due, timetable.latestUntil(now) ?? due)
    const next = timetable.after(now, 1)[0] ?? null
    const pass = (change: Partial<ScheduleRow>, outcome: Outcome): Promise<Outcome | null> =>
      database.write(async tx =>
        (await passTime(tx, row, { ...change, next_run_at: next })) ? outcome : null,
      )

    const isMissed = now - latest > missedMs
    const isBusy = row.last_run_id !== null && (await isUnderWay(database.read, row.last_run_id))
    if (isBusy || (isMissed && row.missed_runs === 'skip')) {
      return await pass({ last_skipped_at: latest }, 'skipped')
    }
    const origin = { requestId: newId('request'), address: null }
    const { caller, ended } = await actingFor(dependencies, { kind: 'schedule', row }, origin)
    if (ended !== null) return await stop(row, ended)
    const claim = async (tx: Tx, runId: string): Promise<void> => {
      const run = { last_run_id: runId, last_run_at: now, last_error: null }
      if (!(await passTime(tx, row, { ...run, next_run_at: next }))) throw new TimeTaken()
    }
    try {
      const newRun = {
        prompt: row.prompt,
        variables: decodeJson(row.variables),
        metadata: decodeJson(row.metadata),
      }
      await runs.enqueue(caller, { agentId: row.agent_id, newRun, starter: { id: row.id, claim } })
      return 'started'
    } catch (error) {
      if (error instanceof TimeTaken) return null
      const reason = endedBy(error)
      if (reason !== null) return await stop(row, reason)
      // An error that may pass is tried again in the next round, until the time is missed.
      if (!(error instanceof ServiceError) || error.retryable) throw error
      return await pass({ last_error: errorColumn(error, now) }, 'refused')
    }
  }

  const stop = (row: ScheduleRow, reason: StopReason): Promise<Outcome | null> =>
    database.write(async tx => {
      const isTaken = await passTime(tx, row, {
        ...stopColumns(reason, clock()),
        next_run_at: null,
        revision: row.revision + 1,
      })
      if (!isTaken) return null
      await recordStop(dependencies, tx, { kind: 'schedule', row }, reason)
      return 'stopped'
    })

  const round = createRounds({
    list: range => listDueSchedules(database.read, clock(), range),
    work,
    log,
    failure: 'A scheduled run could not be started; it is tried again',
    rowsAtOnce: rowsOfRound,
    concurrency: atTheSameTime,
  })
  /** Returns how many schedules were dealt with. */
  return async (): Promise<number> => (await faults.within('start-scheduled-runs', round)).length
}

/** The times of a schedule: cron of five fields, as the clocks of a time zone show it. */
type Timetable = {
  /** The next `count` times after the given instant. */
  after(ms: number, count: number): number[]
  /** The last time up to the given instant; null if there was none. */
  latestUntil(ms: number): number | null
}

/** Throws a 400 that names `timeZone`, or `cron` if it is not cron or has no time after `now`. */
export function checkedTimetable(cron: string, timeZone: string, now: number): Timetable {
  if (!isTimeZone(timeZone)) {
    throw invalidField('timeZone', 'must be a time zone of the IANA database, such as Europe/Berlin or UTC')
  }
  if (!fiveFields.test(cron)) throw invalidField('cron', notFive)
  let timetable: Timetable
  try {
    timetable = timetableOf(cron, timeZone)
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: /, '')
    throw invalidField('cron', `${notFive}: ${reason}`)
  }
  if (timetable.after(now, 1).length === 0) {
    throw invalidField('cron', 'never comes: no day of the calendar fits its day and month')
  }
  return timetable
}

/** Excludes names for whole patterns, such as `@daily`. */
const fiveFields = /^\s*([\w*,/#?-]+\s+){4}[\w*,/#?-]+\s*$/
const notFive = 'must be cron of five fields, such as "0 9 * * 1-5"'

/** Expects fields that have been checked. Throws for others. */
export function timetableOf(cron: string, timeZone: string): Timetable {
  const times = new Cron(cron.trim(), { timezone: timeZone, mode: '5-part', paused: true })
  return {
    after: (ms, count) => times.nextRuns(count, new Date(ms)).map(Number),
    // `previousRuns` looks for times before the given second.
    latestUntil: ms => times.previousRuns(1, new Date(ms + secondMs)).map(Number)[0] ?? null,
  }
}

/** An offset such as `+02:00` is refused, because it has no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
