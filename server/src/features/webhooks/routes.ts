/** Endpoints for webhooks. */
import {
  createdRecord,
  defineRoute,
  deletedRecord,
  listed,
  okRecord,
  type Route,
  standardList,
} from '../../http/route.ts'
import { toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { eventMessages } from '../events/schemas.ts'
import { SecretRotation } from './records/deliveries-schemas.ts'
import { choicesOf } from './records/reach.ts'
import { NewWebhook, Webhook, WebhookChange, WebhookWithSecret, webhookExample } from './schemas.ts'
import type { WebhookService } from './service.ts'

const shownExample = { ...webhookExample, secret: 'whsec_…' }

export const webhookRoutes = (webhooks: WebhookService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    description:
      "Webhook endpoints of the key's environment, without their secrets. A narrowed key sees only endpoints with its own narrowing.",
    permission: 'webhooks:read',
    list: { ...standardList, dates: ['created', 'updated'] },
    data: Type.Array(Webhook),
    example: [webhookExample],
    handle: async ({ caller, page }) => listed(await webhooks.list(caller, page), page, presentWebhook),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook endpoint',
    description:
      "From now on, events of the key's environment are sent to the endpoint, signed according to Standard Webhooks. The reply contains the secret, which is never shown again. An endpoint receives only events that the key may read. At most 50 per environment, one for each URL; PUT /webhooks also takes a URL that has one.",
    permission: 'webhooks:write',
    audit: 'webhook.create',
    body: NewWebhook,
    bodyExample: { url: webhookExample.url, eventTypes: ['run.*'] },
    data: WebhookWithSecret,
    example: shownExample,
    secrets: ['secret'],
    success: [201],
    errors: ['already_exists', 'limit_reached'],
    sends: eventMessages,
    handle: async ({ caller, body }) => {
      const { row, secret } = await webhooks.create(caller, body)
      return createdRecord(row, shown => ({ ...presentWebhook(shown), secret }), '/webhooks')
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/webhooks',
    operationId: 'putWebhook',
    summary: 'Create or change a webhook endpoint by its URL',
    description:
      "For programs that make sure of their endpoint at each start. Creates the endpoint with this URL (201, with its secret), or changes the fields of it that you send (200, without its secret, which stays). A disabled endpoint stays disabled unless you send `enabled`. A narrowed key has endpoints of its own: it neither finds nor changes others' endpoints of the same URL.",
    permission: 'webhooks:write',
    audit: 'webhook.put',
    body: NewWebhook,
    bodyExample: { url: webhookExample.url, eventTypes: ['run.*'] },
    data: WebhookWithSecret,
    example: webhookExample,
    secrets: ['secret'],
    success: [200, 201],
    errors: ['limit_reached'],
    handle: async ({ caller, body }) => {
      const { row, secret } = await webhooks.put(caller, body)
      if (secret === null) return okRecord(row, presentWebhook)
      return createdRecord(row, shown => ({ ...presentWebhook(shown), secret }), '/webhooks')
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/:id',
    operationId: 'getWebhook',
    summary: 'Get a webhook endpoint',
    description: 'Returns one endpoint without its secret.',
    permission: 'webhooks:read',
    data: Webhook,
    example: webhookExample,
    handle: async ({ caller, params }) => okRecord(await webhooks.get(caller, params.id), presentWebhook),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/webhooks/:id',
    operationId: 'updateWebhook',
    summary: 'Change a webhook endpoint',
    description:
      'Changes the fields that you send. `enabled` enables a disabled endpoint again: pending events are sent, and you can replay events from the time when it was disabled. A key cannot change an endpoint that receives events which the key may not read.',
    permission: 'webhooks:write',
    audit: 'webhook.update',
    body: WebhookChange,
    bodyExample: { enabled: true },
    data: Webhook,
    example: webhookExample,
    errors: ['already_exists', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) =>
      okRecord(await webhooks.update(caller, params.id, body, ifMatch), presentWebhook),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: "Rotate an endpoint's secret",
    description:
      'Creates a new secret and shows it once. During the overlap, deliveries carry a signature for each secret, so the receiver can switch at any time. A third secret ends the first at once.',
    permission: 'webhooks:write',
    audit: 'webhook.rotate_secret',
    body: SecretRotation,
    bodyExample: { overlapSeconds: 86_400 },
    data: WebhookWithSecret,
    example: { ...shownExample, previousSecretExpiresAt: '2026-11-22T09:30:00.000Z' },
    secrets: ['secret'],
    handle: async ({ caller, params, body }) => {
      const { row, secret } = await webhooks.rotateSecret(caller, params.id, body.overlapSeconds ?? 86_400)
      return okRecord(row, shown => ({ ...presentWebhook(shown), secret }))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/webhooks/:id',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    description: 'Stops all deliveries to the endpoint and erases its secret and its deliveries.',
    permission: 'webhooks:write',
    audit: 'webhook.delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      await webhooks.remove(caller, params.id, { ifMatch, dryRun })
      return deletedRecord(dryRun, 'webhook', params.id)
    },
  }),
]

const presentWebhook = (row: Awaited<ReturnType<WebhookService['get']>>): Webhook => ({
  id: row.id,
  environment: row.environment,
  url: row.url,
  description: row.description,
  eventTypes: choicesOf(row),
  agentIds: row.agent_ids === null ? null : decodeJson(row.agent_ids),
  collectionIds: row.collection_ids === null ? null : decodeJson(row.collection_ids),
  enabled: row.enabled === 1,
  disabledReason: row.disabled_reason,
  failingSince: toOptionalTimestamp(row.failing_since),
  previousSecretExpiresAt: toOptionalTimestamp(row.previous_secret_expires_at),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})
