/** Rows of people. A person belongs to the server, not to one workspace. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type UserRow = Selectable<Tables['users']>

export const findUserByEmail = (query: Query, email: string): Promise<UserRow | undefined> =>
  query.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

/** False where the address is taken, also by a transaction that runs beside this one. */
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

/** better-auth's names for an account that is ours and not a single sign-on server's. */
const own = { issuer: 'local:credential', provider_id: 'credential' } as const

type PasswordRow = { password: string; updatedAt: number }

export async function findPassword(query: Query, userId: string): Promise<PasswordRow | undefined> {
  const row = await query
    .selectFrom('accounts')
    .select(['password', 'updated_at'])
    .where('issuer', '=', own.issuer)
    .where('account_id', '=', userId)
    .executeTakeFirst()
  return row?.password ? { password: row.password, updatedAt: row.updated_at } : undefined
}

export async function putPassword(
  tx: Tx,
  row: { id: string; userId: string; password: string; now: number },
): Promise<void> {
  const { id, userId, password, now } = row
  await tx
    .insertInto('accounts')
    .values({
      ...own,
      id,
      user_id: userId,
      account_id: userId,
      password,
      created_at: now,
      updated_at: now,
    })
    .onConflict(conflict =>
      conflict.columns(['issuer', 'account_id']).doUpdateSet({ password, updated_at: now }),
    )
    .execute()
}

/** Whether a person can sign in, by a password or by a single sign-on. */
export async function hasAccount(query: Query, userId: string): Promise<boolean> {
  const found = await query
    .selectFrom('accounts')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

export async function turnOffTwoFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  await tx.updateTable('users').set({ two_factor_enabled: 0 }).where('id', '=', userId).execute()
}
