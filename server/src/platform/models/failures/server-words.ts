/** What a model's server says in an error, whatever the shape of its body: words, codes, numbers and waits. */
import { type Fields, isFields } from '@atrium/connectors/fields'
import { jsonIn } from '@atrium/connectors/gate'
import { modelTextLimits } from '../../text/model-text.ts'

export type ServerWords = {
  /** In the server's own language, on one line; null if the body has no words. */
  words: string | null
  /** Codes, types and statuses, as the server writes them. */
  codes: readonly string[]
  /** The fields of the request that the error is about, as the server writes them. */
  fields: readonly string[]
  /** Numbers by their name. */
  numbers: readonly (readonly [name: string, value: number])[]
}

/** Longer texts are not read: the first sentences say what is wrong. */
const mostCharacters = 4_000
const mostDepth = 6
const mostParts = 20

export const noWords: ServerWords = { words: null, codes: [], fields: [], numbers: [] }

/** Reads a body: JSON of any shape, a page, or plain text. */
export function wordsInBody(body: string): ServerWords {
  const value = jsonIn(body, modelTextLimits)
  if (value !== undefined && typeof value !== 'string') return wordsInValue(value)
  return { ...noWords, words: plainWords(typeof value === 'string' ? value : body) }
}

/** Reads the value of an error that came as JSON, or within a stream. */
export function wordsInValue(value: unknown): ServerWords {
  const found = { codes: [] as string[], fields: [] as string[], numbers: [] as [string, number][] }
  gather(value, '', found, 0)
  return { words: textIn(value, 0), ...found }
}

/** Whether a body that came with a good status is an error all the same. */
export const isErrorBody = (value: unknown): boolean => {
  if (!isFields(value)) return false
  const hasAnswer = ['choices', 'content', 'candidates', 'output'].some(key => {
    const part = value[key]
    return part != null && !(Array.isArray(part) && part.length === 0)
  })
  if (hasAnswer) return false
  const isFault = ({ error, errors, detail, object, type, success, message, code }: Fields): boolean =>
    (error != null && error !== false && error !== '') ||
    (Array.isArray(errors) && errors.length > 0) ||
    (detail != null && message === undefined) ||
    object === 'error' ||
    type === 'error' ||
    success === false ||
    (typeof message === 'string' && (code != null || Object.keys(value).length === 1))
  return isFault(value)
}

/** Keys of words, the best first. */
const wordKeys: readonly RegExp[] = [
  /^(error|status)?_?(message|msg)$/i,
  /^detail(s)?$/i,
  /^error_?description$/i,
  /^(error|errors|fault|exception|cause|base_resp|header|data|body|response|result)$/i,
  /^(description|title|reason|hint|info)$/i,
]
/** Where gateways put the words of the server behind them. */
const behindKeys = /^(raw|upstream_?error|original_?error|inner_?error|provider_?error|cause)$/i

function textIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return textInText(value, depth)
  if (typeof value !== 'object' || value === null || depth > mostDepth) return null
  if (Array.isArray(value)) {
    const texts = value.slice(0, 5).flatMap(one => textIn(one, depth + 1) ?? [])
    return texts.length === 0 ? null : texts.join('; ')
  }
  const fields = value as Fields
  const own = firstWords(fields, depth)
  const behind = wordsBehind(fields, depth)
  const said = own === null ? behind : behind === null || own.includes(behind) ? own : `${own}: ${behind}`
  const place = Array.isArray(fields.loc) ? fields.loc.filter(part => part !== 'body').join('.') : ''
  return said === null || place === '' ? said : `${place}: ${said}`
}

/** Words may be JSON themselves, where a gateway quotes the server behind it. */
function textInText(text: string, depth: number): string | null {
  const inner = /^\s*[[{]/.test(text) && depth <= mostDepth ? jsonIn(text, modelTextLimits) : undefined
  const within = typeof inner === 'object' ? textIn(inner, depth + 1) : null
  return within ?? plainWords(text)
}

function firstWords(fields: Fields, depth: number): string | null {
  const entries = Object.entries(fields)
  for (const pattern of wordKeys) {
    for (const [key, value] of entries) {
      const text = pattern.test(key) ? textIn(value, depth + 1) : null
      if (text !== null) return text
    }
  }
  return null
}

function wordsBehind(fields: Fields, depth: number): string | null {
  const holders = [fields, fields.metadata, fields.error].filter(isFields)
  for (const holder of holders) {
    for (const [key, value] of Object.entries(holder)) {
      const text = behindKeys.test(key) ? textIn(value, depth + 1) : null
      if (text !== null) return text
    }
  }
  return null
}

/** The text of a page or of plain words, on one line; null for nothing. */
function plainWords(text: string): string | null {
  const part = text.slice(0, mostCharacters)
  const shown = /^\s*</.test(part) ? pageWords(part) : part
  const line = shown.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return line === '' ? null : line.toWellFormed()
}

/** A page says in its title or its first heading what has happened. */
function pageWords(page: string): string {
  for (const tag of ['title', 'h1', 'h2', 'p']) {
    const from = page.toLowerCase().indexOf(`<${tag}`)
    const begin = from < 0 ? -1 : page.indexOf('>', from)
    const text = begin < 0 ? '' : page.slice(begin + 1, page.indexOf('<', begin) >>> 0)
    if (text.trim() !== '') return text
  }
  return page.replaceAll(/<[^<>]{0,500}>/g, ' ')
}

const codeKeys = /^(error_?)?(code|type|status|status_?code|reason|kind|__type)$/i
const fieldKeys = /^(param|parameter|field|path|loc|property|property_?name|argument|pointer)$/i

function gather(
  value: unknown,
  key: string,
  found: { codes: string[]; fields: string[]; numbers: [string, number][] },
  depth: number,
): void {
  if (depth > mostDepth) return
  if (Array.isArray(value)) {
    if (fieldKeys.test(key))
      found.fields.push(
        value
          .filter(part => part !== 'body')
          .join('.')
          .slice(0, 200),
      )
    else for (const one of value.slice(0, mostParts)) gather(one, key, found, depth + 1)
    return
  }
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value).slice(0, mostParts * 2)) {
      gather(inner, name, found, depth + 1)
    }
    return
  }
  if (typeof value === 'string' && /^\s*\{/.test(value))
    gather(jsonIn(value, modelTextLimits), key, found, depth + 1)
  else if (codeKeys.test(key) && value != null) found.codes.push(String(value).slice(0, 100))
  else if (fieldKeys.test(key) && typeof value === 'string') found.fields.push(value.slice(0, 200))
  else if (typeof value === 'number' && key !== '') found.numbers.push([key, value])
}
