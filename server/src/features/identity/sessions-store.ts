/** Rows of sessions. They belong to people, and so to no workspace. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type SessionRow = Selectable<Tables['sessions']>

export async function insertSession(tx: Tx, row: Insertable<Tables['sessions']>): Promise<void> {
  await tx.insertInto('sessions').values(row).execute()
}

export const findSessionByHash = (
  query: Query,
  tokenHash: string,
  now: number,
): Promise<SessionRow | undefined> =>
  query
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function isSessionAlive(query: Query, id: string, now: number): Promise<boolean> {
  const found = await query
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

/** The newest first, as many as a person can look through. */
export const listSessions = (query: Query, userId: string, now: number): Promise<SessionRow[]> =>
  query
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListedSessions)
    .execute()

const maxListedSessions = 200

/** Ends one of a person's sessions, or all but one; answers the ids of those that it ended. */
export async function deleteSessions(
  tx: Tx,
  userId: string,
  which: { only: string } | { except: string | null },
): Promise<string[]> {
  let statement = tx.deleteFrom('sessions').where('user_id', '=', userId)
  if ('only' in which) statement = statement.where('id', '=', which.only)
  else if (which.except !== null) statement = statement.where('id', '<>', which.except)
  const ended = await statement.returning('id').execute()
  return ended.map(({ id }) => id)
}

export async function deleteExpiredSessions(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('sessions').select('id').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
