import type { Caller, Scope } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import { previewedIds } from '../../../platform/database/page.ts'
import { narrowingOfRow } from '../../../platform/database/within-reach.ts'
import { invalidField } from '../../../platform/errors.ts'
import { firstIdAt } from '../../../platform/ids.ts'
import type { NewJob, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import { countSeenEvents, readEventsBehind } from '../../events/service.ts'
import type { ReplayRequest } from '../records/deliveries-schemas.ts'
import { insertDeliveries, newDelivery } from '../records/deliveries-store.ts'
import { deliveryJob } from '../records/delivery-job.ts'
import { checkReach, lockEnabled, requireWebhook, typesOf } from '../records/reach.ts'
import { findStoredWebhook, type WebhookRow } from '../records/store.ts'

/** Takes a few milliseconds of the database's single writer. */
const eventsAtOnce = 200
const replaysAtOnce = 2

export function createReplayQueue({
  clock,
  newId,
  jobs,
}: Pick<Platform, 'clock' | 'newId' | 'jobs'>): Queue<ReplayPayload> {
  return {
    concurrency: replaysAtOnce,
    leaseMs: 30 * secondMs,
    maxAttempts: 10,
    timeoutMs: minuteMs,
    handle: job =>
      job.complete(async tx => {
        const { payload } = job
        const webhook = await findStoredWebhook(tx, payload.webhookId)
        if (webhook === undefined || webhook.enabled === 0) return
        const selection = selectionOf(webhook, payload)
        const from = { afterId: payload.afterId, limit: eventsAtOnce }
        const events = await readEventsBehind(scopeOfListener(webhook), tx, selection, from)
        const now = clock()
        const rows = events.map(({ id, type }) =>
          newDelivery({
            id: newId('webhookDelivery'),
            webhook_id: webhook.id,
            event_id: id,
            event_type: type,
            origin: 'replay',
            created_at: now,
          }),
        )
        await insertDeliveries(tx, rows)
        if (rows.length > 0) await jobs.wake(tx, deliveryJob(webhook.id, webhook.workspace_id))
        const last = events.at(-1)
        if (last === undefined || events.length < eventsAtOnce) return
        await jobs.enqueue(tx, replayJob({ ...payload, afterId: last.id }))
      }),
  }
}

/** The scope of an endpoint: it sees no more than the key that made it. */
export const scopeOfListener = (webhook: WebhookRow): Scope => ({
  workspaceId: webhook.workspace_id,
  environment: webhook.environment,
  ...narrowingOfRow(webhook),
})

/** Selects the events of a range that the endpoint receives. Tests are not among them. */
const selectionOf = (
  webhook: WebhookRow,
  { createdAfterMs, createdBeforeMs }: Pick<ReplayPayload, 'createdAfterMs' | 'createdBeforeMs'>,
) => ({
  types: typesOf(webhook),
  createdAfterMs,
  createdBeforeMs,
})

export const replayQueue = 'webhook-replays'

type ReplayPayload = {
  webhookId: string
  workspaceId: string
  createdAfterMs: number
  createdBeforeMs: number
  /** The id of the last event that was taken. */
  afterId: string
}

const replayJob = (payload: ReplayPayload): NewJob => ({
  queue: replayQueue,
  workspaceId: payload.workspaceId,
  payload,
})

const maxReplayed = 100_000

/**
 * Returns how many events are sent again, and in a dry run the first event ids. Throws 403 if the endpoint receives
 * events that the caller may not read.
 */
export function createStartReplay(
  dependencies: Pick<Platform, 'database' | 'clock' | 'jobs'> & {
    audit: AuditService
  },
) {
  const { database, clock, audit, jobs } = dependencies
  return async (
    caller: Caller,
    webhookId: string,
    { createdAfter, createdBefore }: ReplayRequest,
    dryRun: boolean,
  ): Promise<{ count: number; ids: string[] }> => {
    const { scope } = caller
    const after = Date.parse(createdAfter)
    // Events from now on are sent anyway.
    const before = Math.min(clock(), createdBefore === undefined ? clock() : Date.parse(createdBefore))
    if (after >= before) throw invalidField('createdAfter', 'must lie before createdBefore, and in the past')
    const range = { createdAfterMs: after, createdBeforeMs: before }
    const webhook = await requireWebhook(scope, database.read, webhookId)
    // The count in the answer would tell about events that the caller may not read.
    checkReach(caller, webhook)
    const count = await countSeenEvents(scopeOfListener(webhook), database.read, selectionOf(webhook, range))
    if (count > maxReplayed) {
      const message = `begins a range of ${count} events; at most ${maxReplayed} are sent again at once`
      throw invalidField('createdAfter', message)
    }
    const afterId = firstIdAt('event', after)
    if (dryRun) {
      const from = { afterId, limit: previewedIds }
      const selection = selectionOf(webhook, range)
      const first = await readEventsBehind(scopeOfListener(webhook), database.read, selection, from)
      return { count, ids: first.map(({ id }) => id) }
    }
    await database.write(async tx => {
      await lockEnabled(scope, tx, webhookId)
      const { workspaceId } = scope
      await jobs.enqueue(tx, replayJob({ webhookId, workspaceId, ...range, afterId }))
      await audit.record(tx, caller, {
        action: 'webhook.replay',
        resourceId: webhookId,
        details: { createdAfter, createdBefore: createdBefore ?? null, eventCount: count },
      })
    })
    return { count, ids: [] }
  }
}
