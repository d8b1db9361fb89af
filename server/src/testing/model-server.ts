/** A real HTTP server that speaks OpenAI's chat completions and embeddings from a script, with a log of what reached it and who hung up. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerVectors, type VectorRequest, type VectorScript } from './model-vectors.ts'

/** What the server does with one request for a completion. */
export type ModelBehaviour =
  | { kind: 'answer'; text: string; finishReason?: 'stop' | 'length' | 'content_filter' }
  /** `arguments` given as text is sent as it is, valid JSON or not. */
  | { kind: 'tool_calls'; calls: { name: string; arguments: unknown }[]; text?: string }
  | { kind: 'slow'; delayMs: number; behaviour: ModelBehaviour }
  /** Takes the request and says nothing until the client hangs up. */
  | { kind: 'never' }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  /** Sends the beginning of an answer and breaks the connection. */
  | { kind: 'half' }
  | { kind: 'invalid_json' }
  | { kind: 'huge'; sizeBytes: number }

export type CompletionRequest = {
  model: string
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[]
  tools?: { function: { name: string; description: string; parameters: unknown } }[]
  stream?: boolean
}

/** Decides by the request and its number, counted from 0. */
export type ModelScript = (request: CompletionRequest, index: number) => ModelBehaviour

export type LoggedRequest = {
  body: CompletionRequest
  headers: IncomingMessage['headers']
  /** When the client hung up before it had the whole answer; null where it did not. */
  closedByClientAtMs: number | null
  answered: boolean
}

export type ModelServer = {
  /** For `OPENAI_BASE_URL`. */
  baseUrl: string
  requests: LoggedRequest[]
  setScript(script: ModelScript): void
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
  const requests: LoggedRequest[] = []
  const vectorRequests: VectorRequest[] = []
  const server = createServer((request, response) => {
    const decideVectors = (asked: VectorRequest) => {
      vectorRequests.push(asked)
      return vectorScript(asked)
    }
    respond(request, response, decideVectors, body => {
      const logged: LoggedRequest = {
        body,
        headers: request.headers,
        closedByClientAtMs: null,
        answered: false,
      }
      response.on('close', () => {
        if (!logged.answered) logged.closedByClientAtMs = Date.now()
      })
      response.on('finish', () => {
        logged.answered = true
      })
      requests.push(logged)
      return script(body, requests.length - 1)
    }).catch(() => response.destroy())
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

const answerAtOnce: ModelScript = () => ({ kind: 'answer', text: 'Hello from the model.' })

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  decideVectors: VectorScript,
  decide: (body: CompletionRequest) => ModelBehaviour,
): Promise<void> {
  if (request.url === '/v1/models') {
    const data = servedModels.map(id => ({ id, object: 'model', owned_by: 'test', created: 0 }))
    return sendJson(response, 200, { object: 'list', data })
  }
  const path = /^\/v1\/(embeddings|rerank|chat\/completions)$/.exec(request.url ?? '')?.[1]
  if (path === undefined || request.method !== 'POST') {
    return sendJson(response, 404, { error: { message: 'Unknown path' } })
  }
  const body = await readJson(request)
  if (path === 'chat/completions') {
    const completion = body as CompletionRequest
    return behave(decide(completion), completion, response)
  }
  const asked = { ...(body as object), path } as VectorRequest
  await answerVectors(asked, decideVectors(asked), response)
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

async function behave(
  behaviour: ModelBehaviour,
  body: CompletionRequest,
  response: ServerResponse,
): Promise<void> {
  switch (behaviour.kind) {
    case 'slow':
      await sleep(behaviour.delayMs, undefined, { ref: false })
      return behave(behaviour.behaviour, body, response)
    case 'never':
      return
    case 'status':
      return sendJson(
        response,
        behaviour.status,
        behaviour.body ?? { error: { message: `Scripted ${behaviour.status}` } },
        behaviour.headers,
      )
    case 'half':
      response.writeHead(200, { 'content-type': body.stream ? 'text/event-stream' : 'application/json' })
      response.write(
        body.stream ? event(body, { delta: { content: 'Half an' } }) : '{"id":"half","choices":[{"mess',
      )
      await sleep(10)
      response.destroy()
      return
    case 'invalid_json':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": nonsense')
      return
    case 'huge':
      return sendHuge(behaviour.sizeBytes, response)
    case 'answer':
    case 'tool_calls':
      return body.stream ? sendStream(behaviour, body, response) : sendCompletion(behaviour, body, response)
  }
}

type Answer = Extract<ModelBehaviour, { kind: 'answer' | 'tool_calls' }>

function sendCompletion(answer: Answer, body: CompletionRequest, response: ServerResponse): void {
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(answer.kind === 'tool_calls' ? { tool_calls: toolCallsOf(answer) } : {}),
  }
  sendJson(response, 200, {
    id: 'completion',
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: finishReasonOf(answer) }],
    usage: reportedUsage,
  })
}

function sendStream(answer: Answer, body: CompletionRequest, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const word of answer.text?.match(/\s*\S+/g) ?? [])
    response.write(event(body, { delta: { content: word } }))
  if (answer.kind === 'tool_calls') {
    const calls = toolCallsOf(answer).map((call, index) => ({ index, ...call }))
    response.write(event(body, { delta: { tool_calls: calls } }))
  }
  response.write(event(body, { delta: {}, finish_reason: finishReasonOf(answer) }, reportedUsage))
  response.end('data: [DONE]\n\n')
}

function event(body: CompletionRequest, choice: object, usage?: typeof reportedUsage): string {
  const chunk = { id: 'completion', object: 'chat.completion.chunk', created: 0, model: body.model }
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }], ...(usage && { usage }) })}\n\n`
}

const toolCallsOf = (answer: Extract<ModelBehaviour, { kind: 'tool_calls' }>) =>
  answer.calls.map(({ name, arguments: given }, index) => ({
    id: `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))

const finishReasonOf = (answer: Answer): string =>
  answer.kind === 'tool_calls' ? 'tool_calls' : (answer.finishReason ?? 'stop')

/** A valid beginning, then letters without end, as fast as the client takes them. */
async function sendHuge(sizeBytes: number, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"choices":[{"index":0,"message":{"role":"assistant","content":"')
  const block = 'a'.repeat(256 * 1024)
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  for (let sent = 0; sent < sizeBytes && !response.destroyed; sent += block.length) {
    const { signal } = closed
    // A client that hangs up ends the wait; the loop's condition then ends the sending.
    if (!response.write(block)) await once(response, 'drain', { signal }).catch(() => undefined)
  }
  response.end('"}}]}')
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text)
}
