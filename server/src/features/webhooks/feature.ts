/** Webhooks: endpoints for events, callbacks of runs, their deliveries, and what happens when an endpoint fails. */
import type { Feature } from '../../http/feature.ts'
import { createUrlCheck } from '../../platform/fetch/connector.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour, eachMinute } from '../../platform/schedules/schedules.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import type { EventService } from '../events/service.ts'
import { callbackRoutes } from './callbacks/callbacks-routes.ts'
import { createCallbackService } from './callbacks/callbacks-service.ts'
import { type AuthorOfRun, createDeliveryQueue, createWebhookHousekeeping } from './deliveries/deliver.ts'
import { webhookDeliveryRoutes } from './deliveries/deliveries-routes.ts'
import { createWebhookDeliveryService } from './deliveries/deliveries-service.ts'
import {
  createDisable,
  createMemberWebhooks,
  createNoticeMailQueue,
  createRecordAttempts,
  noticeMailQueue,
} from './deliveries/record-attempts.ts'
import { createReplayQueue, replayQueue } from './deliveries/replay.ts'
import { createSend } from './deliveries/send.ts'
import { deliveryQueue } from './records/delivery-job.ts'
import { webhookRoutes } from './routes.ts'
import { createWebhookService } from './service.ts'

export type WebhooksServices = ReturnType<typeof createWebhooksFeature>['services']

export function createWebhooksFeature(
  platform: Platform,
  earlier: { audit: AuditService; outbox: Outbox; events: EventService; authorOfRun: AuthorOfRun },
) {
  const { settings } = platform
  const shared = { ...platform, ...earlier }
  const send = createSend({ ...platform, timeoutMs: settings.webhookTimeoutMs })
  const disable = createDisable(shared)
  const recordAttempts = createRecordAttempts({ ...shared, disable, random: Math.random })
  const checkUrl = createUrlCheck(settings)
  const webhooks = createWebhookService({ ...shared, checkUrl })
  const callbacks = createCallbackService({ ...shared, checkUrl })
  const webhookDeliveries = createWebhookDeliveryService(shared)
  const webhookHousekeeping = createWebhookHousekeeping({ ...shared, deliveriesMs: settings.deliveriesMs })
  return {
    services: {
      webhooks,
      callbacks,
      webhookDeliveries,
      webhookHousekeeping,
      /** The endpoints of a member who leaves. */
      memberWebhooks: createMemberWebhooks(disable),
    },
    tag: 'webhooks',
    routes: [
      ...webhookRoutes(webhooks),
      ...webhookDeliveryRoutes(webhookDeliveries),
      ...callbackRoutes(callbacks, webhookDeliveries),
    ],
    schedules: [
      eachMinute('wake webhooks that have something to send', webhookHousekeeping.sweep),
      eachHour('remove old webhook deliveries', webhookHousekeeping.tidy),
    ],
    workspaceData: {
      slices: [
        {
          table: 'webhook_deliveries',
          key: ['id'],
          of: { column: 'webhook_id', parent: 'webhooks' },
          rowsAtOnce: 100,
        },
        { table: 'webhooks', key: ['id'] },
        { table: 'callback_secrets', key: ['environment'] },
      ],
    },
    queues: {
      [deliveryQueue]: createDeliveryQueue({ ...shared, send, recordAttempts }),
      [replayQueue]: createReplayQueue(shared),
      [noticeMailQueue]: createNoticeMailQueue(shared),
    },
  } satisfies Feature<object>
}
