/** The job that an endpoint has while something is to be delivered to it: one for each, so that none waits for another. */
import type { NewJob } from '../../platform/jobs/job.ts'

export const deliveryQueue = 'webhook-deliveries'

export type DeliveryPayload = { webhookId: string; workspaceId: string }

export const deliveryJob = (
  webhookId: string,
  workspaceId: string,
): Omit<NewJob, 'runAt' | 'delayMs'> & { uniqueKey: string } => {
  const payload: DeliveryPayload = { webhookId, workspaceId }
  return { queue: deliveryQueue, workspaceId, payload, uniqueKey: webhookId }
}
