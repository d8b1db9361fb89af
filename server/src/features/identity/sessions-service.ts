/** Finds out who is signed in: a session by its cookie. */
import type { Selectable } from 'kysely'
import { dayMs } from '../../platform/clock.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import type { Cookies } from './cookies.ts'
import { deleteExpired } from './store.ts'

type SessionRow = Selectable<Tables['sessions']>

export type SignedIn = { sessionId: string; userId: string; expiresAt: number }

/** The client that began a session, for a person who looks through their sessions. */
export type Client = { address: string | null; userAgent: string | undefined }

export type Sessions = ReturnType<typeof createSessions>

const sessionsAtOnce = 500
const maxUserAgentLength = 500
const maxListedSessions = 200
/** For sessions that end with the browser: a browser that is never closed cannot extend them. */
const unrememberedMs = dayMs

export function createSessions(
  dependencies: Pick<Platform, 'database' | 'keyring' | 'clock' | 'newId'> & {
    cookies: Cookies
    sessionMs: number
  },
) {
  const { database, keyring, clock, newId, cookies, sessionMs } = dependencies
  const listeners: ((sessionIds: readonly string[]) => void)[] = []
  const ended = (sessionIds: readonly string[]): void => {
    if (sessionIds.length > 0) for (const listener of listeners) listener(sessionIds)
  }

  const endAll = async (tx: Tx, userId: string, except: string | null): Promise<void> => {
    const ids = await deleteSessions(tx, userId, { except })
    database.afterCommit(tx, () => ended(ids))
  }

  /** Only a hash of the token is stored: a reader of the database cannot sign in with it. */
  const hashOf = (token: string): string => keyring.keyedHash('session', token)
  const unended = (query: Query) => query.selectFrom('sessions').selectAll().where('expires_at', '>', clock())

  const find = async (cookieHeader: string | undefined): Promise<SignedIn | null> => {
    const token = cookies.open('session_token', cookieHeader)
    if (token === null) return null
    const row = await unended(database.read).where('token_hash', '=', hashOf(token)).executeTakeFirst()
    return row === undefined ? null : { sessionId: row.id, userId: row.user_id, expiresAt: row.expires_at }
  }

  return {
    /**
     * Begins a session, with the transaction; returns its `Set-Cookie` header. Without `rememberMe` the session ends
     * with the browser, or after a day.
     */
    async begin(
      tx: Tx,
      userId: string,
      { address, userAgent }: Client,
      { rememberMe }: { rememberMe: boolean } = { rememberMe: true },
    ): Promise<string> {
      const token = randomToken(32)
      const now = clock()
      const lifetimeMs = rememberMe ? sessionMs : Math.min(sessionMs, unrememberedMs)
      const row: SessionRow = {
        id: newId('session'),
        user_id: userId,
        token_hash: hashOf(token),
        expires_at: now + lifetimeMs,
        ip_address: address,
        user_agent: userAgent?.slice(0, maxUserAgentLength) ?? null,
        created_at: now,
        updated_at: now,
      }
      await tx.insertInto('sessions').values(row).execute()
      return cookies.sign('session_token', token, rememberMe ? lifetimeMs : null)
    },
    /** The session of a request's `Cookie` header; null if there is none, or if the session has ended. */
    find,
    /** Like `find`; throws `sign_in_required`. */
    async require(cookieHeader: string | undefined): Promise<SignedIn> {
      const session = await find(cookieHeader)
      if (session === null) throw new ServiceError('sign_in_required')
      return session
    },
    /** False as soon as the session has ended: by signing out, by another session or by its time. */
    isAlive: async (sessionId: string): Promise<boolean> =>
      (await unended(database.read).where('id', '=', sessionId).executeTakeFirst()) !== undefined,
    /** The newest first, at most as many as a person can look through. */
    list: (userId: string): Promise<SessionRow[]> =>
      unended(database.read)
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(maxListedSessions)
        .execute(),
    /** False if the person has no such session. */
    async end(userId: string, sessionId: string): Promise<boolean> {
      const ids = await database.write(tx => deleteSessions(tx, userId, { only: sessionId }))
      ended(ids)
      return ids.length > 0
    },
    /** Ends every session of the person except this one. */
    endOthers: ({ userId, sessionId }: SignedIn): Promise<void> =>
      database.write(tx => endAll(tx, userId, sessionId)),
    /** Ends every session of a person, with the transaction; the session `except` stays. */
    endAll,
    /** Calls the listener with the ids of sessions that this process has ended, after the commit. */
    onEnd: (listener: (sessionIds: readonly string[]) => void): void => void listeners.push(listener),
    /** Deletes expired sessions; returns how many. */
    tidy: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteExpired(tx, 'sessions', clock(), limit)), sessionsAtOnce),
  }
}

/** Ends one of a person's sessions, or all but one; returns the ids of the ended sessions. */
async function deleteSessions(tx: Tx, userId: string, which: { only: string } | { except: string | null }) {
  let statement = tx.deleteFrom('sessions').where('user_id', '=', userId)
  if ('only' in which) statement = statement.where('id', '=', which.only)
  else if (which.except !== null) statement = statement.where('id', '<>', which.except)
  const ended = await statement.returning('id').execute()
  return ended.map(({ id }) => id)
}
