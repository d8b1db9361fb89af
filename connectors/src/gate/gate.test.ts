/** What the gate counts, however the bytes are cut into pieces. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkJson, createScan, gated, type Limits, OutsideFault, readForm } from './gate.ts'

const wide: Limits = { maxBytes: 1_000_000, maxValues: 1_000_000, maxDepth: 1_000 }

/** Whether the pieces keep to the limits. */
function passes(bytes: Uint8Array, cuts: readonly number[], limits: Limits): boolean {
  const scan = createScan(limits, 'json')
  try {
    for (const [index, start] of [0, ...cuts].entries()) {
      const piece = bytes.subarray(start, cuts[index] ?? bytes.length)
      for (let at = 0; at < piece.length; ) {
        const next = scan.take(piece, at)
        assert.ok(next > at, 'each step goes forward')
        at = next
      }
    }
    return true
  } catch (error) {
    if (error instanceof OutsideFault) return false
    throw error
  }
}

test('brackets and commas within texts do not count, wherever a piece ends', () => {
  const value = [{ 'a\\"[,{': ['\\', '\\\\"', '"', '\\",[{]}'] }, 'é😀,', [[], {}], 1.5]
  const text = JSON.stringify(value)
  const bytes = Buffer.from(text)
  // 6 brackets that open, and 7 commas.
  const marks = 13
  for (let first = 0; first <= bytes.length; first++)
    for (let second = first; second <= bytes.length; second++) {
      assert.ok(passes(bytes, [first, second], { ...wide, maxValues: marks }), `${first}, ${second}`)
      assert.ok(!passes(bytes, [first, second], { ...wide, maxValues: marks - 1 }), `${first}, ${second}`)
    }
})

test('each limit is named by the fault', () => {
  const refused = (text: string, limits: Partial<Limits>, limit: string) =>
    assert.throws(
      () => checkJson(text, { ...wide, ...limits }),
      error =>
        error instanceof OutsideFault && error.limit === limit && /more than|deeper than/.test(error.message),
    )
  refused('[1,2,3]', { maxValues: 2 }, 'values')
  refused('[[[]]]', { maxDepth: 2 }, 'depth')
  refused('"aaaa"', { maxTextBytes: 3 }, 'text')
  refused('      1', { maxBytes: 6 }, 'bytes')
  assert.throws(() => readForm('a&'.repeat(300)), OutsideFault)
})

test('a stream is counted event by event, and breaks off at the first event beyond a limit', async () => {
  const streamed = (text: string) =>
    gated(new Response(text, { headers: { 'content-type': 'text/event-stream' } }), { ...wide, maxValues: 5 })
  for (const lineEnd of ['\n', '\r\n']) {
    const event = `data: [1,2,3]${lineEnd}${lineEnd}`
    assert.equal(await streamed(event.repeat(5_000)).text(), event.repeat(5_000))
    await assert.rejects(streamed(`${event}data: [1,2,3,4,5,6]${lineEnd}${lineEnd}`).text(), OutsideFault)
  }
})
