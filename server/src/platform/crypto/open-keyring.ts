/** The keyring of a database: a canary checks the master secret, and the peppers of earlier secrets are added. */
import type { Database, Query, Tx } from '../database/database.ts'
import { createKeyring, type EarlierPeppers, type Keyring, noEarlierPeppers } from './keyring.ts'

const earlierName = 'earlier_peppers'

/** Throws one line for the operator if the data is protected with another secret. */
export async function openKeyring(database: Database, masterSecret: string): Promise<Keyring> {
  const keyring = createKeyring(masterSecret)
  await checkCanary(database, keyring)
  return createKeyring(masterSecret, await readEarlierPeppers(database.read, keyring))
}

export async function readEarlierPeppers(query: Query, keyring: Keyring): Promise<EarlierPeppers> {
  const stored = await query
    .selectFrom('meta')
    .select('value')
    .where('name', '=', earlierName)
    .executeTakeFirst()
  if (stored === undefined) return noEarlierPeppers
  // Only `writeEarlierPeppers` can have made a value that decrypts.
  return JSON.parse(keyring.openSystem(earlierName, stored.value)) as EarlierPeppers
}

/** Stores the peppers, encrypted under the secret of `keyring`. */
export async function writeEarlierPeppers(tx: Tx, keyring: Keyring, earlier: EarlierPeppers): Promise<void> {
  const value = keyring.sealSystem(earlierName, JSON.stringify(earlier))
  await tx
    .insertInto('meta')
    .values({ name: earlierName, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

const canaryName = 'secret_canary'
const canaryText = 'The master secret is the one that this database was made with.'

const readCanary = (query: Query): Promise<{ value: string } | undefined> =>
  query.selectFrom('meta').select('value').where('name', '=', canaryName).executeTakeFirst()

/** Whether a master secret protects the data already. A restore that failed leaves tables without one. */
export const isUnderSecret = async (query: Query): Promise<boolean> => (await readCanary(query)) !== undefined

/** Whether the data is protected with this keyring's secret; null if nothing is stored yet. */
export async function opensCanary(query: Query, keyring: Keyring): Promise<boolean | null> {
  const stored = await readCanary(query)
  if (stored === undefined) return null
  try {
    keyring.openSystem(canaryName, stored.value)
    return true
  } catch {
    // The canary was encrypted under another secret.
    return false
  }
}

/** Replaces the stored canary by one that is encrypted under the secret of `keyring`. */
export async function replaceCanary(tx: Tx, keyring: Keyring): Promise<void> {
  const value = keyring.sealSystem(canaryName, canaryText)
  await tx.updateTable('meta').set({ value }).where('name', '=', canaryName).execute()
}

/**
 * Stores an encrypted text at the first start and decrypts it at each later start.
 * Throws one line for the operator if `ATRIUM_SECRET` is not the secret that protects the data.
 */
export async function checkCanary(database: Database, keyring: Keyring): Promise<void> {
  const stored = await database.write(async tx => {
    const value = keyring.sealSystem(canaryName, canaryText)
    // If two processes start at once, one canary is stored, and both check themselves against it.
    await tx
      .insertInto('meta')
      .values({ name: canaryName, value })
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute()
    return tx.selectFrom('meta').select('value').where('name', '=', canaryName).executeTakeFirstOrThrow()
  })
  try {
    keyring.openSystem(canaryName, stored.value)
  } catch (cause) {
    throw new Error(
      'ATRIUM_SECRET does not match the data: start with the secret that this database was made with',
      { cause },
    )
  }
}
