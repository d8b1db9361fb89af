/** The codes of an authenticator app: TOTP (RFC 6238) over HOTP (RFC 4226), SHA-1, six digits, thirty seconds. */
import { createHmac } from 'node:crypto'
import { isSame } from './tokens.ts'

const stepMs = 30_000
const digits = 6
/** RFC 6238 (5.2) advises one step, for clocks that differ and codes that are typed slowly. */
const allowedDrift = 1

/**
 * The time step of the given code. Null if it is not the code of the present step or a neighbour, or if its step is
 * not after `usedStep`. A code is accepted once (RFC 6238, 5.2). Takes the same time for every code of six digits.
 */
export function stepOf(key: Buffer, code: string, { now, usedStep }: { now: number; usedStep: number }) {
  const present = Math.floor(now / stepMs)
  const given = Buffer.from(code)
  let found: number | null = null
  for (let step = present - allowedDrift; step <= present + allowedDrift; step++) {
    if (isSame(given, Buffer.from(codeOf(key, step))) && step > usedStep) found = step
  }
  return found
}

/** HOTP of a counter (RFC 4226, 5.3): four bytes of the hash, from the offset that its last half-byte gives. */
export function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', key).update(counter).digest()
  const number = hash.readUInt32BE(hash.readUInt8(hash.length - 1) & 0x0f) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** What an authenticator app reads from a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function totpUri(key: Buffer, email: string): string {
  const period = stepMs / 1000
  const query = new URLSearchParams({
    secret: base32(key),
    issuer: 'Atrium',
    digits: `${digits}`,
    period: `${period}`,
  })
  return `otpauth://totp/Atrium:${encodeURIComponent(email)}?${query}`
}

/** RFC 4648, without padding. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map(group => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
