/** Who is signed in: a session by its cookie, told without better-auth, which makes the cookie and need not be loaded for it. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { NewId } from '../../platform/ids.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import {
  deleteExpiredSessions,
  deleteSessions,
  findSessionByHash,
  insertSession,
  isSessionAlive,
  listSessions,
  type SessionRow,
} from './sessions-store.ts'

export type SignedIn = { sessionId: string; userId: string; expiresAt: number }

/** Where a session was begun, for the person who looks through their sessions. */
export type Client = { address: string | null; userAgent: string | undefined }

export type Sessions = ReturnType<typeof createSessions>

const sessionsAtOnce = 500

export function createSessions(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
  newId: NewId
  publicUrl: () => string
  sessionMs: number
}) {
  const { database, keyring, clock, newId, publicUrl, sessionMs } = dependencies
  const listeners: ((sessionIds: readonly string[]) => void)[] = []
  const ended = (sessionIds: readonly string[]): void => {
    if (sessionIds.length > 0) for (const listener of listeners) listener(sessionIds)
  }

  const endAll = async (tx: Tx, userId: string, except: string | null): Promise<void> => {
    const ids = await deleteSessions(tx, userId, { except })
    database.afterCommit(tx, () => ended(ids))
  }

  return {
    /** Signs a person in, with the transaction; answers the `Set-Cookie` header that makes it so in their browser. */
    async begin(tx: Tx, userId: string, { address, userAgent }: Client): Promise<string> {
      const token = randomToken(32)
      const now = clock()
      await insertSession(tx, {
        id: newId('session'),
        user_id: userId,
        token_hash: sessionTokenHash(keyring, token),
        expires_at: now + sessionMs,
        ip_address: address,
        user_agent: userAgent?.slice(0, maxUserAgentLength) ?? null,
        created_at: now,
        updated_at: now,
      })
      return cookieHeader(keyring, publicUrl(), token, sessionMs)
    },
    /** The session of a request's `Cookie` header; null where there is none, or where it has ended. */
    async find(cookieHeader: string | undefined): Promise<SignedIn | null> {
      const token = openSignedCookie(keyring, cookieHeader, sessionCookieName(publicUrl()))
      if (token === null) return null
      const row = await findSessionByHash(database.read, sessionTokenHash(keyring, token), clock())
      return row === undefined ? null : { sessionId: row.id, userId: row.user_id, expiresAt: row.expires_at }
    },
    /** False from the moment at which it ended, whether by signing out, by another session or by its time. */
    isAlive: (sessionId: string): Promise<boolean> => isSessionAlive(database.read, sessionId, clock()),
    list: (userId: string): Promise<SessionRow[]> => listSessions(database.read, userId, clock()),
    /** False where the person has no such session. */
    async end(userId: string, sessionId: string): Promise<boolean> {
      const ids = await database.write(tx => deleteSessions(tx, userId, { only: sessionId }))
      ended(ids)
      return ids.length > 0
    },
    /** Ends every session of the person but this one. */
    endOthers: ({ userId, sessionId }: SignedIn): Promise<void> =>
      database.write(tx => endAll(tx, userId, sessionId)),
    /** Ends every session of a person but one, where one is named, with the transaction. */
    endAll,
    /** Calls back with the ids of sessions that this process has ended, once they are. */
    onEnd: (listener: (sessionIds: readonly string[]) => void): void => void listeners.push(listener),
    /** Tells the listeners of sessions whose rows better-auth has deleted. */
    ended,
    /** Forgets sessions whose time is over; answers how many. */
    tidy: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteExpiredSessions(tx, clock(), limit)), sessionsAtOnce),
  }
}

export const cookiePrefix = 'atrium'

/** What is kept of a session's token: a reader of the database cannot sign in with it. */
export const sessionTokenHash = (keyring: Keyring, token: string): string =>
  keyring.keyedHash('session', token)

/** What cookies are signed with and second factors encrypted: better-auth's one secret, derived from ours. */
export const cookieSecret = (keyring: Keyring, version = keyring.pepperVersion): string =>
  keyring.keyedHash('sign-in', 'better-auth', version)

/** The name of a cookie that only travels over TLS says so: a plain connection then cannot plant one. */
const cookieName = (publicUrl: string, name: string): string =>
  `${publicUrl.startsWith('https:') ? '__Secure-' : ''}${cookiePrefix}.${name}`

export const sessionCookieName = (publicUrl: string): string => cookieName(publicUrl, 'session_token')

/** Of a person whose password was right, until their code is. */
export const challengeCookieName = (publicUrl: string): string => cookieName(publicUrl, 'two_factor')

const maxUserAgentLength = 500

/** In the form that better-auth writes and reads. */
function cookieHeader(keyring: Keyring, publicUrl: string, token: string, sessionMs: number): string {
  const signature = createHmac('sha256', cookieSecret(keyring)).update(token).digest('base64')
  return [
    `${sessionCookieName(publicUrl)}=${encodeURIComponent(`${token}.${signature}`)}`,
    `Max-Age=${Math.floor(sessionMs / 1000)}`,
    'Path=/',
    'HttpOnly',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ')
}

/** The value of a cookie that we have signed; null where there is none. */
export function openSignedCookie(keyring: Keyring, header: string | undefined, name: string): string | null {
  const cookie = cookieOf(header, name)
  return cookie === null ? null : openCookie(cookieSecret(keyring), cookie)
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** The value of `value.signature`, percent-encoded; null where the signature is not ours. */
function openCookie(secret: string, cookie: string): string | null {
  if (cookie.length > maxCookieLength || !/^[\w.%+/=~-]+$/.test(cookie)) return null
  const text = decoded(cookie)
  const at = text?.lastIndexOf('.') ?? -1
  if (text === null || at <= 0) return null
  const given = Buffer.from(text.slice(at + 1), 'base64')
  const wanted = createHmac('sha256', secret).update(text.slice(0, at)).digest()
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? text.slice(0, at) : null
}

const maxCookieLength = 1_000

function decoded(cookie: string): string | null {
  try {
    return decodeURIComponent(cookie)
  } catch {
    // A stray percent sign: this cookie is not ours.
    return null
  }
}
