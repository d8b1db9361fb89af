/** The present as a tool: models do not know what day it is. */

import { type Clock, toTimestamp } from '../../../platform/clock.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { type Tool, ToolError } from '../../../platform/tool.ts'

const TimeInput = Type.Closed({
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Where, as a name of the IANA time zone database such as Europe/Berlin; UTC unless given.',
      examples: ['Europe/Berlin'],
    }),
  ),
})

const TimeOutput = Type.Closed({
  utc: Type.String({ description: 'The instant, ISO 8601 in UTC.' }),
  timeZone: Type.String({ description: 'The time zone of what follows.' }),
  local: Type.String({ description: 'Date and time there, with the offset from UTC.' }),
  weekday: Type.String({ description: 'Day of the week there, in English.' }),
})

export const createTimeTool = (clock: Clock): Tool => ({
  name: 'current_time',
  description: 'Tells the date, the time and the day of the week now, in any time zone.',
  permission: 'agents:run',
  safeToRepeat: true,
  needsApproval: false,
  input: TimeInput,
  output: TimeOutput,
  async run(_, input) {
    const { timeZone = 'UTC' } = input as Static<typeof TimeInput>
    return { content: timeIn(timeZone, clock()) }
  },
})

function timeIn(timeZone: string, nowMs: number): Static<typeof TimeOutput> {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(nowMs)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  // Such as GMT+02:00, or GMT alone for UTC.
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  const date = `${part('year')}-${part('month')}-${part('day')}`
  return {
    utc: toTimestamp(nowMs),
    timeZone,
    local: `${date}T${part('hour')}:${part('minute')}:${part('second')}${offset}`,
    weekday: part('weekday'),
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
  } catch (error) {
    throw new ToolError(
      `There is no time zone ${timeZone}; write a name such as Europe/Berlin or America/New_York`,
      {
        cause: error,
      },
    )
  }
}
