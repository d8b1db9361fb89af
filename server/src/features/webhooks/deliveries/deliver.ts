/** The queue of deliveries, with one job per endpoint that sends what is due, and the housekeeping of deliveries. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../../platform/caller.ts'
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import { secretField, signedHeaders } from '../../../platform/crypto/webhook-signatures.ts'
import type { Query } from '../../../platform/database/database.ts'
import { firstIdAt } from '../../../platform/ids.ts'
import type { Job, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { bySlices, createRounds } from '../../../platform/schedules/rounds.ts'
import type { EventService } from '../../events/service.ts'
import { deleteIdleHost, listIdleHosts } from '../records/callback-hosts.ts'
import {
  type DeliveryRow,
  deleteDeliveriesBefore,
  deleteDeliveriesOf,
  failLate,
  findDelivery,
  listDue,
  nextDueAt,
} from '../records/deliveries-store.ts'
import { type DeliveryPayload, deliveryJob } from '../records/delivery-job.ts'
import {
  callbackSecretField,
  deleteWebhookRow,
  findCallbackSecret,
  findStoredWebhook,
  listWithWork,
  tryLockWebhook,
  type WebhookRow,
} from '../records/store.ts'
import { type AttemptResult, lateMs, type RecordAttempts, trustedFailures } from './record-attempts.ts'
import { scopeOfListener } from './replay.ts'
import type { Send } from './send.ts'

/** How many deliveries are sent at once to an endpoint that answers. */
const sentAtOnce = 4
/** How many endpoints one process serves at once. The jobs mostly wait for receivers. */
const endpointsAtOnce = 64
/** After this time an endpoint's job goes to the end of the queue; if its receiver hangs, after each attempt. */
const turnMs = 2 * secondMs
const erasedAtOnce = 200
const busyMs = 10

/** What the author of a run may read now. Null if the run is deleted or its author may no longer do anything. */
export type AuthorOfRun = (query: Query, runId: string) => Promise<Scope | null>

/** The job cannot end yet: a delivery was or will be added at this moment, or the endpoint was just deleted. */
class NotYet extends Error {}

export function createDeliveryQueue(
  dependencies: Pick<Platform, 'database' | 'clock' | 'jobs' | 'seals'> & {
    events: Pick<EventService, 'read'>
    authorOfRun: AuthorOfRun
    send: Send
    recordAttempts: RecordAttempts
  },
): Queue<DeliveryPayload> {
  const { database, clock, jobs, seals, events, authorOfRun, send, recordAttempts } = dependencies

  const secretsOf = async (webhook: WebhookRow): Promise<string[]> => {
    const scope = scopeOf(webhook)
    const isEndpoint = webhook.kind === 'endpoint'
    const secrets = isEndpoint ? webhook : await findCallbackSecret(scope, database.read)
    const field = isEndpoint ? secretField(webhook.id) : callbackSecretField(scope)
    const isOverlapping = (secrets?.previous_secret_expires_at ?? 0) > clock()
    const sealed = [secrets?.secret ?? null, isOverlapping ? (secrets?.previous_secret ?? null) : null]
    return Promise.all(sealed.flatMap(one => (one === null ? [] : [seals.open(scope, field, one)])))
  }

  /** An endpoint reads what the key that made it could read. A callback reads what the run's author may read now. */
  const readerOf = (webhook: WebhookRow, { run_id: runId }: DeliveryRow): Scope | Promise<Scope | null> =>
    runId === null ? scopeOfListener(webhook) : authorOfRun(database.read, runId)

  const attempt = async (
    job: Job<DeliveryPayload>,
    webhook: WebhookRow,
    { delivery, secrets }: { delivery: DeliveryRow; secrets: readonly string[] },
  ): Promise<AttemptResult> => {
    if (delivery.attempts === 0 && clock() - delivery.created_at > lateMs) {
      return { delivery, outcome: null, reason: tooLate }
    }
    const reader = await readerOf(webhook, delivery)
    if (reader === null) return { delivery, outcome: null, reason: authorGone }
    const event = await events.read(reader, database.read, delivery.event_id)
    if (event === undefined) return { delivery, outcome: null, reason: eventGone }
    const body = JSON.stringify(event)
    const headersAt = (sentAt: number) => signedHeaders({ id: event.id, sentAt, body }, secrets)
    const owner = webhook.workspace_id
    const url = delivery.url ?? webhook.url
    const outcome = await send({ owner, url, headersAt, body, signal: job.signal })
    return { delivery, outcome, url }
  }

  /** True once nothing is left to do for now. A new job then waits for the deliveries that are due later. */
  const rest = async (job: Job<DeliveryPayload>, isTurnOver: boolean): Promise<boolean> => {
    const { webhookId, workspaceId } = job.payload
    try {
      await job.complete(async tx => {
        const webhook = await tryLockWebhook(tx, webhookId)
        if (webhook === 'busy') throw new NotYet()
        if (webhook?.deleted_at != null) throw new NotYet()
        if (webhook === undefined || webhook.enabled === 0) return
        const dueAt = await nextDueAt(tx, webhookId)
        if (dueAt === null) return
        const delayMs = Math.max(0, Math.max(dueAt, webhook.paused_until ?? 0) - clock())
        if (delayMs === 0 && !isTurnOver) throw new NotYet()
        await jobs.enqueue(tx, {
          ...deliveryJob(webhookId, workspaceId),
          delayMs: delayMs > 0 ? delayMs : undefined,
        })
      })
      return true
    } catch (error) {
      if (error instanceof NotYet) return false
      throw error
    }
  }

  /** Deletes in slices, so that other writers do not wait for a long log. The endpoint's row is deleted last. */
  const erase = async (job: Job<DeliveryPayload>, webhookId: string): Promise<void> => {
    while ((await job.write(tx => deleteDeliveriesOf(tx, webhookId, erasedAtOnce))) === erasedAtOnce) {
      job.signal.throwIfAborted()
    }
    await job.complete(tx => deleteWebhookRow(tx, webhookId))
  }

  const sendTest = async (job: Job<DeliveryPayload>, testId: string): Promise<void> => {
    const { webhookId } = job.payload
    const webhook = await findStoredWebhook(database.read, webhookId)
    const delivery = await findDelivery(database.read, webhookId, testId)
    if (webhook === undefined || webhook.deleted_at !== null || delivery?.status !== 'pending') return
    const attempted: AttemptResult =
      webhook.enabled === 0
        ? { delivery, outcome: null, reason: 'The endpoint was disabled before the test was sent' }
        : await attempt(job, webhook, { delivery, secrets: await secretsOf(webhook) })
    await job.write(tx => recordAttempts(tx, webhook, [attempted]))
  }

  const work = async (job: Job<DeliveryPayload>): Promise<void> => {
    const { webhookId, testId } = job.payload
    if (testId !== undefined) return sendTest(job, testId)
    const turnEndsMs = performance.now() + turnMs
    for (;;) {
      job.signal.throwIfAborted()
      const webhook = await findStoredWebhook(database.read, webhookId)
      if (webhook === undefined) return
      if (webhook.deleted_at !== null) return erase(job, webhookId)
      const isTurnOver = performance.now() > turnEndsMs
      const isReady = webhook.enabled === 1 && (webhook.paused_until ?? 0) <= clock()
      const atOnce = webhook.failures < trustedFailures ? sentAtOnce : 1
      const due = isReady && !isTurnOver ? await listDue(database.read, webhookId, clock(), atOnce) : []
      if (due.length === 0) {
        if (await rest(job, isTurnOver)) return
        await sleep(busyMs)
        continue
      }
      const secrets = await secretsOf(webhook)
      const attempted = await Promise.all(due.map(delivery => attempt(job, webhook, { delivery, secrets })))
      await job.write(tx => recordAttempts(tx, webhook, attempted))
    }
  }

  return {
    concurrency: endpointsAtOnce,
    leaseMs: 30 * secondMs,
    // A killed server uses up an attempt. The sweep finds the deliveries of a job that was given up.
    maxAttempts: 20,
    timeoutMs: 10 * minuteMs,
    maxBackoffMs: minuteMs,
    handle: work,
  }
}

const authorGone = 'The run is deleted, or its author may not read it any more'
const eventGone = 'The event is not kept any more, or not for this endpoint to read'
const tooLate = 'The endpoint did not answer for days, so that this delivery was not tried'

const scopeOf = ({ workspace_id, environment }: Pick<WebhookRow, 'workspace_id' | 'environment'>): Scope => ({
  workspaceId: workspace_id,
  environment,
})

// The periodic tasks of endpoints: waking endpoints that have lost their job, and deleting old deliveries.

const listedAtOnce = 500
const failedAtOnce = 500
/** Each delivery has up to ten attempts. */
const deletedAtOnce = 100

export function createWebhookHousekeeping(
  dependencies: Pick<Platform, 'database' | 'clock' | 'jobs' | 'log'> & {
    /** How long deliveries are kept. */
    deliveriesMs: number
  },
) {
  const { database, clock, jobs, deliveriesMs, log } = dependencies
  const wakeRound = createRounds({
    list: range => listWithWork(database.read, clock(), range),
    work: async ({ id, workspace_id }) => {
      await database.write(tx => jobs.wake(tx, deliveryJob(id, workspace_id)))
      return id
    },
    log,
    failure: 'The job of an endpoint could not be woken',
    rowsAtOnce: listedAtOnce,
  })
  const forgetRound = createRounds({
    list: range => listIdleHosts(database.read, clock() - hourMs, range),
    work: async ({ id }) => {
      await database.write(async tx => {
        const host = await tryLockWebhook(tx, id)
        if (host !== 'busy' && host !== undefined) await deleteIdleHost(tx, id)
      })
      return id
    },
    log,
    failure: 'A host without callbacks could not be forgotten',
    rowsAtOnce: listedAtOnce,
  })
  return {
    /** Wakes the endpoints that have something to do. Runs each minute, in case an endpoint has lost its job. */
    async sweep(): Promise<void> {
      await wakeRound()
    },
    /**
     * Fails deliveries that have been pending for days. Removes deliveries that are older than they are kept, and
     * hosts without deliveries. Returns how many deliveries were removed.
     */
    async tidy(): Promise<number> {
      const now = clock()
      const late = { createdBefore: firstIdAt('webhookDelivery', now - lateMs), now, error: untried }
      await bySlices(limit => database.write(tx => failLate(tx, late, limit)), failedAtOnce)
      const end = firstIdAt('webhookDelivery', now - deliveriesMs)
      const removed = await bySlices(
        limit => database.write(tx => deleteDeliveriesBefore(tx, end, limit)),
        deletedAtOnce,
      )
      await forgetRound()
      return removed
    },
  }
}

const untried = 'It was not delivered for days'
