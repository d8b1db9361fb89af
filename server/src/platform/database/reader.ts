/** An SQLite file as another thread reads it, and work on a snapshot that can be given up. */
import { Kysely } from 'kysely'
import type { Query } from './database.ts'
import { createSnapshotDialect } from './sqlite/snapshots.ts'
import type { Tables } from './tables.ts'

export type Reader = {
  /** Runs `work` on one state of the database, in which everything is that was committed before. One at a time. */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>
}

export function openReader(file: string): Reader {
  const kysely = new Kysely<Tables>({ dialect: createSnapshotDialect(file) })
  return { snapshot: work => kysely.transaction().execute(work) }
}

/** The same query, which calls `goOn` before each of its statements: what that throws ends the work. */
export const whileWanted = (query: Query, goOn: () => void): Query =>
  query.withPlugin({
    transformQuery({ node }) {
      goOn()
      return node
    },
    transformResult: async ({ result }) => result,
  })
