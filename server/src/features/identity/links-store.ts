/** Rows of what is sent to prove something once: looked up by a hash, kept encrypted, gone when used. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

type LinkRow = Selectable<Tables['verifications']>

export async function insertLink(tx: Tx, row: Insertable<Tables['verifications']>): Promise<void> {
  await tx.insertInto('verifications').values(row).execute()
}

export const findLink = (query: Query, hash: string, now: number): Promise<LinkRow | undefined> =>
  query
    .selectFrom('verifications')
    .selectAll()
    .where('identifier_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** True for the one that used it. */
export async function deleteLink(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('verifications')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function deleteExpiredLinks(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('verifications')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('verifications').select('id').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
