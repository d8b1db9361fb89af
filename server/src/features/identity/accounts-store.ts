/** Rows of passwords, one a person, in the form in which better-auth looks for them. */
import type { Query, Tx } from '../../platform/database/database.ts'

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
