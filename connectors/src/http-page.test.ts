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
  for (const hostileOf of [
    (length: number) => '<'.repeat(length),
    (length: number) => `<https://x/2>; rel="${'next '.repeat(length / 5)}"x`,
    (length: number) => `<https://x/2>; rel="next${' '.repeat(length)}"y`,
    (length: number) => `<https://x/2>${'"'.repeat(length)}`,
    (length: number) => `<https://x/2>${'; rel=;'.repeat(length / 7)}`,
    (length: number) => '<>,'.repeat(length / 3),
    (length: number) => `<https://x/2>${',<'.repeat(length / 2)}`,
  ]) {
    const [short, long] = [hostileOf(8_000), hostileOf(64_000)]
    const ratio = (await costMs(long)) / (await costMs(short))
    assert.ok(ratio < 24, `eight times the length costs ${ratio} times as much: ${long.slice(0, 30)}…`)
  }
})

/** The time of the processor that the header costs at its cheapest, each time done as often as it takes to be measured. */
async function costMs(link: string): Promise<number> {
  const costsMs: number[] = []
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage()
    let spentMs = 0
    let count = 0
    for (; spentMs < 5; count++) {
      await nextAfter(link)
      const { user, system } = process.cpuUsage(before)
      spentMs = (user + system) / 1_000
    }
    costsMs.push(spentMs / count)
  }
  return Math.min(...costsMs)
}
