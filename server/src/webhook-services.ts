/** Webhooks and the outbox that they are told from, made together: what happens is told in the transaction in which it happens. */
import type { Dependencies } from './dependencies.ts'
import type { AuditService } from './features/audit/service.ts'
import { createOutbox, type Outbox } from './features/events/outbox-service.ts'
import { createDeliveryQueue } from './features/webhooks/deliver.ts'
import {
  createWebhookDeliveryService,
  type WebhookDeliveryService,
} from './features/webhooks/deliveries-service.ts'
import { deliveryQueue } from './features/webhooks/delivery-job.ts'
import { createDisable, createMemberWebhooks } from './features/webhooks/disable.ts'
import { createFanOut } from './features/webhooks/fan-out.ts'
import { createWebhookHousekeeping, type WebhookHousekeeping } from './features/webhooks/housekeeping.ts'
import {
  type Administrators,
  createNoticeJobs,
  createNoticeMailQueue,
  noticeMailQueue,
} from './features/webhooks/notice-mail.ts'
import { createRecordAttempts } from './features/webhooks/record-attempts.ts'
import { createReplayQueue } from './features/webhooks/replay.ts'
import { replayQueue } from './features/webhooks/replay-job.ts'
import { createSend } from './features/webhooks/send.ts'
import { createWebhookService, type WebhookService } from './features/webhooks/service.ts'
import type { MemberWebhooks } from './features/workspaces/member-changes.ts'
import type { Seals } from './platform/crypto/seals.ts'
import { createUrlCheck } from './platform/fetch/url-check.ts'
import type { Queues } from './platform/jobs/job.ts'
import type { Jobs } from './platform/jobs/jobs.ts'

export type WebhookServices = {
  webhooks: WebhookService
  webhookDeliveries: WebhookDeliveryService
  webhookHousekeeping: WebhookHousekeeping
}

type Given = Dependencies & {
  audit: AuditService
  jobs: Jobs
  seals: Seals
  administrators: Administrators
}

export function createWebhookServices(given: Given): {
  outbox: Outbox
  queues: Queues
  services: WebhookServices
  memberWebhooks: MemberWebhooks
} {
  const { database, settings } = given
  const outbox = createOutbox({ ...given, onRecorded: createFanOut({ ...given, engine: database.engine }) })
  const shared = { ...given, outbox }
  const send = createSend({ ...given, timeoutMs: settings.webhookTimeoutMs })
  const noticesOf = createNoticeJobs(given)
  const disable = createDisable({ ...shared, noticesOf })
  const recordAttempts = createRecordAttempts({ ...shared, disable, random: Math.random })
  return {
    outbox,
    memberWebhooks: createMemberWebhooks(disable),
    queues: {
      [deliveryQueue]: createDeliveryQueue({ ...shared, send, recordAttempts }),
      [replayQueue]: createReplayQueue(shared),
      [noticeMailQueue]: createNoticeMailQueue(given),
    },
    services: {
      webhooks: createWebhookService({ ...shared, checkUrl: createUrlCheck(settings) }),
      webhookDeliveries: createWebhookDeliveryService(shared),
      webhookHousekeeping: createWebhookHousekeeping({ ...shared, deliveriesMs: settings.deliveriesMs }),
    },
  }
}
