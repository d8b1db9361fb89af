/**
 * Requests that are made to be dear, against the real app: no turn of the event loop takes more than 50 ms of processor time,
 * and what is refused is told which field is to blame.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longestTurnMs } from './testing/processor-time.ts'
import { startTestApp, type TestApp } from './testing/test-app.ts'

const mostMs = 50

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

type Reply = { status: number; faults: { field: string; message: string }[] }

/** What a request costs at its cheapest: the first time includes compiling, and a busy machine may interrupt. */
async function ask(method: 'GET' | 'POST', url: string, payload?: string): Promise<Reply & { ms: number }> {
  let reply: Reply = { status: 0, faults: [] }
  let ms = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && ms > mostMs; tries++) {
    const turnMs = await longestTurnMs(async () => {
      const { statusCode, body } = await app.app.server.inject({
        method,
        url: `/api/v1${url}`,
        headers: { authorization: `Bearer ${app.liveKey.key}`, 'content-type': 'application/json' },
        ...(payload === undefined ? {} : { payload }),
      })
      reply = { status: statusCode, faults: statusCode < 400 ? [] : JSON.parse(body).errors }
    })
    ms = Math.min(ms, turnMs)
  }
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
