/** The job that makes an uploaded document searchable. */
import type { Scope } from '../../platform/caller.ts'
import type { NewJob } from '../../platform/jobs/job.ts'

export const ingestQueue = 'knowledge-ingest'

export type IngestPayload = {
  scope: Pick<Scope, 'workspaceId' | 'environment'>
  documentId: string
  version: number
}

export const ingestJob = (
  { workspaceId, environment }: Scope,
  documentId: string,
  version: number,
): NewJob => ({
  queue: ingestQueue,
  workspaceId,
  payload: { scope: { workspaceId, environment }, documentId, version } satisfies IngestPayload,
})
