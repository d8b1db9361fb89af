/** What is kept of look-ups, and what a change takes away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLookUps } from './caches.ts'

test('what was looked up is kept for its time, and what was not found is asked for again', async () => {
  let now = 0
  const answers = ['first', 'second', null, 'third']
  const lookUps = createLookUps<string>({ clock: () => now, keptMs: 10, limit: 5 })
  const find = () => lookUps.find('name', async () => answers.shift() ?? null)
  assert.equal(await find(), 'first')
  now = 9
  assert.equal(await find(), 'first')
  now = 10
  assert.equal(await find(), 'second')
  lookUps.forget()
  assert.equal(await find(), null)
  assert.equal(await find(), 'third')
})

test('a look-up that is in progress when all is forgotten is not kept: it may have read what was there before', async () => {
  const lookUps = createLookUps<string>({ clock: () => 0, keptMs: 10, limit: 5 })
  const reading = Promise.withResolvers<string>()
  const earlier = lookUps.find('name', () => reading.promise)
  lookUps.forget()
  reading.resolve('before the change')
  assert.equal(await earlier, 'before the change')
  assert.equal(await lookUps.find('name', async () => 'after the change'), 'after the change')
})
