/** The receiver's helper against the reference library: what the one signs, the other takes, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookVerificationError } from '../../../../sdk/src/verify-webhook.ts'

const secret = `whsec_${Buffer.from('thirty-two bytes of a test secret').toString('base64')}`
const other = `whsec_${Buffer.from('another secret with enough bytes!').toString('base64')}`
const body = JSON.stringify({ id: 'evt_1', type: 'run.succeeded', data: { id: 'run_1' }, text: 'Grüße ☂' })

const signed = (at = new Date(), by = secret) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(by).sign('evt_1', at, body),
})

const isRefused = (error: unknown) => error instanceof WebhookVerificationError

test('what the reference library signs is taken, from any kind of headers and body', async () => {
  const headers = signed()
  const wanted = JSON.parse(body)
  assert.deepEqual(await verifyWebhook(body, headers, secret), wanted)
  assert.deepEqual(await verifyWebhook(Buffer.from(body), new Headers(headers), secret), wanted)
  const odd = { 'Webhook-Id': 'evt_1', 'WEBHOOK-TIMESTAMP': [headers['webhook-timestamp']] }
  const both = `v1a,xyz v1,!!! ${signed(new Date(), other)['webhook-signature']} ${headers['webhook-signature']}`
  assert.deepEqual(await verifyWebhook(body, { ...odd, 'webhook-signature': both }, secret), wanted)
})

test('another body, id, time or secret is refused, as is what is old, new or lacks a header', async () => {
  const headers = signed()
  const hourAgo = new Date(Date.now() - 3_600_000)
  const inAnHour = new Date(Date.now() + 3_600_000)
  const faulty: [string, Record<string, string>, string?][] = [
    [`${body} `, headers],
    [body, { ...headers, 'webhook-id': 'evt_2' }],
    [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }],
    [body, { ...headers, 'webhook-timestamp': 'soon' }],
    [body, headers, other],
    [body, signed(hourAgo)],
    [body, signed(inAnHour)],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }],
    [body, { ...headers, 'webhook-signature': '' }],
    [body, {}],
  ]
  for (const [payload, given, by = secret] of faulty) {
    await assert.rejects(verifyWebhook(payload, given, by), isRefused, JSON.stringify(given))
  }
  await verifyWebhook(body, signed(hourAgo), secret, { toleranceSeconds: 4_000 })
  await assert.rejects(verifyWebhook(body, headers, 'sk_live_x'), TypeError)
})
