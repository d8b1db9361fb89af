/** Rows of people. A person belongs to the server, not to one workspace. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type UserRow = Selectable<Tables['users']>

export const findUserByEmail = (query: Query, email: string): Promise<UserRow | undefined> =>
  query.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

/** False if the address is taken, even by a transaction that runs at the same time. */
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

/** Sets the first owner's name and address; the setup link proves the address. */
export async function nameUser(tx: Tx, id: string, person: { name: string; email: string; now: number }) {
  const { name, email, now } = person
  await tx
    .updateTable('users')
    .set({ name, email, email_verified: 1, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** The values that tell our own accounts in `accounts` from those of a single sign-on server. */
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

/**
 * Like `findPassword`. A transaction that replaces the password waits for this one, and then ends the sessions that
 * this one began.
 */
export async function lockPassword(tx: Tx, userId: string): Promise<PasswordRow | undefined> {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('issuer', '=', own.issuer)
    .where('account_id', '=', userId)
    .forNoKeyUpdate()
    .execute()
  return findPassword(tx, userId)
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

/** Whether a person can sign in, by a password or by single sign-on. */
export async function hasAccount(query: Query, userId: string): Promise<boolean> {
  const found = await query
    .selectFrom('accounts')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Finds a person by an account at a single sign-on server, and locks the account until the end of the transaction. A
 * server that uses the issuer of our passwords finds nothing.
 */
export async function lockForeignAccount(
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<UserRow | undefined> {
  const account = await tx
    .selectFrom('accounts')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('account_id', '=', subject)
    .where('provider_id', '<>', own.provider_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return account && (await findUser(tx, account.user_id))
}

/** Does nothing if another request of the same person was first. */
export async function insertForeignAccount(tx: Tx, row: Insertable<Tables['accounts']>): Promise<void> {
  await tx
    .insertInto('accounts')
    .values(row)
    .onConflict(conflict => conflict.columns(['issuer', 'account_id']).doNothing())
    .execute()
}

export async function deleteForeignAccounts(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('accounts').where('user_id', '=', userId).where('issuer', '<>', own.issuer).execute()
}

export type TwoFactorRow = Selectable<Tables['two_factors']>

/** Other transactions wait for this one: if two use the same code, only one finds it unused. */
export const lockTwoFactor = (tx: Tx, userId: string): Promise<TwoFactorRow | undefined> =>
  tx.selectFrom('two_factors').selectAll().where('user_id', '=', userId).forNoKeyUpdate().executeTakeFirst()

/** Replaces the person's second factor, if there is one; a lock stays. */
export async function putTwoFactor(
  tx: Tx,
  row: Pick<TwoFactorRow, 'id' | 'user_id' | 'secret' | 'backup_codes'>,
): Promise<void> {
  const { secret, backup_codes } = row
  await tx
    .insertInto('two_factors')
    .values({ ...row, verified: 0, failed_verification_count: 0 })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ secret, backup_codes }))
    .execute()
}

export async function updateTwoFactor(
  tx: Tx,
  userId: string,
  changes: Partial<Omit<TwoFactorRow, 'id' | 'user_id'>>,
): Promise<void> {
  await tx.updateTable('two_factors').set(changes).where('user_id', '=', userId).execute()
}

export async function turnOnTwoFactor(tx: Tx, userId: string): Promise<void> {
  await updateTwoFactor(tx, userId, { verified: 1 })
  await tx.updateTable('users').set({ two_factor_enabled: 1 }).where('id', '=', userId).execute()
}

export async function turnOffTwoFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  await tx.updateTable('users').set({ two_factor_enabled: 0 }).where('id', '=', userId).execute()
}

export async function deleteExpired(tx: Tx, table: 'sessions' | 'verifications', now: number, limit: number) {
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom(table).select('id').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
