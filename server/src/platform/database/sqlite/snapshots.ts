/**
 * Snapshots of an SQLite file: one connection that reads one state of it at a time, whatever is committed meanwhile.
 * SQLite answers in the calling thread, so long reads belong into another thread (`platform/threads`).
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

/** Every transaction is a read-only snapshot, one at a time. Nothing is queried outside of a transaction. */
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
    // After a disk error the engine has ended the transaction by itself.
    if (this.connection.inTransaction()) this.connection.run('ROLLBACK', [])
  }
}

/** The driver only gets connections that it made itself. */
const snapshot = (connection: DatabaseConnection): SnapshotConnection => connection as SnapshotConnection

/** An SQLite file as another thread reads it. */
type Reader = {
  /** Runs `work` on one state of the database, which includes all earlier commits. One at a time. */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>
}

export function openReader(file: string): Reader {
  const kysely = new Kysely<Tables>({ dialect: createSnapshotDialect(file) })
  return { snapshot: work => kysely.transaction().execute(work) }
}

/** The same query, with a call of `goOn` before each of its statements. If `goOn` throws, the work ends. */
export const whileWanted = (query: Query, goOn: () => void): Query =>
  query.withPlugin({
    transformQuery({ node }) {
      goOn()
      return node
    },
    transformResult: async ({ result }) => result,
  })
