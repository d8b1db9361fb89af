/** Rows of people. A person belongs to the server, not to one workspace. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type UserRow = Selectable<Tables['users']>

export const findUserByEmail = (query: Query, email: string): Promise<UserRow | undefined> =>
  query.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export async function insertUser(tx: Tx, row: Insertable<Tables['users']>): Promise<void> {
  await tx.insertInto('users').values(row).execute()
}
