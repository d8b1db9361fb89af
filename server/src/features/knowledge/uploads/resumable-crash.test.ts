import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Upload } from 'tus-js-client'
import { expireLeases } from '../../../testing/leases.ts'
import {
  createInstallation,
  type Installation,
  openInstallationDatabase,
  type RunningServer,
} from '../../../testing/operator.ts'

const allowed = ['--env', 'live', '--name', 'tus', '--permissions', 'all']

async function createKey(installation: Installation): Promise<string> {
  const [workspace] = await installation.atriumJson('workspace list')
  return (await installation.atriumJson(['key', 'create', '--workspace', workspace.slug, ...allowed])).key
}

const requestTo =
  (origin: string, key: string) =>
  (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    })

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
async function dataOf(reply: Response): Promise<any> {
  const { data } = (await reply.json()) as { data: unknown }
  return data
}

async function createCollection(request: ReturnType<typeof requestTo>): Promise<string> {
  const reply = await request('/knowledge/collections', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Large' }),
  })
  return (await dataOf(reply)).id
}

async function releaseWhatItHeld(installation: Installation): Promise<void> {
  const database = await openInstallationDatabase(installation)
  await expireLeases(database)
  await database.close()
}

test('an upload whose server is killed in the middle of a request goes on after the restart, from what was safe', {
  timeout: 10 * 60_000,
}, async t => {
  const installation = await createInstallation(t)
  let server = await installation.startServer()
  const key = await createKey(installation)
  let request = requestTo(server.origin, key)
  const collectionId = await createCollection(request)
  const content = Buffer.from(randomBytes(3_000_000).toString('hex'))
  const metadata = { filename: 'large.txt', collectionId }
  const created = await request('/knowledge/uploads', {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(content.length),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    },
  })
  const { id } = await dataOf(created)
  const sent = httpRequest(`${server.origin}/api/v1/knowledge/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${key}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(content.length),
      'upload-offset': '0',
    },
  })
  sent.on('error', () => undefined)
  sent.write(content.subarray(0, 5_000_000))
  let safe = 0
  for (let tries = 0; safe === 0 && tries < 500; tries++) {
    await sleep(10)
    safe = (await dataOf(await request(`/knowledge/uploads/${id}`))).offset
  }
  await server.kill()
  await releaseWhatItHeld(installation)
  server = await installation.startServer()
  request = requestTo(server.origin, key)
  const after = (await dataOf(await request(`/knowledge/uploads/${id}`))).offset
  assert.ok(after >= safe && safe >= 4_000_000, `${safe} bytes were said to be safe, ${after} are there`)

  const offsets: number[] = []
  let documentId = ''
  await new Promise<void>((resolve, reject) => {
    new Upload(content as never, {
      endpoint: `${server.origin}/api/v1/knowledge/uploads`,
      uploadUrl: `${server.origin}/api/v1/knowledge/uploads/${id}`,
      headers: { authorization: `Bearer ${key}` },
      retryDelays: [100, 500, 2_000],
      onBeforeRequest: outgoing => {
        if (outgoing.getMethod() === 'PATCH') offsets.push(Number(outgoing.getHeader('Upload-Offset')))
      },
      onAfterResponse: (_outgoing, response) => {
        documentId = response.getHeader('Atrium-Document-Id') ?? documentId
      },
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
  assert.equal(offsets[0], after)
  const original = await request(`/knowledge/documents/${documentId}/original`)
  assert.ok(Buffer.from(await original.arrayBuffer()).equals(content), 'The file is another one')
  await server.stop()
})

test('an upload whose server is killed while it becomes a document becomes one, and only one', {
  timeout: 10 * 60_000,
}, async t => {
  const installation = await createInstallation(t)
  const [before, after] = ['knowledge-upload/commit.before', 'knowledge-upload/commit.after'] as const
  const startDoomed = (fault: string) =>
    installation.startServer({ ATRIUM_TEST_FAULT: fault, NODE_ENV: 'test' })
  const first = await startDoomed(before)
  const key = await createKey(installation)
  const collectionId = await createCollection(requestTo(first.origin, key))
  const textOf = (fault: string) => `The text that ${fault} cut off.`

  const killWithin = async (server: RunningServer, fault: string): Promise<void> => {
    const text = textOf(fault)
    const metadata = `filename ${Buffer.from('a.txt').toString('base64')},collectionId ${Buffer.from(collectionId).toString('base64')}`
    const sent = requestTo(server.origin, key)('/knowledge/uploads', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': String(text.length),
        'upload-metadata': metadata,
      },
      body: text,
    })
    await assert.rejects(sent)
    assert.match(await server.ended, /fault point reached/)
    await releaseWhatItHeld(installation)
  }
  const checkDone = async (server: RunningServer, fault: string): Promise<void> => {
    const request = requestTo(server.origin, key)
    let upload = { status: '', documentId: '' }
    for (let tries = 0; upload.status !== 'done' && tries < 1_000; tries++) {
      await sleep(20)
      upload = (await dataOf(await request('/knowledge/uploads')))[0]
    }
    const original = await request(`/knowledge/documents/${upload.documentId}/original`)
    assert.equal(await original.text(), textOf(fault))
  }

  await killWithin(first, before)
  // It finishes the upload of the one before, which takes two commits, and is killed within one of its own.
  const second = await startDoomed(`${after}:3`)
  await checkDone(second, before)
  await killWithin(second, after)
  const last = await installation.startServer()
  await checkDone(last, after)
  const documents = await requestTo(last.origin, key)(`/knowledge/documents?collectionId=${collectionId}`)
  assert.equal((await dataOf(documents)).length, 2)
  await last.stop()
})
