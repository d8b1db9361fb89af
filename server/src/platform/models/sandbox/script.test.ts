/** How a prompt of `sim:` words is read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disconnectAfter, readScript } from './script.ts'

test('words are read in their order, and what follows them is the question', () => {
  const script = readScript('\n sim:slow=250ms  sim:reasoning\nsim:stream=3 How many days? sim:slow=1s \n')
  assert.deepEqual(script, {
    words: [{ kind: 'slow', ms: 250 }, { kind: 'reasoning' }, { kind: 'stream', words: 3 }],
    question: 'How many days? sim:slow=1s',
  })
})

test('a prompt that does not begin with a word of sim: is a question like any other', () => {
  for (const prompt of [
    'How many days?',
    'What does sim:slow=5s do?',
    'sim: hello',
    'sim',
    'SIM:slow=1s',
    '',
  ]) {
    assert.equal(readScript(prompt), null, prompt)
  }
})

test('the arguments of a tool may hold spaces, parentheses and quotes, and are handed over as they are written', () => {
  const input = '{"text": "a) \\"b\\" (c", "n": [1, 2]}'
  const script = readScript(`sim:tool=first(${input}) sim:tool=second sim:tool=third( {"x": }) And now?`)
  assert.deepEqual(script, {
    words: [
      { kind: 'tool', name: 'first', input },
      { kind: 'tool', name: 'second', input: null },
      { kind: 'tool', name: 'third', input: '{"x": }' },
    ],
    question: 'And now?',
  })
})

test('an output goes on to the end of the prompt', () => {
  assert.deepEqual(readScript('sim:slow=1ms sim:output= Two\nlines, sim:slow=1s = and more'), {
    words: [
      { kind: 'slow', ms: 1 },
      { kind: 'output', text: ' Two\nlines, sim:slow=1s = and more' },
    ],
    question: '',
  })
})

for (const [prompt, message] of [
  ['sim:slow', /^Write sim:slow=5s/],
  ['sim:slow=', /^Write sim:slow=5s/],
  ['sim:slow=601s', /at most 600s/],
  ['sim:stream=0', /from 1 to 1000/],
  ['sim:stream=1001', /from 1 to 1000/],
  ['sim:disconnect_after=many', /^Write sim:disconnect_after=3/],
  ['sim:tool=', /^Write sim:tool=NAME/],
  ['sim:tool=clock({"a": 1}', /^Write sim:tool=NAME/],
  ['sim:output= ', /^Write sim:output=/],
  ['sim:timeout=5s', /^sim:timeout takes no value/],
  ['sim:timeout How many days?', /^Nothing can follow sim:timeout/],
  ['sim:slow=1ms sim:nothing', /^There is no simulation nothing; known are sim:slow=5s, .*sim:rate_limited/],
  ['sim:toString', /^There is no simulation toString/],
  ['sim:slow=1ms '.repeat(51), /at most 50 words/],
] as const) {
  test(`${JSON.stringify(prompt.slice(0, 40))} is refused in words that help`, () => {
    assert.throws(
      () => readScript(prompt),
      (error: { code: string; message: string }) => {
        assert.equal(error.code, 'model_request_rejected')
        assert.match(error.message, message)
        return true
      },
    )
    assert.equal(disconnectAfter(prompt), null)
  })
}

test('a prompt of the greatest length is read at once, whatever it holds', () => {
  const longest = 100_000
  const begun = process.cpuUsage()
  for (const filling of ['"', '(', '\\"', ' ', '("', 'sim:', 'sim:slow=1ms ']) {
    const prompt = `sim:tool=first(${filling.repeat(longest / filling.length)}`
    assert.throws(() => readScript(prompt))
    disconnectAfter(`sim:slow=1ms ${filling.repeat(longest / filling.length)}`)
  }
  assert.ok(process.cpuUsage(begun).user < 1_000_000)
})
