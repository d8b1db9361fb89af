/** The wire format of webhook endpoints. */

import { environments } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'
import { disabledReasons } from '../events/data-schemas.ts'
import { listenerChoices } from '../events/schemas.ts'

const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  examples: ['https://example.com/hooks/atrium'],
  description:
    'Where events are sent by POST. Private addresses are refused unless the operator allows them; redirects are not followed.',
})
const description = nullable(Type.String({ minLength: 1, maxLength: 500 }), {
  description: 'What the endpoint is for, for people.',
})
const eventTypeList = Type.Array(stringEnum(listenerChoices), {
  minItems: 1,
  maxItems: listenerChoices.length,
  uniqueItems: true,
  description:
    'Event types to send. `run.*` stands for all types of runs, and `*` for all; both cover types to come. Each type needs the permission to read its records, such as `agents:read` for runs; `*` leaves out what the key may not read.',
})
const enabled = Type.Boolean({
  description: 'Whether events are sent. You can replay events from the time while it was disabled.',
})

export const Webhook = Type.Closed('Webhook', {
  id: idOf('webhook'),
  environment: stringEnum(environments, { description: 'Environment of its events.' }),
  url,
  description,
  eventTypes: eventTypeList,
  agentIds: nullable(Type.Array(idOf('agent')), {
    description: 'Set if a key narrowed to agents created it: it receives only events of their runs.',
  }),
  collectionIds: nullable(Type.Array(idOf('collection')), {
    description:
      'Set if a key narrowed to collections created it: it receives only events of these collections.',
  }),
  enabled,
  disabledReason: nullable(stringEnum(['manual', ...disabledReasons]), {
    description:
      'Why it is not enabled: by a change (`manual`), because it answered 410 (`gone`), because nothing was delivered for five days (`failing`), or because the member who made it was removed or may no longer manage webhooks (`creator_lost_access`).',
  }),
  failingSince: nullable(
    timestamp({ description: 'When deliveries started failing; null while they succeed.' }),
  ),
  previousSecretExpiresAt: nullable(
    timestamp({ description: 'Until when deliveries also carry a signature with the previous secret.' }),
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Closed('WebhookWithSecret', {
  ...Webhook.properties,
  secret: Type.Optional(
    Type.String({
      description:
        'Secret for verifying deliveries: `whsec_` and 32 bytes in base64. Only the reply that makes it has it; a replayed reply leaves it out.',
    }),
  ),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const NewWebhook = Type.Closed('WebhookInput', {
  url,
  description: Type.Optional(description),
  eventTypes: Type.Optional(eventTypeList),
  enabled: Type.Optional(enabled),
})
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookChange = Type.Closed(
  'WebhookChange',
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypeList),
    enabled: Type.Optional(enabled),
  },
  { minProperties: 1 },
)
export type WebhookChange = Static<typeof WebhookChange>

export const webhookExample: Webhook = {
  id: exampleId('webhook'),
  environment: 'live',
  url: 'https://example.com/hooks/atrium',
  description: 'Tells the help desk',
  eventTypes: ['run.*'],
  agentIds: null,
  collectionIds: null,
  enabled: true,
  disabledReason: null,
  failingSince: null,
  previousSecretExpiresAt: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
