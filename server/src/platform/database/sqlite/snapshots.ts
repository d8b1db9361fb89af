/**
 * Snapshots of an SQLite file: connections that read one state of it, whatever is committed meanwhile. SQLite answers at
 * once and in our own thread, so that long work would hold up the event loop; here it may turn between two statements.
 */

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { databaseUnavailable } from '../../errors.ts'
import { openReaderConnection, type SqliteConnection } from './connection.ts'

/** Of each connection. A search reads pages from all over the index: a larger cache answered none of them sooner. */
const cacheKib = 8_192
/** More are not asked for. */
export const mostSnapshots = 4
/** After so long a statement waits until the event loop has turned. */
const sliceMs = 8

/** Every transaction is a snapshot that can change nothing; outside of one there is nothing to ask. */
export function createSnapshotDialect(file: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(file),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function createDriver(file: string): Driver {
  const pool = createPool(file)
  const pace = createPace()
  return {
    init: async () => undefined,
    acquireConnection: async () => new SnapshotConnection(pool.take(), pace),
    beginTransaction: async connection => snapshot(connection).begin(),
    commitTransaction: async connection => snapshot(connection).end(),
    rollbackTransaction: async connection => snapshot(connection).end(),
    releaseConnection: async connection => pool.giveBack(snapshot(connection).connection),
    destroy: async () => pool.close(),
  }
}

class SnapshotConnection implements DatabaseConnection {
  readonly connection: SqliteConnection
  readonly #pace: Pace

  constructor(connection: SqliteConnection, pace: Pace) {
    this.connection = connection
    this.#pace = pace
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return await this.#pace.run(() => this.connection.run(sql, parameters) as QueryResult<Row>)
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

type Pace = {
  /** Does it at once, or in its turn where the event loop has been busy for as long as a slice. */
  run<Result>(statement: () => Result): Result | Promise<Result>
}

/** One for all snapshots: what several do in one turn of the event loop adds up, and they take turns by statement. */
function createPace(): Pace {
  const waiting: (() => void)[] = []
  let busySinceMs: number | null = null
  const isOver = (): boolean => busySinceMs !== null && performance.now() - busySinceMs >= sliceMs

  const begin = (): void => {
    busySinceMs = performance.now()
    setImmediate(() => {
      busySinceMs = null
      if (waiting.length === 0) return
      begin()
      do waiting.shift()?.()
      while (waiting.length > 0 && !isOver())
    })
  }
  return {
    run: statement => {
      if (busySinceMs === null) begin()
      // Those who wait came before.
      if (waiting.length === 0 && !isOver()) return statement()
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(statement())
          } catch (error) {
            reject(error)
          }
        })
      })
    },
  }
}

type Pool = {
  take(): SqliteConnection
  giveBack(connection: SqliteConnection): void
  /** Those in use are closed when they come back. */
  close(): void
}

/** Opened when they are needed. */
function createPool(file: string): Pool {
  const idle: SqliteConnection[] = []
  let isClosed = false

  return {
    take: () => {
      if (isClosed) throw databaseUnavailable('The database is being closed')
      // The one that came back last has the pages in its cache that are asked for most.
      return idle.pop() ?? openReaderConnection(file, cacheKib)
    },
    giveBack: connection => {
      if (isClosed) connection.close()
      else idle.push(connection)
    },
    close: () => {
      isClosed = true
      for (const connection of idle.splice(0)) connection.close()
    },
  }
}
