/** The server gives an endpoint up: nothing is sent any more, and a mail tells owners and admins why. */
import type { Caller } from '../../../platform/caller.ts'
import { minuteMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Queue } from '../../../platform/jobs/job.ts'
import { letter, type Mail, mailQueue } from '../../../platform/mail/mailer.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { DisabledReason } from '../../events/data-schemas.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { administrators } from '../../workspaces/members/members-service.ts'
import { findStoredWebhook, listWebhooksOf, updateWebhook, type WebhookRow } from '../records/store.ts'

export type Disable = ReturnType<typeof createDisable>

/** The function that it makes gets a caller that acts in the endpoint's environment. */
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
    // Without a mail server no mail can be sent.
    const people = mailer.available ? await administrators(tx, workspaceId, mostTold) : []
    for (const { userId } of people) {
      const payload: Payload = { webhookId: id, userId, reason }
      // One job for each person, so that a mail that fails repeats no other one.
      await jobs.enqueue(tx, { queue: noticeMailQueue, workspaceId, payload })
    }
    log.warn('A webhook endpoint was disabled', { webhookId: id, reason })
  }
}

/** The enabled endpoints that a member made, in both environments; their disabling is an event. */
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
      // A member has enabled it again meanwhile.
      if (webhook === undefined || webhook.disabled_reason !== reason) return null
      const people = await administrators(database.read, webhook.workspace_id, mostTold)
      const person = people.find(one => one.userId === userId)
      if (person === undefined) return null
      return noticeMail(person, webhook, reason, `${publicUrl()}/webhooks/${webhookId}`)
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
