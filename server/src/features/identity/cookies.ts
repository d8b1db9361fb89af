/** Signed cookies: for a session, for a second step, and for the single sign-on that a browser has begun. */
import { createHmac } from 'node:crypto'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { isSame } from '../../platform/crypto/tokens.ts'

/** `two_factor` is for a person who has given the right password but no code yet. */
type CookieName = 'session_token' | 'two_factor' | 'state'

export type Cookies = ReturnType<typeof createCookies>

export function createCookies({ keyring, publicUrl }: { keyring: Keyring; publicUrl: () => string }) {
  const isSecure = (): boolean => publicUrl().startsWith('https:')
  /** The prefix marks a cookie that only travels over TLS: a plain connection cannot plant such a cookie. */
  const fullName = (name: CookieName): string => `${isSecure() ? '__Secure-' : ''}atrium.${name}`
  // A new master secret gives another key, which ends every session. The text names the library we used before.
  const signatureOf = (value: string): Buffer =>
    createHmac('sha256', keyring.keyedHash('sign-in', 'better-auth')).update(value).digest()

  const header = (name: CookieName, value: string, maxAgeMs: number | null): string => {
    const lifetime = maxAgeMs === null ? [] : [`Max-Age=${Math.floor(maxAgeMs / 1000)}`]
    const security = isSecure() ? ['Secure'] : []
    const parts = [
      `${fullName(name)}=${value}`,
      ...lifetime,
      'Path=/',
      'HttpOnly',
      ...security,
      'SameSite=Lax',
    ]
    return parts.join('; ')
  }

  return {
    /**
     * The `Set-Cookie` header of a value that `open` can read; a null `maxAgeMs` ends the cookie with the browser.
     */
    sign: (name: CookieName, value: string, maxAgeMs: number | null): string =>
      header(name, encodeURIComponent(`${value}.${signatureOf(value).toString('base64')}`), maxAgeMs),
    /** The `Set-Cookie` header that removes the cookie. */
    clear: (name: CookieName): string => header(name, '', 0),
    /** The value in a request's `Cookie` header; null if there is none, or if the signature is not ours. */
    open(name: CookieName, cookieHeader: string | undefined): string | null {
      const [, value = '', signature = ''] = signedValue.exec(cookieIn(cookieHeader, fullName(name))) ?? []
      const given = Buffer.from(decodeURIComponent(signature), 'base64')
      return isSame(given, signatureOf(value)) ? value : null
    },
  }
}

/** The signature is base64, percent-encoded or not. */
const signedValue = /^([\w-]{1,100})\.((?:[\w+/=]|%2B|%2F|%3D){1,100})$/i

function cookieIn(header: string | undefined, name: string): string {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}
