/** Clears away uploads whose time is over, and files of uploads that are none any more. */
import type { PartialFiles } from '../../../platform/blobs/partial-files.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import { deleteUpload, findUploadIds, listExpiredUploads } from './resumable-store.ts'

const uploadsAtOnce = 500

/** Answers how many uploads had run out. */
export function createUploadSweep(dependencies: {
  database: Database
  partialFiles: PartialFiles
  clock: Clock
  log: Log
}): () => Promise<number> {
  const { database, partialFiles, clock, log } = dependencies

  const removeExpired = createRounds({
    list: range => listExpiredUploads(database.read, clock(), range),
    work: async ({ id, workspace_id: workspaceId, environment }) => {
      await database.write(tx => deleteUpload({ workspaceId, environment }, tx, id))
      return id
    },
    log,
    failure: 'An upload whose time is over could not be removed',
    rowsAtOnce: uploadsAtOnce,
  })

  return async () => {
    // Before the rows are asked for: a file comes before its row.
    const files = await partialFiles.ids(clock() - graceMs)
    const expired = await removeExpired()
    for (let start = 0; start < files.length; start += uploadsAtOnce) {
      const slice = files.slice(start, start + uploadsAtOnce)
      const needed = await findUploadIds(database.read, slice)
      for (const id of slice) if (!needed.has(id)) await partialFiles.remove(id)
    }
    return expired.length
  }
}

/** A file whose row is about to be written. */
const graceMs = 60_000
