/**
 * Keyed hashes of the secrets that apps hold. Only these are stored, so a reader of the database learns no secret.
 */
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { environmentOfRefreshToken, newRefreshToken } from '../../platform/crypto/tokens.ts'

export const maxSecretLength = 200

export const codeHash = (keyring: Keyring, code: string): string =>
  keyring.keyedHash('token', `app-code|${code}`)

export const refreshHash = (keyring: Keyring, token: string): string =>
  keyring.keyedHash('token', `app-refresh|${token}`)

export const deviceHash = (keyring: Keyring, code: string): string =>
  keyring.keyedHash('token', `app-device|${code}`)

/** Ignores case and separators, because a person types the code. */
export const userCodeHash = (keyring: Keyring, typed: string): string =>
  keyring.keyedHash('token', `app-user-code|${typed.toUpperCase().replaceAll(/[^A-Z]/g, '')}`)

/** An access token is looked up like a key, under the current pepper and the earlier ones. */
export const accessHashes = (keyring: Keyring, token: string): string[] =>
  Array.from({ length: keyring.pepperVersion }, (_, index) => keyring.keyedHash('api-key', token, index + 1))

/**
 * Returns the refresh token that follows this one; null if the text is not a refresh token. A secret of the server
 * determines it. So an app that repeats its request gets the same token, and there are never two branches.
 */
export function nextRefreshToken(keyring: Keyring, token: string): string | null {
  const environment = environmentOfRefreshToken(token)
  if (environment === null) return null
  return newRefreshToken(environment, keyring.keyedHash('token', `app-refresh-next|${token}`))
}
