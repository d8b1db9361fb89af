/** The job that writes the index rows of a document's served version again, from its chunks. */
import type { Scope } from '../../../platform/caller.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

export const reindexQueue = 'knowledge-reindex'

export type ReindexPayload = {
  scope: Pick<Scope, 'workspaceId' | 'environment'>
  documentId: string
  /** `write` where it has no rows, as after a restore; `rewrite` where its title or name is new. */
  mode: 'write' | 'rewrite'
}

export const reindexJob = (
  { workspaceId, environment }: Scope,
  documentId: string,
  mode: ReindexPayload['mode'],
): NewJob => ({
  queue: reindexQueue,
  workspaceId,
  payload: { scope: { workspaceId, environment }, documentId, mode } satisfies ReindexPayload,
})
