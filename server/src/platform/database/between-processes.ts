/** How processes on one database agree: by the database's clock, and by turns. */
import { type RawBuilder, sql } from 'kysely'
import type { Query, Tx } from './database.ts'
import { engineOf } from './statement.ts'

/**
 * Holds the turn of this name until the transaction ends: two transactions that count at once would both find room.
 * Take the turn before you lock rows. SQLite runs one writing transaction at a time anyway.
 */
export async function takeTurn(tx: Tx, name: string): Promise<void> {
  if (engineOf(tx) === 'postgres') {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  }
}

/**
 * The present in milliseconds since the Unix epoch, as a part of a statement. One statement gets one value; the next
 * statement of the same transaction gets a later one.
 */
export const databaseNow = (query: Query): RawBuilder<number> =>
  engineOf(query) === 'sqlite'
    ? sql<number>`CAST(round(unixepoch('subsec') * 1000) AS INTEGER)`
    : sql<number>`CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)`
