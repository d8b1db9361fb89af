/** Runs under the kill loop: asked for and followed in each way, wherever they are cut short. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call, Json } from './call.ts'
import type { Errand } from './errand.ts'
import { type Ask, hear, pursue, type RunBook, settle, type Way } from './run-book.ts'
import { createRunCheck } from './run-check.ts'
import { promptOf, type RunKind, type RunPeers } from './run-peers.ts'

/** Those of a conversation wait for each other. */
const plan: readonly { way: Way; kind: RunKind; inConversation?: true }[] = [
  { way: 'streamed', kind: 'tools' },
  { way: 'streamed', kind: 'plain' },
  { way: 'background', kind: 'tools' },
  { way: 'background', kind: 'approved' },
  { way: 'streamed', kind: 'answered' },
  { way: 'background', kind: 'cancelled' },
  { way: 'foreground', kind: 'tools' },
  { way: 'background', kind: 'plain', inConversation: true },
  { way: 'streamed', kind: 'tools', inConversation: true },
  { way: 'background', kind: 'approved', inConversation: true },
  { way: 'background', kind: 'answered', inConversation: true },
]

const strayPauseMs = 300
let made = 0

export async function createRunErrand(call: Call, peers: RunPeers, random: () => number): Promise<Errand> {
  const book: RunBook = {
    agentId: await agentOf(call, peers),
    conversationId: '',
    open: [],
    ended: [],
    faults: [],
  }
  book.conversationId = await conversationOf(call, book)
  const check = createRunCheck(book, peers)

  /** Null once the server is gone; a run that was not acknowledged then may be there or not. */
  async function ask(call: Call, { way, kind, inConversation }: (typeof plan)[number]): Promise<Ask | null> {
    made += 1
    const word = `word${made}x${Math.floor(random() * 1e6)}`
    const conversation = inConversation ? { conversationId: book.conversationId } : {}
    const body = { prompt: promptOf(kind, word), ...conversation }
    const begun: Ask = { word, kind, id: '', way, events: [], answer: null }
    if (way === 'streamed') {
      const stream = await call.stream(`/agents/${book.agentId}/run`, { body })
      return stream !== null && (await hear(book, stream, begun)) ? begun : null
    }
    const headers = { prefer: way === 'background' ? 'respond-async' : 'wait=60' }
    const reply = await call('POST', `/agents/${book.agentId}/run`, { json: body, headers })
    if (reply === null) return null
    assert.ok(reply.status === 200 || reply.status === 202, JSON.stringify(reply))
    const asked = { ...begun, id: reply.body.data.id, answer: reply.body.data }
    book.open.push(asked)
    return asked
  }

  /** Some of the work has to be approved or answered before other work can end. */
  async function withStrays(call: Call, work: Promise<boolean>[]): Promise<boolean> {
    let isOver = false
    const strays = async (): Promise<void> => {
      while (!isOver && (await settleStrays(call))) await sleep(strayPauseMs)
    }
    const all = Promise.all(work)
    const [ends] = await Promise.all([all.finally(() => (isOver = true)), strays()])
    return !ends.includes(false)
  }

  /** Runs that were begun without being acknowledged would keep others waiting for ever. */
  async function settleStrays(call: Call): Promise<boolean> {
    const reply = await call('GET', `/agents/${book.agentId}/runs?status=waiting`)
    if (reply === null) return false
    assert.equal(reply.status, 200, JSON.stringify(reply))
    const strays = reply.body.data.filter((run: Json) => !book.open.some(({ id }) => id === run.id))
    for (const run of strays) if (!(await settle(call, run))) return false
    return true
  }

  return {
    changes: plan.length,
    async run(call) {
      const before = [...book.open].map(ask => pursue(book, call, ask))
      if (!(await withStrays(call, before))) return false
      const asked = plan.map(async one => {
        const begun = await ask(call, one)
        return begun !== null && (await pursue(book, call, begun))
      })
      return await withStrays(call, asked)
    },
    check,
  }
}

async function agentOf(call: Call, { host }: RunPeers): Promise<string> {
  const agent = {
    name: 'Killed',
    model: 'openai/test-model',
    tools: ['calculator', 'http_request', 'current_time'],
    approvalTools: ['current_time'],
    functions: [
      { name: 'look_up', inputSchema: { type: 'object', properties: { word: { type: 'string' } } } },
    ],
    httpHosts: [host],
  }
  const reply = await call('POST', '/agents', { json: agent })
  assert.equal(reply?.status, 201, JSON.stringify(reply))
  return reply.body.data.id
}

async function conversationOf(call: Call, { agentId }: RunBook): Promise<string> {
  const prompt = promptOf('plain', 'first')
  const reply = await call('POST', `/agents/${agentId}/run`, { json: { prompt } })
  assert.equal(reply?.body.data.status, 'succeeded', JSON.stringify(reply))
  return reply.body.data.conversationId
}
