import type { Engine, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { narrowingOfRow } from '../../../platform/database/within-reach.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { isSeenBy, type RecordedEvent } from '../../events/outbox-service.ts'
import { insertDeliveries, newDelivery } from '../records/deliveries-store.ts'
import { deliveryJob } from '../records/delivery-job.ts'
import { type Listener, listListeners } from '../records/store.ts'

/** Costs one query by an index where a workspace has no endpoint. */
export const createFanOut =
  ({ engine, newId, jobs }: { engine: Engine; newId: NewId; jobs: Pick<Jobs, 'wake'> }) =>
  async (tx: Tx, event: RecordedEvent): Promise<void> => {
    // A test is for one endpoint, which its caller has named.
    if (event.type === 'webhook.test') return
    const listeners = (await listListeners(event, tx, engine)).filter(one => isTold(one, event))
    if (listeners.length === 0) return
    const rows = listeners.map(({ id }) =>
      newDelivery({
        id: newId('webhookDelivery'),
        webhook_id: id,
        event_id: event.id,
        event_type: event.type,
        origin: 'event',
        created_at: event.at,
      }),
    )
    await insertDeliveries(tx, rows)
    for (const { id, paused_until } of listeners) {
      const delayMs = Math.max(0, (paused_until ?? 0) - event.at)
      await jobs.wake(tx, {
        ...deliveryJob(id, event.workspaceId),
        delayMs: delayMs > 0 ? delayMs : undefined,
      })
    }
  }

function isTold(listener: Listener, event: RecordedEvent): boolean {
  const { event_types } = listener
  if (event_types !== null && !decodeJson(event_types).includes(event.type)) return false
  const { workspaceId, environment } = event
  return isSeenBy({ workspaceId, environment, ...narrowingOfRow(listener) }, event)
}
