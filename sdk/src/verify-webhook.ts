/** The receiver's side of webhooks: whether a delivery comes from Atrium, by Standard Webhooks. Needs nothing but Web Crypto. */

import { AtriumError } from './transport/errors.ts'
import type { Item } from './transport/operations.ts'

/** The body of a delivery, as `events.list` lists it too; the shape of `data` depends on `type`. */
export type WebhookEvent = Item<'listEvents'>

/** The delivery is not what the secret's holder has sent, or is too old: answer 400 and do nothing. */
export class WebhookVerificationError extends AtriumError {
  override readonly name = 'WebhookVerificationError'
}

/** Of whatever kind a server gives them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const prefix = 'whsec_'
const version = 'v1,'

/**
 * The event that was sent, once its signature is found right; throws `WebhookVerificationError` otherwise. `payload` is the
 * body as it came, not parsed. A delivery that is older or newer than `toleranceSeconds` (300) is refused: it may be
 * somebody's copy. Repetitions of the same event have the same `id`.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now }: { toleranceSeconds?: number; now?: () => number } = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  checkAge(timestamp, toleranceSeconds, now())
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const key = await importKey(secret)
  for (const signature of signatures.split(' ')) {
    if (!signature.startsWith(version)) continue
    const bytes = bytesOf(signature.slice(version.length))
    // Compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parsed(body)
  }
  throw new WebhookVerificationError('None of the signatures is right: is it the secret of this endpoint?')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name)
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookVerificationError(`The header ${name} is missing`)
}

function plainHeader(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1]
  return typeof value === 'object' ? value[0] : value
}

function checkAge(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  // A number that is none is within no tolerance.
  if (Math.abs(nowMs / 1_000 - seconds) <= toleranceSeconds) return
  throw new WebhookVerificationError('The delivery is too old, or the clocks differ')
}

async function importKey(secret: string) {
  const bytes = secret.startsWith(prefix) ? bytesOf(secret.slice(prefix.length)) : null
  if (bytes === null) throw new TypeError('The secret must be that of an endpoint or of callbacks: whsec_…')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Null if the text is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length)
  bytes.set(one)
  bytes.set(other, one.length)
  return bytes
}

function parsed(body: Uint8Array): WebhookEvent {
  // The signature proves that the server made it, by the schemas that the types are generated from.
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
}
