/** Repairs what crashes leave: it queues documents again whose job is lost, and removes files of no document. */

import { dayMs, hourMs, minuteMs } from '../../../platform/clock.ts'
import { timeOf } from '../../../platform/ids.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import { ingestJob, reindexJob } from '../records/document-jobs.ts'
import { updateDocument, usedBlobIds } from '../records/documents-store.ts'
import { type LeftBehind, listLeftBehind, lockUnderWay } from '../records/ingest-store.ts'

/** A document in progress has its job written in the same transaction. The grace period covers clocks that differ. */
const graceMs = minuteMs
/** A document from the trash is written into the index by a job that shows itself now and then. */
const restoreGraceMs = hourMs

const before = (now: number) => ({ unread: now - graceMs, restored: now - restoreGraceMs })

/** The reaper queues the documents again, and returns how many there were. */
export function createReaper(dependencies: Pick<Platform, 'database' | 'jobs' | 'clock' | 'log'>) {
  const { database, jobs, clock, log } = dependencies

  const repair = ({ id, workspace_id, environment, version }: LeftBehind): Promise<boolean> =>
    database.write(async tx => {
      const scope = { workspaceId: workspace_id, environment }
      const row = await lockUnderWay(scope, tx, { documentId: id, version })
      if (row === undefined) return false
      if (row.text_length !== null) {
        await updateDocument(scope, tx, id, { updated_at: clock() })
        await jobs.enqueue(tx, reindexJob(scope, id, 'write'))
        return true
      }
      await updateDocument(scope, tx, id, { status: 'queued', progress: 0, updated_at: clock() })
      await jobs.enqueue(tx, ingestJob(scope, id, version))
      return true
    })

  const round = createRounds({
    list: range => listLeftBehind(database.read, before(clock()), range),
    work: async (document: LeftBehind) => {
      const isQueued = await repair(document)
      const { id: documentId, version, status } = document
      if (isQueued) log.warn('A document without a job is queued again', { documentId, version, status })
      return isQueued ? document : null
    },
    log,
    failure: 'A document that was left behind could not be put right',
    rowsAtOnce: 1_000,
  })

  return async () => (await round()).length
}

// Files that belong to no document: their upload was cut off by a crash, after the file was stored and before its
// record was.

const filesAtOnce = 500

/** The sweep removes them, and returns how many they were. Those of the last day may still be on their way. */
export function createOrphanSweep(dependencies: Pick<Platform, 'database' | 'blobs' | 'clock'>) {
  const { database, blobs, clock } = dependencies

  const sweep = async (ids: readonly string[]): Promise<number> => {
    const used = await usedBlobIds(database.read, ids)
    const orphans = ids.filter(id => !used.has(id))
    for (const id of orphans) await blobs.remove(id)
    return orphans.length
  }

  return async () => {
    const newestMs = clock() - dayMs
    let removed = 0
    let batch: string[] = []
    for await (const id of blobs.ids()) {
      if (timeOf(id) < newestMs) batch.push(id)
      if (batch.length < filesAtOnce) continue
      removed += await sweep(batch)
      batch = []
    }
    return removed + (await sweep(batch))
  }
}
