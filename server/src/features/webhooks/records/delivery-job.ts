/** The jobs of deliveries: one per endpoint, so that endpoints do not wait for each other, and one per test. */
import type { NewJob } from '../../../platform/jobs/job.ts'

export const deliveryQueue = 'webhook-deliveries'

/** `testId` is the id of the only delivery that a test's job sends. */
export type DeliveryPayload = { webhookId: string; workspaceId: string; testId?: string }

type KeyedJob = Omit<NewJob, 'runAt' | 'delayMs'> & { uniqueKey: string }

export const deliveryJob = (webhookId: string, workspaceId: string): KeyedJob => {
  const payload: DeliveryPayload = { webhookId, workspaceId }
  return { queue: deliveryQueue, workspaceId, payload, uniqueKey: webhookId }
}

/** A test does not wait for other deliveries or for the end of the endpoint's pause, because its caller waits. */
export const testJob = (webhookId: string, workspaceId: string, testId: string): KeyedJob => {
  const payload: DeliveryPayload = { webhookId, workspaceId, testId }
  return { queue: deliveryQueue, workspaceId, payload, uniqueKey: testId }
}
