/** The end of a server that is at work: each client is answered, and nothing is lost. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { eventually } from './testing/eventually.ts'
import { startModelServer } from './testing/servers/model-server.ts'
import { startTestApp } from './testing/test-app.ts'

test('a server that ends under load answers each wait, ends each stream, gives its jobs back and keeps its counts', async t => {
  const model = await startModelServer()
  t.after(() => model.close())
  model.setScript(() => ({ kind: 'never' }))
  const app = await startTestApp({
    settings: { OPENAI_BASE_URL: model.baseUrl, ATRIUM_DRAIN_SECONDS: '1' },
  })
  t.after(app.close)
  const address = await app.listen()
  const headers = { authorization: `Bearer ${app.liveKey.key}`, 'content-type': 'application/json' }
  const call = (path: string, options: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(`${address}/api/v1${path}`, { ...options, headers: { ...headers, ...options.headers } })
  const run = (agentId: string, more: Record<string, string> = {}) =>
    call(`/agents/${agentId}/run`, { method: 'POST', headers: more, body: '{"prompt":"Think!"}' })

  const agent = { name: 'Slow', model: 'openai/test-model', tools: [] }
  const created = await call('/agents', { method: 'POST', body: JSON.stringify(agent) })
  const { id: agentId } = ((await created.json()) as { data: { id: string } }).data
  const background = await run(agentId, { prefer: 'respond-async' })
  const { id: runId } = ((await background.json()) as { data: { id: string } }).data
  const poll = call(`/runs/${runId}`, { headers: { prefer: 'wait=60' } })
  const foreground = run(agentId)
  const { body } = await run(agentId, { accept: 'text/event-stream' })
  const stream = { text: '', ended: Promise.resolve() }
  stream.ended = (async () => {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) stream.text += text
  })()
  await eventually('the stream has begun', () => stream.text.includes('id: '))
  const upload = await beginUpload(address, app.liveKey.key)
  await eventually('each run asks its model', () => model.requests.length === 3)

  await app.app.close()
  assert.deepEqual([(await poll).status, (await foreground).status], [200, 202])
  await stream.ended
  assert.match(stream.text, /^:\nretry: 1000\nid: /)
  await upload.closed
  await assert.rejects(fetch(`${address}/healthz`), 'nothing listens any more')
  const { read } = app.dependencies.database
  const jobs = await read
    .selectFrom('jobs')
    .select(['state', 'lease_token'])
    .where('queue', '=', 'runs')
    .execute()
  assert.deepEqual(
    jobs,
    Array.from({ length: 3 }, () => ({ state: 'queued', lease_token: null })),
  )
  const counted = await read
    .selectFrom('usage_periods')
    .select('requests')
    .where('kind', '=', 'actor')
    .execute()
  const requests = [
    'the agent',
    'the background run',
    'the poll',
    'the foreground run',
    'the stream',
    'the upload',
  ]
  assert.equal(
    counted.reduce((sum, row) => sum + row.requests, 0),
    requests.length,
  )
})

test('a server that is told to end says so, still answers, and leaves new jobs to others', async t => {
  const app = await startTestApp()
  t.after(app.close)
  const ready = async () => {
    const reply = await app.app.server.inject('/readyz')
    return [reply.statusCode, reply.json().checks.server]
  }
  assert.deepEqual(await ready(), [200, 'ok'])
  app.app.retire()
  assert.deepEqual(await ready(), [503, 'down'])
  const agent = await app.request('POST', '/agents', { body: { name: 'Late' } })
  assert.equal(agent.status, 201)
  const run = await app.request('POST', `/agents/${agent.body.data.id}/run`, {
    body: { prompt: 'Work!' },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(run.status, 202)
  await app.app.close()
  const { status } = await app.dependencies.database.read
    .selectFrom('runs')
    .select('status')
    .executeTakeFirstOrThrow()
  assert.equal(status, 'queued')
})

/** Sends the beginning of a file that never comes to its end. */
async function beginUpload(address: string, key: string): Promise<{ closed: Promise<unknown> }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  // A connection that is cut off may be reset.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const boundary = 'a-boundary'
  socket.write(
    [
      'POST /api/v1/knowledge/documents HTTP/1.1',
      `Host: ${new URL(address).host}`,
      `Authorization: Bearer ${key}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      'Content-Length: 1000000',
      '',
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="half.txt"',
      '',
      'The first half',
    ].join('\r\n'),
  )
  return { closed: once(socket, 'close') }
}
