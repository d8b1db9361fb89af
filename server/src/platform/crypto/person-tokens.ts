/** Tokens by which a person who is signed in calls the API for some minutes: what they say is signed, not stored. */
import { timingSafeEqual } from 'node:crypto'
import { type Environment, environments } from '../caller.ts'
import type { Keyring } from './keyring.ts'

/** What a token says. Whether it still holds, the session and the membership tell. */
export type PersonClaims = {
  sessionId: string
  userId: string
  workspaceId: string
  environment: Environment
  /** Milliseconds since the Unix epoch. */
  expiresAt: number
}

const form = /^ct_([A-Za-z0-9_-]{1,600})\.([0-9a-f]{64})$/

export function signPersonToken(keyring: Keyring, claims: PersonClaims): string {
  const { sessionId, userId, workspaceId, environment, expiresAt } = claims
  const payload = Buffer.from(
    JSON.stringify({ sessionId, userId, workspaceId, environment, expiresAt }),
  ).toString('base64url')
  return `ct_${payload}.${keyring.keyedHash('person-token', payload)}`
}

/** What the token says; null for one that this server has not made. Expired ones are read like any other. */
export function readPersonToken(keyring: Keyring, token: string): PersonClaims | null {
  const [, payload, signature] = form.exec(token) ?? []
  if (payload === undefined || signature === undefined) return null
  const expected = Buffer.from(keyring.keyedHash('person-token', payload))
  if (!timingSafeEqual(expected, Buffer.from(signature))) return null
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  return isClaims(claims) ? claims : null
}

/** False only for a token of an earlier form: the signature says that we wrote it. */
const isClaims = (value: unknown): value is PersonClaims => {
  const { sessionId, userId, workspaceId, environment, expiresAt } = value as Record<string, unknown>
  return (
    [sessionId, userId, workspaceId].every(id => typeof id === 'string') &&
    environments.some(known => known === environment) &&
    typeof expiresAt === 'number'
  )
}
