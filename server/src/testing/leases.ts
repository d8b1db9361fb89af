/** What a process that was killed still holds, taken from it: time does that where several servers share a database. */
import { releaseLocks } from '../features/knowledge/uploads/resumable-store.ts'
import type { Database } from '../platform/database/database.ts'
import { createIds } from '../platform/ids.ts'
import { createJobs } from '../platform/jobs/jobs.ts'

/** A server that is alone with its data folder does the same when it starts. */
export async function expireLeases(database: Database): Promise<void> {
  await createJobs({ database, newId: createIds(Date.now) }).expireLeases()
  await database.write(tx => releaseLocks(tx))
}
