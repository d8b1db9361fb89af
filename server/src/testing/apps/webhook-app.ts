/** A server that may deliver to loopback, a receiver there, and an endpoint in a few words. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWebhookReceiver, type WebhookReceiver } from '../servers/webhook-receiver.ts'
import { startTestApp, type TestApp, type TestKey } from '../test-app.ts'

export type MadeEndpoint = { id: string; secret: string; url: string }

export type WebhookSetting = {
  app: TestApp
  receiver: WebhookReceiver
  clock: { offsetMs: number }
  /** An endpoint at a path of the receiver. */
  endpoint(path: string, body?: Record<string, unknown>, key?: TestKey): Promise<MadeEndpoint>
  /** Makes a collection and deletes it, which tells `collection.deleted`; returns its id. */
  happen(key?: TestKey): Promise<string>
  /** The deliveries of an endpoint, oldest first, once all of them are as they should be; throws after a while. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  deliveries(id: string, isDone: (rows: any[]) => boolean): Promise<any[]>
  close(): Promise<void>
}

const waitMs = 40_000

export async function startWebhookApp(settings: Record<string, string> = {}): Promise<WebhookSetting> {
  const receiver = await startWebhookReceiver()
  const clock = { offsetMs: 0 }
  const app = await startTestApp({
    settings: {
      ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
      ...settings,
    },
    clock: () => Date.now() + clock.offsetMs,
  })
  return {
    app,
    receiver,
    clock,
    async endpoint(path, body = {}, key = app.liveKey) {
      const url = `${receiver.origin}${path}`
      const reply = await app.request('POST', '/webhooks', { key, body: { url, ...body } })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return { ...reply.body.data, url }
    },
    async happen(key = app.liveKey) {
      const made = await app.request('POST', '/knowledge/collections', { key, body: { name: 'Told' } })
      const { id } = made.body.data
      assert.equal((await app.request('DELETE', `/knowledge/collections/${id}`, { key })).status, 204)
      return id
    },
    async deliveries(id, isDone) {
      const endsMs = performance.now() + waitMs
      for (;;) {
        const reply = await app.request('GET', `/webhooks/${id}/deliveries`, { query: { pageSize: 100 } })
        const rows = reply.body.data.toReversed()
        if (isDone(rows)) return rows
        if (performance.now() > endsMs) throw new Error(`The deliveries stay so: ${JSON.stringify(rows)}`)
        await sleep(20)
      }
    },
    async close() {
      // First, so that nothing waits for a receiver that hangs.
      await receiver.close()
      await app.close()
    },
  }
}
