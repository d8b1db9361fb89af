/** A database as another thread reads it, on connections of its own. */
import { Kysely } from 'kysely'
import type { Engine, Query } from './database.ts'
import type { ReaderSource } from './source.ts'
import { createSnapshotDialect } from './sqlite/snapshots.ts'
import type { Tables } from './tables.ts'

export type Reader = {
  readonly engine: Engine
  /**
   * Runs `work` on one state of the database, in which everything is that was committed before. `beforeEach` is called
   * before each of its statements; what it throws ends the work.
   */
  snapshot<T>(beforeEach: () => void, work: (query: Query) => Promise<T>): Promise<T>
}

/** For at most so many snapshots at once; on SQLite that is one, since it answers at once. */
export async function openReader(source: ReaderSource, snapshotsAtOnce: number): Promise<Reader> {
  if (source.engine === 'sqlite') {
    const kysely = new Kysely<Tables>({ dialect: createSnapshotDialect(source.file) })
    return reader('sqlite', () => kysely.transaction())
  }
  const { openPostgres, snapshotOf } = await import('./postgres/postgres.ts')
  const { read } = openPostgres({ ...source.options, maxConnections: snapshotsAtOnce })
  return reader('postgres', () => snapshotOf(read))
}

const reader = (engine: Engine, begin: () => ReturnType<Query['transaction']>): Reader => ({
  engine,
  snapshot: (beforeEach, work) =>
    begin().execute(tx =>
      work(
        tx.withPlugin({
          transformQuery({ node }) {
            beforeEach()
            return node
          },
          transformResult: async ({ result }) => result,
        }),
      ),
    ),
})
