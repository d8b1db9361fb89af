/** Signatures by Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac, randomBytes } from 'node:crypto'
import { minuteMs, secondMs } from '../clock.ts'
import { isSame } from './tokens.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** The field that a secret is encrypted for. */
export const secretField = (webhookId: string): string => `${webhookId}.secret`

export const newWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** The headers of a delivery, with one signature for each secret, the present secret first. */
export const signedHeaders = (
  { id, sentAt, body }: { id: string; sentAt: number; body: string },
  secrets: readonly string[],
): Record<string, string> => {
  const timestamp = timestampOf(sentAt)
  const signatures = secrets.map(secret => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
  return { ...plainHeaders(id, sentAt), 'webhook-signature': signatures.join(' ') }
}

/** The same headers without the signature, for the log. */
export const plainHeaders = (id: string, sentAt: number): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Atrium-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': timestampOf(sentAt),
})

/** The headers of a message from another sender; null for a missing header. */
export type ReceivedSignature = { id: string | null; timestamp: string | null; signature: string | null }

/** An older message may be a copy that someone sends again. */
const toleranceMs = 5 * minuteMs

/** Whether a holder of one of the secrets sent the body, within five minutes of `now`. */
export function isSigned(
  { id, timestamp, signature }: ReceivedSignature,
  body: Buffer,
  secrets: readonly string[],
  now: number,
): boolean {
  if (id === null || timestamp === null || signature === null) return false
  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * secondMs : Number.NaN
  if (!(Math.abs(now - sentAt) <= toleranceMs)) return false
  const text = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const expected = secrets.map(secret => Buffer.from(`v1,${sign(secret, text)}`))
  const given = signature.split(' ').map(one => Buffer.from(one))
  return given.some(one => expected.some(other => isSame(one, other)))
}

const timestampOf = (sentAt: number): string => String(Math.floor(sentAt / secondMs))

const sign = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(text)
    .digest('base64')
