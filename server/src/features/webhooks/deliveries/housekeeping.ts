/** The periodic tasks of endpoints: work that has lost its job, and the log's retention. */
import { hourMs } from '../../../platform/clock.ts'
import { firstIdAt } from '../../../platform/ids.ts'
import type { Platform } from '../../../platform/platform.ts'
import { bySlices, createRounds } from '../../../platform/schedules/rounds.ts'
import { deleteIdleHost, listIdleHosts } from '../records/callback-hosts.ts'
import { deleteDeliveriesBefore, failLate } from '../records/deliveries-store.ts'
import { deliveryJob } from '../records/delivery-job.ts'
import { listWithWork, tryLockWebhook } from '../records/store.ts'
import { lateMs } from './record-attempts.ts'

const endpointsAtOnce = 500
const failedAtOnce = 500
/** With up to ten attempts each. */
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
    rowsAtOnce: endpointsAtOnce,
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
    rowsAtOnce: endpointsAtOnce,
  })
  return {
    /** Wakes the endpoints that have something due; each minute, in case one has lost its job. */
    async sweep(): Promise<void> {
      await wakeRound()
    },
    /** Gives up what was never tried, and removes the log that is older than it is kept, and hosts without one; returns how many deliveries. */
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
