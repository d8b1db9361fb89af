/** Triggers on the wire, and what is sent to them. */
import { environments } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { lastRunFields, metadataField, nameField, shownStatus, statusField } from './starter-schemas.ts'

const templates = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 50,
  additionalProperties: { type: 'string', maxLength: 10_000 },
  description:
    "Values of the variables of the agent's instructions, by name; each may have placeholders as the prompt has. They become part of the instructions: take only fields whose sender you trust.",
  examples: [{ customer_name: '{{body.customer.name|the customer}}' }],
})

const fields = {
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
  ...fields,
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

export const NewTrigger = Type.Closed('NewTrigger', {
  name: fields.name,
  promptTemplate: fields.promptTemplate,
  variables: Type.Optional(templates),
  metadata: Type.Optional(fields.metadata),
  requireSignature: Type.Optional(fields.requireSignature),
  requestsPerMinute: Type.Optional(fields.requestsPerMinute),
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
