import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../../../testing/eventually.ts'
import type { Reply } from '../../../testing/kill-loop/call.ts'
import { createInstallation } from '../../../testing/operator.ts'
import { startUploads, wordsOf } from '../../../testing/servers/outages.ts'

const run = promisify(execFile)

/** A file larger than this cannot be written: what a process sees of a full disk, without filling one. */
const limitBytes = 4 * 1024 * 1024

const skip = process.platform !== 'linux' && 'only Linux can lift the limit of a running process'

test('a full disk is a 503 that says when to come back; nothing is half-stored, and the service recovers by itself', {
  skip,
}, async t => {
  const installation = await createInstallation(t, {
    engine: 'sqlite',
    environment: { ATRIUM_LOG_LEVEL: 'silent' },
  })
  const server = await installation.startServer()
  const { call, collectionId, upload, isReady } = await startUploads(installation, server)
  await run('prlimit', ['--pid', String(server.pid), `--fsize=${limitBytes}:unlimited`])

  const tooLarge = await upload('x'.repeat(limitBytes + 1_000_000))
  assert.deepEqual([tooLarge?.status, tooLarge?.body.code], [503, 'unavailable'])
  assert.equal(tooLarge?.body.retryable, true)
  assert.ok(Number(tooLarge?.headers.get('retry-after')) > 0)

  const stored: string[] = []
  let refused: Reply = null
  for (let tries = 0; refused === null && tries < 300; tries++) {
    const word = `capybara${tries}`
    const reply = await upload(`${word} ${wordsOf(tries)}`)
    if (reply?.status === 201) stored.push(reply.body.data.id)
    else refused = reply
  }
  assert.deepEqual([refused?.status, refused?.body.code], [503, 'unavailable'])
  assert.equal((await call('GET', '/knowledge/collections'))?.status, 200, 'reading goes on')

  await run('prlimit', ['--pid', String(server.pid), '--fsize=unlimited:unlimited'])
  await eventually('uploads are taken again', async () => {
    const reply = await upload('There is room again.')
    if (reply?.status === 201) stored.push(reply.body.data.id)
    return reply?.status === 201
  })
  for (const id of stored) await eventually(`${id} is ready`, () => isReady(id))
  const { data } = (await call('GET', `/knowledge/collections/${collectionId}`))?.body ?? {}
  assert.equal(data.documentCount, stored.length, 'what was refused left nothing')
  await server.stop()
})
