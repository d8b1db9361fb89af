/** Deliveries to an endpoint: the log, sending an event again, replaying a range of time, and tests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Patience } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { PageRequest } from '../../../platform/database/page.ts'
import { found, notFound, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { type EventService, readableTypes, typesToList } from '../../events/service.ts'
import type { CallbackFilter, DeliveryFilter } from '../records/deliveries-schemas.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  findCallbackDelivery,
  findDelivery,
  insertDeliveries,
  listAttempts,
  listCallbackDeliveries,
  listDeliveries,
  newDelivery,
} from '../records/deliveries-store.ts'
import { deliveryJob, testJob } from '../records/delivery-job.ts'
import { lockEnabled, requireWebhook } from '../records/reach.ts'
import { lockWebhook, type WebhookRow } from '../records/store.ts'
import { createStartReplay, scopeOfListener } from './replay.ts'

export type DeliveryDetail = { row: DeliveryRow; attempts: AttemptRow[]; body: string | null }

/**
 * Every operation throws 404 if the endpoint does not exist. Operations that send throw `webhook_disabled` if the
 * endpoint is disabled. Deliveries of events that the caller may not read count as missing.
 */
export type WebhookDeliveryService = ReturnType<typeof createWebhookDeliveryService>

const pollMs = 50

type Dependencies = Pick<Platform, 'database' | 'clock' | 'newId' | 'jobs'> & {
  audit: AuditService
  outbox: Outbox
  events: Pick<EventService, 'read'>
}

type Queue = (
  tx: Tx,
  webhook: WebhookRow,
  event: { id: string; type: string } & Partial<Pick<DeliveryRow, 'url' | 'run_id'>>,
  origin: 'test' | 'redelivery',
) => Promise<DeliveryRow>

export function createWebhookDeliveryService(dependencies: Dependencies) {
  const { database, clock, newId, audit, jobs, outbox, events } = dependencies

  const queue: Queue = async (tx, webhook, event, origin) => {
    const { url = null, run_id = null } = event
    const made = newDelivery({
      id: newId('webhookDelivery'),
      url,
      run_id,
      webhook_id: webhook.id,
      event_id: event.id,
      event_type: event.type,
      origin,
      created_at: clock(),
    })
    // A test has no due time, because only its own job sends it.
    const row = origin === 'test' ? { ...made, next_attempt_at: null } : made
    await insertDeliveries(tx, [row])
    const { id, workspace_id } = webhook
    await jobs.wake(tx, origin === 'test' ? testJob(id, workspace_id, row.id) : deliveryJob(id, workspace_id))
    return row
  }

  const detailOf = async (caller: Caller, row: DeliveryRow): Promise<DeliveryDetail> => {
    const webhook = await requireWebhook(caller.scope, database.read, row.webhook_id)
    return detailFor(dependencies, scopeOfListener(webhook), row)
  }

  const outcome = async (caller: Caller, webhookId: string, id: string, { waitMs, signal }: Patience) => {
    const endsMs = performance.now() + waitMs
    const isOver = (): boolean => signal.aborted || performance.now() >= endsMs
    const isOpen = async (): Promise<boolean> => {
      const row = await findDelivery(database.read, webhookId, id)
      return row?.status === 'pending' && row.attempts === 0
    }
    while (!isOver() && (await isOpen())) {
      await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
    return detailOf(caller, found(await findDelivery(database.read, webhookId, id)))
  }

  return {
    /** Waits for the first attempt. Returns the delivery after that attempt, or as it is when the time is over. */
    outcome,

    /** Throws 403 for a type whose events the caller may not read. */
    async list(caller: Caller, webhookId: string, filter: DeliveryFilter, page: PageRequest) {
      await requireWebhook(caller.scope, database.read, webhookId)
      const { eventType, ...rest } = filter
      return listDeliveries(
        database.read,
        webhookId,
        { ...rest, types: typesToList(caller, eventType), readable: typesToList(caller) },
        page,
      )
    },

    async get(caller: Caller, webhookId: string, id: string): Promise<DeliveryDetail> {
      await requireWebhook(caller.scope, database.read, webhookId)
      return detailOf(caller, await readDelivery(caller, database.read, webhookId, id))
    },

    /** Sends the event of a delivery again, under the same `webhook-id`. Throws `event_expired`. */
    redeliver: (caller: Caller, webhookId: string, id: string): Promise<DeliveryRow> =>
      database.write(async tx => {
        const webhook = await lockEnabled(caller.scope, tx, webhookId)
        const before = await readDelivery(caller, tx, webhookId, id)
        const event = await events.read(scopeOfListener(webhook), tx, before.event_id)
        if (event === undefined) throw expired(before.event_id)
        const row = await queue(tx, webhook, event, 'redelivery')
        const details = { deliveryId: id, eventId: event.id }
        await audit.record(tx, caller, { action: 'webhook.redeliver', resourceId: webhookId, details })
        return row
      }),

    /** Sends a `webhook.test` event at once and only once. Returns the delivery like `outcome`. */
    async test(caller: Caller, webhookId: string, patience: Patience): Promise<DeliveryDetail> {
      const row = await database.write(async tx => {
        const webhook = await lockEnabled(caller.scope, tx, webhookId)
        const type = 'webhook.test'
        const { workspaceId, environment } = caller.scope
        const id = await outbox.record(tx, {
          workspaceId,
          environment,
          narrowing: webhook.narrowing,
          at: clock(),
          type,
          data: { id: webhookId, reason: null },
        })
        if (id === null) throw new Error('The event of a test exists already')
        await audit.record(tx, caller, { action: 'webhook.test', resourceId: webhookId })
        return queue(tx, webhook, { id, type }, 'test')
      })
      return outcome(caller, webhookId, row.id, patience)
    },

    callbacks: createCallbackDeliveries(dependencies, queue),

    /** Returns how many events of the range are sent again. Only events that the endpoint receives are sent. */
    replay: createStartReplay(dependencies),
  }
}

/** The same operations for callbacks. A callback goes to a host for which no caller has made an endpoint. */
const createCallbackDeliveries = (dependencies: Dependencies, queue: Queue) => {
  const { database, audit, events } = dependencies
  return {
    /** Throws 403 for a type whose events the caller may not read. */
    list: async (caller: Caller, { eventType, ...rest }: CallbackFilter, page: PageRequest) =>
      listCallbackDeliveries(
        caller.scope,
        database.read,
        { ...rest, types: typesToList(caller, eventType), readable: typesToList(caller) },
        page,
      ),

    /** Returns the delivery with its attempts, and with the body as the scope may read it. */
    get: async (caller: Caller, id: string): Promise<DeliveryDetail> =>
      detailFor(dependencies, caller.scope, await readCallback(caller, database.read, id)),

    /** Sends the event again, under the same `webhook-id`. Throws `event_expired`. */
    redeliver: (caller: Caller, id: string): Promise<DeliveryRow> =>
      database.write(async tx => {
        const { scope } = caller
        const before = await readCallback(caller, tx, id)
        const host = found(await lockWebhook(scope, tx, before.webhook_id, 'callbacks'))
        const event = await events.read(scope, tx, before.event_id)
        if (event === undefined) throw expired(before.event_id)
        const { url, run_id } = before
        const row = await queue(tx, host, { id: event.id, type: event.type, url, run_id }, 'redelivery')
        const details = { deliveryId: id, eventId: event.id }
        await audit.record(tx, caller, { action: 'run.call_back', resourceId: run_id, details })
        return row
      }),
  }
}

/** Returns the delivery with its attempts, and with the body as the scope may read it. */
async function detailFor(
  { database, events }: Dependencies,
  scope: Scope,
  row: DeliveryRow,
): Promise<DeliveryDetail> {
  const event = await events.read(scope, database.read, row.event_id)
  const attempts = await listAttempts(database.read, row.id)
  return { row, attempts, body: event === undefined ? null : JSON.stringify(event) }
}

/** Throws 404 if the delivery does not exist or the caller may not read its event. */
async function readCallback(caller: Caller, query: Query, id: string): Promise<DeliveryRow> {
  const row = found(await findCallbackDelivery(caller.scope, query, id))
  if (!readableTypes(caller).some(type => type === row.event_type)) throw notFound()
  return row
}

/** Throws 404 if the delivery does not exist or the caller may not read its event. */
async function readDelivery(caller: Caller, query: Query, webhookId: string, id: string) {
  const row = found(await findDelivery(query, webhookId, id))
  if (!readableTypes(caller).some(type => type === row.event_type)) throw notFound()
  return row
}

const expired = (eventId: string): ServiceError =>
  new ServiceError('event_expired', undefined, { details: { eventId } })
