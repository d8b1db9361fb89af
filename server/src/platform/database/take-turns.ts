/** Makes transactions that count before they insert wait for each other. */
import { sql } from 'kysely'
import type { Tx } from './database.ts'
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
