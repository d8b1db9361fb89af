import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttp } from './create-http.ts'

const url = 'https://api.example.com/things?page=1'

async function nextAfter(link: string | null): Promise<string | null> {
  const { signal } = new AbortController()
  const http = createHttp({
    fetch: async () => Response.json([1, 2], link === null ? {} : { headers: { link } }),
    isFinal: () => false,
    credentials: async () => ({}),
    origins: [],
    signal,
    sleep: async () => undefined,
    random: () => 0,
    now: Date.now,
  })
  const { data, next } = await http.page<number[]>(url)
  assert.deepEqual(data, [1, 2])
  return next
}

test('the next page is where the Link header says, however it is written, and nowhere else', async () => {
  const second = 'https://api.example.com/things?page=2'
  assert.equal(await nextAfter(`<${second}>; rel="next"`), second)
  assert.equal(await nextAfter(`<${second}>; rel=next`), second)
  assert.equal(await nextAfter(`<${second}>; title="a, b"; rel="NEXT"`), second)
  assert.equal(await nextAfter(`<https://x/9>; rel="last", <${second}>; rel="next"; title="x"`), second)
  assert.equal(await nextAfter(`<${second}>; rel="prefetch next"`), second)
  assert.equal(await nextAfter('</things?page=2>; rel="next"'), second)
  for (const other of [
    `<${second}>; rel="last"`,
    `<${second}>; rel="nextish"`,
    `<${second}>`,
    'rel="next"',
    '<>',
  ]) {
    assert.equal(await nextAfter(other), null, other)
  }
  assert.equal(await nextAfter(null), null)
})

test('a hostile Link header costs no more time than its length', async () => {
  const long = 16_000
  for (const hostile of [
    '<'.repeat(long),
    `<https://x/2>; rel="${'next '.repeat(long / 5)}"x`,
    `<https://x/2>; rel="next${' '.repeat(long)}"y`,
    `<https://x/2>${'"'.repeat(long)}`,
    `<https://x/2>${'; rel=;'.repeat(long / 7)}`,
    '<>,'.repeat(long / 3),
    `<https://x/2>${',<'.repeat(long / 2)}`,
  ]) {
    const startedAt = performance.now()
    await nextAfter(hostile)
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 100, `${Math.round(tookMs)} ms for ${hostile.slice(0, 30)}…`)
  }
})
