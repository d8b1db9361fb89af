/**
 * Requests that are made to be dear, against the real app: no turn of the event loop takes more than 50 ms of processor time,
 * and what is refused is told which field is to blame.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from './testing/apps/agent-app.ts'
import { outsideShapes } from './testing/costs/outside-shapes.ts'
import { cheapestTurnMs } from './testing/costs/processor-time.ts'
import { createCollection, untilNoJobs, upload } from './testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from './testing/test-app.ts'

const mostMs = 50

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

type Reply = { status: number; faults: { field: string; message: string }[] }

async function ask(
  method: 'GET' | 'POST',
  url: string,
  payload?: string,
  { key } = app.liveKey,
): Promise<Reply & { ms: number }> {
  let reply: Reply = { status: 0, faults: [] }
  const ms = await cheapestTurnMs(mostMs, async () => {
    const { statusCode, body } = await app.app.server.inject({
      method,
      url: `/api/v1${url}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: payload ?? '',
    })
    reply = { status: statusCode, faults: statusCode < 400 ? [] : JSON.parse(body).errors }
  })
  return { ...reply, ms }
}

const mebibytes2 = 2 * 1024 * 1024
const run = '/agents/agt_01kajz4v7qf3x8m2c9t5b6n0rw/run'

test('a body of endless nesting or of a million values is refused before it is parsed, by name', async () => {
  const bodies: [string, RegExp][] = [
    ['['.repeat(mebibytes2), /deeper than 32 levels/],
    ['{"a":'.repeat(mebibytes2 / 5), /deeper than 32 levels/],
    [`[${'1,'.repeat(mebibytes2 / 2 - 2)}1]`, /more than 20000 values/],
    [`[${'{},'.repeat(mebibytes2 / 3 - 2)}1]`, /more than 20000 values/],
    [`{${'"a":1,'.repeat(mebibytes2 / 6 - 2)}"a":1}`, /more than 20000 values/],
  ]
  for (const path of ['/agents', run])
    for (const [body, message] of bodies) {
      const { status, faults, ms } = await ask('POST', path, body)
      assert.deepEqual([status, faults.map(({ field }) => field)], [400, ['body']])
      assert.match(faults[0]?.message ?? '', message)
      assert.ok(ms <= mostMs, `${body.slice(0, 9)}… took ${ms} ms`)
    }
})

test('a body of any shape and length takes 50 ms of the thread at most, whichever path it is sent to', async t => {
  const authorization = `Bearer ${app.liveKey.key}`
  const agent = await createAgentIn(app, { name: 'Ada' })
  const made = await app.request('POST', `/agents/${agent.id}/triggers`, {
    body: { name: 'Mail', promptTemplate: 'Hello' },
  })
  const places: [string, object][] = [
    ['/api/v1/agents', { authorization }],
    [`/api/v1/agents/${agent.id}/run`, { authorization }],
    ['/v1/chat/completions', { authorization }],
    ['/mcp', { authorization, accept: 'application/json, text/event-stream' }],
    [new URL(made.body.data.url).pathname, {}],
    ['/oauth/register', {}],
  ]
  const shapes = {
    ...outsideShapes,
    'one text of the whole size': JSON.stringify('x'.repeat(mebibytes2 - 2)),
  }
  const slow: string[] = []
  for (const [url, headers] of places) {
    const send = async (payload: string): Promise<number> => {
      const sent = { ...headers, 'content-type': 'application/json' }
      return (await app.app.server.inject({ method: 'POST', url, headers: sent, payload })).statusCode
    }
    let most = mebibytes2
    while ((await send('x'.repeat(most))) === 413) most /= 2
    for (const [shape, text] of Object.entries(shapes)) {
      let status = 0
      const ms = await cheapestTurnMs(mostMs, async () => {
        status = await send(text.slice(0, most))
      })
      t.diagnostic(`${url} × ${shape}: ${Math.round(ms)} ms for ${most} bytes, ${status}`)
      if (ms > mostMs) slow.push(`${url}, ${shape}: ${Math.round(ms)} ms`)
    }
  }
  assert.deepEqual(slow, [])
})

test('a body whose strings look like structure is taken, up to its limits', async () => {
  const reply = await ask(
    'POST',
    '/agents',
    JSON.stringify({ name: 'Ada', instructions: '[{,"\\'.repeat(8_000) }),
  )
  assert.deepEqual([reply.status, reply.faults], [201, []])
})

test('a body of as many faults as it may have values takes 50 ms at most', async () => {
  const names = Array.from({ length: 19_000 }, (_, i) => [`f${i}`, {}])
  const bodies = [
    Object.fromEntries(names),
    { prompt: 'x', variables: Object.fromEntries(names) },
    { prompt: 'x', metadata: Object.fromEntries(names) },
    { name: 'x', tools: names.map(() => 1), collectionIds: [] },
    { name: 'x', instructions: '"'.repeat(1_000_000) },
  ]
  for (const path of ['/agents', run])
    for (const body of bodies) {
      const { status, ms } = await ask('POST', path, JSON.stringify(body))
      assert.equal(status, 400)
      assert.ok(ms <= mostMs, `${JSON.stringify(body).slice(0, 40)}… took ${ms} ms`)
    }
})

/** Each asks every document for as much as a filter may hold. A URL carries half of a key's. */
const dearFilters = (share: 1 | 0.5) => ({
  'parts that every text nearly has': {
    and: Array.from({ length: 50 }, (_, i) => ({
      not: { field: `field ${i}`, op: 'contains', value: `${'a'.repeat(200 * share)}b` },
    })),
  },
  'many values': {
    or: Array.from({ length: 20 * share }, (_, i) => ({
      field: `field ${i}`,
      op: 'in',
      value: Array.from({ length: 100 }, (_, j) => `v${j}`),
    })),
  },
})

test('a filter of as many conditions as it may have holds up no other request, however many documents are asked', async () => {
  const collectionId = await createCollection(app)
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`field ${i}`, 'a'.repeat(2_000)]))
  const fields = { metadata: JSON.stringify(metadata) }
  for (let i = 0; i < 60; i++) {
    const reply = await upload(app, { collectionId, name: `${i}.txt`, content: `Leave ${i}.`, fields })
    assert.equal(reply.status, 201)
  }
  await untilNoJobs(app)
  const paths = ['/knowledge/documents?', '/knowledge/search?query=leave&']
  for (const [name, filter] of Object.entries(dearFilters(0.5)))
    for (const path of paths) {
      const { status, ms } = await ask('GET', `${path}filter=${encodeURIComponent(JSON.stringify(filter))}`)
      assert.equal(status, 200)
      assert.ok(ms <= mostMs, `${path} with ${name} took ${ms} ms`)
    }
  for (const [name, filter] of Object.entries(dearFilters(1))) {
    const body = { name, permissions: ['knowledge:read'], filter }
    const made = await app.request('POST', '/api-keys', { body })
    assert.equal(made.status, 201)
    for (const path of paths) {
      const { status, ms } = await ask('GET', path, '', made.body.data)
      assert.equal(status, 200)
      assert.ok(ms <= mostMs, `${path} of a key with ${name} took ${ms} ms`)
    }
  }
})

test('a filter of too much text, too many conditions or too deep is a 400 that says how much there may be', async () => {
  const condition = { field: 'a', op: 'exists' }
  const cases: [string, RegExp][] = [
    [JSON.stringify({ and: Array.from({ length: 200 }, () => condition) }), /at most 50 conditions/],
    [`${'{"not":'.repeat(900)}1${'}'.repeat(900)}`, /deeper than 8 levels/],
    [JSON.stringify({ field: 'a', op: 'in', value: Array.from({ length: 3_900 }, () => 1) }), /at most 100/],
    ['['.repeat(8_000), /must be valid JSON/],
    ['a'.repeat(8_001), /at most 8000/],
  ]
  for (const [filter, message] of cases) {
    const { status, faults, ms } = await ask(
      'GET',
      `/knowledge/documents?filter=${encodeURIComponent(filter)}`,
    )
    assert.equal(status, 400)
    assert.match(faults[0]?.field ?? '', /^filter/)
    assert.match(faults[0]?.message ?? '', message)
    assert.ok(ms <= mostMs, `${filter.slice(0, 20)}… took ${ms} ms`)
  }
})

test('a query takes 50 ms at most, whatever it repeats', async () => {
  const words = (count: number, length: number) =>
    Array.from({ length: count }, (_, i) => i.toString(36).padStart(length, 'leave'))
  const queries = [
    words(1_000, 3).join(' '),
    words(100, 39).join(' '),
    words(1_300, 2)
      .map(word => `${word}*`)
      .join(' '),
    words(300, 4)
      .map(word => `"leave ${word}"`)
      .join(' '),
    `"${'leave '.repeat(660)}"`,
    'leave '.repeat(660),
    '東京都'.repeat(1_300),
    '"'.repeat(4_000),
    '-'.repeat(4_000),
  ]
  for (const query of queries) {
    const url = `/knowledge/search?query=${encodeURIComponent(query.slice(0, 4_000))}`
    const { status, ms } = await ask('GET', url)
    assert.equal(status, 200)
    assert.ok(ms <= mostMs, `${query.slice(0, 20)}… took ${ms} ms`)
  }
})

/** Each of as many entries as a page may have, of ids that come to 5 MB at least. */
const dearIds: Record<string, (place: number) => string> = {
  'plain letters': place => `${place}`.padEnd(500, 'a'),
  'signs that JSON escapes': place => `${place}`.padEnd(500, '"'),
  'signs of three bytes': place => `${place}`.padEnd(150, '東'),
  'signs of four bytes': place => `${place} ${'😀'.repeat(110)}`,
}

test('a page of a manifest takes 50 ms of the thread at most, be it as long as it may', async () => {
  for (const [name, idOf] of Object.entries(dearIds)) {
    const entries = Array.from({ length: 10_000 }, (_, place) => ({
      externalId: idOf(place),
      sha256: 'a'.repeat(64),
    }))
    const payload = Buffer.from(JSON.stringify({ entries }))
    let reply = { statusCode: 0, body: '' }
    const ms = await cheapestTurnMs(mostMs, async () => {
      const collectionId = await createCollection(app)
      reply = await app.app.server.inject({
        method: 'POST',
        url: `/api/v1/knowledge/collections/${collectionId}/syncs`,
        headers: {
          authorization: `Bearer ${app.liveKey.key}`,
          'content-type': 'application/json',
          'idempotency-key': collectionId,
        },
        payload,
      })
    })
    assert.equal(reply.statusCode, 201)
    assert.equal(JSON.parse(reply.body).data.upload.length, entries.length)
    assert.ok(ms <= mostMs, `${name}: ${payload.length} bytes took ${ms} ms`)
  }
})
