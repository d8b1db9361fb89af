/** Signatures by Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac, randomBytes } from 'node:crypto'
import { secondMs } from '../../../platform/clock.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** What a secret is sealed for. */
export const secretField = (webhookId: string): string => `${webhookId}.secret`

export const newWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** What a delivery carries besides its body: one signature for each secret, the present one first. */
export const signedHeaders = (
  { id, sentAt, body }: { id: string; sentAt: number; body: string },
  secrets: readonly string[],
): Record<string, string> => {
  const timestamp = timestampOf(sentAt)
  const signatures = secrets.map(secret => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
  return { ...plainHeaders(id, sentAt), 'webhook-signature': signatures.join(' ') }
}

/** The same without the signature, for the log. */
export const plainHeaders = (id: string, sentAt: number): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Atrium-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': timestampOf(sentAt),
})

const timestampOf = (sentAt: number): string => String(Math.floor(sentAt / secondMs))

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(text)
    .digest('base64')
