/** What the runs of the kill loop talk to: a model by its script, and a receiver of requests that must not be sent twice. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CompletionRequest, ModelBehaviour, ModelServer } from '../servers/model-server.ts'

/** What a run is asked for: `plain` answers, the others call tools before. */
export const runKinds = ['plain', 'tools', 'approved', 'answered', 'cancelled'] as const
export type RunKind = (typeof runKinds)[number]

export const promptOf = (kind: RunKind, word: string): string => `${kind} ${word}`

export const outputOf = (word: string): string =>
  `The answer to ${word} is: ${Array.from({ length: 30 }, (_, index) => `${word}-${index}`).join(' ')}.`

const paceMs = 25
/** Time enough to cancel it. */
const slowPaceMs = 80

export type RunPeers = {
  /** As an agent names the receiver. */
  host: string
  /** How often the request of a run came. */
  received(word: string): number
  close(): Promise<void>
}

export async function startRunPeers(modelServer: ModelServer): Promise<RunPeers> {
  const received = new Map<string, number>()
  const server = createServer((request, response) => {
    const word = (request.url ?? '').slice(1)
    received.set(word, (received.get(word) ?? 0) + 1)
    request.resume().on('end', () => response.writeHead(201).end('made'))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const host = `localhost:${(server.address() as AddressInfo).port}`
  modelServer.setScript(request => answerTo(request, host))
  return {
    host,
    received: word => received.get(word) ?? 0,
    close: async () => {
      server.close()
    },
  }
}

/** Answers by the user's last words and by whether tools have been called since. */
function answerTo({ messages }: CompletionRequest, host: string): ModelBehaviour {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const [, kind, word = ''] = /(\w+) (\w+)/.exec(JSON.stringify(messages[asked]?.content)) ?? []
  const text = outputOf(word)
  const answer = { kind: 'paced', text, delayMs: kind === 'cancelled' ? slowPaceMs : paceMs } as const
  const hasCalled = messages.slice(asked).some(({ role }) => role === 'tool')
  if (hasCalled || kind === 'plain' || kind === 'cancelled') return answer
  if (kind === 'approved') return { kind: 'tool_calls', calls: [{ name: 'current_time', arguments: {} }] }
  if (kind === 'answered') return { kind: 'tool_calls', calls: [{ name: 'look_up', arguments: { word } }] }
  const request = { method: 'POST', url: `http://${host}/${word}`, body: word }
  return {
    kind: 'tool_calls',
    calls: [
      { name: 'calculator', arguments: { expression: '6 * 7' } },
      { name: 'http_request', arguments: request },
    ],
  }
}
