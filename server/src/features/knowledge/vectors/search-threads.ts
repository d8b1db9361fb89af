/** The threads in which searches read and rank, so that none of them holds up the event loop. */
import { secondMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ReaderSource } from '../../../platform/database/source.ts'
import type { Log } from '../../../platform/log.ts'
import { createThreadPool, type ThreadPool } from '../../../platform/threads/pool.ts'
import type { SearchResults, Wanted } from '../search/find-passages.ts'

export type SearchThreadData = { source: ReaderSource; snapshotsAtOnce: number }

/** From the question to the passages, waiting included. */
const deadlineMs = 10 * secondMs

/** `most` are the threads that there may be. On PostgreSQL one does several searches at once, since it waits for the server. */
export function createSearchThreads({
  database: { source },
  most,
  log,
}: {
  database: Database
  most: number
  log: Log
}): ThreadPool<Wanted, SearchResults | null> {
  const connections = source.engine === 'sqlite' ? most : source.options.maxConnections
  const threads = Math.min(most, connections)
  const snapshotsAtOnce = Math.floor(connections / threads)
  return createThreadPool({
    program: new URL('./search-thread.ts', import.meta.url),
    data: { source, snapshotsAtOnce } satisfies SearchThreadData,
    threads,
    worksAtOnce: snapshotsAtOnce,
    deadlineMs,
    log,
  })
}
