/** When a schedule's time comes: cron of five fields, as the clocks of a time zone show it. */
import { Cron } from 'croner'
import { secondMs } from '../../../platform/clock.ts'
import { invalidField } from '../../../platform/errors.ts'

export type Timetable = {
  /** Later than the given instant. */
  after(ms: number, count: number): number[]
  /** The last one up to the given instant; null if there was none. */
  latestUntil(ms: number): number | null
}

/** Throws a 400 that names `timeZone`, or `cron` if it is none or never comes. `now` is when its first time is looked for. */
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

/** Without names for whole patterns, such as `@daily`. */
const fiveFields = /^\s*([\w*,/#?-]+\s+){4}[\w*,/#?-]+\s*$/
const notFive = 'must be cron of five fields, such as "0 9 * * 1-5"'

/** Of fields that have been checked. Throws for others. */
export function timetableOf(cron: string, timeZone: string): Timetable {
  const times = new Cron(cron.trim(), { timezone: timeZone, mode: '5-part', paused: true })
  return {
    after: (ms, count) => times.nextRuns(count, new Date(ms)).map(Number),
    // What is looked for lies before the given second.
    latestUntil: ms => times.previousRuns(1, new Date(ms + secondMs)).map(Number)[0] ?? null,
  }
}

/** An offset such as `+02:00` knows no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
