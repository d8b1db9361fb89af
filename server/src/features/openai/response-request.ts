/** From a request of responses to a run's input. */
import {
  type Asked,
  type Call,
  callOf,
  createReader,
  type Fields,
  isFields,
  limitOutput,
  nothingAsked,
  type Reader,
  type Reference,
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
export function readResponse(body: Fields): Asked {
  const reader = createReader()
  const asked = nothingAsked()
  asked.model = requireModel(body, reader)
  asked.stream = reader.flag(body.stream, 'stream') ?? false
  asked.includeUsage = true
  asked.params.set('messages', 'input')
  asked.background = reader.flag(body.background, 'background') ?? false
  asked.previousId = reader.text(body.previous_response_id, 'previous_response_id') ?? null
  refuse(body, refused, reader)
  const instructions = textOf(body.instructions, 'instructions', reader)
  asked.hasInstructions = instructions !== ''
  const given = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
  const items = reader.list(given, 'input')
  if (items === undefined) reader.fault('input', 'is required')
  const said = (items ?? []).flatMap((item, at) => saidBy(item, `input[${at}]`, reader))
  const isInstruction = (one: Said | Reference) => 'message' in one && one.message.role === 'system'
  asked.said = [
    ...(instructions === '' ? [] : [instructionSaid(instructions)]),
    ...said.filter(isInstruction),
    ...said.filter(one => !isInstruction(one)),
  ]
  readTools(body, asked, reader)
  readCommon(body, asked, reader)
  limitOutput(body.max_output_tokens, 'max_output_tokens', asked, reader)
  const text = reader.fields(body.text, 'text') ?? {}
  const format = reader.fields(text.format, 'text.format') ?? {}
  readFormat(format, format.schema, 'text.format', { asked, reader })
  reader.finish()
  return asked
}

const refused = {
  conversation: 'is not taken: send `previous_response_id`, or all that was said as `input`',
  prompt: 'is not taken: instructions are those of the agent',
}

const instructionSaid = (content: string): Said => ({
  param: 'instructions',
  message: { role: 'system', content },
})

/** What other servers ran themselves: it says nothing here. */
const passedOver = [
  'reasoning',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_list_tools',
  'mcp_call',
]

function saidBy(value: unknown, param: string, reader: Reader): (Said | Reference)[] {
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

function readTools(body: Fields, asked: Asked, reader: Reader): void {
  const tools = reader.list(body.tools, 'tools') ?? []
  const offers = tools.flatMap((tool, at) => {
    if (!isFields(tool) || tool.type !== 'function') return []
    const { name, description, parameters } = tool
    const param = `tools[${at}]`
    return [{ name, description, schema: parameters, param, schemaParam: `${param}.parameters` }]
  })
  readFunctions(offers, body.tool_choice, asked, reader)
}

/** Calls stand behind the words of the same answer: items of one answer become one message. */
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
