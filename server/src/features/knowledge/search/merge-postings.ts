/** Takes deleted words out of SQLite's postings: FTS5 keeps them in its segments until these are merged. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'

/** Few, so that each slice holds the one writer for a short time only. */
const pagesPerSlice = 16

/**
 * Merges a slice of the segments into one that holds no deleted word, and answers whether something was left to do.
 * `begin` takes up every segment that there is; without it, what was begun goes on.
 */
export async function mergePostings(tx: Tx, { begin }: { begin: boolean }): Promise<boolean> {
  const before = await countChanges(tx)
  await sql`INSERT INTO search_postings (search_postings, rank)
    VALUES ('merge', ${sql.lit(begin ? -pagesPerSlice : pagesPerSlice)})`.execute(tx)
  // So FTS5's documentation tells it: the statement itself counts as one change.
  return (await countChanges(tx)) - before >= 2
}

async function countChanges(tx: Tx): Promise<number> {
  const { rows } = await sql<{ changes: number }>`SELECT total_changes() AS changes`.execute(tx)
  return rows[0]?.changes ?? 0
}
