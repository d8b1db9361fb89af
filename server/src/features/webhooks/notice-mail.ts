/** The mail to owners and admins when the server has given up an endpoint: nobody reads events that no longer arrive. */
import { minuteMs } from '../../platform/clock.ts'
import type { Database, Query, Tx } from '../../platform/database/database.ts'
import type { NewJob, Queue } from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import { letter } from '../../platform/mail/letter.ts'
import { mailQueue } from '../../platform/mail/mail-queue.ts'
import type { Mail, Mailer } from '../../platform/mail/mailer.ts'
import type { GivenUp } from '../events/data-schemas.ts'
import { findStoredWebhook, type WebhookRow } from './store.ts'

export const noticeMailQueue = 'webhook-notice-mail'

type Payload = { webhookId: string; userId: string; reason: GivenUp }

export type Administrator = { userId: string; name: string; email: string }

/** Handed in by the feature that knows members: people only, not more than so many. */
export type Administrators = (query: Query, workspaceId: string, limit: number) => Promise<Administrator[]>

/** More people need not be told of one endpoint. */
const mostTold = 20

/** One job for each person, so that a mail that fails repeats nobody else's; none where there is no mail server. */
export const createNoticeJobs =
  ({ mailer, administrators }: { mailer: Mailer; administrators: Administrators }) =>
  async (tx: Tx, { id, workspace_id: workspaceId }: WebhookRow, reason: GivenUp): Promise<NewJob[]> => {
    if (!mailer.available) return []
    const people = await administrators(tx, workspaceId, mostTold)
    return people.map(({ userId }) => ({
      queue: noticeMailQueue,
      workspaceId,
      payload: { webhookId: id, userId, reason } satisfies Payload,
    }))
  }

export function createNoticeMailQueue(dependencies: {
  database: Database
  mailer: Mailer
  administrators: Administrators
  log: Log
  publicUrl: () => string
}): Queue<Payload> {
  const { database, mailer, administrators, log, publicUrl } = dependencies
  return mailQueue<Payload>({
    mailer,
    maxAttempts: 6,
    maxBackoffMs: 10 * minuteMs,
    async write({ webhookId, userId, reason }) {
      const webhook = await findStoredWebhook(database.read, webhookId)
      // Somebody has seen to it meanwhile.
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

const reasons: Readonly<Record<GivenUp, string>> = {
  gone: 'It answered 410, which says that it is gone.',
  failing: 'Nothing could be delivered to it for five days.',
  creator_lost_access: 'The member who made it was removed or may no longer manage webhooks.',
}

const noticeMail = (
  { name, email }: Administrator,
  { url }: WebhookRow,
  reason: GivenUp,
  page: string,
): Mail =>
  letter(email, 'A webhook endpoint was disabled', [
    `Hello ${name},`,
    `the webhook endpoint ${new URL(url).origin} gets no more events. ${reasons[reason]}`,
    'If it is still wanted and works, enable it here; what has happened meanwhile can be replayed:',
    page,
  ])
