/** Files that belong to no document: their upload was cut off by a crash, after the file was stored and before its record was. */
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { type Clock, dayMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { timeOf } from '../../../platform/ids.ts'
import { usedBlobIds } from '../records/documents-store.ts'

/** Removes them and answers how many they were. Those of the last day may still be on their way. */
export type OrphanSweep = () => Promise<number>

const filesAtOnce = 500

export function createOrphanSweep(dependencies: {
  database: Database
  blobs: BlobStore
  clock: Clock
}): OrphanSweep {
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
