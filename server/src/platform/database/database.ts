/** The database as the features see it: readers beside one way to write, the same on both engines. */
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/** Runs queries: the database itself, or a transaction in progress. Store functions take one after `scope`. */
export type Query = Kysely<Tables>

/** A transaction in progress. Inside one, only it may be queried: the database itself would not see its changes. */
export type Tx = Transaction<Tables>

export type Database = {
  readonly engine: Engine
  /** Of SQLite, where `openReader` reads it in another thread; null on PostgreSQL. */
  readonly file: string | null
  /** Reads what is committed, on connections of its own. */
  readonly read: Query
  /**
   * Runs `work` on one state of the database, whatever is written meanwhile. On SQLite its statements hold up the event
   * loop: it is for short ones. Only so many are in progress at once, on SQLite one: owners, which are workspaces, take turns
   * for them, and wait at most `acquireTimeoutMs`, then `unavailable`.
   */
  snapshot<T>(owner: string, work: (query: Query) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction: it is committed when `work` resolves and rolled back when it throws.
   * Waits at most `acquireTimeoutMs` for the writer, then throws `unavailable`. No network call belongs inside.
   * Where two transactions crossed on PostgreSQL, `work` is run again: it must change nothing but the database.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `action` once `tx` is committed, and never if it is rolled back. What it throws reaches `write`'s caller. */
  afterCommit(tx: Tx, action: () => void): void
  /** Runs `action` once `tx` has ended, and tells it whether it was committed. */
  afterEnd(tx: Tx, action: (isCommitted: boolean) => void): void
  /**
   * Runs one statement on a connection of its own, outside of any transaction and for as long as it takes: an index that
   * is made beside writes. No longer waits for it once `signal` is aborted. Null on SQLite, which needs none.
   */
  readonly maintain: ((statement: string, signal: AbortSignal) => Promise<void>) | null
  /**
   * Moves what the write-ahead log holds into the file and empties it, so that what was deleted is in neither; false
   * while a reader still needs it. Null on PostgreSQL, whose log is its operator's.
   */
  readonly emptyLog: (() => Promise<boolean>) | null
  /** Resolves if the database answers; throws otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}
