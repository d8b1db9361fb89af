/** The database as the features see it: readers beside one way to write, the same on both engines. */
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/** Runs queries: the database itself, or a transaction in progress. Store functions take one after `scope`. */
export type Query = Kysely<Tables>

/** A transaction in progress. Query only `tx` inside it: the database itself would not see its changes. */
export type Tx = Transaction<Tables>

export type Database = {
  readonly engine: Engine
  /** The file of SQLite, which `openReader` reads in another thread; null on PostgreSQL. */
  readonly file: string | null
  /** Reads committed data, on its own connections. */
  readonly read: Query
  /**
   * Runs `work` on one state of the database, whatever is written meanwhile. On SQLite its statements block the event
   * loop, so they must be short. Few snapshots run at once, on SQLite one. Owners, which are workspaces, take turns
   * and wait at most `acquireTimeoutMs`, then `unavailable` is thrown.
   */
  snapshot<T>(owner: string, work: (query: Query) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction: it is committed when `work` resolves and rolled back when it throws.
   * Waits at most `acquireTimeoutMs` for the writer, then throws `unavailable`. Make no network call inside.
   * If two transactions crossed on PostgreSQL, `work` runs again: it must change nothing but the database.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `action` once `tx` is committed, and never if it is rolled back. `write` throws what `action` throws. */
  afterCommit(tx: Tx, action: () => void): void
  /** Runs `action` once `tx` has ended, and tells it whether it was committed. */
  afterEnd(tx: Tx, action: (isCommitted: boolean) => void): void
  /**
   * Runs one statement on its own connection, outside of any transaction and without a time limit, such as an index
   * that is built beside writes. Stops waiting once `signal` is aborted. Null on SQLite, which does not need it.
   */
  readonly maintain: ((statement: string, signal: AbortSignal) => Promise<void>) | null
  /**
   * Moves the write-ahead log into the file and empties the log, so that deleted data is in neither. False while a
   * reader still needs the log. Null on PostgreSQL, where the operator manages the log.
   */
  readonly emptyLog: (() => Promise<boolean>) | null
  /** Resolves if the database answers; throws otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}
