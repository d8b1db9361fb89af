/** Servers that imitate OpenAI's chat completions, as most do: the requests, and the answers as they are written. */

import { StringDecoder } from 'node:string_decoder'
import {
  APICallError,
  type EmbeddingModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3FilePart,
  type LanguageModelV3FinishReason,
  type LanguageModelV3Prompt,
  type LanguageModelV3StreamPart,
  type LanguageModelV3ToolCall,
  type LanguageModelV3ToolResultPart,
  type LanguageModelV3Usage,
  type SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { parseJson } from '@atrium/connectors/gate/parse-json'
import { createEventReader } from '@atrium/connectors/gate/read-events'
import { withoutTrailing } from '@atrium/connectors/trim'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { createGrowingText, type GrowingText } from '../../text/growing-text.ts'
import { answerTooLarge, ModelError, maxToolCalls } from '../model-error.ts'
import { ModelAnswer } from '../model-fetch.ts'
import type { OpenedProvider } from '../opened-provider.ts'

type ChatServer = { baseUrl: string; apiKey: string | null; fetch: typeof globalThis.fetch }

export function createChatCompletions({ baseUrl, apiKey, fetch }: ChatServer): OpenedProvider {
  async function post(path: string, body: object, signal: AbortSignal | undefined): Promise<Response> {
    const url = `${withoutTrailing(baseUrl, '/')}${path}`
    const answer = await fetch(url, {
      method: 'POST',
      headers: withoutUndefined<Record<string, string>>({
        'content-type': 'application/json',
        authorization: apiKey === null ? undefined : `Bearer ${apiKey}`,
      }),
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
    if (!answer.ok) throw await refusalOf(answer, url)
    return answer
  }

  return {
    languageModel: model => ({
      async doStream(options) {
        const answer = await post('/chat/completions', requestOf(model, options), options.abortSignal)
        return { stream: partsOf(answer) }
      },
    }),
    embeddingModel: model => ({
      specificationVersion: 'v3',
      provider: 'openai',
      modelId: model,
      maxEmbeddingsPerCall: undefined,
      supportsParallelCalls: true,
      async doEmbed({ values, abortSignal }) {
        const body = { model, input: values, encoding_format: 'float' }
        const answer = await post('/embeddings', body, abortSignal)
        // Some megabytes of numbers are parsed in turns.
        const read = await parseJson(await answer.text()).catch(cause => {
          throw notUnderstood(cause)
        })
        return { ...vectorsIn(read), warnings: [] }
      },
    }),
  }
}

/** With the server's own words, if it has any. */
async function refusalOf(answer: Response, url: string): Promise<APICallError> {
  const responseBody = await answer.text()
  const said = messageIn(responseBody)
  return new APICallError({
    message: said ?? answer.statusText,
    url,
    requestBodyValues: undefined,
    statusCode: answer.status,
    responseHeaders: Object.fromEntries(answer.headers),
    responseBody,
  })
}

function messageIn(body: string): string | null {
  try {
    const { message } = recordOf(recordOf(JSON.parse(body)).error)
    return typeof message === 'string' ? message : null
  } catch {
    // The body holds no words that could be passed on.
    return null
  }
}

// The request.

function requestOf(
  model: string,
  { prompt, tools = [], toolChoice, responseFormat, providerOptions, ...options }: LanguageModelV3CallOptions,
): object {
  return {
    model,
    max_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    response_format: responseFormat?.type === 'json' ? formatOf(responseFormat) : undefined,
    stop: options.stopSequences,
    seed: options.seed,
    reasoning_effort: providerOptions?.openai?.reasoningEffort,
    messages: prompt.flatMap(messagesOf),
    tools: tools.length === 0 ? undefined : tools.flatMap(toolOf),
    tool_choice: tools.length === 0 ? undefined : choiceOf(toolChoice),
    stream: true,
    // Such a server tells the tokens of a stream only if it is asked.
    stream_options: { include_usage: true },
  }
}

type JsonFormat = Extract<LanguageModelV3CallOptions['responseFormat'], { type: 'json' }>

/** Few schemas keep to the part of JSON Schema that strict ones allow. Other code checks whether an answer fits. */
const formatOf = ({ schema, name = 'response', description }: JsonFormat): object =>
  schema === undefined
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: { schema, strict: false, name, description } }

type OfferedTool = NonNullable<LanguageModelV3CallOptions['tools']>[number]

const toolOf = (tool: OfferedTool): object[] =>
  tool.type === 'provider'
    ? []
    : [
        {
          type: 'function',
          function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
        },
      ]

function choiceOf(choice: LanguageModelV3CallOptions['toolChoice']): unknown {
  return choice?.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice?.type
}

type Message = LanguageModelV3Prompt[number]

function messagesOf(message: Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const [first, ...others] = message.content
      const isText = first?.type === 'text' && others.length === 0
      return [{ role: 'user', content: isText ? first.text : message.content.map(userPart) }]
    }
    case 'assistant':
      return [assistantMessage(message.content)]
    case 'tool':
      return message.content.flatMap(part =>
        part.type === 'tool-result'
          ? [{ role: 'tool', tool_call_id: part.toolCallId, content: resultText(part.output) }]
          : [],
      )
  }
}

type UserPart = Extract<Message, { role: 'user' }>['content'][number]

const userPart = (part: UserPart): object =>
  part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: imageUrl(part) } }

function imageUrl({ mediaType, data }: LanguageModelV3FilePart): string {
  if (!mediaType.startsWith('image/')) throw new Error(`A part of the type ${mediaType} cannot be sent`)
  if (data instanceof URL) return data.href
  return `data:${mediaType};base64,${typeof data === 'string' ? data : Buffer.from(data).toString('base64')}`
}

type AssistantPart = Extract<Message, { role: 'assistant' }>['content'][number]

function assistantMessage(content: readonly AssistantPart[]): object {
  const joined = (type: 'text' | 'reasoning') =>
    content.map(part => (part.type === type ? part.text : '')).join('')
  const calls = content.flatMap(part => (part.type === 'tool-call' ? [callOf(part)] : []))
  const [text, reasoning] = [joined('text'), joined('reasoning')]
  return {
    role: 'assistant',
    content: calls.length > 0 && text === '' ? null : text,
    reasoning_content: reasoning === '' ? undefined : reasoning,
    tool_calls: calls.length === 0 ? undefined : calls,
  }
}

const callOf = ({
  toolCallId,
  toolName,
  input,
  providerOptions,
}: Extract<AssistantPart, { type: 'tool-call' }>): object => ({
  id: toolCallId,
  type: 'function',
  function: { name: toolName, arguments: JSON.stringify(input) },
  extra_content: providerOptions?.google === undefined ? undefined : signedBy(providerOptions.google),
})

/** Google signs calls even if it imitates OpenAI, and refuses calls that come back without their signature. */
const signedBy = ({ thoughtSignature }: SharedV3ProviderOptions[string]): object | undefined =>
  thoughtSignature === undefined ? undefined : { google: { thought_signature: thoughtSignature } }

function resultText(output: LanguageModelV3ToolResultPart['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'execution-denied':
      return output.reason ?? 'The call was not allowed.'
    default:
      return JSON.stringify(output.value)
  }
}

// The answer.

type Json = Record<string, unknown>

/** A call that is being written. */
type BegunCall = {
  id: string
  name: string
  index: number | null
  input: GrowingText
  signature: unknown
}

async function* partsOf(answer: Response): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  let open: 'text' | 'reasoning' | null = null
  let finishReason: LanguageModelV3FinishReason | null = null
  let usage: Json = {}
  const calls: BegunCall[] = []
  const decoder = new StringDecoder('utf8')
  const read = createEventReader()
  for await (const bytes of bytesOf(answer)) {
    for (const { data } of read(decoder.write(bytes))) {
      if (data === null || data === '[DONE]') continue
      const event = recordOf(parsed(data))
      if (event.error != null) return yield { type: 'error', error: event.error }
      if (event.usage != null) usage = recordOf(event.usage)
      const [choice] = listOf(event.choices)
      if (choice === undefined) continue
      const { delta, finish_reason: finish } = recordOf(choice)
      if (finish != null) finishReason = { unified: finishOf(finish), raw: textOf(finish) }
      if (delta == null) continue
      for (const { type, text } of piecesIn(recordOf(delta), calls)) {
        if (type === 'call') {
          yield { type: 'tool-input-delta', id: type, delta: text }
          continue
        }
        if (type !== open) {
          if (open !== null) yield { type: `${open}-end`, id: open }
          yield { type: `${type}-start`, id: type }
          open = type
        }
        yield { type: `${type}-delta`, id: type, delta: text }
      }
    }
  }
  if (open !== null) yield { type: `${open}-end`, id: open }
  if (finishReason === null) throw new ModelError('model_invalid_response', "The model's answer broke off")
  for (const [place, { id, name, input, signature }] of inOrder(calls).entries()) {
    if (name === '') throw notUnderstood()
    yield withoutUndefined<LanguageModelV3ToolCall>({
      type: 'tool-call',
      toolCallId: id === '' ? `call_${place + 1}` : id,
      toolName: name,
      input: input.text,
      providerMetadata:
        typeof signature === 'string' ? { google: { thoughtSignature: signature } } : undefined,
    })
  }
  yield { type: 'finish', finishReason, usage: usageOf(usage) }
}

type Piece = { type: 'text' | 'reasoning' | 'call'; text: string }

/** The pieces that an event adds to the answer. The calls are extended in place. */
function piecesIn(delta: Json, calls: BegunCall[]): Piece[] {
  const pieces: Piece[] = []
  const add = (type: Piece['type'], text: string): void => {
    if (text !== '') pieces.push({ type, text })
  }
  add('reasoning', textOf(delta.reasoning_content ?? delta.reasoning))
  if (Array.isArray(delta.content)) for (const { type, text } of partsIn(delta.content)) add(type, text)
  else add('text', textOf(delta.content))
  for (const call of listOf(delta.tool_calls)) {
    add('call', writeCall(recordOf(call), calls))
    if (calls.length > maxToolCalls) throw answerTooLarge()
  }
  return pieces
}

/** Mistral sends a text in parts, some of which are thoughts. */
const partsIn = (content: readonly unknown[]): Piece[] =>
  content.flatMap((part): Piece[] => {
    const { type, text, thinking } = recordOf(part)
    if (type === 'text') return [{ type: 'text', text: textOf(text) }]
    if (type !== 'thinking') return []
    const thoughts = listOf(thinking).map(thought => textOf(recordOf(thought).text))
    return [{ type: 'reasoning', text: thoughts.join('') }]
  })

/** Adds the piece to its call, and returns what it adds to the call's arguments. */
function writeCall(piece: Json, calls: BegunCall[]): string {
  const { name, arguments: input } = recordOf(piece.function ?? {})
  const index = typeof piece.index === 'number' ? piece.index : null
  const said = { id: textOf(piece.id), name: textOf(name).trim(), input: textOf(input), index }
  let call = callIn(calls, said)
  if (call === undefined) {
    call = { id: '', name: '', index, input: createGrowingText(), signature: undefined }
    calls.push(call)
  }
  call.id ||= said.id
  call.name ||= said.name
  call.signature ??= recordOf(recordOf(piece.extra_content ?? {}).google ?? {}).thought_signature
  call.input.add(said.input)
  return said.input
}

type SaidOfCall = { id: string; name: string; input: string; index: number | null }

/**
 * Finds the call that a piece belongs to. Most servers number the calls. Some leave the numbers out, or give all
 * calls the same number. Then a call begins with another id or name, or with the same name and new arguments.
 */
function callIn(calls: readonly BegunCall[], { id, name, input, index }: SaidOfCall): BegunCall | undefined {
  const call = calls.findLast(index === null ? one => id === '' || one.id === id : one => one.index === index)
  if (call === undefined || name === '' || call.name === '') return call
  const isSame = call.name === name && (id === '' || call.id === '' || call.id === id)
  const beginsAgain = input.startsWith('{') && call.input.text !== ''
  return isSame && !beginsAgain ? call : undefined
}

/** In the order of their numbers, if all calls have one. */
const inOrder = (calls: readonly BegunCall[]): readonly BegunCall[] =>
  calls.every(({ index }) => index !== null)
    ? calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
    : calls

function finishOf(reason: unknown): LanguageModelV3FinishReason['unified'] {
  switch (reason) {
    case 'stop':
    case 'length':
      return reason
    case 'content_filter':
      return 'content-filter'
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls'
    default:
      return 'other'
  }
}

function usageOf(usage: Json): LanguageModelV3Usage {
  const input = countOf(usage.prompt_tokens)
  const output = countOf(usage.completion_tokens)
  const cacheRead = countOf(recordOf(usage.prompt_tokens_details ?? {}).cached_tokens)
  const reasoning = countOf(recordOf(usage.completion_tokens_details ?? {}).reasoning_tokens)
  return {
    inputTokens: { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: Math.max(0, output - reasoning), reasoning },
  }
}

function vectorsIn(
  body: unknown,
): Pick<Awaited<ReturnType<EmbeddingModelV3['doEmbed']>>, 'embeddings' | 'usage'> {
  const { data, usage } = recordOf(body)
  const embeddings = listOf(data).map(entry => listOf(recordOf(entry).embedding).map(numberIn))
  return { embeddings, usage: { tokens: countOf(recordOf(usage ?? {}).prompt_tokens) } }
}

// If a part of the answer is not as it should be, the whole answer is not understood.

const notUnderstood = (cause?: unknown): ModelError =>
  new ModelError('model_invalid_response', "The model's answer could not be understood", { cause })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notUnderstood(cause)
  }
}

function recordOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notUnderstood()
  return value as Json
}

function listOf(value: unknown): unknown[] {
  if (value == null) return []
  if (!Array.isArray(value)) throw notUnderstood()
  return value
}

function textOf(value: unknown): string {
  if (value == null) return ''
  if (typeof value !== 'string') throw notUnderstood()
  return value
}

function numberIn(value: unknown): number {
  if (typeof value !== 'number') throw notUnderstood()
  return value
}

const countOf = (value: unknown): number => (value == null ? 0 : numberIn(value))

/** The bytes of an answer. An answer that `createModelFetch` did not make is read by its stream. */
const bytesOf = (answer: object & { body: AsyncIterable<Uint8Array> | null }): AsyncIterable<Buffer> =>
  answer instanceof ModelAnswer ? answer.arriving : pieces(answer.body)

async function* pieces(stream: AsyncIterable<Uint8Array> | null): AsyncGenerator<Buffer> {
  for await (const piece of stream ?? []) yield Buffer.from(piece)
}
