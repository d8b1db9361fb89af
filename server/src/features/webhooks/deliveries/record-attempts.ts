/** Records the results of attempts for deliveries and endpoints, and pauses or disables endpoints that fail. */
import { type Caller, systemCaller } from '../../../platform/caller.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import { consolePage } from '../../../platform/console-page.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { Queue } from '../../../platform/jobs/job.ts'
import { letter, type Mail, mailQueue } from '../../../platform/mail/mailer.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { DisabledReason } from '../../events/data-schemas.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { administrators } from '../../workspaces/members/members-service.ts'
import { type DeliveryRow, hastenPending, insertAttempt, updatePending } from '../records/deliveries-store.ts'
import {
  findStoredWebhook,
  listWebhooksOf,
  updateHealth,
  updateWebhook,
  type WebhookRow,
} from '../records/store.ts'
import type { Outcome } from './send.ts'

/** `url` is where the attempt was sent. `reason` says why nothing was sent, and nothing will be. */
export type AttemptResult = { delivery: DeliveryRow } & (
  | { outcome: Outcome; url: string; reason?: never }
  | { outcome: null; url?: never; reason: string }
)

/** Call this in a transaction that proves that this worker still holds the endpoint's job. */
export type RecordAttempts = (
  tx: Tx,
  webhook: WebhookRow,
  attempted: readonly AttemptResult[],
) => Promise<void>

const gone = 410

export function createRecordAttempts(
  dependencies: Pick<Platform, 'clock' | 'newId'> & {
    disable: Disable
    random: () => number
  },
): RecordAttempts {
  const { clock, newId, random } = dependencies

  const recordOne = async (tx: Tx, { delivery, outcome, url, reason }: AttemptResult): Promise<void> => {
    const now = clock()
    const given = { attempts: delivery.attempts, next_attempt_at: null, finished_at: now }
    if (outcome === null) {
      await updatePending(tx, delivery.id, { ...given, status: 'failed', error: reason })
      return
    }
    const attempts = delivery.attempts + 1
    // The reply to a test has the outcome, so a test has no second attempt. A 410 to a callback ends only that
    // delivery.
    const isOver = delivery.origin === 'test' || (delivery.url !== null && outcome.reply?.statusCode === gone)
    const mayRepeat = outcome.error !== null && !isOver
    const pauseMs = mayRepeat ? retryPauseMs(attempts, random) : null
    const change =
      outcome.error === null
        ? ({ ...given, attempts, status: 'delivered', error: null } as const)
        : pauseMs === null
          ? ({ ...given, attempts, status: 'failed', error: outcome.error } as const)
          : ({
              attempts,
              status: 'pending',
              error: null,
              next_attempt_at: now + pauseMs,
              finished_at: null,
            } as const)
    // The delivery may have ended or been deleted meanwhile.
    if (!(await updatePending(tx, delivery.id, change))) return
    await insertAttempt(tx, {
      delivery_id: delivery.id,
      number: attempts,
      url,
      started_at: outcome.startedAt,
      duration_ms: outcome.durationMs,
      status_code: outcome.reply?.statusCode ?? null,
      reply_headers: outcome.reply === null ? null : encodeJson(outcome.reply.headers),
      reply_body: outcome.reply?.body ?? null,
      error: outcome.error,
    })
  }

  const disable = (tx: Tx, webhook: WebhookRow, reason: 'gone' | 'failing'): Promise<void> => {
    const { workspace_id: workspaceId, environment, created_by: userId } = webhook
    const caller = systemCaller({ workspaceId, environment }, newId('request'), userId)
    return dependencies.disable(tx, caller, webhook, reason)
  }

  return async (tx, { id }, attempted) => {
    const webhook = await findStoredWebhook(tx, id)
    if (webhook === undefined) return
    for (const one of attempted) await recordOne(tx, one)
    // An attempt at the endpoint's old URL says nothing about its present URL.
    const tried = attempted.flatMap(({ outcome, url }) =>
      outcome === null || (webhook.kind === 'endpoint' && url !== webhook.url) ? [] : [outcome],
    )
    if (tried.length === 0) return
    const now = clock()
    if (tried.some(({ error }) => error === null)) {
      if (webhook.failures === 0) return
      await updateHealth(tx, id, {
        failures: 0,
        failing_since: null,
        last_failure_at: null,
        paused_until: null,
      })
      if (webhook.failures >= trustedFailures) await hastenPending(tx, id, now)
      return
    }
    const failures = webhook.failures + 1
    const isFailing = webhook.last_failure_at !== null && now - webhook.last_failure_at < failureGapMs
    const failingSince = isFailing ? (webhook.failing_since ?? now) : now
    const pauseMs = endpointPauseMs(failures, random)
    await updateHealth(tx, id, {
      failures,
      failing_since: failingSince,
      last_failure_at: now,
      paused_until: pauseMs === 0 ? null : now + pauseMs,
    })
    // A callback host is never disabled, because its next run may belong to another program.
    if (webhook.enabled === 0 || webhook.kind === 'callbacks') return
    if (tried.some(({ reply }) => reply?.statusCode === gone)) await disable(tx, webhook, 'gone')
    else if (now - failingSince >= failingMs) await disable(tx, webhook, 'failing')
  }
}

/** The pause after each attempt, as Standard Webhooks recommends: about three days in all. */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** The age at which a delivery that was never tried is given up, because the endpoint did not answer to others. */
export const lateMs = 4 * dayMs
/** How long an endpoint may fail before it is disabled. */
const failingMs = 5 * dayMs
/** Failures further apart than this do not count as failing, because nothing was tried in between. */
const failureGapMs = 2 * dayMs
/** After this many failures in a row, an endpoint is only tried now and then, with one delivery. */
export const trustedFailures = 3

const firstPauseMs = 10 * secondMs
const longestPauseMs = 10 * minuteMs

/** The pause after this many attempts, plus or minus a fifth. Null if no attempt is left. `random` is from 0 to 1. */
export function retryPauseMs(attempts: number, random: () => number): number | null {
  const pauseMs = pausesMs[attempts - 1]
  return pauseMs === undefined ? null : Math.round(pauseMs * (0.8 + random() * 0.4))
}

/** How long an endpoint is paused after this many failures in a row; 0 while it is trusted. */
export function endpointPauseMs(failures: number, random: () => number): number {
  if (failures < trustedFailures) return 0
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - trustedFailures, 20))
  return Math.round(pauseMs * (0.8 + random() * 0.4))
}

// The server disables an endpoint: nothing is sent any more, and a mail tells owners and admins why.

type Disable = ReturnType<typeof createDisable>

/** The caller that the returned function gets must act in the endpoint's environment. */
export function createDisable(
  dependencies: Pick<Platform, 'clock' | 'jobs' | 'mailer' | 'log'> & {
    audit: AuditService
    outbox: Outbox
  },
) {
  const { clock, audit, outbox, jobs, mailer, log } = dependencies
  return async (tx: Tx, caller: Caller, webhook: WebhookRow, reason: DisabledReason): Promise<void> => {
    const { id, workspace_id: workspaceId, environment } = webhook
    const now = clock()
    await updateWebhook({ workspaceId }, tx, id, {
      enabled: 0,
      disabled_reason: reason,
      paused_until: null,
      updated_at: now,
    })
    await audit.record(tx, caller, { action: 'webhook.disable', resourceId: id, details: { reason } })
    await outbox.record(tx, {
      workspaceId,
      environment,
      narrowing: webhook.narrowing,
      at: now,
      type: 'webhook.disabled',
      data: { id, reason },
    })
    const people = mailer.available ? await administrators(tx, workspaceId, mostTold) : []
    for (const { userId } of people) {
      const payload: Payload = { webhookId: id, userId, reason }
      // One job per person, so that a mail that fails does not repeat the other mails.
      await jobs.enqueue(tx, { queue: noticeMailQueue, workspaceId, payload })
    }
    log.warn('A webhook endpoint was disabled', { webhookId: id, reason })
  }
}

/** The enabled endpoints that a member made, in both environments. Disabling one writes an event. */
export const createMemberWebhooks = (disable: Disable) => ({
  list: listWebhooksOf,
  async disable(tx: Tx, caller: Caller, userId: string): Promise<void> {
    const { workspaceId } = caller.scope
    for (const webhook of await listWebhooksOf(caller.scope, tx, userId)) {
      const scope = { workspaceId, environment: webhook.environment }
      await disable(tx, { ...caller, scope }, webhook, 'creator_lost_access')
    }
  },
})

export const noticeMailQueue = 'webhook-notice-mail'

type Payload = { webhookId: string; userId: string; reason: DisabledReason }

/** The most people that get a mail about one endpoint. */
const mostTold = 20

export function createNoticeMailQueue(
  dependencies: Pick<Platform, 'database' | 'mailer' | 'log' | 'publicUrl'>,
): Queue<Payload> {
  const { database, mailer, log, publicUrl } = dependencies
  return mailQueue<Payload>({
    mailer,
    maxAttempts: 6,
    maxBackoffMs: 10 * minuteMs,
    async write({ webhookId, userId, reason }) {
      const webhook = await findStoredWebhook(database.read, webhookId)
      // A member may have enabled the endpoint again meanwhile.
      if (webhook === undefined || webhook.disabled_reason !== reason) return null
      const people = await administrators(database.read, webhook.workspace_id, mostTold)
      const person = people.find(one => one.userId === userId)
      if (person === undefined) return null
      const page = consolePage(publicUrl(), webhook.environment, `/webhooks/${webhookId}`)
      return noticeMail(person, webhook, reason, page)
    },
    async refused({ payload: { webhookId, userId } }, error) {
      log.warn('The mail about a disabled endpoint was refused', { webhookId, userId, error })
    },
  })
}

const reasons: Readonly<Record<DisabledReason, string>> = {
  gone: 'It answered 410, which says that it is gone.',
  failing: 'Nothing could be delivered to it for five days.',
  creator_lost_access: 'The member who made it was removed or may no longer manage webhooks.',
}

const noticeMail = (
  { name, email }: { name: string; email: string },
  { url }: WebhookRow,
  reason: DisabledReason,
  page: string,
): Mail =>
  letter(email, 'A webhook endpoint was disabled', [
    `Hello ${name},`,
    `the webhook endpoint ${new URL(url).origin} gets no more events. ${reasons[reason]}`,
    'If it is still wanted and works, enable it here; what has happened meanwhile can be replayed:',
    page,
  ])
