/** The jobs for documents: the names of their queues, their payloads, and the functions that make a job. */
import type { Scope } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

/** The scope of a job. It has no narrowing of the key that asked: a job also changes data that the key cannot see. */
export type WholeScope = Pick<Scope, 'workspaceId' | 'environment'>

/** Makes a version of a document searchable. */
export const ingestQueue = 'knowledge-ingest'
export type IngestPayload = { scope: WholeScope; documentId: string; version: number }

/** One version has one job at a time. */
export const ingestJob = (scope: WholeScope, documentId: string, version: number): NewJob => ({
  ...jobOf<IngestPayload>(ingestQueue, { scope: bare(scope), documentId, version }),
  uniqueKey: `${documentId}:${version}`,
})

/** Does the same for a version with pictures: their text takes minutes, which no other document waits for. */
export const recogniseQueue = 'knowledge-recognise'

export const recogniseJob = (scope: WholeScope, documentId: string, version: number): NewJob => ({
  ...ingestJob(scope, documentId, version),
  queue: recogniseQueue,
})

/** Writes the index rows of a document's served version again, from its chunks. */
export const reindexQueue = 'knowledge-reindex'
export type ReindexPayload = {
  scope: WholeScope
  documentId: string
  /** `write` if the document has no index rows, as after a restore; `rewrite` if its title or name is new. */
  mode: 'write' | 'rewrite'
}

/** Two `write` jobs of one document at the same time would each write all of its rows. */
export const reindexJob = (scope: WholeScope, documentId: string, mode: ReindexPayload['mode']): NewJob => ({
  ...jobOf<ReindexPayload>(reindexQueue, { scope: bare(scope), documentId, mode }),
  uniqueKey: mode === 'write' ? `write:${documentId}` : undefined,
})

/** Removes files, chunks and index rows that a document's row no longer names. */
export const leftoversQueue = 'knowledge-leftovers'
export type LeftoversPayload = {
  scope: WholeScope
  documentId: string
  /** Files of versions that were replaced before they were ready. */
  blobIds: readonly string[]
}

export const leftoversJob = (scope: WholeScope, documentId: string, blobIds: readonly string[] = []) =>
  jobOf<LeftoversPayload>(leftoversQueue, { scope: bare(scope), documentId, blobIds })

/** Erases one document, one collection, or everything that is due. */
export const eraseQueue = 'knowledge-erase'
export type ErasePayload = { scope: WholeScope } & EraseTarget
type EraseTarget =
  | { documentId: string }
  | { collectionId: string }
  | { due: true }
  /** Erases the traces of a document again, for requests and runs that were still writing during its erasure. */
  | { traceOf: string }

export const eraseJob = (scope: WholeScope, target: EraseTarget): NewJob =>
  jobOf<ErasePayload>(eraseQueue, { scope: bare(scope), ...target })

/** Removes erased data from the database's files. */
export const purgeQueue = 'knowledge-purge'

/** Everything that is erased within this period is purged together. */
const purgePeriodMs = 2 * secondMs

/** Runs after the end of the current period, so after everything that was erased in it. */
export function purgeJob(now: number): NewJob {
  const runAt = (Math.floor(now / purgePeriodMs) + 1) * purgePeriodMs
  return { queue: purgeQueue, workspaceId: null, payload: {}, runAt, uniqueKey: String(runAt) }
}

const jobOf = <Payload extends { scope: WholeScope }>(queue: string, payload: Payload): NewJob => ({
  queue,
  workspaceId: payload.scope.workspaceId,
  payload,
})

const bare = ({ workspaceId, environment }: WholeScope): WholeScope => ({ workspaceId, environment })
