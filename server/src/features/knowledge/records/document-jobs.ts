/** The jobs that concern documents: the names of their queues, their payloads, and how one is made. */
import type { Scope } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

/** Where a job works: the narrowing of the key that asked has no part in it, for what was hidden has to change too. */
export type WholeScope = Pick<Scope, 'workspaceId' | 'environment'>

/** Makes a version of a document searchable. */
export const ingestQueue = 'knowledge-ingest'
export type IngestPayload = { scope: WholeScope; documentId: string; version: number }

/** One version has one job at a time. */
export const ingestJob = (scope: WholeScope, documentId: string, version: number): NewJob => ({
  ...jobOf<IngestPayload>(ingestQueue, { scope: bare(scope), documentId, version }),
  uniqueKey: `${documentId}:${version}`,
})

/** Writes the index rows of a document's served version again, from its chunks. */
export const reindexQueue = 'knowledge-reindex'
export type ReindexPayload = {
  scope: WholeScope
  documentId: string
  /** `write` where it has no rows, as after a restore; `rewrite` where its title or name is new. */
  mode: 'write' | 'rewrite'
}

/** Of two that write a document at the same time, each would write all of it. */
export const reindexJob = (scope: WholeScope, documentId: string, mode: ReindexPayload['mode']): NewJob => ({
  ...jobOf<ReindexPayload>(reindexQueue, { scope: bare(scope), documentId, mode }),
  uniqueKey: mode === 'write' ? `write:${documentId}` : undefined,
})

/** Removes what a document's row no longer names. */
export const leftoversQueue = 'knowledge-leftovers'
export type LeftoversPayload = {
  scope: WholeScope
  documentId: string
  /** Files of versions that were overtaken before they were ready. */
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
  /** Again, for what was writing while the document went. */
  | { traceOf: string }

export const eraseJob = (scope: WholeScope, target: EraseTarget): NewJob =>
  jobOf<ErasePayload>(eraseQueue, { scope: bare(scope), ...target })

/** Takes what was erased out of the database's files. */
export const purgeQueue = 'knowledge-purge'

/** What is erased within so long is purged together. */
const purgePeriodMs = 2 * secondMs

/** Runs when the period is over, and so after everything that was erased in it. */
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
