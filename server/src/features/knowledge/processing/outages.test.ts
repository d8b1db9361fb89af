import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testEngine } from '../../../testing/database.ts'
import { eventually } from '../../../testing/jobs.ts'
import { type Call, createClient, type Reply } from '../../../testing/kill-loop/call.ts'
import { createPlace, type Place } from '../../../testing/operator.ts'
import { startTcpProxy } from '../../../testing/tcp-proxy.ts'

const run = promisify(execFile)

async function createKey(place: Place): Promise<string> {
  const [workspace] = await place.atriumJson('workspace list')
  const command = ['key', 'create', '--workspace', workspace.slug, '--env', 'live', '--name', 'outage']
  return (await place.atriumJson([...command, '--permissions', 'all'])).key
}

async function createCollection(call: Call): Promise<string> {
  const reply = await call('POST', '/knowledge/collections', { json: { name: 'Outage' } })
  assert.equal(reply?.status, 201)
  return reply.body.data.id
}

function upload(call: Call, collectionId: string, content: string): Promise<Reply> {
  const form = new FormData()
  form.append('collectionId', collectionId)
  form.append('file', new Blob([content]), 'a.txt')
  return call('POST', '/knowledge/documents', { form })
}

const isReady = async (call: Call, id: string): Promise<boolean> =>
  (await call('GET', `/knowledge/documents/${id}`))?.body?.data?.status === 'ready'

/** A file larger than this cannot be written: what a process sees of a full disk, without filling one. */
const limitBytes = 4 * 1024 * 1024

// A limit that can be lifted while the process runs is a thing of Linux.
if (process.platform === 'linux') {
  test('a full disk is a 503 that says when to come back; nothing is half-stored, and the service recovers by itself', async t => {
    const place = await createPlace(t, { engine: 'sqlite', environment: { ATRIUM_LOG_LEVEL: 'silent' } })
    const server = await place.startServer()
    const call = createClient(server.origin, await createKey(place))
    const collectionId = await createCollection(call)
    await run('prlimit', ['--pid', String(server.pid), `--fsize=${limitBytes}:unlimited`])

    const tooLarge = await upload(call, collectionId, 'x'.repeat(limitBytes + 1_000_000))
    assert.deepEqual([tooLarge?.status, tooLarge?.body.code], [503, 'unavailable'])
    assert.equal(tooLarge?.body.retryable, true)
    assert.ok(Number(tooLarge?.headers.get('retry-after')) > 0)

    const stored: string[] = []
    let refused: Reply = null
    for (let tries = 0; refused === null && tries < 300; tries++) {
      const word = `capybara${tries}`
      const reply = await upload(call, collectionId, `${word} ${wordsOf(tries)}`)
      if (reply?.status === 201) stored.push(reply.body.data.id)
      else refused = reply
    }
    assert.deepEqual([refused?.status, refused?.body.code], [503, 'unavailable'])
    assert.equal((await call('GET', '/knowledge/collections'))?.status, 200, 'reading goes on')

    await run('prlimit', ['--pid', String(server.pid), '--fsize=unlimited:unlimited'])
    await eventually('uploads are taken again', async () => {
      const reply = await upload(call, collectionId, 'There is room again.')
      if (reply?.status === 201) stored.push(reply.body.data.id)
      return reply?.status === 201
    })
    for (const id of stored) await eventually(`${id} is ready`, () => isReady(call, id))
    const { data } = (await call('GET', `/knowledge/collections/${collectionId}`))?.body ?? {}
    assert.equal(data.documentCount, stored.length, 'what was refused left nothing')
    await server.stop()
  })
}

/** About 40 KB of words that are in no other text, so that the database grows. */
const wordsOf = (seed: number): string =>
  Array.from({ length: 4_000 }, (_, index) => `w${seed * 4_000 + index}`).join(' ')

if (testEngine === 'postgres') {
  test('a database that is gone for a while is a 503, and what was under way goes on when it is back', async t => {
    const place = await createPlace(t, { engine: 'postgres', environment: { ATRIUM_LOG_LEVEL: 'silent' } })
    const address = new URL(place.environment.DATABASE_URL ?? '')
    const proxy = await startTcpProxy({ host: address.hostname, port: Number(address.port) })
    t.after(() => proxy.close())
    address.hostname = '127.0.0.1'
    address.port = String(proxy.port)
    const server = await place.startServer({ DATABASE_URL: address.href })
    const call = createClient(server.origin, await createKey(place))
    const collectionId = await createCollection(call)
    const ids: string[] = []
    for (let i = 0; i < 20; i++) {
      const reply = await upload(call, collectionId, `Document ${i}. ${wordsOf(i)}`)
      assert.equal(reply?.status, 201)
      ids.push(reply.body.data.id)
    }

    await proxy.cut()
    const reply = await upload(call, collectionId, 'Nobody takes this.')
    assert.deepEqual([reply?.status, reply?.body.code], [503, 'unavailable'])
    assert.ok(Number(reply?.headers.get('retry-after')) > 0)
    assert.equal((await fetch(`${server.origin}/readyz`)).status, 503)
    assert.equal((await fetch(`${server.origin}/healthz`)).status, 200)

    await proxy.mend()
    await eventually('it is ready again', async () => (await fetch(`${server.origin}/readyz`)).status === 200)
    const after = await upload(call, collectionId, 'The database is back.')
    assert.equal(after?.status, 201, JSON.stringify(after?.body))
    for (const id of [...ids, after.body.data.id]) {
      await eventually(`${id} is ready`, () => isReady(call, id))
    }
    await server.stop()
  })
}
