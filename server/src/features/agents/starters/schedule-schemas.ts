/** Schedules on the wire. */
import { environments } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { inputFields, promptField, shownInputFields } from '../records/run-schemas.ts'
import { lastRunFields, metadataField, nameField, shownStatus, statusField } from './starter-schemas.ts'

const fields = {
  name: nameField,
  cron: Type.String({
    minLength: 9,
    maxLength: 100,
    description:
      'Minute, hour, day of the month, month and day of the week, as cron has them: `0 9 * * 1-5` is nine o’clock from Monday to Friday. Lists, ranges, steps and names such as `MON` are allowed. Where both days are given, one of them is enough.',
    examples: ['0 9 * * 1-5'],
  }),
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'Time zone of the IANA database; UTC by default. A time that is skipped when clocks go forward comes as soon as they have; one that comes twice when they go back is used once.',
    examples: ['Europe/Berlin'],
  }),
  prompt: promptField('Prompt of its runs: 1 to 100,000 characters.'),
  metadata: metadataField,
  missedRuns: stringEnum(['skip', 'runOnce'], {
    description:
      'What happens about times that passed while the server was down, if the last of them is more than five minutes ago. `skip` (the default) waits for the next time. `runOnce` starts one run for all of them.',
  }),
}

export const Schedule = Type.Closed('Schedule', {
  id: idOf('schedule'),
  agentId: idOf('agent', { description: 'Agent that it runs.' }),
  environment: stringEnum(environments, { description: 'Environment of its runs.' }),
  ...fields,
  variables: shownInputFields.variables,
  ...shownStatus,
  nextRunAt: nullable(timestamp(), { description: 'When the next run is due; null unless it is active.' }),
  nextTimes: Type.Array(timestamp(), {
    maxItems: 5,
    description: 'The next five times; none unless it is active.',
  }),
  ...lastRunFields,
  lastSkippedAt: nullable(timestamp(), {
    description:
      'The last time for which no run was started, because the run before had not ended or the time was missed.',
  }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type Schedule = Static<typeof Schedule>

export const NewSchedule = Type.Closed('NewSchedule', {
  name: fields.name,
  cron: fields.cron,
  timeZone: Type.Optional(fields.timeZone),
  prompt: fields.prompt,
  variables: inputFields.variables,
  metadata: Type.Optional(fields.metadata),
  missedRuns: Type.Optional(fields.missedRuns),
  status: Type.Optional(statusField),
})
export type NewSchedule = Static<typeof NewSchedule>

export const ScheduleChange = Type.Partial(NewSchedule, {
  title: 'ScheduleChange',
  minProperties: 1,
})
export type ScheduleChange = Static<typeof ScheduleChange>

export const scheduleExample: Schedule = {
  id: exampleId('schedule'),
  agentId: exampleId('agent'),
  environment: 'live',
  name: 'Morning report',
  cron: '0 9 * * 1-5',
  timeZone: 'Europe/Berlin',
  prompt: 'Sum up what came in since yesterday.',
  variables: {},
  metadata: {},
  missedRuns: 'skip',
  status: 'active',
  stoppedReason: null,
  actsForUserId: exampleId('user'),
  nextRunAt: '2026-11-23T08:00:00.000Z',
  nextTimes: [
    '2026-11-23T08:00:00.000Z',
    '2026-11-24T08:00:00.000Z',
    '2026-11-25T08:00:00.000Z',
    '2026-11-26T08:00:00.000Z',
    '2026-11-27T08:00:00.000Z',
  ],
  lastRunId: null,
  lastRunAt: null,
  lastError: null,
  lastSkippedAt: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
