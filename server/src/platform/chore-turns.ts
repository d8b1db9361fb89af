/** Turns at what one process does for all that share the database. */
import { sql } from 'kysely'
import type { Database } from './database/database.ts'
import { databaseNow } from './database/now.ts'

/** True for one process in each `everyMs`. One that dies over its chore has had its turn: the next one comes in time. */
export async function takeTurn(
  { engine, write }: Pick<Database, 'engine' | 'write'>,
  name: string,
  everyMs: number,
): Promise<boolean> {
  const now = databaseNow(engine)
  const taken = await write(tx =>
    tx
      .insertInto('chore_turns')
      .values({ name, taken_at: now })
      .onConflict(conflict =>
        conflict
          .column('name')
          .doUpdateSet({ taken_at: now })
          .where('chore_turns.taken_at', '<=', sql<number>`${now} - ${everyMs}`),
      )
      .returning('name')
      .executeTakeFirst(),
  )
  return taken !== undefined
}
