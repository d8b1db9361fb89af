/** The wire format of deliveries and their attempts, and of the rotation of secrets. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { eventChoices, eventExample, eventTypes } from '../../events/schemas.ts'

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

const summary = {
  id: idOf('webhookDelivery'),
  webhookId: idOf('webhook'),
  eventId: idOf('event', {
    description:
      'Id of the event, sent as `webhook-id` with every attempt, so that a receiver can recognise repeats.',
  }),
  eventType: stringEnum(eventTypes),
  origin: stringEnum(['event', 'test', 'redelivery', 'replay'], { description: 'Why it was sent.' }),
  status: stringEnum(deliveryStatuses, {
    description: 'Failed attempts are repeated. `failed` means that no more attempts follow.',
  }),
  error: nullable(Type.String(), { description: 'Why it `failed`; null otherwise.' }),
  attemptCount: Type.Integer({ minimum: 0, description: 'Number of attempts.' }),
  nextAttemptAt: nullable(
    timestamp({ description: 'When the next attempt starts; null once it has ended.' }),
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
  finishedAt: nullable(timestamp(), { description: 'When it ended; null until then.' }),
}

export const WebhookDelivery = Type.Closed('WebhookDelivery', summary)
export type WebhookDelivery = Static<typeof WebhookDelivery>

const DeliveryAttempt = Type.Closed('DeliveryAttempt', {
  number: Type.Integer({ minimum: 1 }),
  startedAt: timestamp({ description: 'When it began.' }),
  durationMs: Type.Integer({ minimum: 0 }),
  request: Type.Closed({
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Without the signature.',
    }),
  }),
  response: nullable(
    Type.Closed({
      statusCode: Type.Integer(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String({ description: 'Its first 4,000 characters; at most 16 KB are read.' }),
    }),
    { description: 'Null if there was none.' },
  ),
  error: nullable(Type.String(), { description: 'The error; null if it was delivered.' }),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const WebhookDeliveryDetail = Type.Closed('WebhookDeliveryDetail', {
  ...summary,
  body: nullable(Type.String(), {
    description: 'The body that is sent; null if the event is no longer stored.',
  }),
  attempts: Type.Array(DeliveryAttempt, { description: 'Attempts, oldest first.' }),
})
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>

const { webhookId: _webhookId, ...sent } = summary
const callback = {
  ...sent,
  runId: idOf('run', { description: 'The run that was started with `callbackUrl`.' }),
  url: Type.String({ description: 'The `callbackUrl` of the run.' }),
}

export const CallbackDelivery = Type.Closed('CallbackDelivery', callback)
export type CallbackDelivery = Static<typeof CallbackDelivery>

const { body, attempts } = WebhookDeliveryDetail.properties

export const CallbackDeliveryDetail = Type.Closed('CallbackDeliveryDetail', { ...callback, body, attempts })
export type CallbackDeliveryDetail = Static<typeof CallbackDeliveryDetail>

export const DeliveryFilter = Type.Object({
  status: Type.Optional(stringEnum(deliveryStatuses, { description: 'Only deliveries of this status.' })),
  eventType: Type.Optional(
    stringEnum(eventChoices, {
      description: 'Only deliveries of this type of event, or of a kind: `run.*`.',
    }),
  ),
  eventId: Type.Optional(idOf('event', { description: 'Only deliveries of this event.' })),
})
export type DeliveryFilter = Static<typeof DeliveryFilter>

export const CallbackFilter = Type.Object({
  status: DeliveryFilter.properties.status,
  eventType: DeliveryFilter.properties.eventType,
  runId: Type.Optional(idOf('run', { description: 'Only deliveries of this run.' })),
})
export type CallbackFilter = Static<typeof CallbackFilter>

export const ReplayRequest = Type.Closed('WebhookReplayRequest', {
  createdAfter: timestamp({ description: 'Events at or after this instant.' }),
  createdBefore: Type.Optional(timestamp({ description: 'Events before this instant; now by default.' })),
})
export type ReplayRequest = Static<typeof ReplayRequest>

export const Replay = Type.Closed('WebhookReplay', {
  webhookId: idOf('webhook'),
  eventCount: Type.Integer({ minimum: 0, description: 'Number of events sent again.' }),
})
export type Replay = Static<typeof Replay>

export const deliveryExample: WebhookDelivery = {
  id: exampleId('webhookDelivery'),
  webhookId: exampleId('webhook'),
  eventId: exampleId('event'),
  eventType: 'run.succeeded',
  origin: 'event',
  status: 'delivered',
  error: null,
  attemptCount: 1,
  nextAttemptAt: null,
  createdAt: '2026-11-21T09:30:02.100Z',
  finishedAt: '2026-11-21T09:30:02.240Z',
}

export const deliveryDetailExample: WebhookDeliveryDetail = {
  ...deliveryExample,
  body: JSON.stringify(eventExample),
  attempts: [
    {
      number: 1,
      startedAt: '2026-11-21T09:30:02.120Z',
      durationMs: 118,
      request: {
        url: 'https://example.com/hooks/atrium',
        headers: { 'webhook-id': exampleId('event'), 'webhook-timestamp': '1795253402' },
      },
      response: { statusCode: 204, headers: { server: 'nginx' }, body: '' },
      error: null,
    },
  ],
}

export const testedExample: WebhookDeliveryDetail = {
  ...deliveryDetailExample,
  eventType: 'webhook.test',
  origin: 'test',
  body: JSON.stringify({
    ...eventExample,
    type: 'webhook.test',
    data: { id: exampleId('webhook'), reason: null },
  }),
}

const { webhookId: _exampleId, ...sentExample } = deliveryExample

export const callbackExample: CallbackDelivery = {
  ...sentExample,
  runId: exampleId('run'),
  url: 'https://example.com/answers?ticket=4711',
}

export const callbackDetailExample: CallbackDeliveryDetail = {
  ...callbackExample,
  body: deliveryDetailExample.body,
  attempts: deliveryDetailExample.attempts,
}

/** The request to rotate the secret of an endpoint or of callbacks. */
export const SecretRotation = Type.Closed('SecretRotation', {
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'How long deliveries are also signed with the old secret, in seconds; at most 7 days.',
    }),
  ),
})
export type SecretRotation = Static<typeof SecretRotation>
