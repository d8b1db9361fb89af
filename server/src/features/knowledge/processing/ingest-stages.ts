/** The stages of a document's ingestion: the progress that is shown, and the time limit of each stage. */
import type { Clock } from '../../../platform/clock.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { IngestPayload } from '../records/document-jobs.ts'
import { DocumentFailure } from '../records/document-outbox.ts'
import { updateDocument } from '../records/documents-store.ts'
import { lockUnderWay } from '../records/ingest-store.ts'

export type Stage = 'parsing' | 'embedding' | 'indexing'

/** The longest time, in milliseconds, that all parts of a document together may take in each stage. */
export type StageTimeouts = Record<Stage, number>

export type Stages = ReturnType<typeof createStages>

/** Progress is written at most this often: each write is a transaction. */
const progressEveryMs = 500

export function createStages(
  job: Job<IngestPayload>,
  { clock, timeouts }: { clock: Clock; timeouts: StageTimeouts },
  { isShown }: { isShown: boolean },
) {
  return { ...createProgress(job, clock, isShown), ...createTimers(job.signal, timeouts) }
}

function createProgress(job: Job<IngestPayload>, clock: Clock, isShown: boolean) {
  const { scope, documentId } = job.payload
  let writing: Promise<void> = Promise.resolve()
  let writtenAtMs = Number.NEGATIVE_INFINITY
  let status: Stage = 'parsing'
  let reached = 0
  const write = (share: number): Promise<void> => {
    writtenAtMs = performance.now()
    reached = Math.max(reached, Math.min(0.99, share))
    const columns = { status, progress: reached, updated_at: clock() }
    writing = writing.then(() =>
      job.write(async tx => {
        // The version may have ended, or a later version may exist, which is not at this stage.
        if ((await lockUnderWay(scope, tx, job.payload)) === undefined) return
        await updateDocument(scope, tx, documentId, columns)
      }),
    )
    return writing
  }
  return {
    /** Shows a new stage at once; a quick document shows none. */
    async begin(stage: Stage): Promise<void> {
      status = stage
      if (isShown) await write(reached)
    },

    /**
     * Shows the whole progress, from 0 to 1, without waiting for the write, and once in `progressEveryMs` at most.
     */
    note(share: number): void {
      if (!isShown || performance.now() - writtenAtMs < progressEveryMs) return
      // A lost lease also fails the next write of the work itself.
      write(share).catch(() => undefined)
    },

    /** Resolves when the last write is done, so that no write comes after the end. */
    settle: (): Promise<void> => writing.catch(() => undefined),
  }
}

function createTimers(ended: AbortSignal, timeouts: StageTimeouts) {
  let embeddingLeftMs = timeouts.embedding
  let indexingLeftMs = timeouts.indexing
  return {
    /**
     * Runs a part of embedding. Once the stage's time is used up, the part's signal is aborted. This part and every
     * later one return an empty list: the document is found by its text, and its vectors are computed later.
     */
    async embed<T>(work: (signal: AbortSignal) => Promise<T[]>): Promise<T[]> {
      if (embeddingLeftMs <= 0) return []
      const startedAtMs = performance.now()
      const tooLate = AbortSignal.timeout(Math.ceil(embeddingLeftMs))
      try {
        return await work(AbortSignal.any([ended, tooLate]))
      } catch (error) {
        if (!tooLate.aborted || ended.aborted) throw error
        // The rest is set to 0, since a timer may fire a fraction of a millisecond early.
        embeddingLeftMs = 0
        return []
      } finally {
        embeddingLeftMs -= performance.now() - startedAtMs
      }
    },

    /**
     * Runs a part of indexing. Throws `indexing_timeout` once the stage's time is used up. Each part is a transaction
     * with a time limit, so the stage ends soon after its time is up.
     */
    async index<T>(work: () => Promise<T>): Promise<T> {
      if (indexingLeftMs <= 0) throw new DocumentFailure('indexing_timeout')
      const startedAtMs = performance.now()
      try {
        return await work()
      } finally {
        indexingLeftMs -= performance.now() - startedAtMs
      }
    },
  }
}
