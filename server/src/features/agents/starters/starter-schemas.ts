/** The wire format of schedules and triggers, and of the payloads that are sent to triggers. */

import { environments } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, metadata, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { stopReasons } from '../../events/data-schemas.ts'
import { inputFields, promptField, shownInputFields } from '../records/run-schemas.ts'

export const nameField = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name, for people.',
  examples: ['Morning report'],
})

export const metadataField = metadata({ description: 'Your own data, which each of its runs gets.' })

export const statusField = stringEnum(['active', 'paused'], {
  description: 'Whether it starts runs. `active` also begins again what the server has stopped.',
})

export const shownStatus = {
  status: stringEnum(['active', 'paused', 'stopped'], {
    description: 'Whether it starts runs. `stopped`: the server ended it, see `stoppedReason`.',
  }),
  stoppedReason: nullable(stringEnum(stopReasons), {
    description:
      'Why the server stopped it. `access_ended`: the key or member that it acts for is gone. `permission_missing`: they lost a permission that the run needs. `agent_unreachable`: the agent is out of their reach. Null unless it is stopped.',
  }),
  actsForUserId: nullable(idOf('user'), {
    description:
      'Member on whose behalf it starts runs: who created it, or changed it last. A pause changes nothing here. Where that was done with a key, the runs can do no more than the key can.',
  }),
}

export const lastRunFields = {
  lastRunId: nullable(idOf('run'), { description: 'Run that it started last; null before the first one.' }),
  lastRunAt: nullable(timestamp(), { description: 'When it started that run.' }),
  lastError: nullable(
    Type.Closed({
      code: Type.String({ description: 'Error code.', examples: ['budget_exceeded'] }),
      message: Type.String({ description: 'What was wrong.' }),
      at: timestamp({ description: 'When this happened.' }),
    }),
    { description: 'Why the last run could not start; null if it did.' },
  ),
}

const scheduleFields = {
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
  ...scheduleFields,
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

export const NewSchedule = Type.Closed('ScheduleInput', {
  name: scheduleFields.name,
  cron: scheduleFields.cron,
  timeZone: Type.Optional(scheduleFields.timeZone),
  prompt: scheduleFields.prompt,
  variables: inputFields.variables,
  metadata: Type.Optional(scheduleFields.metadata),
  missedRuns: Type.Optional(scheduleFields.missedRuns),
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

const templates = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 50,
  additionalProperties: { type: 'string', maxLength: 10_000 },
  description:
    "Values of the variables of the agent's instructions, by name; each may have placeholders as the prompt has. They become part of the instructions: take only fields whose sender you trust.",
  examples: [{ customer_name: '{{body.customer.name|the customer}}' }],
})

const triggerFields = {
  name: nameField,
  promptTemplate: Type.String({
    minLength: 1,
    maxLength: 20_000,
    pattern: '\\S',
    description:
      'The prompt of its runs. `{{body.path.to.field}}` stands for a field of the payload, `{{body.path|text}}` for one with a default, and `{{body}}` for all of it. Strings are put in as they are, anything else as JSON. The model reads them as data, not as instructions. At most 50 placeholders.',
    examples: ['A ticket was opened: {{body.ticket.title}}. Suggest an answer.'],
  }),
  metadata: metadataField,
  requireSignature: Type.Boolean({
    description:
      'Whether a request must be signed with the secret, by Standard Webhooks, within the last five minutes. False by default: then the URL is the only secret.',
  }),
  requestsPerMinute: Type.Integer({
    minimum: 1,
    maximum: 600,
    description: 'How many requests a minute it takes; 60 by default.',
  }),
}

export const Trigger = Type.Closed('Trigger', {
  id: idOf('trigger'),
  agentId: idOf('agent', { description: 'Agent that it runs.' }),
  environment: stringEnum(environments, { description: 'Environment of its runs.' }),
  ...triggerFields,
  variables: templates,
  ...shownStatus,
  ...lastRunFields,
  previousExpiresAt: nullable(
    timestamp({ description: 'Until when the previous URL and secret work too; null if they do not.' }),
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type Trigger = Static<typeof Trigger>

export const TriggerWithSecrets = Type.Closed('TriggerWithSecrets', {
  ...Trigger.properties,
  url: Type.Optional(
    Type.String({
      description:
        'Where to send payloads by POST; its last part is a secret token. Only the reply that makes it has it; a replayed reply leaves it out.',
    }),
  ),
  secret: Type.Optional(
    Type.String({
      description:
        'Secret for signing requests: `whsec_` and 32 bytes in base64. Only the reply that makes it has it; a replayed reply leaves it out.',
    }),
  ),
})
export type TriggerWithSecrets = Static<typeof TriggerWithSecrets>

export const NewTrigger = Type.Closed('TriggerInput', {
  name: triggerFields.name,
  promptTemplate: triggerFields.promptTemplate,
  variables: Type.Optional(templates),
  metadata: Type.Optional(triggerFields.metadata),
  requireSignature: Type.Optional(triggerFields.requireSignature),
  requestsPerMinute: Type.Optional(triggerFields.requestsPerMinute),
  status: Type.Optional(statusField),
})
export type NewTrigger = Static<typeof NewTrigger>

export const TriggerChange = Type.Partial(NewTrigger, {
  title: 'TriggerChange',
  minProperties: 1,
})
export type TriggerChange = Static<typeof TriggerChange>

export const TriggerRotation = Type.Closed('TriggerRotation', {
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description:
        'How long the old URL and secret work beside the new ones, in seconds; none by default, at most 7 days.',
    }),
  ),
})
export type TriggerRotation = Static<typeof TriggerRotation>

export const TriggerPayload = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  title: 'TriggerPayload',
  additionalProperties: true,
  description: 'Any JSON object of at most 256 KiB.',
})

export const SignatureHeaders = Type.Object({
  'webhook-id': Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Of a signed request: what tells this message from others. The same one again starts no second run.',
    }),
  ),
  'webhook-timestamp': Type.Optional(
    Type.String({ maxLength: 20, description: 'Of a signed request: when it was sent, in Unix seconds.' }),
  ),
  'webhook-signature': Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'Of a signed request: `v1,` and the base64 HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body.',
    }),
  ),
})

export const TriggeredRun = Type.Closed('TriggeredRun', {
  runId: idOf('run', { description: 'The run that was started.' }),
})
export type TriggeredRun = Static<typeof TriggeredRun>

export const triggerExample: Trigger = {
  id: exampleId('trigger'),
  agentId: exampleId('agent'),
  environment: 'live',
  name: 'New tickets',
  promptTemplate: 'A ticket was opened: {{body.ticket.title}}. Suggest an answer.',
  variables: {},
  metadata: {},
  requireSignature: false,
  requestsPerMinute: 60,
  status: 'active',
  stoppedReason: null,
  actsForUserId: exampleId('user'),
  lastRunId: null,
  lastRunAt: null,
  lastError: null,
  previousExpiresAt: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
