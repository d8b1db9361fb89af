/** Endpoints and deliveries as they are shown. */
import { toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { EventType } from '../events/schemas.ts'
import type { DeliveryAttempt, WebhookDelivery, WebhookDeliveryDetail } from './deliveries-schemas.ts'
import type { DeliveryDetail } from './deliveries-service.ts'
import type { Webhook } from './schemas.ts'
import type { WebhookService } from './service.ts'
import { plainHeaders } from './signature.ts'

type WebhookRow = Awaited<ReturnType<WebhookService['get']>>
type DeliveryRow = DeliveryDetail['row']
type AttemptRow = DeliveryDetail['attempts'][number]

export const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  environment: row.environment,
  url: row.url,
  description: row.description,
  // Only types of the list are ever stored.
  eventTypes: row.event_types === null ? null : (decodeJson(row.event_types) as Webhook['eventTypes']),
  agentIds: row.agent_ids === null ? null : decodeJson(row.agent_ids),
  collectionIds: row.collection_ids === null ? null : decodeJson(row.collection_ids),
  enabled: row.enabled === 1,
  disabledReason: row.disabled_reason,
  failingSince: toOptionalTimestamp(row.failing_since),
  previousSecretExpiresAt: toOptionalTimestamp(row.previous_secret_expires_at),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  webhookId: row.webhook_id,
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

export const presentDetail = ({ row, attempts, body }: DeliveryDetail): WebhookDeliveryDetail => ({
  ...presentDelivery(row),
  body,
  attempts: attempts.map(attempt => presentAttempt(attempt, row.event_id)),
})

const presentAttempt = (row: AttemptRow, eventId: string): DeliveryAttempt => ({
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
