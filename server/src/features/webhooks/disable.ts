/** An endpoint that is given up by the server: nothing is sent any more, and those who look after the workspace are told why. */
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { NewJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { AuditService } from '../audit/service.ts'
import type { GivenUp } from '../events/data-schemas.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { listWebhooksOf, updateWebhook, type WebhookRow } from './store.ts'

/** `caller` acts in the endpoint's environment. */
export type Disable = (tx: Tx, caller: Caller, webhook: WebhookRow, reason: GivenUp) => Promise<void>

export function createDisable(dependencies: {
  clock: Clock
  audit: AuditService
  outbox: Outbox
  jobs: Jobs
  /** Who is told by mail. */
  noticesOf: (tx: Tx, webhook: WebhookRow, reason: GivenUp) => Promise<NewJob[]>
  log: Log
}): Disable {
  const { clock, audit, outbox, jobs, noticesOf, log } = dependencies
  return async (tx, caller, webhook, reason) => {
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
    for (const job of await noticesOf(tx, webhook, reason)) await jobs.enqueue(tx, job)
    log.warn('A webhook endpoint was disabled', { webhookId: id, reason })
  }
}

/** The endpoints that a member made and that are told of events, in both environments; what is given up is told as theirs. */
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
