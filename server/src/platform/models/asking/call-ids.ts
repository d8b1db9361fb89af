/** The ids of tool calls: unique within a run, and in the shape that the server itself uses or asks for. */
import { createHash } from 'node:crypto'
import type { LanguageModelV3Prompt } from '@ai-sdk/provider'

/**
 * The id, or another one of the same shape if it is taken: a server that asks for nine letters and digits, or for a
 * prefix of its own, takes back what it could have written. The same id and number always give the same result.
 */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id
  for (let number = 2; ; number++) {
    const candidate = likeness(id, number)
    if (!taken.has(candidate)) return candidate
  }
}

/** Too short ids have too few neighbours. */
const leastVaried = 4

function likeness(id: string, number: number): string {
  // A counter counts on, as its server would.
  const counter = /^(.*?\D|)(\d{1,6})$/s.exec(id)
  const isCounted = counter !== null && (id.length < leastVaried || /[_:.-]$/.test(counter[1] ?? ''))
  if (isCounted) return `${counter[1]}${Number(counter[2]) + number - 1}`
  if (id.length < leastVaried) return `${id}_${number}`
  const random = createHash('sha512').update(`${id}|${number}`).digest()
  const prefix = /^[A-Za-z]{2,12}[_-]/.exec(id)?.[0].length ?? 0
  return [...id]
    .map((sign, at) => (at < prefix ? sign : another(sign, random[at % random.length] ?? 0)))
    .join('')
}

const another = (sign: string, byte: number): string => {
  for (const [first, size] of [
    ['a', 26],
    ['A', 26],
    ['0', 10],
  ] as const) {
    const offset = sign.charCodeAt(0) - first.charCodeAt(0)
    if (sign.length === 1 && offset >= 0 && offset < size) {
      // Letters of hexadecimal numbers stay such letters.
      const span = size === 26 && offset < 6 ? 6 : size
      return String.fromCharCode(first.charCodeAt(0) + (byte % span))
    }
  }
  return sign
}

/** The ids that a provider takes. */
export type IdRule = (id: string) => boolean

/** Nine letters and digits, as Mistral asks for; every other provider takes such ids too. */
export const isOfNine: IdRule = id => /^[A-Za-z0-9]{9}$/.test(id)
/** Anthropic's pattern, at the length that OpenAI takes. */
export const isPlain: IdRule = id => /^[A-Za-z0-9_-]{1,64}$/.test(id)

const signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** An id of nine letters and digits, the same for the same id. */
export function idOfNine(id: string): string {
  const digest = createHash('sha256').update(id).digest()
  return Array.from({ length: 9 }, (_, at) => signs[(digest[at] ?? 0) % signs.length]).join('')
}

/** The prompt with ids that keep to the rule; ids that do so already stay. */
export function withIds(prompt: LanguageModelV3Prompt, fits: IdRule): LanguageModelV3Prompt {
  const fitting = (id: string): string => (fits(id) ? id : idOfNine(id))
  return prompt.map(message => {
    if (message.role !== 'assistant' && message.role !== 'tool') return message
    if (message.content.every(part => !('toolCallId' in part) || fits(part.toolCallId))) return message
    const content = message.content.map(part =>
      'toolCallId' in part ? { ...part, toolCallId: fitting(part.toolCallId) } : part,
    )
    // The parts keep their types: only their ids differ.
    return { ...message, content } as typeof message
  })
}
