/** From an event to the endpoints that are told of it: their deliveries are written with the event, in the change's own transaction. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Engine, Tx } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { isSeenBy, type RecordedEvent } from '../events/outbox-service.ts'
import { insertDeliveries } from './deliveries-store.ts'
import { deliveryJob } from './delivery-job.ts'
import { type Listener, listListeners } from './store.ts'

/** Costs one query by an index where a workspace has no endpoint. */
export const createFanOut =
  ({ engine, newId, jobs }: { engine: Engine; newId: NewId; jobs: Pick<Jobs, 'wake'> }) =>
  async (tx: Tx, event: RecordedEvent): Promise<void> => {
    // A test is for one endpoint, which whoever asked for it has named.
    if (event.type === 'webhook.test') return
    const listeners = (await listListeners(event, tx, engine)).filter(one => isTold(one, event))
    if (listeners.length === 0) return
    const rows = listeners.map(({ id }) => ({
      id: newId('webhookDelivery'),
      webhook_id: id,
      event_id: event.id,
      event_type: event.type,
      origin: 'event' as const,
      status: 'pending' as const,
      error: null,
      attempts: 0,
      next_attempt_at: event.at,
      created_at: event.at,
      finished_at: null,
    }))
    await insertDeliveries(tx, rows)
    for (const { id, paused_until } of listeners) {
      const delayMs = Math.max(0, (paused_until ?? 0) - event.at)
      await jobs.wake(tx, {
        ...deliveryJob(id, event.workspaceId),
        delayMs: delayMs > 0 ? delayMs : undefined,
      })
    }
  }

function isTold({ event_types, agent_ids, collection_ids }: Listener, event: RecordedEvent): boolean {
  if (event_types !== null && !decodeJson(event_types).includes(event.type)) return false
  return isSeenBy(
    withoutUndefined({
      workspaceId: event.workspaceId,
      environment: event.environment,
      agentIds: agent_ids === null ? undefined : decodeJson(agent_ids),
      collectionIds: collection_ids === null ? undefined : decodeJson(collection_ids),
    }),
    event,
  )
}
