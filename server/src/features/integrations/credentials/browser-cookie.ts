/** The cookie by which the browser at our page is known again when the service sends it back. */
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import { randomToken } from '../../../platform/crypto/tokens.ts'

const valuePattern = /^[0-9A-Za-z]{43}$/
/** A little longer than an authorization can take. */
const maxAgeSeconds = 900

/** Known by its hash alone; null where the request has no such cookie. */
export function browserHash(
  keyring: Keyring,
  cookieHeader: string | undefined,
  publicUrl: string,
): string | null {
  const value = valueIn(cookieHeader, cookieName(publicUrl))
  return value === null ? null : hashOf(keyring, value)
}

/** The same browser keeps its cookie, so that several authorizations can be under way in it. */
export function browserCookie(
  keyring: Keyring,
  cookieHeader: string | undefined,
  publicUrl: string,
): { hash: string; setCookie: string } {
  const value = valueIn(cookieHeader, cookieName(publicUrl)) ?? randomToken(32)
  const setCookie = [
    `${cookieName(publicUrl)}=${value}`,
    // The page that sets it, and the callback that reads it.
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    // It has to come along when the service sends the browser back.
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
  return { hash: hashOf(keyring, value), setCookie }
}

/** One that travels over TLS only carries that in its name, so that no other host can plant it. */
const cookieName = (publicUrl: string): string =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}atrium.connect`

function valueIn(cookieHeader: string | undefined, wanted: string): string | null {
  for (const pair of cookieHeader?.split(';') ?? []) {
    const [name, value = ''] = pair.trim().split('=', 2)
    if (name === wanted && valuePattern.test(value)) return value
  }
  return null
}

const hashOf = (keyring: Keyring, value: string): string => keyring.keyedHash('token', `connect|${value}`)
