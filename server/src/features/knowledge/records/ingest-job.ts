/** The job that makes a version of a document searchable. */
import type { Scope } from '../../../platform/caller.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

export const ingestQueue = 'knowledge-ingest'

export type IngestPayload = {
  scope: Pick<Scope, 'workspaceId' | 'environment'>
  documentId: string
  version: number
  /** An earlier job may have written chunks of this version: they are discarded first. */
  again?: boolean
}

/** Of the one job that may be at work on a version. */
export const ingestKey = (documentId: string, version: number): string => `${documentId}:${version}`

/** `again` where a job of this version has ended before, whatever its end was. */
export const ingestJob = (
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
  documentId: string,
  version: number,
  { again = false }: { again?: boolean } = {},
): NewJob => ({
  queue: ingestQueue,
  workspaceId,
  uniqueKey: ingestKey(documentId, version),
  payload: {
    scope: { workspaceId, environment },
    documentId,
    version,
    ...(again && { again }),
  } satisfies IngestPayload,
})
