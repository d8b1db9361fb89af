/** What processes on one database agree by: its clock, and turns. */
import { type RawBuilder, sql } from 'kysely'
import type { Query, Tx } from './database.ts'
import { engineOf } from './statement.ts'

/**
 * Holds the turn of this name until the transaction ends: two that counted at once would both find room. To be taken
 * before rows are locked. SQLite's transactions are alone anyway.
 */
export async function takeTurn(tx: Tx, name: string): Promise<void> {
  if (engineOf(tx) === 'postgres') {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  }
}

/**
 * The present in milliseconds since the Unix epoch, as a part of a statement: one value in a statement, a later one in the
 * next of the same transaction.
 */
export const databaseNow = (query: Query): RawBuilder<number> =>
  engineOf(query) === 'sqlite'
    ? sql<number>`CAST(round(unixepoch('subsec') * 1000) AS INTEGER)`
    : sql<number>`CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)`
