/** The job that sends a range of events again: its name and what it is told. */
import type { NewJob } from '../../platform/jobs/job.ts'

export const replayQueue = 'webhook-replays'

export type ReplayPayload = {
  webhookId: string
  workspaceId: string
  createdAfterMs: number
  createdBeforeMs: number
  /** The last event that has been taken. */
  afterId: string
}

export const replayJob = (payload: ReplayPayload): NewJob => ({
  queue: replayQueue,
  workspaceId: payload.workspaceId,
  payload,
})
