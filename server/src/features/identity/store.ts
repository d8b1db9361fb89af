/** Rows of people. A person belongs to the server, not to one workspace. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type UserRow = Selectable<Tables['users']>

export const findUserByEmail = (query: Query, email: string): Promise<UserRow | undefined> =>
  query.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

/** False where somebody has the address already, be it by a transaction that began beside this one. */
export async function insertUser(tx: Tx, row: Insertable<Tables['users']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('users')
    .values(row)
    .onConflict(conflict => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const findUser = (query: Query, id: string): Promise<UserRow | undefined> =>
  query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

export async function markVerified(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ email_verified: 1, updated_at: now }).where('id', '=', id).execute()
}

export async function renameUser(tx: Tx, id: string, name: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ name, updated_at: now }).where('id', '=', id).execute()
}

/** Gives the first owner their name and their address, which the setup link vouches for. */
export async function nameUser(
  tx: Tx,
  id: string,
  person: { name: string; email: string; now: number },
): Promise<void> {
  const { name, email, now } = person
  await tx
    .updateTable('users')
    .set({ name, email, email_verified: 1, updated_at: now })
    .where('id', '=', id)
    .execute()
}
