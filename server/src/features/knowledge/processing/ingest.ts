/** The queue that turns a stored file into a searchable document, and the end of a document that cannot be read. */
import { readFileSync } from 'node:fs'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type Job, JobPoisoned, type Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { ReaderCrashed, ReaderEnded } from '../parsing/children/death.ts'
import { ParseFailure } from '../parsing/failure.ts'
import { HasPictures, type Parser } from '../parsing/parser.ts'
import { type IngestPayload, ingestJob, leftoversJob, recogniseJob } from '../records/document-jobs.ts'
import { DocumentFailure, failDocument } from '../records/document-outbox.ts'
import { findStoredDocument, lockStored, updateDocument } from '../records/documents-store.ts'
import { lockUnderWay } from '../records/ingest-store.ts'
import type { Settled } from '../records/settled.ts'
import {
  createEndings,
  DocumentGone,
  indexDocument,
  readingShare,
  type SliceDependencies,
} from './ingest-slices.ts'
import { createStages, type StageTimeouts } from './ingest-stages.ts'

/** A smaller document is done before anyone could look at its progress. */
const quickBytes = 65_536
/** The longest wait for a child that reads, in addition to the time of the stages. */
const waitingMs = 60 * minuteMs
/**
 * The kernel may kill a reader for another process's memory. A file whose readers it kills so often, and in an attempt
 * in which it killed a process for lack of memory, is too large.
 */
const killsOfOneFile = 3

type Dependencies = SliceDependencies &
  Pick<Platform, 'blobs' | 'log'> & {
    parser: Parser
    settled: Settled
    concurrency: number
    timeouts: StageTimeouts
    /** Whether text in pictures is recognised here, or by a job of the other queue. */
    mayRecognise: boolean
  }

export function createIngestQueue(dependencies: Dependencies): Queue<IngestPayload> {
  const { database, blobs, jobs, parser, settled, clock, log, concurrency, timeouts } = dependencies
  const { mayRecognise } = dependencies
  const endings = createEndings(dependencies)

  const markFailed = async (
    tx: Tx,
    { scope, documentId, version }: IngestPayload,
    failure: ParseFailure | DocumentFailure,
  ): Promise<void> => {
    const current = await lockUnderWay(scope, tx, { documentId, version })
    if (current === undefined) return
    const document = { id: documentId, collectionId: current.collection_id, version }
    await failDocument(tx, dependencies, scope, document, failure)
    await jobs.enqueue(tx, leftoversJob(scope, documentId))
  }

  const fail = async (job: Job<IngestPayload>, failure: ParseFailure | DocumentFailure): Promise<void> => {
    const { documentId } = job.payload
    await job.complete(tx => markFailed(tx, job.payload, failure))
    log.info('A document could not be read', { documentId, code: failure.code, cause: failure.cause })
    settled.announce(documentId)
  }

  /** A document that was restored from the trash while this job was at work has no other job: it gets one here. */
  const leave = (job: Job<IngestPayload>): Promise<void> =>
    job.complete(async tx => {
      const { scope, documentId, version } = job.payload
      // Also locks a document in the trash: a restore commits before this reads the row, or finds this job ended.
      await lockStored(scope, tx, documentId)
      const row = await lockUnderWay(scope, tx, { documentId, version })
      if (row?.text_length === null) await jobs.enqueue(tx, ingestJob(scope, documentId, version))
    })

  /** To the queue that reads pictures, where the document waits again. */
  const handOver = (job: Job<IngestPayload>): Promise<void> =>
    job.complete(async tx => {
      const { scope, documentId, version } = job.payload
      if ((await lockUnderWay(scope, tx, { documentId, version })) === undefined) return
      await updateDocument(scope, tx, documentId, { status: 'queued', progress: 0, updated_at: clock() })
      await jobs.enqueue(tx, recogniseJob(scope, documentId, version))
    })

  const ingest = async (job: Job<IngestPayload>): Promise<void> => {
    const { scope, documentId, version } = job.payload
    const row = await findStoredDocument(scope, database.read, documentId)
    // The document was deleted, replaced by a later version, or has ended.
    if (row === undefined || row.version !== version || row.status === 'ready' || row.status === 'failed')
      throw new DocumentGone()
    const stages = createStages(job, { clock, timeouts }, { isShown: row.size_bytes > quickBytes })
    await stages.begin('parsing')
    await parser.parse({
      path: await blobs.localPath(row.blob_id),
      name: row.name,
      environment: scope.environment,
      owner: scope.workspaceId,
      signal: job.signal,
      mayRecognise,
      onProgress: share => stages.note(share * readingShare),
      use: parsed => {
        return indexDocument(job, row, parsed, { ...dependencies, stages, endings })
      },
    })
    settled.announce(documentId)
  }

  return {
    concurrency,
    leaseMs: 60 * secondMs,
    maxAttempts: 10,
    timeoutMs: waitingMs + timeouts.parsing + timeouts.embedding + timeouts.indexing,
    async handle(job) {
      const killedBefore = processesKilledForMemory()
      try {
        await ingest(job)
      } catch (error) {
        if (error instanceof DocumentGone) return leave(job)
        if (error instanceof HasPictures) return handOver(job)
        // The reader of an attempt that has begun to store the text is not asked twice. The next attempt does that.
        if (error instanceof ReaderCrashed && job.attempt === 1 && !error.isRepeated) throw error
        if (error instanceof ParseFailure || error instanceof DocumentFailure) {
          return fail(job, error)
        }
        const isForMemory =
          error instanceof ReaderEnded &&
          error.signal === 'SIGKILL' &&
          processesKilledForMemory() > killedBefore
        if (isForMemory && job.kills + 1 >= killsOfOneFile)
          return fail(job, new ParseFailure('out_of_memory'))
        throw error
      }
    },
    async onDead({ payload }, error, tx) {
      const code = error instanceof JobPoisoned ? 'crashed_server' : 'processing_failed'
      await markFailed(tx, payload, new DocumentFailure(code))
      database.afterCommit(tx, () => settled.announce(payload.documentId))
    },
  }
}

/** How many processes the kernel has killed since its start for lack of memory; 0 if the system does not tell. */
function processesKilledForMemory(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1] ?? 0)
  } catch {
    // Outside Linux no signal is known to mean a lack of memory.
    return 0
  }
}
