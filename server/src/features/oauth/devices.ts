/** The codes of a device that waits for a person (RFC 8628): one that it keeps, one that the person types. */
import { randomInt } from 'node:crypto'
import type { Keyring } from '../../platform/crypto/keyring.ts'

/** No vowels, so that no words come of it, and nothing that looks like something else (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** `WDJB-MJHT`: one of 25 billion. */
export function newUserCode(): string {
  const code = Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('')
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
}

/** However it was typed. */
export const userCodeHash = (keyring: Keyring, typed: string): string =>
  keyring.keyedHash('token', `app-user-code|${typed.toUpperCase().replaceAll(/[^A-Z]/g, '')}`)

export const deviceHash = (keyring: Keyring, code: string): string =>
  keyring.keyedHash('token', `app-device|${code}`)
