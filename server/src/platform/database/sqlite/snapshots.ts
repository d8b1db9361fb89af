/**
 * Snapshots of an SQLite file: one connection that reads one state of it at a time, whatever is committed meanwhile.
 * SQLite answers at once and in the calling thread: what reads for long belongs into another one (`platform/threads`).
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import type { Query } from '../database.ts'
import type { Tables } from '../tables.ts'
import { openReaderConnection, SqliteCompiler, type SqliteConnection } from './connection.ts'

/** Every transaction is a snapshot that can change nothing; outside of one there is nothing to ask. One at a time. */
export function createSnapshotDialect(file: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(file),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteCompiler(),
  }
}

function createDriver(file: string): Driver {
  let only: SnapshotConnection | null = null
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      only ??= new SnapshotConnection(openReaderConnection(file))
      return only
    },
    beginTransaction: async connection => snapshot(connection).begin(),
    commitTransaction: async connection => snapshot(connection).end(),
    rollbackTransaction: async connection => snapshot(connection).end(),
    releaseConnection: async () => undefined,
    destroy: async () => only?.connection.close(),
  }
}

class SnapshotConnection implements DatabaseConnection {
  readonly connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.connection = connection
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.connection.run(sql, parameters) as QueryResult<Row>
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface wants a generator, and this one refuses.
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('Results are not streamed: read them in pages, by key')
  }

  begin(): void {
    this.connection.run('BEGIN', [])
  }

  end(): void {
    // After an error of the disk the engine has ended it by itself.
    if (this.connection.inTransaction()) this.connection.run('ROLLBACK', [])
  }
}

/** The driver is only ever handed connections that it made itself. */
const snapshot = (connection: DatabaseConnection): SnapshotConnection => connection as SnapshotConnection

/** An SQLite file as another thread reads it. */
type Reader = {
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
