/** The jobs that ask a service whether a person has authorized a connection at another device. */
import type { Environment, Scope } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

export const deviceQueueName = 'integration.device'

export type DevicePayload = { workspaceId: string; environment: Environment; connectionId: string }

/** One at a time for a connection; each asks once, and the next one follows after the service's interval. */
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
