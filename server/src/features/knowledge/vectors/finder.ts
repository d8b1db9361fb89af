/** Runs the reading and ranking of searches: on SQLite in threads, so that no search holds up the event loop. */
import { secondMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { whileWanted } from '../../../platform/database/sqlite/snapshots.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createDoor, createThreadPool } from '../../../platform/threads/pool.ts'
import { findPassages } from '../search/find-passages.ts'
import type { Find } from '../search/search.ts'
import { rankByVectors } from './rank-by-vectors.ts'

/** Throws `overloaded` if too many search, or if a search takes too long. */
export type Finder = { find: Find; close(): Promise<void> }

/** The time limit from the question to the passages, including the wait. */
const deadlineMs = 30 * secondMs

export function createFinder({
  database,
  threads,
  log,
}: Pick<Platform, 'database' | 'log'> & {
  threads: number
}): Finder {
  const { file } = database
  if (file === null) return createFinderHere(database)
  const program = new URL('./search-thread.ts', import.meta.url)
  const { run, close } = createThreadPool<Parameters<Find>[1], Awaited<ReturnType<Find>>>({
    program,
    data: file,
    threads,
    deadlineMs,
    log,
  })
  return { find: run, close }
}

/** For PostgreSQL, which reads in its own processes. In a thread, its driver would take 50 % more processor time. */
export function createFinderHere(database: Database): Finder {
  // The door has no limit, since the database has its own turns.
  const door = createDoor(Number.POSITIVE_INFINITY, deadlineMs)
  return {
    find: (owner, wanted, signal) =>
      door.run(
        owner,
        over =>
          database.snapshot(owner, query =>
            findPassages(
              database.engine,
              whileWanted(query, () => over.throwIfAborted()),
              wanted,
              rankByVectors,
            ),
          ),
        signal,
      ),
    close: async () => door.close(),
  }
}
