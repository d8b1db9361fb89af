/**
 * The events of a server that imitates Anthropic's messages, in the form that Anthropic's package reads: whole messages
 * as events, numbers as numbers, the end last. Events and parts that the package does not know are left out.
 */
import { type Arguments, createArguments } from './calls.ts'
import { isNoEnd } from './ends.ts'
import type { PackageEvents } from './events.ts'
import { type Json, jsonTextOf, listIn, numberIn, recordIn, textIn } from './values.ts'

/** The texts of each block and delta that the package gets. */
const blockTexts: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  thinking: ['thinking'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name'],
}
const deltaTexts: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
}
const counts = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']

type Block = { index: number; type: string; input: Arguments | null }

export function createAnthropicEvents(): PackageEvents {
  let [hasBegun, hasEnded, hasContent, isWhole] = [false, false, false, true]
  let stopReason: string | null = null
  let open: Block | null = null
  let usage: Json = {}

  const begin = (message: Json): Json[] => {
    if (hasBegun) return []
    hasBegun = true
    usage = { ...usage, ...countsOf(recordIn(message.usage)) }
    return [{ type: 'message_start', message: { id: 'message', usage: { input_tokens: 0, ...usage } } }]
  }

  /** What a block brings when it begins comes as its first delta, since the package reads only deltas. */
  const openBlock = (index: number, block: Json): Json[] => {
    const type = textIn(block.type)
    const fields = blockTexts[type]
    if (fields === undefined) return []
    const before = [...begin({}), ...closeBlock()]
    hasContent = true
    open = { index, type, input: type === 'tool_use' ? createArguments() : null }
    open.input?.add(jsonTextOf(block.input))
    const { content, deltas } = beginningOf(type, fields, block)
    return [
      ...before,
      { type: 'content_block_start', index, content_block: content },
      ...deltas.flatMap(delta => addDelta(index, delta)),
    ]
  }

  const closeBlock = (): Json[] => {
    if (open === null) return []
    const { index, input } = open
    open = null
    isWhole &&= input === null || input.isWhole()
    const delta = { type: 'input_json_delta', partial_json: input?.text ?? '' }
    return [
      ...(delta.partial_json === '' ? [] : [{ type: 'content_block_delta', index, delta }]),
      { type: 'content_block_stop', index },
    ]
  }

  const addDelta = (index: number, delta: Json): Json[] => {
    const type = textIn(delta.type)
    if (type === 'input_json_delta') {
      if (open?.index === index) open.input?.add(jsonTextOf(delta.partial_json))
      return []
    }
    const field = deltaTexts[type]
    if (field === undefined) return []
    const kind = type === 'text_delta' ? 'text' : 'thinking'
    // A text may come without the event that begins it.
    const before = open?.index === index && open.type === kind ? [] : openBlock(index, { type: kind })
    return [...before, { type: 'content_block_delta', index, delta: { type, [field]: textIn(delta[field]) } }]
  }

  const tellEnd = (reason: unknown, told: unknown): void => {
    const word = textIn(reason)
    if (!isNoEnd(word)) stopReason = word
    usage = { ...usage, ...countsOf(recordIn(told)) }
  }

  /** A message that is done without a reason is whole, unless a call in it is not. */
  const end = (): Json[] => {
    const last = closeBlock()
    hasEnded = true
    if (stopReason === null && !(hasContent && isWhole)) return last
    const delta = { stop_reason: stopReason ?? 'end_turn', stop_sequence: null }
    return [
      ...last,
      { type: 'message_delta', delta, usage: { output_tokens: 0, ...usage } },
      { type: 'message_stop' },
    ]
  }

  const whole = (message: Json): Json[] => {
    const { content } = message
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content)
    const events = [...begin(message), ...blocks.flatMap((block, index) => openBlock(index, recordIn(block)))]
    tellEnd(message.stop_reason, message.usage)
    return events
  }

  return {
    take(name, event) {
      const type = textIn(event.type) || (name ?? '')
      const index = numberIn(event.index) ?? open?.index ?? 0
      if (event.error != null || type === 'error') return [{ type: 'error', error: errorOf(event) }]
      switch (type) {
        case 'message':
          return whole(event)
        case 'message_start':
          return begin(recordIn(event.message))
        case 'content_block_start':
          return openBlock(index, recordIn(event.content_block))
        case 'content_block_delta':
          return addDelta(index, recordIn(event.delta))
        case 'content_block_stop':
          return closeBlock()
        case 'message_delta':
          tellEnd(recordIn(event.delta).stop_reason ?? event.stop_reason, event.usage)
          return []
        case 'message_stop':
          return end()
        default:
          return []
      }
    },
    done: () => (hasEnded || !hasBegun ? [] : end()),
    end: () => (hasEnded || stopReason === null ? [] : end()),
    get isOver() {
      return stopReason !== null
    },
    get hasEnded() {
      return hasEnded
    },
  }
}

function beginningOf(
  type: string,
  fields: readonly string[],
  block: Json,
): { content: Json; deltas: Json[] } {
  const texts = Object.fromEntries(fields.map(field => [field, textIn(block[field])]))
  if (type !== 'text' && type !== 'thinking') return { content: { type, ...texts }, deltas: [] }
  const deltas = [
    { type: `${type}_delta`, [type]: textIn(block[type]) },
    { type: 'signature_delta', signature: textIn(block.signature) },
  ]
  // An empty signature would be sent back, and refused.
  return {
    content: { type, [type]: '' },
    deltas: deltas.filter(delta => Object.values(delta).every(text => text !== '')),
  }
}

function countsOf(usage: Json): Json {
  const told: Json = {}
  for (const count of counts) {
    const number = numberIn(usage[count])
    if (number !== undefined) told[count] = number
  }
  return told
}

function errorOf(event: Json): Json {
  const error = recordIn(event.error)
  const words = textIn(error.message ?? event.message ?? event.detail ?? event.error)
  return { ...error, type: textIn(error.type) || 'api_error', message: words || JSON.stringify(event) }
}
