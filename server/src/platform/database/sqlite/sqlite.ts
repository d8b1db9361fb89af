/** The embedded database: one SQLite file. */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
} from 'kysely'
import { makeFolder } from '../../private-files.ts'
import type { Database } from '../database.ts'
import { ImmediateKysely } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { createSnapshotTurns, createTransactions } from '../transactions.ts'
import {
  openReaderConnection,
  openWriterConnection,
  SqliteCompiler,
  type SqliteConnection,
} from './connection.ts'
import { createSqliteLog } from './log.ts'
import { createSnapshotDialect } from './snapshots.ts'
import { SqliteWriter, type WriterLimits, type WriteUnit } from './writer.ts'

/** Opens the file as it is; `openDatabase` brings its schema up to date first. */
export function openSqlite(options: SqliteDialectOptions): Database {
  makeFolder(dirname(options.file))
  const connections = openConnections(options)
  const kysely = new ImmediateKysely({ dialect: createSqliteDialect(connections) }, connections.reader.run)
  const snapshots = new Kysely<Tables>({ dialect: createSnapshotDialect(options.file) })
  const turns = createSnapshotTurns(1, options.acquireTimeoutMs)
  return {
    engine: 'sqlite',
    file: options.file,
    read: kysely,
    snapshot: (owner, work) => turns.run(owner, () => snapshots.transaction().execute(work)),
    // One writer: no two transactions can cross.
    ...createTransactions(kysely, () => false),
    maintain: null,
    emptyLog: async () => {
      const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(kysely)
      return rows[0]?.busy === 0
    },
    ping: async () => {
      await sql`select 1`.execute(kysely)
    },
    close: async () => {
      turns.close()
      await snapshots.destroy()
      await kysely.destroy()
    },
  }
}

// Our own thin Kysely dialect over `node:sqlite`. A SELECT outside of a transaction goes to the reading connection
// and never waits. Anything else goes to the writer.

type SqliteDialectOptions = WriterLimits & {
  file: string
  /** False leaves out the fsync of each commit: for tests only, whose data need not survive a power loss. */
  durable: boolean
}

type Connections = { writer: SqliteWriter; reader: SqliteConnection }

function openConnections(options: SqliteDialectOptions): Connections {
  const connection = openWriterConnection(options.file, options.durable)
  const log = options.durable ? createSqliteLog(realpathSync(options.file)) : null
  return {
    writer: new SqliteWriter(connection, log, options),
    reader: openReaderConnection(options.file),
  }
}

function createSqliteDialect(connections: Connections): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(connections),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteCompiler(),
  }
}

function createDriver({ writer, reader }: Connections): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => new RoutedConnection(writer, reader),
    beginTransaction: async connection => routed(connection).begin(),
    commitTransaction: async connection => routed(connection).end('commit'),
    rollbackTransaction: async connection => routed(connection).end('rollback'),
    releaseConnection: async () => undefined,
    destroy: async () => {
      await writer.close()
      reader.close()
    },
  }
}

/** Kysely's connection: it decides for each statement which real connection runs it. */
class RoutedConnection implements DatabaseConnection {
  readonly #writer: SqliteWriter
  readonly #reader: SqliteConnection
  #unit: WriteUnit | null = null

  constructor(writer: SqliteWriter, reader: SqliteConnection) {
    this.#writer = writer
    this.#reader = reader
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#run(query)) as QueryResult<Row>
  }

  // A result read row by row would keep its snapshot open, and the WAL could not be emptied meanwhile.
  // biome-ignore lint/correctness/useYield: Kysely's interface wants a generator, and this one refuses.
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('Results are not streamed: read them in pages, by key')
  }

  async begin(): Promise<void> {
    this.#unit = await this.#writer.begin()
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const unit = this.#unit
    if (unit === null) throw new Error('There is no transaction to end')
    if (how === 'commit') await unit.commit()
    else await unit.rollback()
  }

  #run(query: CompiledQuery): QueryResult<unknown> | Promise<QueryResult<unknown>> {
    if (this.#unit !== null) return this.#unit.run(query.sql, query.parameters)
    if (onlyReads(query)) return this.#reader.run(query.sql, query.parameters)
    return this.#writer.runAlone(query.sql, query.parameters)
  }
}

/** The driver only gets connections that it made itself. */
const routed = (connection: DatabaseConnection): RoutedConnection => connection as RoutedConnection

const onlyReads = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|with|explain)\b/i.test(sql))
