/**
 * Waits for a person at another device (RFC 8628, 3.4 and 3.5). Asks the service at the service's pace, until there
 * are tokens or an end.
 */
import type { Connector } from '@atrium/connectors'
import type { Environment, Scope } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Job, NewJob, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type DeviceRow, deleteDevice, findDevice, slowDevice } from '../records/authorizations-store.ts'
import { findConnection } from '../records/store.ts'
import type { Vault } from '../records/vault.ts'
import type { OAuthClients, TermsOf } from './clients-service.ts'
import type { Ended, Grants } from './grants.ts'
import type { OAuth } from './oauth.ts'

export const deviceQueueName = 'integration.device'

type DevicePayload = { workspaceId: string; environment: Environment; connectionId: string }

/**
 * A connection has one such job at a time. Each job asks once, and the next job follows after the service's interval.
 */
export const deviceJob = (
  { workspaceId, environment }: Scope,
  connectionId: string,
  delaySeconds: number,
): NewJob => ({
  queue: deviceQueueName,
  workspaceId,
  payload: { workspaceId, environment, connectionId } satisfies DevicePayload,
  delayMs: delaySeconds * secondMs,
  uniqueKey: `device|${connectionId}`,
})

/** What `slow_down` adds to the interval (RFC 8628, 3.5). */
const slowerBySeconds = 5
/** A service that does not answer is asked less often. */
const unreachableSeconds = 15

export function createDeviceQueue(
  dependencies: Pick<Platform, 'database' | 'clock' | 'jobs'> & {
    vault: Vault
    oauth: OAuth
    clients: OAuthClients
    grants: Grants
    connectorOf: (integrationId: string) => Connector | null
    termsOf: TermsOf
  },
): Queue<DevicePayload> {
  const { database, clock, jobs, vault, oauth, clients, grants, connectorOf, termsOf } = dependencies

  const askAgain = (
    job: Job<DevicePayload>,
    scope: Scope,
    { connection_id: id, interval_seconds: present }: DeviceRow,
    { pauseSeconds, intervalSeconds }: { pauseSeconds: number; intervalSeconds: number },
  ): Promise<void> =>
    job.complete(async tx => {
      if (intervalSeconds !== present) await slowDevice(scope, tx, id, intervalSeconds)
      await jobs.enqueue(tx, deviceJob(scope, id, pauseSeconds))
    })

  const finish = async (
    job: Job<DevicePayload>,
    scope: Scope,
    device: DeviceRow,
    conclude: () => Promise<unknown>,
  ): Promise<void> => {
    // The code is deleted first. Tokens are given out once, so an attempt that dies here must not ask for them again.
    await job.write(tx => deleteDevice(scope, tx, device))
    await conclude()
    await job.complete(async () => undefined)
  }

  const handle = async (job: Job<DevicePayload>): Promise<void> => {
    const { workspaceId, environment, connectionId } = job.payload
    const scope: Scope = { workspaceId, environment }
    const device = await findDevice(scope, database.read, connectionId)
    const row = await findConnection(scope, database.read, connectionId)
    const connector = row === undefined ? null : connectorOf(row.integration_id)
    const terms = row === undefined ? null : termsOf(row)
    if (device === undefined || row === undefined || connector === null || terms === null) return
    if (device.expires_at <= clock()) return await job.write(tx => deleteDevice(scope, tx, device))
    const ended: Ended = { scope, connector, row, isReconnect: device.is_reconnect === 1 }
    const client = await clients.of(scope, row, { clientId: device.client_id })
    if (client === null) {
      return await finish(job, scope, device, () => grants.fail(ended, clientGone))
    }
    const code = await vault.openDeviceCode(scope, row.id, device.device_code)
    const result = await oauth.pollDevice(scope, terms, client, code)
    if (result.ok) {
      return await finish(job, scope, device, () => grants.accept(ended, terms, client, result.tokens))
    }
    const interval = device.interval_seconds
    if (result.code === 'authorization_pending') {
      return await askAgain(job, scope, device, { pauseSeconds: interval, intervalSeconds: interval })
    }
    if (result.code === 'slow_down') {
      const slower = interval + slowerBySeconds
      return await askAgain(job, scope, device, { pauseSeconds: slower, intervalSeconds: slower })
    }
    if (result.kind === 'unreachable') {
      const pauseSeconds = Math.max(interval, unreachableSeconds)
      return await askAgain(job, scope, device, { pauseSeconds, intervalSeconds: interval })
    }
    await finish(job, scope, device, () => grants.fail(ended, result))
  }

  return {
    concurrency: 4,
    leaseMs: 30 * secondMs,
    maxAttempts: 5,
    timeoutMs: 2 * minuteMs,
    handle,
  }
}

const clientGone = {
  code: 'integration_not_configured',
  message: 'The OAuth client that began this authorization is not set any more',
}
