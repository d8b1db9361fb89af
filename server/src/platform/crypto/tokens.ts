/** Tokens and keys: random ones with a checksum, signed ones that name the caller. Also how secrets are compared. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Environment, environments } from '../caller.ts'
import type { Keyring } from './keyring.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyRandomBytes = 32
const keyRandomLength = 43
const checksumLength = 6

/** An API key (`sk`), and the tokens that an app gets by OAuth: an access token (`at`) and a refresh token (`rt`). */
type SecretKind = 'sk' | 'at' | 'rt'

const secretPattern = new RegExp(
  `^(sk|at|rt)_(${environments.join('|')})_[0-9A-Za-z]{${keyRandomLength}}[0-9A-Za-z]{${checksumLength}}$`,
)

const browserTokenPattern = new RegExp(`^bt_[0-9A-Za-z]{${keyRandomLength + checksumLength}}$`)

/** A whole number in base 62 (digits, then upper case, then lower case), filled with zeros up to `length`. */
export function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}

/** `bytes` of randomness in base 62: 32 bytes are 43 characters. */
export const randomToken = (bytes: number): string =>
  base62(BigInt(`0x${randomBytes(bytes).toString('hex')}`), Math.ceil((bytes * 8) / Math.log2(62)))

/** The CRC-32 (IEEE) of a text as six characters of base 62. */
export const crc32Checksum6 = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/** `sk_live_` or `sk_test_`, 43 random characters (256 bits), and a checksum over all of that. */
export const newApiKey = (environment: Environment): string =>
  secretOf('sk', environment, randomToken(keyRandomBytes))

/** The same form with `at_`. An app sends it with each request until it expires. */
export const newAccessToken = (environment: Environment): string =>
  secretOf('at', environment, randomToken(keyRandomBytes))

/** The same form with `rt_`. `bits` are 64 hexadecimal digits if the token follows from an earlier one. */
export const newRefreshToken = (environment: Environment, bits?: string): string =>
  secretOf(
    'rt',
    environment,
    bits === undefined ? randomToken(keyRandomBytes) : base62(BigInt(`0x${bits}`), keyRandomLength),
  )

function secretOf(kind: SecretKind, environment: Environment, random: string): string {
  const body = `${kind}_${environment}_${random}`
  return body + crc32Checksum6(body)
}

/** `bt_`, 43 random characters, and a checksum. */
export function newBrowserToken(): string {
  const body = `bt_${randomToken(keyRandomBytes)}`
  return body + crc32Checksum6(body)
}

/** Whether the text has the form of a browser token, including the checksum. */
export const isWellFormedBrowserToken = (text: string): boolean =>
  browserTokenPattern.test(text) &&
  crc32Checksum6(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/** Null for a text that is none of these secrets; the checksum is checked too. */
function readSecret(text: string): { kind: SecretKind; environment: Environment } | null {
  const [, kind, named] = secretPattern.exec(text) ?? []
  const body = text.slice(0, -checksumLength)
  const environment = environments.find(known => known === named)
  if (environment === undefined || crc32Checksum6(body) !== text.slice(-checksumLength)) return null
  return { kind: kind as SecretKind, environment }
}

/** Whether the text has the form of a key, including the checksum. */
export const isWellFormedApiKey = (text: string): boolean => readSecret(text)?.kind === 'sk'
export const isWellFormedAccessToken = (text: string): boolean => readSecret(text)?.kind === 'at'

/** The environment that a well-formed refresh token names; null for any other text. */
export function environmentOfRefreshToken(text: string): Environment | null {
  const secret = readSecret(text)
  return secret?.kind === 'rt' ? secret.environment : null
}

/** Compares a given secret with the expected one. The time reveals the length, but not how many characters match. */
export const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)

/** The content of a token. The session and the membership tell whether it is still valid. */
export type PersonClaims = {
  sessionId: string
  userId: string
  workspaceId: string
  environment: Environment
  /** Milliseconds since the Unix epoch. */
  expiresAt: number
}

const personTokenPattern = /^ct_([A-Za-z0-9_-]{1,600})\.([0-9a-f]{64})$/

export function signPersonToken(keyring: Keyring, claims: PersonClaims): string {
  const { sessionId, userId, workspaceId, environment, expiresAt } = claims
  const payload = Buffer.from(
    JSON.stringify({ sessionId, userId, workspaceId, environment, expiresAt }),
  ).toString('base64url')
  return `ct_${payload}.${keyring.keyedHash('person-token', payload)}`
}

/** The content of the token; null if this server did not make it. Expired tokens are read like any other. */
export function readPersonToken(keyring: Keyring, token: string): PersonClaims | null {
  const [, payload, signature] = personTokenPattern.exec(token) ?? []
  if (payload === undefined || signature === undefined) return null
  const expected = Buffer.from(keyring.keyedHash('person-token', payload))
  if (!timingSafeEqual(expected, Buffer.from(signature))) return null
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  return isClaims(claims) ? claims : null
}

/** False only for a token of an earlier form: the signature proves that this server wrote it. */
const isClaims = (value: unknown): value is PersonClaims => {
  const { sessionId, userId, workspaceId, environment, expiresAt } = value as Record<string, unknown>
  return (
    [sessionId, userId, workspaceId].every(id => typeof id === 'string') &&
    environments.some(known => known === environment) &&
    typeof expiresAt === 'number'
  )
}
