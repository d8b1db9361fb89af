/** The job that removes what a document's row no longer names. */
import type { Scope } from '../../../platform/caller.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

export const leftoversQueue = 'knowledge-leftovers'

export type LeftoversPayload = {
  scope: Pick<Scope, 'workspaceId' | 'environment'>
  documentId: string
  /** Files of versions that were overtaken before they were ready. */
  blobIds: readonly string[]
}

export const leftoversJob = (
  { workspaceId, environment }: Scope,
  documentId: string,
  blobIds: readonly string[] = [],
): NewJob => ({
  queue: leftoversQueue,
  workspaceId,
  payload: { scope: { workspaceId, environment }, documentId, blobIds } satisfies LeftoversPayload,
})
