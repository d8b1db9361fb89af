/** Endpoints for deliveries: the log, sending an event again, replays and tests. */
import { accepted, defineRoute, listed, ok, preview, type Route, standardList } from '../../../http/route.ts'
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import { plainHeaders } from '../../../platform/crypto/webhook-signatures.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import type { EventType } from '../../events/schemas.ts'
import {
  type DeliveryAttempt,
  DeliveryFilter,
  deliveryDetailExample,
  deliveryExample,
  Replay,
  ReplayRequest,
  testedExample,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '../records/deliveries-schemas.ts'
import type { DeliveryDetail, WebhookDeliveryService } from './deliveries-service.ts'

/** Longer than an attempt may take, unless the operator sets a longer timeout. */
const usualWaitSeconds = 20

type Row = Awaited<ReturnType<WebhookDeliveryService['redeliver']>>

export const webhookDeliveryRoutes = (deliveries: WebhookDeliveryService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: "List an endpoint's deliveries",
    description:
      'Deliveries to the endpoint, sent and pending, newest first, of events that the key may read. Deliveries are kept for 30 days unless the operator sets another time.',
    permission: 'webhooks:read',
    query: DeliveryFilter,
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(WebhookDelivery),
    example: [deliveryExample],
    handle: async ({ caller, params, query, page }) =>
      listed(await deliveries.list(caller, params.id, query, page), page, presentDelivery),
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/:id/deliveries/:deliveryId',
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery',
    description:
      'Returns one delivery: its content, and each attempt with request, response and duration. 404 if the key may not read its event.',
    permission: 'webhooks:read',
    data: WebhookDeliveryDetail,
    example: deliveryDetailExample,
    handle: async ({ caller, params }) =>
      ok(presentDetail(await deliveries.get(caller, params.id, params.deliveryId))),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/redeliver',
    operationId: 'redeliverWebhookDelivery',
    summary: 'Deliver an event again',
    description:
      'Sends the event of a delivery again, whatever its result, as a new delivery with the same `webhook-id`.',
    permission: 'webhooks:write',
    audit: 'webhook.redeliver',
    data: WebhookDelivery,
    example: { ...deliveryExample, origin: 'redelivery' },
    success: [202],
    errors: ['webhook_disabled', 'event_expired'],
    handle: async ({ caller, params }) =>
      queued(await deliveries.redeliver(caller, params.id, params.deliveryId)),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/replay',
    operationId: 'replayWebhook',
    summary: 'Replay a range of time',
    description:
      "Sends stored events of a time range again that match the endpoint's event types, oldest first, whether or not they were delivered. At most 100,000 at once. Each keeps its `webhook-id`, so the receiver can recognise events that it already has. `dryRun=true` returns how many events would be sent. The key must be allowed to read all event types of the endpoint.",
    permission: 'webhooks:write',
    audit: 'webhook.replay',
    destructive: true,
    body: ReplayRequest,
    bodyExample: { createdAfter: '2026-11-20T00:00:00.000Z', createdBefore: '2026-11-21T00:00:00.000Z' },
    data: Replay,
    example: { webhookId: deliveryExample.webhookId, eventCount: 120 },
    success: [202],
    replyTexts: { 202: 'How many events are sent again.' },
    errors: ['webhook_disabled'],
    handle: async ({ caller, params, body, dryRun }) => {
      const { count: eventCount, ids } = await deliveries.replay(caller, params.id, body, dryRun)
      if (dryRun) return preview([{ effect: 'queued', resource: 'event', count: eventCount, ids }])
      return accepted({ webhookId: params.id, eventCount }, `/webhooks/${params.id}/deliveries`)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/test',
    operationId: 'testWebhook',
    summary: 'Send a test',
    description:
      "Sends a signed `webhook.test` event to this endpoint, whatever its event types. It is sent once and immediately, even while deliveries pause after failures. Answers 200 with the result: `status` is `delivered` or `failed`, and `attempts` has the endpoint's response or the error. Answers 202 if there is no result within 20 seconds or the `wait` of `Prefer`.",
    permission: 'webhooks:write',
    audit: 'webhook.test',
    waits: true,
    data: WebhookDeliveryDetail,
    example: testedExample,
    success: [200, 202],
    errors: ['webhook_disabled'],
    handle: async ({ caller, params, patience }) =>
      tested(await deliveries.test(caller, params.id, patience(usualWaitSeconds))),
    followAgain: async ({ caller, location, patience }) => {
      const [, , , , webhookId = '', , id = ''] = location.split('/')
      return tested(await deliveries.outcome(caller, webhookId, id, patience(usualWaitSeconds)))
    },
  }),
]

const locationOf = (row: Row) => `/webhooks/${row.webhook_id}/deliveries/${row.id}`

const queued = (row: Row) => accepted(presentDelivery(row), locationOf(row))

const tested = (detail: DeliveryDetail) =>
  detail.row.status === 'pending'
    ? accepted(presentDetail(detail), locationOf(detail.row))
    : ok(presentDetail(detail))

const presentDelivery = (row: Row): WebhookDelivery => ({ ...presentSent(row), webhookId: row.webhook_id })

export const presentSent = (row: Row): Omit<WebhookDelivery, 'webhookId'> => ({
  id: row.id,
  eventId: row.event_id,
  eventType: row.event_type as EventType,
  origin: row.origin,
  status: row.status,
  error: row.error,
  attemptCount: row.attempts,
  nextAttemptAt: toOptionalTimestamp(row.next_attempt_at),
  createdAt: toTimestamp(row.created_at),
  finishedAt: toOptionalTimestamp(row.finished_at),
})

const presentDetail = ({ row, attempts, body }: DeliveryDetail): WebhookDeliveryDetail => ({
  ...presentDelivery(row),
  body,
  attempts: attempts.map(attempt => presentAttempt(attempt, row.event_id)),
})

export const presentAttempt = (
  row: DeliveryDetail['attempts'][number],
  eventId: string,
): DeliveryAttempt => ({
  number: row.number,
  startedAt: toTimestamp(row.started_at),
  durationMs: row.duration_ms,
  request: { url: row.url, headers: plainHeaders(eventId, row.started_at) },
  response:
    row.status_code === null
      ? null
      : {
          statusCode: row.status_code,
          headers: row.reply_headers === null ? {} : decodeJson(row.reply_headers),
          body: row.reply_body ?? '',
        },
  error: row.error,
})
