/** From a request of chat completions to a run's input. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import {
  type Asked,
  callOf,
  createReader,
  type Fields,
  isFields,
  limitOutput,
  nothingAsked,
  type Reader,
  readCommon,
  readFormat,
  readFunctions,
  refuse,
  requireModel,
  type Said,
  textOf,
  userContentOf,
} from './reading.ts'

/** Throws one `validation_failed` that names each parameter. */
export function readChat(body: Fields): Asked {
  const reader = createReader()
  const asked = nothingAsked()
  asked.model = requireModel(body, reader)
  asked.stream = reader.flag(body.stream, 'stream') ?? false
  asked.includeUsage =
    reader.flag(
      reader.fields(body.stream_options, 'stream_options')?.include_usage,
      'stream_options.include_usage',
    ) ?? false
  refuse(body, refused, reader)
  const choices = reader.number(body.n, 'n')
  if (choices !== undefined && choices !== 1) reader.fault('n', 'must be 1: a run has one answer')
  const modalities = reader.list(body.modalities, 'modalities') ?? []
  if (modalities.some(modality => modality !== 'text')) reader.fault('modalities', 'must be ["text"]')
  const messages = reader.list(body.messages, 'messages')
  if (messages === undefined) reader.fault('messages', 'is required')
  const said = (messages ?? []).flatMap((message, at) => saidBy(message, `messages[${at}]`, reader))
  // A run has its instructions first.
  const isInstruction = ({ message }: Said) => message.role === 'system'
  asked.said = [...said.filter(isInstruction), ...said.filter(one => !isInstruction(one))]
  readTools(body, asked, reader)
  readCommon(body, asked, reader)
  const maxTokens = body.max_completion_tokens ?? body.max_tokens
  const maxParam = body.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens'
  limitOutput(maxTokens, maxParam, asked, reader)
  const format = reader.fields(body.response_format, 'response_format') ?? {}
  const schema = isFields(format.json_schema) ? format.json_schema.schema : undefined
  readFormat(format, schema, 'response_format', { asked, reader })
  reader.finish()
  return asked
}

const refused = {
  functions: 'is not taken any more: send `tools`',
  function_call: 'is not taken any more: send `tool_choice`',
  audio: 'is not taken: answers are text',
}

function saidBy(value: unknown, param: string, reader: Reader): Said[] {
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

function readTools(body: Fields, asked: Asked, reader: Reader): void {
  const tools = reader.list(body.tools, 'tools') ?? []
  const offers = tools.flatMap((tool, at) => {
    if (!isFields(tool) || tool.type !== 'function') return []
    const { name, description, parameters } = isFields(tool.function) ? tool.function : {}
    const param = `tools[${at}].function`
    return [{ name, description, schema: parameters, param, schemaParam: `${param}.parameters` }]
  })
  readFunctions(offers, body.tool_choice, asked, reader)
}
