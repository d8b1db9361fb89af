/** A server with an agent, asked as programs of OpenAI's protocol ask it. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { TestKey } from '../test-app.ts'
import { createAgentIn, startAgentApp } from './agent-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

export type OpenAiReply = { status: number; headers: Headers; body: Json }
/** The `data` of a stream's events; `[DONE]` is left out. */
export type OpenAiStream = { events: Json[]; isDone: boolean; names: (string | undefined)[] }

/** `sandbox` is an agent of the test environment, whose prompts are scripts, and what asks take unless they say. */
export async function startOpenAiApp(settings: Record<string, string> = {}) {
  const { app, modelServer, collectionId, close } = await startAgentApp(settings)
  const origin = await app.listen()
  const { id: sandbox } = await createAgentIn(
    app,
    { name: 'Leave & Holidays', tools: ['calculator'] },
    app.testKey,
  )

  async function send(
    method: string,
    path: string,
    { body, key = app.testKey.key, headers = {}, signal }: SendOptions = {},
  ): Promise<Response> {
    return await fetch(`${origin}/v1${path}`, {
      method,
      headers: withoutUndefined<Record<string, string>>({
        authorization: key === null ? undefined : `Bearer ${typeof key === 'string' ? key : key.key}`,
        'content-type': body === undefined || body instanceof FormData ? undefined : 'application/json',
        ...headers,
      }),
      body: bodyOf(body),
      signal: signal ?? null,
    })
  }

  async function ask(method: string, path: string, options: SendOptions = {}): Promise<OpenAiReply> {
    const response = await send(method, path, options)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  async function stream(path: string, body?: object, key?: TestKey): Promise<OpenAiStream> {
    const method = body === undefined ? 'GET' : 'POST'
    const response = await send(method, path, withoutUndefined({ body, key }))
    return readStream(await response.text())
  }

  return {
    app,
    modelServer,
    collectionId,
    sandbox,
    send,
    ask,
    stream,
    close,
    /** One prompt, asked as a chat. */
    chat: (prompt: string, more: object = {}) =>
      ask('POST', '/chat/completions', { body: chatOf(sandbox, prompt, more) }),
    streamChat: (prompt: string, more: object = {}) =>
      stream('/chat/completions', { ...chatOf(sandbox, prompt, more), stream: true }),
    respond: (input: unknown, more: object = {}) =>
      ask('POST', '/responses', { body: { model: sandbox, input, ...more } }),
    streamResponse: (input: unknown, more: object = {}) =>
      stream('/responses', { model: sandbox, input, stream: true, ...more }),
  }
}

export type OpenAiApp = Awaited<ReturnType<typeof startOpenAiApp>>

type SendOptions = {
  body?: unknown
  key?: TestKey | string | null
  headers?: Record<string, string>
  signal?: AbortSignal
}

const bodyOf = (body: unknown): string | FormData | null => {
  if (body === undefined) return null
  return typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)
}

const chatOf = (model: string, prompt: string, more: object) => ({
  model,
  messages: [{ role: 'user', content: prompt }],
  ...more,
})

/** Throws at a line that is none of the few that all clients take. */
function readStream(text: string): OpenAiStream {
  const names: (string | undefined)[] = []
  const events: Json[] = []
  let isDone = false
  for (const block of text.split('\n\n')) {
    let name: string | undefined
    for (const line of block.split('\n')) {
      if (line === '' || line.startsWith(':')) continue
      if (line.startsWith('event: ')) name = line.slice('event: '.length)
      else if (line === 'data: [DONE]') isDone = true
      else if (line.startsWith('data: {')) {
        events.push(JSON.parse(line.slice('data: '.length)))
        names.push(name)
      } else throw new Error(`No client takes the line ${line}`)
    }
  }
  return { events, isDone, names }
}
