/** A real HTTP server that speaks OpenAI's chat completions and embeddings from a script, with a log of what reached it and who hung up. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sampleOf } from '../../platform/json-schema/sample.ts'
import type { Sample } from '../../platform/models/built-in.ts'
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
import { answerVectors, type VectorRequest, type VectorScript } from './model-vectors.ts'

export type { ModelBehaviour } from './model-script.ts'

/** A part of a message that is more than text. */
export type CompletionPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }

export type CompletionRequest = {
  model: string
  messages: {
    role: string
    content: string | CompletionPart[] | null
    reasoning_content?: string
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
    tool_call_id?: string
  }[]
  tools?: { function: { name: string; description: string; parameters: unknown } }[]
  tool_choice?: unknown
  response_format?: {
    type: 'text' | 'json_object' | 'json_schema'
    json_schema?: { name?: string; schema: Record<string, unknown>; strict?: boolean }
  }
  max_tokens?: number
  temperature?: number
  top_p?: number
  seed?: number
  stop?: string[]
  reasoning_effort?: string
  stream?: boolean
  stream_options?: { include_usage?: boolean }
}

/** Decides by the request and its number, counted from 0. */
export type ModelScript = (request: CompletionRequest, index: number) => ModelBehaviour

export type ModelServer = {
  /** For `OPENAI_BASE_URL`. */
  baseUrl: string
  requests: LoggedRequest<CompletionRequest>[]
  setScript(script: ModelScript): void
  /** What it lists from then on; null answers 503 instead. */
  setServed(names: readonly string[] | null): void
  /** Requests for embeddings and for reranking. */
  vectorRequests: VectorRequest[]
  setVectorScript(script: VectorScript): void
  close(): Promise<void>
}

/** Tokens that every answer reports: 1,000 read, 100 written. */
export const reportedUsage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }

export const servedModels = ['test-model', 'other-model']

export async function startModelServer(firstScript: ModelScript = answerAtOnce): Promise<ModelServer> {
  let script = firstScript
  let vectorScript: VectorScript = () => ({ kind: 'answer' })
  let served: readonly string[] | null = servedModels
  const requests: LoggedRequest<CompletionRequest>[] = []
  const vectorRequests: VectorRequest[] = []

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/v1/models') {
      if (served === null) return sendJson(response, 503, { error: { message: 'Loading' } })
      const data = served.map(id => ({ id, object: 'model', owned_by: 'test', created: 0 }))
      return sendJson(response, 200, { object: 'list', data })
    }
    const path = /^\/v1\/(embeddings|rerank|chat\/completions)$/.exec(request.url ?? '')?.[1]
    if (path === undefined || request.method !== 'POST') {
      return sendJson(response, 404, { error: { message: 'Unknown path' } })
    }
    const body = await readJson(request)
    if (path === 'chat/completions') {
      const completion = body as CompletionRequest
      logRequest(requests, completion, request, response)
      return behave(script(completion, requests.length - 1), chatCompletions, completion, response)
    }
    const asked = { ...(body as object), path } as VectorRequest
    vectorRequests.push(asked)
    await answerVectors(asked, vectorScript(asked), response)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    setScript: next => {
      script = next
    },
    setServed: names => {
      served = names
    },
    vectorRequests,
    setVectorScript: next => {
      vectorScript = next
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export const answerAtOnce: ModelScript = () => ({ kind: 'answer', text: 'Hello from the model.' })

const chatCompletions: Protocol<CompletionRequest> = {
  answer(answer, { model }) {
    const { text = null, reasoning } = answer
    const message = {
      role: 'assistant',
      content: text,
      reasoning_content: reasoning,
      tool_calls: answer.kind === 'tool_calls' ? toolCallsOf(answer) : undefined,
    }
    return {
      id: 'completion',
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message, finish_reason: finishReasonOf(answer) }],
      usage: reportedUsage,
    }
  },
  frames(answer, request) {
    const frame = (delta: object) => choiceFrame(request, { delta })
    const calls = answer.kind === 'tool_calls' ? callDeltasOf(answer) : []
    // A server says what tokens were used only where it is asked.
    const usage = request.stream_options?.include_usage
      ? [dataFrame({ ...chunkOf(request), choices: [], usage: reportedUsage })]
      : []
    return {
      opening: [openingFrame(request)],
      deltas: [
        ...wordsOf(answer.reasoning ?? '').map(word => frame({ reasoning_content: word })),
        ...wordsOf(answer.text ?? '').map(word => frame({ content: word })),
        ...calls.map(call => frame({ tool_calls: [call] })),
      ],
      closing: [
        choiceFrame(request, { delta: {}, finish_reason: finishReasonOf(answer) }),
        ...usage,
        'data: [DONE]\n\n',
      ],
    }
  },
  beginning: (text, request) =>
    openingFrame(request) +
    wordsOf(text)
      .map(content => choiceFrame(request, { delta: { content } }))
      .join(''),
  textFrame: (text, request) => choiceFrame(request, { delta: { content: text } }),
  answerUpToText: '{"choices":[{"index":0,"message":{"role":"assistant","content":"',
  error: status => ({ error: { message: `Scripted ${status}` } }),
  errorFrame: (type, message) => dataFrame({ error: { message, type, code: null } }),
}

const chunkOf = ({ model }: CompletionRequest) => ({
  id: 'completion',
  object: 'chat.completion.chunk',
  created: 0,
  model,
})

const choiceFrame = (request: CompletionRequest, choice: object): string =>
  dataFrame({ ...chunkOf(request), choices: [{ index: 0, ...choice }] })

const openingFrame = (request: CompletionRequest): string =>
  choiceFrame(request, { delta: { role: 'assistant', content: '' } })

const dataFrame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

type ScriptedCalls = Extract<ScriptedAnswer, { kind: 'tool_calls' }>

const toolCallsOf = ({ calls }: ScriptedCalls) =>
  calls.map((call, index) => ({
    id: `call_${index + 1}`,
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call) },
  }))

/** The first piece of each call names it. */
const callDeltasOf = (answer: ScriptedCalls): object[] =>
  toolCallsOf(answer).flatMap(({ function: { name, arguments: text }, ...call }, index) => {
    const [first = '', ...rest] = piecesOf(text, answer.pieceLength)
    return [
      { index, ...call, function: { name, arguments: first } },
      ...rest.map(piece => ({ index, function: { arguments: piece } })),
    ]
  })

const finishReasonOf = (answer: ScriptedAnswer): string =>
  answer.kind === 'tool_calls' ? 'tool_calls' : (answer.finishReason ?? 'stop')

/** Samples for tests whose models need none: made at once, in this thread. */
export const sample: Sample = async (schema, text) => sampleOf(schema, text)
