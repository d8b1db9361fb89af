/** Servers that imitate OpenAI's chat completions, as most do: the requests, and the answers as they are written. */

import {
  APICallError,
  type EmbeddingModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3FilePart,
  type LanguageModelV3Prompt,
  type LanguageModelV3ToolResultPart,
  type SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { parseJson } from '@atrium/connectors/gate/parse-json'
import { withoutTrailing } from '@atrium/connectors/trim'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { ModelError } from '../model-error.ts'
import type { OpenedProvider } from '../opened-provider.ts'
import { chatAnswerOf } from '../replies/chat-answer.ts'
import { numberIn, recordIn } from '../replies/values.ts'

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
        return { stream: chatAnswerOf(answer) }
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
  // A thought that the model has written into its text is no reasoning to its server.
  const joined = (type: 'text' | 'reasoning') =>
    content
      .map(part => (part.type === type && part.providerOptions?.atrium === undefined ? part.text : ''))
      .join('')
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

function vectorsIn(
  body: unknown,
): Pick<Awaited<ReturnType<EmbeddingModelV3['doEmbed']>>, 'embeddings' | 'usage'> {
  const { data, usage } = recordOf(body)
  const embeddings = listOf(data).map(entry => listOf(recordOf(entry).embedding).map(numberOf))
  return { embeddings, usage: { tokens: numberIn(recordIn(usage).prompt_tokens) ?? 0 } }
}

// If a part of the answer is not as it should be, the whole answer is not understood.

const notUnderstood = (cause?: unknown): ModelError =>
  new ModelError('model_invalid_response', "The model's answer could not be understood", { cause })

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notUnderstood()
  return value as Record<string, unknown>
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw notUnderstood()
  return value
}

function numberOf(value: unknown): number {
  const number = numberIn(value)
  if (number === undefined) throw notUnderstood()
  return number
}
