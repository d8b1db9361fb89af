/** Servers that refuse one field each, in words of many kinds: the call succeeds, and the next one does without at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learningFetch } from './learning-fetch.ts'
import { createProfiles, type Learned, nothingStored } from './profiles.ts'

type Body = Record<string, unknown>
type Refuses = (body: Body) => boolean

const whole: Body = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Answer in JSON.' },
    { role: 'user', content: [{ type: 'text', text: 'One' }] },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'I look.',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Found' },
    { role: 'user', content: 'Two' },
    { role: 'user', content: 'Three' },
  ],
  max_tokens: 9_000,
  temperature: 0.5,
  top_p: 0.9,
  seed: 7,
  stop: ['END'],
  reasoning_effort: 'low',
  parallel_tool_calls: false,
  tool_choice: { type: 'function', function: { name: 'look_up' } },
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'a', strict: false, schema: { type: 'object' } },
  },
  tools: [
    { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } },
    {
      type: 'function',
      function: {
        name: 'odd_one',
        parameters: { type: 'object', properties: { a: { type: 'string', pattern: '^x' } }, $comment: 'c' },
      },
    },
  ],
  stream: true,
  stream_options: { include_usage: true },
  cache_hint: 'x',
}

const good = () => new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } })

/** A server that answers every request but those that it refuses; `words` make the body of its refusal. */
function setUp(refuses: Refuses, said: (body: Body) => unknown, status = 400, sent: Body = whole) {
  const requests: Body[] = []
  const learned: Learned[] = []
  const store = { ...nothingStored, save: async (_: unknown, one: Learned) => void learned.push(one) }
  const profile = createProfiles(store, Date.now)({ workspaceId: null, provider: 'p', model: 'm' }, '1')
  const fetch = learningFetch(
    (async (_: unknown, { body }: { body: string }) => {
      const request = JSON.parse(body)
      requests.push(request)
      if (!refuses(request)) return good()
      return new Response(JSON.stringify(said(request)), {
        status,
        headers: { 'content-type': 'application/json' },
      })
    }) as unknown as typeof globalThis.fetch,
    null,
    profile,
  )
  const ask = async () => {
    requests.length = 0
    const answer = await fetch('http://model.test/chat/completions', {
      method: 'POST',
      body: JSON.stringify(sent),
    })
    return {
      status: answer.status,
      text: await answer.text(),
      requests: requests.length,
      last: requests.at(-1),
    }
  }
  return { ask, learned }
}

const has = (name: string) => (body: Body) => name in body
const anyMessage = (test: (message: Body) => boolean) => (body: Body) => (body.messages as Body[]).some(test)

const fields: readonly (readonly [name: string, refuses: Refuses])[] = [
  ['stream_options', has('stream_options')],
  ['response_format', ({ response_format: format }) => (format as Body | undefined)?.type === 'json_schema'],
  ['response_format', has('response_format')],
  ['tool_choice', ({ tool_choice: choice }) => typeof choice === 'object'],
  ['tool_choice', has('tool_choice')],
  ['parallel_tool_calls', has('parallel_tool_calls')],
  ['reasoning_effort', has('reasoning_effort')],
  ['temperature', has('temperature')],
  ['top_p', has('top_p')],
  ['seed', has('seed')],
  ['stop', has('stop')],
  ['max_tokens', has('max_tokens')],
  ['cache_hint', has('cache_hint')],
  ['reasoning_content', anyMessage(message => 'reasoning_content' in message)],
]

const shapes: readonly ((field: string) => unknown)[] = [
  field => ({ error: { message: `Unsupported parameter: '${field}'`, param: field } }),
  field => ({ message: `The parameter ${field} is not supported by this deployment` }),
  field => ({
    detail: [{ loc: ['body', field], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }],
  }),
  field => ({ error: `unknown field "${field}"` }),
  field => ({ errors: [{ message: `property '${field}' is unsupported` }] }),
]

test('a field that a server refuses is left out within the call, and never sent to it again', async () => {
  for (const [field, refuses] of fields) {
    for (const [at, shape] of shapes.entries()) {
      for (const status of [400, 422]) {
        const { ask, learned } = setUp(refuses, () => shape(field), status)
        const first = await ask()
        assert.equal(first.status, 200, `${field}, shape ${at}: ${first.text}`)
        assert.ok(first.requests <= 3)
        assert.equal((await ask()).requests, 1, `${field}, shape ${at}`)
        assert.ok(learned.length > 0)
      }
    }
  }
})

test('what a server refuses in words is sent in another form', async () => {
  const ids = (body: Body) =>
    (body.messages as Body[]).flatMap(({ tool_calls: calls, tool_call_id: id }) => [
      ...((calls ?? []) as Body[]).map(call => call.id),
      ...(id === undefined ? [] : [id]),
    ])
  const isInRow = (body: Body) =>
    (body.messages as Body[]).some(({ role }, at, all) => role === 'user' && all[at - 1]?.role === 'user')
  for (const [refuses, words] of [
    [anyMessage(({ role }) => role === 'system'), 'System role not supported'],
    [
      anyMessage(({ role }) => role === 'system'),
      "messages[0].role: 'system' is not one of ['user', 'assistant']",
    ],
    [isInRow, 'Conversation roles must alternate user/assistant/user/assistant'],
    [
      anyMessage(({ content }) => Array.isArray(content)),
      'messages[1].content: Input should be a valid string',
    ],
    [anyMessage(({ content }) => content === null), 'content must not be null'],
    [
      (body: Body) => ids(body).some(id => !/^[A-Za-z0-9]{9}$/.test(String(id))),
      'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
    ],
    [
      (body: Body) => 'tools' in body && 'response_format' in body,
      'JSON mode cannot be combined with tool calling',
    ],
    [
      ({ response_format: format }: Body) => (format as Body | undefined)?.type === 'json_schema',
      'Structured outputs are not available for this model',
    ],
    [
      ({ max_tokens: most }: Body) => Number(most) > 4_096,
      'max_tokens is too large: 9000. At most 4096 are possible',
    ],
    [(body: Body) => 'max_tokens' in body, 'Use max_completion_tokens instead of max_tokens'],
    [
      (body: Body) => JSON.stringify(body.tools).includes('$comment'),
      "Invalid schema: the keyword '$comment' is not permitted",
    ],
  ] as const) {
    const { ask } = setUp(refuses, () => ({ error: { message: words } }))
    const first = await ask()
    assert.equal(first.status, 200, `${words}: ${first.text}`)
    assert.equal((await ask()).requests, 1, words)
  }
})

test('two fields are refused one after the other', async () => {
  const { ask } = setUp(
    body => 'stream_options' in body || 'seed' in body,
    body => ({ error: { message: `unknown parameter ${'seed' in body ? 'seed' : 'stream_options'}` } }),
  )
  assert.deepEqual([(await ask()).requests, (await ask()).requests], [3, 1])
})

test('a refusal that names nothing is traced to its field, once', async () => {
  for (const name of ['stream_options', 'tool_choice'] as const) {
    const { ask, learned } = setUp(has(name), () => ({}))
    assert.equal((await ask()).status, 200, name)
    assert.deepEqual(
      learned.map(({ field }) => field),
      [name],
    )
    assert.equal((await ask()).requests, 1)
  }
  const { ask, learned } = setUp(
    () => true,
    () => ({ message: 'No.' }),
  )
  const first = await ask()
  assert.deepEqual([first.status, first.text.includes('No.')], [400, true])
  assert.ok(first.requests <= 7)
  assert.deepEqual([(await ask()).requests, learned.length], [1, 0])
})

test('one tool that a server refuses loses itself alone', async () => {
  const isOdd = ({ tools }: Body) => JSON.stringify(tools).includes('"pattern"')
  for (const words of [
    "Invalid schema for function 'odd_one': '^x' is not valid",
    'tools[1].function.parameters: invalid schema',
    'tools.1.custom.input_schema: JSON schema is invalid',
  ]) {
    const { ask, learned } = setUp(isOdd, () => ({ error: { message: words } }))
    const first = await ask()
    assert.equal(first.status, 200, words)
    assert.equal((first.last?.tools as unknown[] | undefined)?.length, 2)
    assert.deepEqual(learned, [])
  }
})

test('a refusal of the conversation itself changes nothing', async () => {
  for (const [status, words] of [
    [400, 'This model does not support tools'],
    [400, 'prompt is too long: 9000 tokens > 8000 maximum'],
    [400, 'Your credit balance is too low'],
    [401, 'Invalid parameter: api key'],
    [429, 'Too many requests with stream_options'],
    [500, 'Internal error'],
  ] as const) {
    const { ask } = setUp(
      () => true,
      () => ({ error: { message: words } }),
      status,
    )
    const first = await ask()
    assert.deepEqual([first.status, first.requests], [status, 1], words)
    assert.ok(first.text.includes(words))
  }
})

test('an error that comes with a good status is an error', async () => {
  const profile = createProfiles(nothingStored, Date.now)(
    { workspaceId: null, provider: 'p', model: 'm' },
    '1',
  )
  for (const [value, status] of [
    [{ error: { message: 'spent', code: 402 } }, 402],
    [{ error: 'broken' }, 500],
    [{ object: 'error', message: 'slow down', type: 'rate_limit_error' }, 429],
    [{ choices: [{ message: { content: 'Hi' } }] }, 200],
  ] as const) {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const fetch = learningFetch(async () => new Response(JSON.stringify(value), { headers }), null, profile)
    const answer = await fetch('http://model.test/', { method: 'POST', body: '{"model":"m"}' })
    assert.equal(answer.status, status)
    assert.deepEqual(await answer.json(), value)
  }
})
