/** Endpoints that are dead or slow delay no other endpoint and no other workspace. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startWebhookApp } from '../../../testing/apps/webhook-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { startWebhookReceiver } from '../../../testing/servers/webhook-receiver.ts'
import type { TestKey } from '../../../testing/test-app.ts'

async function start(t: TestContext, settings: Record<string, string> = {}) {
  const setting = await startWebhookApp(settings)
  t.after(setting.close)
  return setting
}

test('one dead endpoint never holds up others, of its own workspace or of another', async t => {
  const { app, receiver, endpoint, happen, deliveries } = await start(t)
  receiver.answer('/dead', () => undefined)
  const dead = await endpoint('/dead')
  await endpoint('/alive')
  const stranger = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: stranger.workspaceId, userId: stranger.ownerId })
  await endpoint('/neighbour', {}, key)
  const count = 20
  for (let index = 0; index < count; index++) await happen()
  await happen(key)
  // The dead one has a quarter of a minute for each: by turns, the others would have to wait for it.
  await receiver.until('/alive', count)
  await receiver.until('/neighbour', 1)
  assert.ok((await deliveries(dead.id, () => true)).every(row => row.status === 'pending'))
})

test('a workspace that has more slow endpoints than are served at once delays no other', async t => {
  const patient = { ATRIUM_WEBHOOK_TIMEOUT_SECONDS: '60' }
  const { app, receiver, endpoint, happen } = await start(t, patient)
  // To one of them, only some connections would be open at once.
  const slow = await Promise.all(Array.from({ length: 7 }, startWebhookReceiver))
  t.after(async () => void (await Promise.all(slow.map(one => one.close()))))
  for (const one of slow) for (let index = 0; index < 50; index++) one.answer(`/${index}`, () => undefined)
  const heldCount = () => slow.reduce((sum, { received }) => sum + received.length, 0)
  const register = (key: TestKey, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        endpoint('/', { url: `${slow[index % 7]?.origin}/${index}` }, key),
      ),
    )
  await register(app.liveKey, 50)
  await register(app.testKey, 20)
  const stranger = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: stranger.workspaceId, userId: stranger.ownerId })
  await endpoint('/neighbour', {}, key)
  await happen()
  await happen(app.testKey)
  // Of the 64 that are served at once, a workspace has three quarters.
  await eventually('the slow ones hold what they may', () => heldCount() === 48)
  await happen(key)
  await receiver.until('/neighbour', 1)
  assert.equal(heldCount(), 48)
})
