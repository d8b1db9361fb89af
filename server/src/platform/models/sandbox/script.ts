/** A prompt that begins with `sim:` as a script. Its words happen in their order, and the rest is the question. */
import { ModelError } from '../model-error.ts'
import { failureOf, failureWords } from './failures.ts'

export type Word =
  | { kind: 'slow'; ms: number }
  | { kind: 'stream'; words: number }
  | { kind: 'reasoning' }
  | { kind: 'restart' }
  | { kind: 'disconnect_after'; events: number }
  | { kind: 'tool'; name: string; input: string | null }
  | { kind: 'approval' }
  | Ending

/** The last word of a script. */
export type Ending =
  | { kind: 'output'; text: string }
  | { kind: 'failure'; failure: ModelError }
  | { kind: 'tool_error' | 'max_steps' | 'output_invalid' | 'repair' }
  | { kind: 'content_filtered' | 'output_truncated' }

export type Script = { words: Word[]; question: string }

const mostSeconds = 600
const mostCount = 1_000
const mostWords = 50

/** Each word that takes a value: how it is written, and how its value is read; null for a wrong value. */
const withValue: Readonly<Record<string, { usage: string; read(value: string): Word | null }>> = {
  slow: {
    usage: `sim:slow=5s or sim:slow=250ms, at most ${mostSeconds}s`,
    read(value) {
      const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(value) ?? []
      const ms = Number(amount) * (unit === 's' ? 1000 : 1)
      return ms <= mostSeconds * 1000 ? { kind: 'slow', ms } : null
    },
  },
  stream: {
    usage: `sim:stream=20, from 1 to ${mostCount}`,
    read: value => counted(value, words => ({ kind: 'stream', words })),
  },
  disconnect_after: {
    usage: `sim:disconnect_after=3, from 1 to ${mostCount}`,
    read: value => counted(value, events => ({ kind: 'disconnect_after', events })),
  },
  tool: {
    usage: 'sim:tool=NAME({"argument": "value"}) or sim:tool=NAME',
    read(value) {
      const [, name, input] = /^([\w.-]{1,100})(?:\(([\s\S]*)\))?$/.exec(value) ?? []
      return name === undefined ? null : { kind: 'tool', name, input: input?.trim() ?? null }
    },
  },
  output: {
    usage: 'sim:output=Any text',
    read: text => (text.trim() === '' ? null : { kind: 'output', text }),
  },
}

const alone = [
  'reasoning',
  'restart',
  'approval',
  'tool_error',
  'max_steps',
  'output_invalid',
  'repair',
  'content_filtered',
  'output_truncated',
] as const

/** Only these words may have something behind them. */
const goingOn: readonly string[] = [
  'slow',
  'stream',
  'reasoning',
  'restart',
  'disconnect_after',
  'tool',
  'approval',
]

/** Null if the prompt is no script. Throws a `ModelError` that says what is wrong, and which words there are. */
export function readScript(prompt: string): Script | null {
  const words: Word[] = []
  let rest = prompt.trimStart()
  while (/^sim:[^\s=]/.test(rest)) {
    const { word, length } = readWord(rest)
    words.push(word)
    rest = rest.slice(length).trimStart()
    if (words.length > mostWords) throw wrong(`A prompt has at most ${mostWords} words of sim:`)
    if (!goingOn.includes(word.kind) && rest !== '')
      throw wrong(`Nothing can follow ${written(prompt, rest)}`)
  }
  return words.length === 0 ? null : { words, question: rest.trimEnd() }
}

/** How many events come before the stream to the client breaks off; null if it does not. */
export function disconnectAfter(prompt: string): number | null {
  try {
    const word = readScript(prompt)?.words.find(each => each.kind === 'disconnect_after')
    return word?.kind === 'disconnect_after' ? word.events : null
  } catch {
    // The run itself says what is wrong with the prompt.
    return null
  }
}

const isAlone = (name: string): name is (typeof alone)[number] => alone.some(each => each === name)

/** The word with which the text begins. */
function readWord(text: string): { word: Word; length: number } {
  const [head = '', name = ''] = /^sim:([^\s=]+)/.exec(text) ?? []
  const takes = Object.hasOwn(withValue, name) ? withValue[name] : undefined
  if (takes !== undefined) {
    const value = givenTo(name, text.slice(head.length))
    const word = value === null ? null : takes.read(value)
    if (word === null) throw wrong(`Write ${takes.usage}`)
    return { word, length: head.length + 1 + (value ?? '').length }
  }
  const failure = failureOf(name)
  const word = isAlone(name)
    ? { kind: name }
    : failure === null
      ? null
      : { kind: 'failure' as const, failure }
  if (word === null) throw wrong(`There is no simulation ${name.slice(0, 100)}; known are ${known}`)
  if (text[head.length] === '=') throw wrong(`sim:${name} takes no value`)
  return { word, length: head.length }
}

/** An output goes on to the end; a tool's arguments may hold spaces; null if there is no value. */
function givenTo(name: string, text: string): string | null {
  if (!text.startsWith('=')) return null
  const value = text.slice(1)
  if (name === 'output') return value
  const pattern = name === 'tool' ? toolCall : /^\S*/
  return pattern.exec(value)?.[0] ?? null
}

/** A parenthesis within a string of JSON does not end the arguments. */
const toolCall = /^[^\s(]*(?:\((?:"(?:[^"\\]|\\.)*"|[^")])*\))?(?=\s|$)/

function counted(value: string, make: (count: number) => Word): Word | null {
  const count = /^\d{1,4}$/.test(value) ? Number(value) : 0
  return count >= 1 && count <= mostCount ? make(count) : null
}

const known = [
  ...['slow=5s', 'stream=20', 'reasoning', 'restart', 'disconnect_after=3', 'tool=NAME({…})', 'output=…'],
  ...new Set([...alone.filter(name => name !== 'reasoning' && name !== 'restart'), ...failureWords]),
]
  .map(word => `sim:${word}`)
  .join(', ')

const written = (prompt: string, rest: string): string =>
  prompt
    .slice(0, prompt.length - rest.length)
    .trim()
    .split(/\s+/)
    .at(-1) ?? ''

const wrong = (message: string): ModelError =>
  new ModelError('model_request_rejected', message, { final: true })
