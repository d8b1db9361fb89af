/** A range of events sent again: their deliveries are written slice by slice, each with the job of the next. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../platform/caller.ts'
import { type Clock, minuteMs, secondMs } from '../../platform/clock.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Queue } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type EventType, subscribableTypes } from '../events/schemas.ts'
import { readEventsBehind } from '../events/service.ts'
import { insertDeliveries } from './deliveries-store.ts'
import { deliveryJob } from './delivery-job.ts'
import { type ReplayPayload, replayJob } from './replay-job.ts'
import { findStoredWebhook, type WebhookRow } from './store.ts'

/** A few milliseconds of the one writer's time. */
const eventsAtOnce = 200
const replaysAtOnce = 2

export function createReplayQueue({
  clock,
  newId,
  jobs,
}: {
  clock: Clock
  newId: NewId
  jobs: Jobs
}): Queue<ReplayPayload> {
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
        const rows = events.map(({ id, type }) => ({
          id: newId('webhookDelivery'),
          webhook_id: webhook.id,
          event_id: id,
          event_type: type,
          origin: 'replay' as const,
          status: 'pending' as const,
          error: null,
          attempts: 0,
          next_attempt_at: now,
          created_at: now,
          finished_at: null,
        }))
        await insertDeliveries(tx, rows)
        if (rows.length > 0) await jobs.wake(tx, deliveryJob(webhook.id, webhook.workspace_id))
        const last = events.at(-1)
        if (last === undefined || events.length < eventsAtOnce) return
        await jobs.enqueue(tx, replayJob({ ...payload, afterId: last.id }))
      }),
  }
}

/** What the endpoint sees: no more than the key that made it. */
export const scopeOfListener = (webhook: WebhookRow): Scope =>
  withoutUndefined({
    workspaceId: webhook.workspace_id,
    environment: webhook.environment,
    agentIds: webhook.agent_ids === null ? undefined : decodeJson(webhook.agent_ids),
    collectionIds: webhook.collection_ids === null ? undefined : decodeJson(webhook.collection_ids),
  })

/** The events of a range that the endpoint is told of; a test was for nobody but whoever asked for it. */
export const selectionOf = (
  { event_types }: WebhookRow,
  { createdAfterMs, createdBeforeMs }: Pick<ReplayPayload, 'createdAfterMs' | 'createdBeforeMs'>,
) => ({
  types: event_types === null ? subscribableTypes : (decodeJson(event_types) as EventType[]),
  createdAfterMs,
  createdBeforeMs,
})
