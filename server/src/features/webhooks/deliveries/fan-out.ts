import type { Tx } from '../../../platform/database/database.ts'
import { narrowingOfRow } from '../../../platform/database/within-reach.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { isSeenBy, type RecordedEvent } from '../../events/outbox-service.ts'
import { isCovered } from '../../events/schemas.ts'
import { holdHost, narrowingOfCallback } from '../records/callback-hosts.ts'
import { insertDeliveries, newDelivery } from '../records/deliveries-store.ts'
import { deliveryJob } from '../records/delivery-job.ts'
import { choicesOf } from '../records/reach.ts'
import { type Listener, listListeners } from '../records/store.ts'

/** Who gets a delivery: an endpoint, or the callback URL of one run. */
type Recipient = Pick<Listener, 'id' | 'paused_until'> & { url?: string; run_id?: string }

/** Costs only one indexed query in an environment without endpoints, unless the event has a callback. */
export const createFanOut =
  ({ newId, jobs }: { newId: NewId; jobs: Pick<Jobs, 'wake'> }) =>
  async (tx: Tx, event: RecordedEvent): Promise<void> => {
    // A test goes only to the endpoint that its caller has named.
    if (event.type === 'webhook.test') return
    const listeners = await listListeners(event, tx)
    const recipients: Recipient[] = listeners.filter(one => isTold(one, event))
    if (event.callback !== undefined) {
      const { url, runId } = event.callback
      const scope = narrowingOfCallback(event, event.callback)
      const host = await holdHost(newId, tx, scope, { url, now: event.at })
      recipients.push({ id: host.id, paused_until: host.paused_until, url, run_id: runId })
    }
    if (recipients.length === 0) return
    const rows = recipients.map(({ id, url = null, run_id = null }) =>
      newDelivery({
        id: newId('webhookDelivery'),
        webhook_id: id,
        event_id: event.id,
        event_type: event.type,
        url,
        run_id,
        origin: 'event',
        created_at: event.at,
      }),
    )
    await insertDeliveries(tx, rows)
    for (const { id, paused_until } of recipients) {
      const delayMs = Math.max(0, (paused_until ?? 0) - event.at)
      await jobs.wake(tx, {
        ...deliveryJob(id, event.workspaceId),
        delayMs: delayMs > 0 ? delayMs : undefined,
      })
    }
  }

function isTold(listener: Listener, event: RecordedEvent): boolean {
  if (!isCovered(event.type, choicesOf(listener))) return false
  const { workspaceId, environment } = event
  return isSeenBy({ workspaceId, environment, ...narrowingOfRow(listener) }, event)
}
