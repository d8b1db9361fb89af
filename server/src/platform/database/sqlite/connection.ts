/** One connection to an SQLite file: its pragmas, its prepared statements, and its errors made clear. */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type QueryResult, type SelectModifierNode, SqliteQueryCompiler } from 'kysely'
import { databaseUnavailable } from '../../errors.ts'
import { fold } from '../lists/list-order.ts'

export type SqliteConnection = {
  /** Runs one statement; throws `unavailable` if the file, the disk or a lock is to blame. */
  run(text: string, parameters: readonly unknown[]): QueryResult<unknown>
  /** False also after the engine itself rolled back, as it does when the disk is full. */
  inTransaction(): boolean
  close(): void
}

const openTimeoutMs = 10_000
const readerTimeoutMs = 5_000
/** For each connection. The operating system caches the rest; a larger cache made no search faster. */
const cacheKib = 8_192
const checkpointPages = 4_000
const walLimitBytes = 64 * 1024 * 1024
const maxStatements = 500

/** The connection that writes. It never waits for a lock by itself, because that would block the event loop. */
export function openWriterConnection(file: string, durable: boolean): SqliteConnection {
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: openTimeoutMs })
  // secure_delete: otherwise erased words could still be read in free pages.
  // synchronous: the log keeps its order, and `log.ts` flushes it before a commit is acknowledged.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA secure_delete = ON;
    PRAGMA synchronous = ${durable ? 'NORMAL' : 'OFF'};
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -${cacheKib};
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA journal_size_limit = ${walLimitBytes};
    PRAGMA busy_timeout = 0;
  `)
  return connectionOf(database)
}

/** A connection that reads committed data and can change nothing. */
export function openReaderConnection(file: string): SqliteConnection {
  const database = new DatabaseSync(file, { timeout: readerTimeoutMs })
  database.exec(`
    PRAGMA query_only = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -${cacheKib};
  `)
  return connectionOf(database)
}

/** True if another connection holds the lock: the statement had no effect and may be tried again. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === busy

const busy = 5
const unavailableCodes = new Map([
  [busy, 'The database is locked by another process'],
  [6, 'The database is locked by another process'],
  [8, 'The database file cannot be written'],
  [10, 'The database file cannot be read or written'],
  [13, 'The disk is full'],
  [14, 'The database file cannot be opened'],
])

/** `rowOf` is null if the statement answers no rows. */
type Prepared = { statement: StatementSync; rowOf: RowOf | null }

/** Makes a row from the list of its values. */
type RowOf = (values: readonly unknown[]) => unknown

function connectionOf(database: DatabaseSync): SqliteConnection {
  database.function('folded', { deterministic: true }, text => (typeof text === 'string' ? fold(text) : null))
  // Two generations: a statement that is used moves to the younger one, and the older one is dropped when the younger
  // is full. Keeping the order of last use would cost each statement more than its text does.
  let young = new Map<string, Prepared>()
  let old = new Map<string, Prepared>()
  // By column names. There are only as many lists of columns as our code asks for, whatever the texts.
  const makers = new Map<string, RowOf>()
  const makerOf = (columns: readonly string[]): RowOf => {
    const name = columns.join(' ')
    const maker = makers.get(name) ?? rowMaker(columns)
    makers.set(name, maker)
    return maker
  }
  const prepare = (text: string): Prepared => {
    const known = young.get(text)
    if (known !== undefined) return known
    if (young.size === maxStatements / 2) {
      old = young
      young = new Map()
    }
    const prepared = old.get(text) ?? prepareAnew(database, text, makerOf)
    young.set(text, prepared)
    return prepared
  }
  return {
    run: (text, parameters) => {
      try {
        const { statement, rowOf } = prepare(text)
        // The binding itself refuses values that SQLite cannot hold, with a clear message.
        const values = parameters as SQLInputValue[]
        if (rowOf !== null) {
          // With `setReturnArrays`, which the type lacks, a row is the list of its values.
          const rows = (statement.all(...values) as unknown as unknown[][]).map(rowOf)
          return { rows, numAffectedRows: BigInt(rows.length) }
        }
        const { changes } = statement.run(...values)
        return { rows: [], numAffectedRows: BigInt(changes) }
      } catch (error) {
        throw clearError(error)
      }
    },
    inTransaction: () => database.isTransaction,
    close: () => database.close(),
  }
}

/**
 * If a single parameter follows LIMIT or OFFSET, SQLite plans by its value. It then parses and plans the statement at
 * every run, which takes longer than most statements. SQLite does not look into a sum.
 */
const bareLimits = /\b(limit|offset) \?/gi

function prepareAnew(
  database: DatabaseSync,
  text: string,
  makerOf: (columns: readonly string[]) => RowOf,
): Prepared {
  const statement = database.prepare(text.replace(bareLimits, '$1 ? + 0'))
  statement.setReturnArrays(true)
  const columns = statement.columns().map(column => column.name)
  // `run` also reads the id of the last row, which some tables have beyond 2^53; Node 26 refuses it as a number, after the
  // statement was run.
  if (columns.length === 0) statement.setReadBigInts(true)
  return { statement, rowOf: columns.length === 0 ? null : makerOf(columns) }
}

/**
 * Ordinary objects, as PostgreSQL's driver makes them; `node:sqlite` makes slower ones without a prototype. One
 * literal with all columns is many times as fast as adding the columns one by one.
 */
function rowMaker(columns: readonly string[]): RowOf {
  const fields = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  // The names come from our own statements, and are written as JSON.
  return new Function('values', `return { ${fields.join(', ')} }`) as RowOf
}

function clearError(error: unknown): unknown {
  const code = primaryCode(error)
  const reason = code === null ? undefined : unavailableCodes.get(code)
  return reason === undefined ? error : databaseUnavailable(reason, error)
}

/** SQLite's primary result code; its extended codes carry it in their low byte. */
function primaryCode(error: unknown): number | null {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(source instanceof Error) || !('errcode' in source)) return null
  return typeof source.errcode === 'number' ? source.errcode & 0xff : null
}

const rowLocks: readonly unknown[] = ['ForUpdate', 'ForNoKeyUpdate', 'ForKeyShare', 'SkipLocked']

/** Leaves out row locks: a transaction that writes is alone in the database anyway. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!rowLocks.includes(node.modifier)) super.visitSelectModifier(node)
  }
}
