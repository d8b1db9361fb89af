/** Where searches read and rank: on SQLite in threads, so that none of them holds up the event loop. */
import { secondMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { whileWanted } from '../../../platform/database/sqlite/snapshots.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createDoor, createThreadPool } from '../../../platform/threads/pool.ts'
import { findPassages } from '../search/find-passages.ts'
import type { Find } from '../search/search.ts'
import { rankByVectors } from './rank-by-vectors.ts'

/** Throws `overloaded` where too many search, or a search takes too long. */
export type Finder = { find: Find; close(): Promise<void> }

/** From the question to the passages, waiting included. */
const deadlineMs = 30 * secondMs

export function createFinder({
  database,
  threads,
  log,
}: Pick<Platform, 'database' | 'log'> & {
  /** How many threads there may be. */
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

/** PostgreSQL reads in processes of its own. In a thread, its driver takes half as much again of a processor. */
export function createFinderHere(database: Database): Finder {
  // The database has its own turns.
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
