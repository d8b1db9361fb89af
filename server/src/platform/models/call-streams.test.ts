/** Answers as they are written: received piece by piece, broken off, silent, too large, in both protocols. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { startAnthropicServer } from '../../testing/servers/anthropic-server.ts'
import type { ModelBehaviour } from '../../testing/servers/model-script.ts'
import { sample, startModelServer } from '../../testing/servers/model-server.ts'
import { noSleep } from '../../testing/sleeps.ts'
import { noFaults } from '../faults.ts'
import { createCallModel, type ModelAnswer } from './call.ts'
import type { ModelErrorCode } from './failures/codes.ts'
import { ModelError } from './model-error.ts'
import { createModelFetch } from './model-fetch.ts'
import { createModels, type ModelScope, type Models } from './models.ts'

const live: ModelScope = { workspaceId: 'wsp_1', environment: 'live' }

type Heard = { text: string[]; reasoning: string[]; restarts: number; onText(): void }

type Peer = {
  model: string
  requests: { closedByClientAtMs: number | null; answered: boolean; body: { messages: unknown[] } }[]
  answerWith(behaviours: ModelBehaviour[]): void
}

const modelFetch = createModelFetch({ silenceMs: 300 })
const callModel = createCallModel({ clock: Date.now, sleep: noSleep, random: () => 0, faults: noFaults })
const peers: Peer[] = []
let models: Models
const closers: (() => Promise<void>)[] = [modelFetch.close]

before(async () => {
  const openai = await startModelServer()
  const anthropic = await startAnthropicServer()
  closers.push(openai.close, anthropic.close)
  const scriptOf = (behaviours: ModelBehaviour[]) => (_: unknown, index: number) =>
    behaviours[Math.min(index, behaviours.length - 1)] ?? { kind: 'never' as const }
  for (const [model, server] of [
    ['openai/test-model', openai],
    ['anthropic/claude', anthropic],
  ] as const) {
    peers.push({
      model,
      requests: server.requests,
      answerWith: behaviours => {
        server.requests.length = 0
        server.setScript(scriptOf(behaviours))
      },
    })
  }
  models = createModels({
    settings: {
      openaiApiKey: null,
      openaiBaseUrl: openai.baseUrl,
      anthropicApiKey: 'key',
      anthropicBaseUrl: anthropic.baseUrl,
      googleApiKey: null,
      defaultModel: null,
    },
    fetch: modelFetch.fetch,
    now: Date.now,
    sleep: noSleep,
    sample,
  })
})

after(async () => {
  for (const close of closers) await close()
})

async function ask(
  peer: Peer,
  behaviours: ModelBehaviour[],
  heard: Heard = nothingHeard(),
): Promise<ModelAnswer> {
  peer.answerWith(behaviours)
  const note = (list: string[]) => (delta: string) => {
    list.push(delta)
    if (list === heard.text) heard.onText()
  }
  return callModel(
    await models.resolve(peer.model, live),
    {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      tools: [{ type: 'function', name: 'search', inputSchema: { type: 'object', properties: {} } }],
      abortSignal: AbortSignal.timeout(20_000),
    },
    {
      text: note(heard.text),
      reasoning: note(heard.reasoning),
      restart() {
        heard.restarts++
        heard.text.length = 0
      },
    },
  )
}

const nothingHeard = (): Heard => ({ text: [], reasoning: [], restarts: 0, onText: () => undefined })

const failsWith = (code: ModelErrorCode) => (error: unknown) => {
  assert.ok(error instanceof ModelError, String(error))
  assert.equal(error.code, code, error.message)
  return true
}

const untilHungUp = (peer: Peer) =>
  eventually('the client hangs up', () => peer.requests[0]?.closedByClientAtMs !== null)

/** The same guarantee of each protocol. */
function testBoth(guarantee: string, hold: (peer: Peer) => Promise<void>): void {
  for (const [index, protocol] of ['OpenAI’s', 'Anthropic’s'].entries()) {
    test(`${guarantee}, in ${protocol} protocol`, async () => {
      const peer = peers[index]
      assert.ok(peer !== undefined)
      await hold(peer)
    })
  }
}

testBoth('an answer is heard word by word while it is written, and is whole in the end', async peer => {
  let wordsBeforeEnd = 0
  const heard: Heard = {
    ...nothingHeard(),
    onText() {
      if (peer.requests[0]?.answered === false) wordsBeforeEnd++
    },
  }
  const text = 'Ducks may enter 🦆 freely.'
  const answer = await ask(peer, [{ kind: 'paced', text, delayMs: 30, reasoning: 'They are ducks.' }], heard)
  assert.equal(heard.text.join(''), text)
  assert.equal(heard.reasoning.join(''), 'They are ducks.')
  assert.ok(heard.text.length >= 5, String(heard.text.length))
  assert.ok(wordsBeforeEnd >= 1, 'a word is heard before the server has written the last one')
  assert.deepEqual(
    answer.content.map(part => [part.type, 'text' in part ? part.text : '']),
    [
      ['reasoning', 'They are ducks.'],
      ['text', text],
    ],
  )
  assert.equal(answer.usage.inputTokens, 1_000)
  assert.equal(answer.usage.outputTokens, 100)
})

testBoth('tool calls that come in pieces are put together', async peer => {
  const calls = [
    { name: 'search', arguments: { query: 'what ducks pay' } },
    { name: 'search', arguments: { query: 'what geese pay' } },
  ]
  const answer = await ask(peer, [{ kind: 'tool_calls', calls, text: 'Let me see.', pieceLength: 5 }])
  assert.equal(answer.finish, 'tool-calls')
  assert.deepEqual(
    answer.content
      .filter(part => part.type === 'tool-call')
      .map(({ toolName, input }) => [toolName, JSON.parse(input)]),
    calls.map(call => [call.name, call.arguments]),
  )
})

testBoth('arguments that are no JSON are handed on as they are', async peer => {
  const calls = [{ name: 'search', arguments: '{"query": ' }]
  const answer = await ask(peer, [{ kind: 'tool_calls', calls }])
  const [call] = answer.content.filter(part => part.type === 'tool-call')
  assert.throws(() => JSON.parse(call?.input ?? '{}'))
})

testBoth(
  'an answer that breaks off begins again, and a listener that has heard some of it is told',
  async peer => {
    for (const broken of [
      { kind: 'half', text: 'Half an' },
      { kind: 'unfinished', text: 'Half an' },
      { kind: 'stream_error', text: 'Half an', type: 'overloaded_error', message: 'Overloaded' },
    ] as const) {
      const heard = nothingHeard()
      const answer = await ask(peer, [broken, { kind: 'answer', text: 'A whole one.' }], heard)
      assert.equal(heard.restarts, 1, broken.kind)
      assert.equal(heard.text.join(''), 'A whole one.')
      assert.equal(answer.content.length, 1)
      assert.equal(peer.requests.length, 2)
    }
  },
)

testBoth('an answer that always breaks off is an invalid response after three attempts', async peer => {
  await assert.rejects(ask(peer, [{ kind: 'half' }]), failsWith('model_invalid_response'))
  assert.equal(peer.requests.length, 3)
  await assert.rejects(ask(peer, [{ kind: 'unfinished', text: 'Half' }]), failsWith('model_invalid_response'))
})

testBoth('an error within the stream has the code that its type stands for', async peer => {
  for (const [type, code] of [
    ['overloaded_error', 'model_unavailable'],
    ['rate_limit_error', 'model_rate_limited'],
    ['authentication_error', 'model_unauthorized'],
    ['invalid_request_error', 'model_request_rejected'],
  ] as const) {
    const failing: ModelBehaviour = { kind: 'stream_error', text: 'Half', type, message: 'No' }
    await assert.rejects(ask(peer, [failing]), failsWith(code))
  }
})

test('an error that comes first in a stream of Anthropic’s has the code of its type, not of the 500 that its package makes of it', async () => {
  const [, peer] = peers
  assert.ok(peer !== undefined)
  const event = (type: string) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: 'No' } })}\n\n`
  for (const [type, code] of [
    ['rate_limit_error', 'model_rate_limited'],
    ['authentication_error', 'model_unauthorized'],
  ] as const) {
    const first: ModelBehaviour = { kind: 'raw_stream', text: event(type) }
    await assert.rejects(ask(peer, [first]), failsWith(code))
  }
})

testBoth('a server that falls silent times out once, and its connection is closed', async peer => {
  for (const silent of [{ kind: 'never' }, { kind: 'stalls', text: 'Half an' }] as const) {
    await assert.rejects(ask(peer, [silent]), failsWith('model_timeout'))
    assert.equal(peer.requests.length, 1)
    await untilHungUp(peer)
  }
})

testBoth('a server that goes on speaking is never too slow', async peer => {
  const text = Array.from({ length: 8 }, () => 'word').join(' ')
  const answer = await ask(peer, [{ kind: 'paced', text, delayMs: 100 }])
  assert.equal(answer.content.length, 1)
})

testBoth('a stream of 50 MB is cut off at once and not asked for again', async peer => {
  await assert.rejects(
    ask(peer, [{ kind: 'huge', sizeBytes: 50 * 1024 * 1024 }]),
    failsWith('model_invalid_response'),
  )
  assert.equal(peer.requests.length, 1)
  await untilHungUp(peer)
})

testBoth('a status that may pass is asked again, after the time that is asked for', async peer => {
  for (const status of [429, 500, 529]) {
    const passing: ModelBehaviour = { kind: 'status', status, headers: { 'retry-after': '0' } }
    await ask(peer, [passing, { kind: 'answer', text: 'At last.' }])
    assert.equal(peer.requests.length, 2, String(status))
  }
})

testBoth('a refusal of the key is final', async peer => {
  await assert.rejects(ask(peer, [{ kind: 'status', status: 401 }]), failsWith('model_unauthorized'))
  assert.equal(peer.requests.length, 1)
})
