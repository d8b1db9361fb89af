/** What is kept of a second factor, encrypted: it outlives the master secret, as no link and no session does. */
import { createHash } from 'node:crypto'
import type { Keyring } from '../../platform/crypto/keyring.ts'

/** The key that an authenticator app has, and the time step of the last code that was taken. */
export type TotpSecret = { key: Buffer; usedStep: number }

const secretField = (userId: string): string => `${userId}.secret`
const codesField = (userId: string): string => `${userId}.recovery-codes`

export const sealTotpSecret = (keyring: Keyring, userId: string, { key, usedStep }: TotpSecret): string =>
  keyring.sealLasting(secretField(userId), JSON.stringify({ key: key.toString('base64'), usedStep }))

export async function openTotpSecret(keyring: Keyring, userId: string, sealed: string): Promise<TotpSecret> {
  // There, each byte of the text is a byte of the key.
  if (isOfBetterAuth(sealed))
    return { key: Buffer.from(await openOfBetterAuth(keyring, sealed)), usedStep: 0 }
  const { key, usedStep } = JSON.parse(keyring.openLasting(secretField(userId), sealed))
  return { key: Buffer.from(key, 'base64'), usedStep }
}

export const sealRecoveryCodes = (keyring: Keyring, userId: string, codes: readonly string[]): string =>
  keyring.sealLasting(codesField(userId), JSON.stringify(codes))

export async function openRecoveryCodes(keyring: Keyring, userId: string, sealed: string): Promise<string[]> {
  if (isOfBetterAuth(sealed)) return JSON.parse(await openOfBetterAuth(keyring, sealed))
  return JSON.parse(keyring.openLasting(codesField(userId), sealed))
}

// better-auth 1.7 signed people in before we did. It wrote `$ba$`, the version of its key, `$`, and in hexadecimal a nonce
// of 24 bytes before XChaCha20-Poly1305. A row becomes ours when it is used next; what reads the old ones goes with 1.0.

const isOfBetterAuth = (sealed: string): boolean => sealed.startsWith('$ba$')

async function openOfBetterAuth(keyring: Keyring, sealed: string): Promise<string> {
  const [, version, hex = ''] = /^\$ba\$(\d{1,9})\$([0-9a-f]+)$/.exec(sealed) ?? []
  // Loaded with the first such row.
  const { xchacha20poly1305 } = await import('@noble/ciphers/chacha.js')
  const secret = keyring.keyedHash('sign-in', 'better-auth', Number(version))
  const key = createHash('sha256').update(secret).digest()
  const bytes = Buffer.from(hex, 'hex')
  const opened = xchacha20poly1305(key, bytes.subarray(0, nonceLength)).decrypt(bytes.subarray(nonceLength))
  return Buffer.from(opened).toString()
}

const nonceLength = 24
