/** The keyring of a database: its master secret is checked, and the peppers of earlier ones are added. */
import type { Database, Query, Tx } from '../database/database.ts'
import { checkCanary } from './canary.ts'
import { createKeyring, type EarlierPeppers, type Keyring, noEarlierPeppers } from './keyring.ts'

const earlierName = 'earlier_peppers'

/** Throws, in one line for the operator, if the secret is another than the one that the data is protected with. */
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

/** Sealed under the secret of `keyring`. */
export async function writeEarlierPeppers(tx: Tx, keyring: Keyring, earlier: EarlierPeppers): Promise<void> {
  const value = keyring.sealSystem(earlierName, JSON.stringify(earlier))
  await tx
    .insertInto('meta')
    .values({ name: earlierName, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
