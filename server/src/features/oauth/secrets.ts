/** What is kept of the secrets that apps hold: keyed hashes, so that a reader of the database has none of them. */
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { environmentOfRefreshToken, newRefreshToken } from '../../platform/crypto/tokens.ts'

export const maxSecretLength = 200

export const codeHash = (keyring: Keyring, code: string): string =>
  keyring.keyedHash('token', `app-code|${code}`)

export const refreshHash = (keyring: Keyring, token: string): string =>
  keyring.keyedHash('token', `app-refresh|${token}`)

export const deviceHash = (keyring: Keyring, code: string): string =>
  keyring.keyedHash('token', `app-device|${code}`)

/** However the person typed it. */
export const userCodeHash = (keyring: Keyring, typed: string): string =>
  keyring.keyedHash('token', `app-user-code|${typed.toUpperCase().replaceAll(/[^A-Z]/g, '')}`)

/** An access token is looked up as a key is, under this version of the pepper and the earlier ones. */
export const accessHashes = (keyring: Keyring, token: string): string[] =>
  Array.from({ length: keyring.pepperVersion }, (_, index) => keyring.keyedHash('api-key', token, index + 1))

/**
 * The refresh token that comes after this one; null for a text that is none. It follows by a secret of the server: an app
 * that repeats its request gets the same one, and there are never two branches.
 */
export function nextRefreshToken(keyring: Keyring, token: string): string | null {
  const environment = environmentOfRefreshToken(token)
  if (environment === null) return null
  return newRefreshToken(environment, keyring.keyedHash('token', `app-refresh-next|${token}`))
}
