/** A real HTTP server that speaks Anthropic's messages from the same kind of script as the model server, with the same log. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  argumentsText,
  behave,
  type LoggedRequest,
  logRequest,
  type ModelBehaviour,
  type Protocol,
  piecesOf,
  readJson,
  type ScriptedAnswer,
  sendJson,
  wordsOf,
} from './model-script.ts'

/** A part of a message; what it holds besides depends on its type: `text`, `image`, `thinking`, `tool_use`, `tool_result`. */
export type AnthropicPart = { type: string; [field: string]: unknown }

export type AnthropicRequest = {
  model: string
  max_tokens: number
  system?: string | AnthropicPart[]
  messages: { role: 'user' | 'assistant'; content: string | AnthropicPart[] }[]
  tools?: { name: string; description?: string; input_schema: unknown }[]
  tool_choice?: unknown
  temperature?: number
  stop_sequences?: string[]
  output_config?: { effort?: string }
  thinking?: unknown
  stream?: boolean
}

export type AnthropicScript = (request: AnthropicRequest, index: number) => ModelBehaviour

export type AnthropicServer = {
  /** For `ANTHROPIC_BASE_URL`. */
  baseUrl: string
  requests: LoggedRequest<AnthropicRequest>[]
  setScript(script: AnthropicScript): void
  close(): Promise<void>
}

/** Tokens that every answer reports: 1,000 read, of which 200 came from the cache, and 100 written. */
export const anthropicUsage = {
  input_tokens: 800,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 0,
  output_tokens: 100,
}

export async function startAnthropicServer(
  firstScript: AnthropicScript = () => ({ kind: 'answer', text: 'Hello from the model.' }),
): Promise<AnthropicServer> {
  let script = firstScript
  const requests: LoggedRequest<AnthropicRequest>[] = []

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/v1/messages' || request.method !== 'POST') {
      return sendJson(response, 404, errorOf('not_found_error', 'Unknown path'))
    }
    const body = (await readJson(request)) as AnthropicRequest
    logRequest(requests, body, request, response)
    return behave(script(body, requests.length - 1), messages, body, response)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    setScript: next => {
      script = next
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const messages: Protocol<AnthropicRequest> = {
  answer: (answer, { model }) => ({
    ...messageOf(model),
    content: blocksOf(answer).map(({ whole }) => whole),
    stop_reason: stopReasonOf(answer),
    usage: anthropicUsage,
  }),
  frames: (answer, { model }) => ({
    opening: openingFrames(model),
    deltas: blocksOf(answer).flatMap(({ start, deltas }, index) => [
      frame('content_block_start', { index, content_block: start }),
      ...deltas.map(delta => frame('content_block_delta', { index, delta })),
      frame('content_block_stop', { index }),
    ]),
    closing: [
      frame('message_delta', {
        delta: { stop_reason: stopReasonOf(answer), stop_sequence: null },
        usage: { output_tokens: anthropicUsage.output_tokens },
      }),
      frame('message_stop', {}),
    ],
  }),
  beginning: (text, { model }) =>
    [
      ...openingFrames(model),
      frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...wordsOf(text).map(textFrame),
    ].join(''),
  textFrame: text => textFrame(text),
  answerUpToText: '{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"text","text":"',
  error: status => errorOf(errorTypes[status] ?? 'api_error', `Scripted ${status}`),
  errorFrame: (type, message) => frame('error', { error: { type, message } }),
}

const openingFrames = (model: string): string[] => [
  frame('message_start', {
    message: { ...messageOf(model), content: [], usage: { ...anthropicUsage, output_tokens: 1 } },
  }),
  frame('ping', {}),
]

const textFrame = (text: string): string =>
  frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const errorOf = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})

const messageOf = (model: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  model,
  stop_reason: null as string | null,
  stop_sequence: null,
})

const frame = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const signature = 'c2lnbmVk'

/** A block as it stands in an answer, and as a stream brings it. */
type Block = { whole: object; start: object; deltas: object[] }

function blocksOf(answer: ScriptedAnswer): Block[] {
  const { text, reasoning } = answer
  const blocks: Block[] = []
  if (reasoning !== undefined) {
    blocks.push({
      whole: { type: 'thinking', thinking: reasoning, signature },
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...wordsOf(reasoning).map(thinking => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
    })
  }
  if (text !== undefined) {
    blocks.push({
      whole: { type: 'text', text },
      start: { type: 'text', text: '' },
      deltas: wordsOf(text).map(word => ({ type: 'text_delta', text: word })),
    })
  }
  return answer.kind === 'answer' ? blocks : [...blocks, ...callBlocksOf(answer)]
}

const callBlocksOf = ({ calls, pieceLength }: Extract<ScriptedAnswer, { kind: 'tool_calls' }>): Block[] =>
  calls.map((call, index) => {
    const named = { type: 'tool_use', id: `toolu_${index + 1}`, name: call.name }
    const pieces = piecesOf(argumentsText(call), pieceLength)
    return {
      whole: { ...named, input: call.arguments },
      start: { ...named, input: {} },
      deltas: pieces.map(partial_json => ({ type: 'input_json_delta', partial_json })),
    }
  })

function stopReasonOf(answer: ScriptedAnswer): string {
  if (answer.kind === 'tool_calls') return 'tool_use'
  if (answer.finishReason === 'length') return 'max_tokens'
  return answer.finishReason === 'content_filter' ? 'refusal' : 'end_turn'
}
