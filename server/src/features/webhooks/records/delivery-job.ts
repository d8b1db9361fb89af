/** The jobs of endpoints: one for each while something is to be delivered to it, so that none waits for another; and one for each test. */
import type { NewJob } from '../../../platform/jobs/job.ts'

export const deliveryQueue = 'webhook-deliveries'

/** `testId` is the one delivery that a test's job sends. */
export type DeliveryPayload = { webhookId: string; workspaceId: string; testId?: string }

type KeyedJob = Omit<NewJob, 'runAt' | 'delayMs'> & { uniqueKey: string }

export const deliveryJob = (webhookId: string, workspaceId: string): KeyedJob => {
  const payload: DeliveryPayload = { webhookId, workspaceId }
  return { queue: deliveryQueue, workspaceId, payload, uniqueKey: webhookId }
}

/** It waits neither behind what else is due nor for the end of the endpoint's pause: its caller waits for the outcome. */
export const testJob = (webhookId: string, workspaceId: string, testId: string): KeyedJob => {
  const payload: DeliveryPayload = { webhookId, workspaceId, testId }
  return { queue: deliveryQueue, workspaceId, payload, uniqueKey: testId }
}
