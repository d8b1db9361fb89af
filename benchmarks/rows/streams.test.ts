import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdStreams, withSetting } from './streams.ts'

test('many streams that are open at once all tell of their run to its end: the short round of the soak', async () => {
  const held = await withSetting(setting =>
    holdStreams(setting, { count: 40, seconds: 10, settleSeconds: 1 }),
  )
  assert.equal(held.ended, 40)
  assert.ok(held.eventsPerSecond > 0)
})
