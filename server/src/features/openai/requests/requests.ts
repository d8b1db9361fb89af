/** Turns a request of completions, of chat completions or of responses into a run's input. */

import { type Fields, isFields } from '@atrium/connectors/fields'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import {
  type Asked,
  asksResults,
  type Call,
  callOf,
  createReader,
  limitOutput,
  nothingAsked,
  type Reader,
  type Reference,
  readCommon,
  readFormat,
  refuse,
  requireModel,
  type Said,
  textOf,
  userContentOf,
} from './reading.ts'
import { readTools, type ToolOffer } from './tools.ts'

/** The differences between the protocols. */
type Dialect = {
  refused: Readonly<Record<string, string>>
  /** Reads the messages, and the fields that the other protocols do not have. */
  readOwn: (body: Fields, asked: Asked, reader: Reader) => void
  toolOf: (tool: Fields, param: string) => ToolOffer
  maxOutputOf: (body: Fields) => [param: string, value: unknown]
  formatOf: (body: Fields, reader: Reader) => { param: string; format: Fields; schema: unknown }
}

const createRead =
  (dialect: Dialect) =>
  (body: Fields): Asked => {
    const reader = createReader()
    const asked = nothingAsked()
    asked.model = requireModel(body, reader)
    asked.stream = reader.flag(body.stream, 'stream') ?? false
    refuse(body, dialect.refused, reader)
    dialect.readOwn(body, asked, reader)
    readTools(body, dialect.toolOf, asked, reader)
    readCommon(body, asked, reader)
    const [maxParam, maxTokens] = dialect.maxOutputOf(body)
    limitOutput(maxTokens, maxParam, asked, reader)
    const { param, format, schema } = dialect.formatOf(body, reader)
    readFormat(format, schema, param, { asked, reader })
    reader.finish()
    return asked
  }

/** A run's instructions come first. */
export const instructionsFirst = <One extends Said | Reference>(said: readonly One[]): One[] => {
  const isInstruction = (one: One) => 'message' in one && one.message.role === 'system'
  return [...said.filter(isInstruction), ...said.filter(one => !isInstruction(one))]
}

const functionTool: Dialect['toolOf'] = (tool, place) => {
  const { name, description, parameters } = isFields(tool.function) ? tool.function : {}
  const param = `${place}.function`
  return { name, description, schema: parameters, param, schemaParam: `${param}.parameters` }
}

/** Throws one `validation_failed` that names each parameter. */
export const readChat = createRead({
  refused: {
    functions: 'is not taken any more: send `tools`',
    function_call: 'is not taken any more: send `tool_choice`',
    audio: 'is not taken: answers are text',
    web_search_options: 'is not taken: there is no search of the web',
  },
  readOwn(body, asked, reader) {
    const options = reader.fields(body.stream_options, 'stream_options')
    asked.includeUsage = reader.flag(options?.include_usage, 'stream_options.include_usage') ?? false
    const choices = reader.number(body.n, 'n')
    if (choices !== undefined && choices !== 1) reader.fault('n', 'must be 1: a run has one answer')
    // A program that asks for them would read them.
    if (reader.flag(body.logprobs, 'logprobs') === true) reader.fault('logprobs', noLogprobs)
    refuseTopLogprobs(body, reader)
    const modalities = reader.list(body.modalities, 'modalities') ?? []
    if (modalities.some(modality => modality !== 'text')) reader.fault('modalities', 'must be ["text"]')
    const messages = reader.list(body.messages, 'messages')
    if (body.messages == null) {
      const isText = body.prompt !== undefined
      reader.fault('messages', isText ? 'is required; /v1/completions takes `prompt`' : 'is required')
    }
    const said = (messages ?? []).flatMap((message, at) => chatSaid(message, `messages[${at}]`, reader))
    asked.said = instructionsFirst(said)
  },
  toolOf: functionTool,
  maxOutputOf: body =>
    body.max_completion_tokens == null
      ? ['max_tokens', body.max_tokens]
      : ['max_completion_tokens', body.max_completion_tokens],
  formatOf(body, reader) {
    const format = reader.fields(body.response_format, 'response_format') ?? {}
    const schema = isFields(format.json_schema) ? format.json_schema.schema : undefined
    return { param: 'response_format', format, schema }
  },
})

/** The same for completions of one text, as programs from before chats ask for them. */
export const readCompletion = createRead({
  refused: {
    suffix: 'is not taken: answers end where the model ends them',
    tools: 'is not taken here: ask at /v1/chat/completions',
    functions: 'is not taken here: ask at /v1/chat/completions',
  },
  readOwn(body, asked, reader) {
    const options = reader.fields(body.stream_options, 'stream_options')
    asked.includeUsage = reader.flag(options?.include_usage, 'stream_options.include_usage') ?? false
    for (const name of ['n', 'best_of'] as const) {
      const count = reader.number(body[name], name)
      if (count !== undefined && count !== 1) reader.fault(name, 'must be 1: a run has one answer')
    }
    if (reader.flag(body.echo, 'echo') === true)
      reader.fault('echo', 'must be false: repeat the prompt yourself')
    if (reader.number(body.logprobs, 'logprobs') !== undefined) {
      reader.fault('logprobs', noLogprobs)
    }
    const [prompt, ...others] = Array.isArray(body.prompt) ? body.prompt : [body.prompt]
    if (typeof prompt === 'string' && others.length > 0) {
      reader.fault('prompt', 'must be one text: ask for each by itself')
    } else if (typeof prompt !== 'string' && prompt != null) {
      reader.fault('prompt', 'must be a text: tokens are not taken')
    }
    const text = typeof prompt === 'string' ? textOf(prompt, 'prompt', reader) : ''
    if (text.trim() === '') reader.fault('prompt', 'is required: the text to go on from')
    asked.params.set('messages', 'prompt')
    asked.said = [{ param: 'prompt', message: { role: 'user', content: text } }]
  },
  toolOf: functionTool,
  maxOutputOf: body => ['max_tokens', body.max_tokens],
  formatOf: () => ({ param: 'response_format', format: {}, schema: undefined }),
})

/** The same for responses. */
export const readResponse = createRead({
  refused: {
    prompt: 'is not taken: instructions are those of the agent',
    max_tool_calls: 'is not taken: the steps of a run are a limit of the agent',
  },
  readOwn(body, asked, reader) {
    asked.includeUsage = true
    asked.params.set('messages', 'input')
    asked.background = reader.flag(body.background, 'background') ?? false
    asked.previousId = reader.text(body.previous_response_id, 'previous_response_id') ?? null
    asked.conversationId = conversationOf(body.conversation, reader)
    if (asked.conversationId !== null && asked.previousId !== null) {
      reader.fault('conversation', 'cannot be given with `previous_response_id`: leave one out')
    }
    const instructions = textOf(body.instructions, 'instructions', reader)
    asked.hasInstructions = instructions !== ''
    const include = reader.list(body.include, 'include') ?? []
    asked.includesResults = asksResults(include)
    if (include.includes('message.output_text.logprobs')) {
      reader.fault('include', `names message.output_text.logprobs, which ${noLogprobs}`)
    }
    refuseTopLogprobs(body, reader)
    const given = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
    const items = reader.list(given, 'input')
    if (body.input == null) reader.fault('input', 'is required')
    const said = (items ?? []).flatMap((item, at) => itemSaid(item, `input[${at}]`, reader))
    const own = instructions === '' ? [] : [instructionSaid(instructions)]
    asked.said = [...own, ...instructionsFirst(said)]
  },
  toolOf: ({ name, description, parameters }, param) => ({
    name,
    description,
    schema: parameters,
    param,
    schemaParam: `${param}.parameters`,
  }),
  maxOutputOf: body => ['max_output_tokens', body.max_output_tokens],
  formatOf(body, reader) {
    const text = reader.fields(body.text, 'text') ?? {}
    const format = reader.fields(text.format, 'text.format') ?? {}
    return { param: 'text.format', format, schema: format.schema }
  },
})

const noLogprobs = 'are not to be had: leave them out'

/** Zero asks for none. */
function refuseTopLogprobs(body: Fields, reader: Reader): void {
  const count = reader.number(body.top_logprobs, 'top_logprobs') ?? 0
  if (count !== 0) reader.fault('top_logprobs', noLogprobs)
}

function conversationOf(value: unknown, reader: Reader): string | null {
  const [param, id] = isFields(value) ? ['conversation.id', value.id] : ['conversation', value]
  return reader.text(id, param) ?? null
}

function chatSaid(value: unknown, param: string, reader: Reader): Said[] {
  const given = reader.fields(value, param)
  if (given === undefined) return []
  const { role, content } = given
  const contentParam = `${param}.content`
  switch (role) {
    case 'system':
    case 'developer': {
      const text = textOf(content, contentParam, reader)
      return text === '' ? [] : [{ param, message: { role: 'system', content: text } }]
    }
    case 'user':
      return [{ param, message: { role: 'user', content: userContentOf(content, contentParam, reader) } }]
    case 'assistant': {
      const text = textOf(content, contentParam, reader)
      const toolCalls = callsOf(given, param, reader)
      if (text === '' && toolCalls.length === 0) return []
      const message = withoutUndefined<Extract<Said['message'], { role: 'assistant' }>>({
        role,
        content: text === '' ? undefined : text,
        toolCalls: toolCalls.length === 0 ? undefined : toolCalls,
      })
      return [{ param, message }]
    }
    case 'tool': {
      const toolCallId = reader.text(given.tool_call_id, `${param}.tool_call_id`) ?? ''
      return [{ param, message: { role, toolCallId, output: textOf(content, contentParam, reader) } }]
    }
    default:
      reader.fault(`${param}.role`, 'must be system, developer, user, assistant or tool')
      return []
  }
}

function callsOf(message: Fields, param: string, reader: Reader) {
  const calls = reader.list(message.tool_calls, `${param}.tool_calls`) ?? []
  return calls.map((call, at) => {
    const { id, function: called } = isFields(call) ? call : {}
    const { name, arguments: text } = isFields(called) ? called : {}
    return callOf({ id, name, text }, `${param}.tool_calls[${at}]`, reader)
  })
}

const instructionSaid = (content: string): Said => ({
  param: 'instructions',
  message: { role: 'system', content },
})

/** Calls that other servers ran themselves: ignored here. */
const passedOver = [
  'reasoning',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_list_tools',
  'mcp_call',
]

/** The message of an item; empty if the item is ignored. */
export function itemSaid(value: unknown, param: string, reader: Reader): (Said | Reference)[] {
  const item = reader.fields(value, param)
  if (item === undefined) return []
  const { type, role, content, id } = item
  if (type === 'item_reference' || (type == null && role == null && typeof id === 'string')) {
    const itemId = reader.text(id, `${param}.id`) ?? ''
    return isReasoning(itemId) ? [] : [{ param, itemId }]
  }
  if (type === 'function_call') {
    const call = callOf({ id: item.call_id, name: item.name, text: item.arguments }, param, reader)
    return [{ param, message: { role: 'assistant', toolCalls: [call] } }]
  }
  if (type === 'function_call_output') {
    const toolCallId = reader.text(item.call_id, `${param}.call_id`) ?? ''
    return [
      {
        param,
        message: { role: 'tool', toolCallId, output: textOf(item.output, `${param}.output`, reader) },
      },
    ]
  }
  if (typeof type === 'string' && passedOver.includes(type)) return []
  if (type != null && type !== 'message') {
    reader.fault(`${param}.type`, `${String(type)} is not taken`)
    return []
  }
  return messageSaid({ role, content, param }, reader)
}

const isReasoning = (itemId: string): boolean => itemId.startsWith('rs_')

function messageSaid(
  { role, content, param }: { role: unknown; content: unknown; param: string },
  reader: Reader,
): Said[] {
  const contentParam = `${param}.content`
  if (role === 'user') {
    return [{ param, message: { role, content: userContentOf(content, contentParam, reader) } }]
  }
  if (role !== 'assistant' && role !== 'system' && role !== 'developer') {
    reader.fault(`${param}.role`, 'must be system, developer, user or assistant')
    return []
  }
  const text = textOf(content, contentParam, reader)
  if (text === '') return []
  return [{ param, message: { role: role === 'assistant' ? role : 'system', content: text } }]
}

/** Adds the calls of an answer to its text, so that the items of one answer become one message. */
export function joined(said: readonly Said[]): Said[] {
  const all: Said[] = []
  for (const one of said) {
    const last = all.at(-1)
    const before = last?.message
    const { message } = one
    const isCall = message.role === 'assistant' && message.content === undefined
    if (last !== undefined && before?.role === 'assistant' && isCall) {
      const toolCalls: Call[] = [...(before.toolCalls ?? []), ...(message.toolCalls ?? [])]
      all[all.length - 1] = { param: last.param, message: { ...before, toolCalls } }
    } else all.push(one)
  }
  return all
}
