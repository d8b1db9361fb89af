/** Places where a test kills the process, so that what a crash leaves behind is seen at each of them. */
import { writeSync } from 'node:fs'

/** Every place: the code passes it by `reach`, and the kill loop goes through all of them. */
export const faultPoints = [
  'blob.received',
  'blob.adopted',
  'blob.removed',
  'upload.before-commit',
  'upload.committed',
  'ingest.claimed',
  'ingest.parsed',
  'ingest.slice-written',
  'ingest.before-publish',
  'ingest.published',
  'ingest.completed',
  'leftovers.postings-removed',
  'leftovers.chunks-removed',
  'reindex.slice-written',
  'reindex.segment-rewritten',
  'trash.before-commit',
  'trash.committed',
  'restore.before-commit',
  'restore.committed',
  'erase.begun',
  'erase.slice-removed',
  'erase.row-removed',
  'url.received',
  'url.taken',
  'batch.file-taken',
  'resumable.flushed',
  'resumable.released',
  'resumable.document-made',
  'sync.document-deleted',
  'sync.before-complete',
  'connection-sync.items-written',
  'connection-sync.page-written',
  'connection-sync.item-fetched',
  'connection-sync.item-written',
  'connection-sync.before-removal',
  'connection-sync.removal-begun',
  'connection-sync.before-end',
  'connection-sync.ended',
  'import.slice-written',
  'import.before-show',
  'import.shown',
  'embedding.vectors-made',
  'embed.chunks-written',
  'embed.swapped',
  'run.before-commit',
  'run.committed',
  'run.taken',
  'run.before-model',
  'run.delta-told',
  'run.step-recorded',
  'run.before-safe-tool',
  'run.after-safe-tool',
  'run.before-unsafe-tool',
  'run.after-unsafe-tool',
  'run.before-pause',
  'run.paused',
  'run.before-end',
  'run.ended',
  'run.successor-queued',
  'webhook.sent',
  'webhook.recorded',
  'approval.before-commit',
  'approval.committed',
] as const

export type FaultPoint = (typeof faultPoints)[number]

export type Faults = {
  /** Does nothing, unless a test asked for the end of the process at this passing of this point. */
  reach(point: FaultPoint): void
}

export const noFaults: Faults = { reach: () => undefined }

/** `ATRIUM_TEST_FAULT=point:nth` kills this process where it is told to: for tests alone, so a stray one stops the start. */
export function faultsOf({
  ATRIUM_TEST_FAULT: asked,
  NODE_ENV: purpose,
}: Record<string, string | undefined>): Faults {
  if (asked === undefined || asked === '') return noFaults
  if (purpose !== 'test') throw new Error('ATRIUM_TEST_FAULT is for tests: it counts only with NODE_ENV=test')
  return createFaults(asked)
}

/**
 * Kills this process, as a power cut would, when `point` is passed for the `nth` time; `asked` is `point:nth`.
 * Throws where it names no point.
 */
function createFaults(asked: string): Faults {
  const [name, nth = '1'] = asked.split(':')
  const wanted = faultPoints.find(point => point === name)
  if (wanted === undefined)
    throw new Error(`there is no fault point ${name}; there are ${faultPoints.join(', ')}`)
  if (!/^[1-9]\d{0,6}$/.test(nth)) throw new Error(`${nth} is not the number of a passing: it begins with 1`)
  let left = Number(nth)
  return {
    reach(point) {
      if (point !== wanted) return
      left -= 1
      if (left > 0) return
      writeSync(process.stderr.fd, `fault point reached: ${point}\n`)
      process.kill(process.pid, 'SIGKILL')
    },
  }
}
