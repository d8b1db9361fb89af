/**
 * The optional fields of a request, each as a switch: how a server names the field when it refuses it, and what stands
 * in its place then. A field that is in no row is left out as a whole.
 */
import { isFields } from '@atrium/connectors/fields'
import { idOfNine, isOfNine } from './call-ids.ts'

export type Body = Record<string, unknown>

/** A field of a request, and what stands in its place. */
export type Change = { field: string; instead: string }

/** A change that a refusal calls for; `isNamed` if the server has named the field. */
export type Attempt = Change & { apply(body: Body): Body; isNamed: boolean }

export type Switch = {
  /** The name under which it is remembered. */
  field: string
  /** How servers name it in their words. */
  names: RegExp
  isIn(body: Body): boolean
  /** What may stand in its place, the best first; `words` are those of the refusal. */
  choices(body: Body, words: string): string[]
  apply(body: Body, instead: string): Body
}

/** Stands for a field that is left out. */
export const none = 'none'

const listIn = (value: unknown): Body[] => (Array.isArray(value) ? value.filter(isFields) : [])
const messagesIn = (body: Body): Body[] => listIn(body.messages)
const hasTools = (body: Body): boolean => Array.isArray(body.tools) && body.tools.length > 0

/** The value at a path of names. */
export function valueAt(body: Body, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), body)
}

/** The body without the fields at these paths; objects that become empty go too. */
export function without(body: Body, ...paths: string[]): Body {
  return paths.reduce((left, path) => {
    const [name = '', ...inner] = path.split('.')
    if (!(name in left)) return left
    const { [name]: value, ...rest } = left
    if (inner.length === 0) return rest
    if (!isFields(value)) return left
    const within = without(value, inner.join('.'))
    return Object.keys(within).length === 0 ? rest : { ...rest, [name]: within }
  }, body)
}

/** A switch whose fields are left out together. */
const leftOut = (field: string, names: RegExp, ...paths: string[]): Switch => ({
  field,
  names,
  isIn: body => paths.some(path => valueAt(body, path) !== undefined),
  choices: () => [none],
  apply: body => without(body, ...paths),
})

const formatPaths = [
  'response_format',
  'text.format',
  'output_format',
  'output_config.format',
  'generationConfig.responseSchema',
  'generationConfig.responseJsonSchema',
  'generationConfig.responseMimeType',
]
const hasFormat = (body: Body): boolean => formatPaths.some(path => valueAt(body, path) !== undefined)

const schemaBesideTools: Switch = {
  field: 'schema beside tools',
  names:
    /(response.?format|json.?(mode|schema|object|format|output)|structured.?output|mime.?type|output.?format)[\s\S]{0,200}\b(tools?|functions?)\b|\b(tools?|functions?)\b[\s\S]{0,200}(response.?format|json.?(mode|schema|object|format|output)|structured.?output|mime.?type|output.?format)/i,
  isIn: body => hasTools(body) && hasFormat(body),
  choices: () => [none],
  apply: body => (hasTools(body) ? without(body, ...formatPaths) : body),
}

const jsonObject = 'json_object'

const responseFormat: Switch = {
  field: 'response_format',
  names:
    /response.?format|json.?(schema|mode|object|format)|structured.?output|response.?(json.?)?schema|response.?mime.?type|text\.format|output.?(format|config|schema)|guided.?json|grammar/i,
  isIn: hasFormat,
  choices: body =>
    isFields(body.response_format) && body.response_format.type === 'json_schema'
      ? [jsonObject, none]
      : [none],
  apply: (body, instead) =>
    instead === none || !isFields(body.response_format)
      ? without(body, ...formatPaths)
      : { ...body, response_format: { type: jsonObject } },
}

const limitPaths = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'generationConfig.maxOutputTokens',
]

const tokenLimit: Switch = {
  field: 'max_tokens',
  names: /max.?(completion.?|output.?|new.?)?tokens|max.?(completion|output).?length/i,
  isIn: body => limitPaths.some(path => valueAt(body, path) !== undefined),
  choices(body, words) {
    const path = limitPaths.find(one => valueAt(body, one) !== undefined) ?? ''
    const now = Number(valueAt(body, path))
    const told = [...words.matchAll(/(?<![\w.])\d{1,9}(?![\w.]*\w)/g)].map(([text]) => Number(text))
    const most = told.filter(count => count >= 16 && count < now)
    const isRange = /maximum|at most|less than|up to|supports|range|too (large|big)|exceed|<=/i.test(words)
    const limited = isRange && most.length > 0 ? [`at most ${Math.max(...most)}`] : []
    if (path === 'max_tokens' || path === 'max_completion_tokens') {
      const other = path === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
      // Anthropic's protocol needs the field.
      return isAnthropic(body) ? limited : [...limited, other, none]
    }
    return [...limited, none]
  },
  apply(body, instead) {
    const path = limitPaths.find(one => valueAt(body, one) !== undefined)
    if (path === undefined) return body
    const most = /^at most (\d+)$/.exec(instead)?.[1]
    if (most !== undefined) return withValue(body, path, Math.min(Number(most), Number(valueAt(body, path))))
    const bare = without(body, path)
    return instead === none ? bare : { ...bare, [instead]: valueAt(body, path) }
  },
}

/** In this protocol each content is a list, and each request has a limit. */
const isAnthropic = (body: Body): boolean =>
  'max_tokens' in body && messagesIn(body).every(({ content }) => Array.isArray(content))

function withValue(body: Body, path: string, value: unknown): Body {
  const [name = '', ...inner] = path.split('.')
  if (inner.length === 0) return { ...body, [name]: value }
  const within = body[name]
  return { ...body, [name]: withValue(isFields(within) ? within : {}, inner.join('.'), value) }
}

const toolChoice: Switch = {
  field: 'tool_choice',
  names: /tool.?choice|tool.?config|function.?calling.?config|forced? (tool|function)|named (tool|function)/i,
  isIn: body => body.tool_choice !== undefined || body.toolConfig !== undefined,
  choices: ({ tool_choice: choice }) =>
    isFields(choice) && choice.type === 'function' ? ['required', none] : [none],
  apply: (body, instead) =>
    instead === none
      ? without(body, 'tool_choice', 'toolConfig')
      : isFields(body.tool_choice)
        ? { ...body, tool_choice: instead }
        : body,
}

const eachMessage = (body: Body, change: (message: Body) => Body): Body =>
  Array.isArray(body.messages)
    ? { ...body, messages: body.messages.map(one => (isFields(one) ? change(one) : one)) }
    : body

const reasoningKeys = ['reasoning_content', 'reasoning', 'reasoning_details']

const reasoningBack: Switch = {
  field: 'reasoning_content',
  names: /reasoning.?content|\breasoning\b|\bthinking\b|\bthoughts?\b/i,
  isIn: body => messagesIn(body).some(message => reasoningKeys.some(key => key in message)),
  choices: () => [none],
  apply: body => eachMessage(body, message => without(message, ...reasoningKeys)),
}

const signature: Switch = {
  field: 'extra_content',
  names: /extra.?content|thought.?signature/i,
  isIn: body =>
    messagesIn(body).some(({ tool_calls: calls }) => listIn(calls).some(call => 'extra_content' in call)),
  choices: () => [none],
  apply: body =>
    eachMessage(body, message =>
      Array.isArray(message.tool_calls)
        ? { ...message, tool_calls: listIn(message.tool_calls).map(call => without(call, 'extra_content')) }
        : message,
    ),
}

const textOf = (content: unknown): string | null => {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  const parts = listIn(content)
  return parts.every(({ text }) => typeof text === 'string')
    ? parts.map(({ text }) => text).join('\n\n')
    : null
}

/** Messages one behind the other; texts of both stay, and pictures keep their places. */
function together(first: Body, second: Body): Body {
  const [one, two] = [textOf(first.content), textOf(second.content)]
  if (one !== null && two !== null) {
    return { ...first, ...second, content: [one, two].filter(text => text !== '').join('\n\n') }
  }
  const parts = (content: unknown) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content)
  return { ...first, ...second, content: [...parts(first.content), ...parts(second.content)] }
}

const systemRole: Switch = {
  field: 'system role',
  names:
    /(system|developer)\W{0,3}(\w{1,20} )?(role|messages?|prompts?|instructions?)\b|\broles?\b[^.]{0,80}\b(system|developer)|['"`](system|developer)['"`]|only (the )?user and assistant|alternat/i,
  isIn: body => messagesIn(body).some(({ role }) => role === 'system') || isFields(body.systemInstruction),
  choices: (body, words) =>
    !isFields(body.systemInstruction) && /use.{0,20}developer|developer.{0,20}instead/i.test(words)
      ? ['developer', 'user']
      : ['user'],
  apply(body, instead) {
    if (instead === 'developer') {
      return eachMessage(body, message =>
        message.role === 'system' ? { ...message, role: instead } : message,
      )
    }
    return isFields(body.systemInstruction)
      ? withoutInstruction(body, body.systemInstruction)
      : withoutSystem(body)
  },
}

function withoutSystem(body: Body): Body {
  const all = messagesIn(body)
  const system = all.filter(({ role }) => role === 'system')
  if (system.length === 0) return body
  const rest = all.filter(({ role }) => role !== 'system')
  const words = { role: 'user', content: system.map(({ content }) => textOf(content) ?? '').join('\n\n') }
  const [first, ...others] = rest
  const messages = first?.role === 'user' ? [together(words, first), ...others] : [words, ...rest]
  return { ...body, messages }
}

function withoutInstruction(body: Body, { parts }: Body): Body {
  const [first, ...others] = listIn(body.contents)
  const contents =
    first?.role === 'user'
      ? [{ ...first, parts: [...listIn(parts), ...listIn(first.parts)] }, ...others]
      : [{ role: 'user', parts }, ...listIn(body.contents)]
  return { ...without(body, 'systemInstruction'), contents }
}

const isPair = (one: Body | undefined, two: Body): boolean =>
  one !== undefined &&
  one.role === two.role &&
  (two.role === 'user' || two.role === 'assistant') &&
  !('tool_calls' in one) &&
  !('tool_calls' in two)

const alternation: Switch = {
  field: 'messages of one role in a row',
  names: /alternat|consecutive|same role|in a row|roles?\b[^.]{0,40}\b(order|sequence)/i,
  isIn: body => messagesIn(body).some((message, at, all) => isPair(all[at - 1], message)),
  choices: () => ['joined'],
  apply(body) {
    const joined: Body[] = []
    for (const message of messagesIn(body)) {
      const last = joined.at(-1)
      if (last !== undefined && isPair(last, message)) joined[joined.length - 1] = together(last, message)
      else joined.push(message)
    }
    return { ...body, messages: joined }
  },
}

const callIds: Switch = {
  field: 'ids of tool calls',
  names:
    /tool.?(call|use).{0,3}ids?\b|\bcall ids?\b|\bids?\b[^.]{0,60}\b(letters|digits|characters|length|pattern|alphanumeric|a-z)|tool_calls[^.]{0,20}\.id\b/i,
  isIn: body =>
    messagesIn(body).some(({ tool_calls: calls }) => listIn(calls).some(({ id }) => !isOfNine(String(id)))),
  choices: () => ['nine letters and digits'],
  apply: body =>
    eachMessage(body, message => {
      const fitting = (id: unknown) => (isOfNine(String(id)) ? id : idOfNine(String(id)))
      if (Array.isArray(message.tool_calls)) {
        return {
          ...message,
          tool_calls: listIn(message.tool_calls).map(call => ({ ...call, id: fitting(call.id) })),
        }
      }
      return 'tool_call_id' in message ? { ...message, tool_call_id: fitting(message.tool_call_id) } : message
    }),
}

const isForText = ({ content }: Body): boolean =>
  content === null || (Array.isArray(content) && textOf(content) !== null)

const contentParts: Switch = {
  field: 'content in parts',
  names:
    /content[^.]{0,100}\b(strings?|str|texts?|null|none|empty|required|missing|array|list|sequence)\b|\b(strings?|str|null|none|sequence|array)\b[^.]{0,60}\bcontent/i,
  isIn: body => messagesIn(body).some(isForText),
  choices: () => ['text'],
  apply: body =>
    eachMessage(body, message =>
      isForText(message) ? { ...message, content: textOf(message.content) ?? '' } : message,
    ),
}

const strict: Switch = {
  field: 'strict',
  names: /\bstrict\b/i,
  isIn: body => /"strict":/.test(JSON.stringify([body.tools, body.response_format, body.text])),
  choices: () => [none],
  apply(body) {
    const bare = without(body, 'response_format.json_schema.strict', 'text.format.strict')
    if (!Array.isArray(bare.tools)) return bare
    return { ...bare, tools: listIn(bare.tools).map(tool => without(tool, 'strict', 'function.strict')) }
  },
}

/** In the order in which a refusal without a name is traced: what few servers know comes first. */
export const switches: readonly Switch[] = [
  leftOut('stream_options', /stream.?options|include.?usage/i, 'stream_options'),
  schemaBesideTools,
  responseFormat,
  reasoningBack,
  toolChoice,
  leftOut('parallel_tool_calls', /parallel/i, 'parallel_tool_calls'),
  leftOut(
    'reasoning_effort',
    /reasoning.?effort|\beffort\b|thinking|\breasoning\b/i,
    'reasoning_effort',
    'reasoning',
    'thinking',
    'output_config.effort',
    'generationConfig.thinkingConfig',
  ),
  leftOut('seed', /\bseed\b/i, 'seed', 'generationConfig.seed'),
  leftOut('top_p', /\btop.?p\b/i, 'top_p', 'generationConfig.topP'),
  leftOut('temperature', /\btemperature\b/i, 'temperature', 'generationConfig.temperature'),
  leftOut(
    'stop',
    /stop.?sequences?|['"`]stop['"`]|\bstop (parameter|words?|field)/i,
    'stop',
    'stop_sequences',
    'generationConfig.stopSequences',
  ),
  tokenLimit,
  signature,
  strict,
  contentParts,
  alternation,
  systemRole,
  callIds,
]

/** Fields without which there is no request. */
const needed = [
  'model',
  'messages',
  'input',
  'contents',
  'prompt',
  'stream',
  'tools',
  'system',
  'systemInstruction',
  'instructions',
]
const holders = ['generationConfig', 'text', 'reasoning', 'output_config', 'thinking', 'stream_options']

/** The switch of a field that is in no row: its path. */
export const otherSwitch = (path: string): Switch => leftOut(path, /$^/, path)

/** The paths of a body's optional fields. */
export const optionalPaths = (body: Body): string[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (needed.includes(name)) return []
    const inner =
      holders.includes(name) && isFields(value) ? Object.keys(value).map(key => `${name}.${key}`) : []
    return [...inner, name]
  })
