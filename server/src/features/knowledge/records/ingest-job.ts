/** The job that makes a version of a document searchable. */
import type { Scope } from '../../../platform/caller.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

export const ingestQueue = 'knowledge-ingest'

export type IngestPayload = {
  scope: Pick<Scope, 'workspaceId' | 'environment'>
  documentId: string
  version: number
}

/** Of the one job that may be at work on a version. */
export const ingestKey = (documentId: string, version: number): string => `${documentId}:${version}`

export const ingestJob = (
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
  documentId: string,
  version: number,
): NewJob => ({
  queue: ingestQueue,
  workspaceId,
  uniqueKey: ingestKey(documentId, version),
  payload: {
    scope: { workspaceId, environment },
    documentId,
    version,
  } satisfies IngestPayload,
})
