/** Answers that have to fit a JSON Schema: requested, read and checked. */

import { jsonIn } from '@atrium/connectors/gate'
import type { FieldError } from '../../../platform/errors.ts'
import type { JsonSchema } from '../../../platform/json-schema/strangers-schemas.ts'
import { modelTextLimits } from '../../../platform/text/model-text.ts'

/** The schema that a run's answer has to fit, and its check. */
export type ResponseSchema = { schema: JsonSchema; check: CheckValue }

/** Finds the faults of a value, the first ones first; empty if the value fits. */
export type CheckValue = (value: unknown) => Promise<FieldError[]>

export type ReadOutput = { value: unknown } | { faults: string }

const mostFaults = 10

/** For models whose provider does not support schemas; other models get the schema twice. */
export const schemaInstructions = (schema: JsonSchema): string =>
  `Your final answer is one JSON value that fits the JSON Schema below: nothing before it, nothing behind it, no code fence. Calls of tools come before it as usual.\n${JSON.stringify(schema)}`

/** The message to a model whose answer does not fit the schema. */
export const repairPrompt = (faults: string): string =>
  `Your answer does not fit the JSON Schema: ${faults}. Answer again with the whole corrected JSON value and nothing else.`

/** More values of one answer are not checked: a check may take long. */
const mostChecked = 4

/**
 * Reads the JSON of an answer, which stands alone, in a code fence, or between other words. Takes the first value that
 * fits: of the whole text, else of its last value backwards, since models explain before they answer.
 */
export async function readOutput(text: string, check: CheckValue): Promise<ReadOutput> {
  let first: string | null = null
  let checked = 0
  for (const value of valuesIn(text)) {
    const faults = await faultsOf(value, check)
    if (faults === null) return { value }
    first ??= faults
    if (++checked === mostChecked) break
  }
  return { faults: first ?? 'output: is not valid JSON' }
}

/** Null if the value fits. */
async function faultsOf(value: unknown, check: CheckValue): Promise<string | null> {
  if (hasUnsafe(value))
    return 'output: holds characters that cannot be stored (NUL or half of a surrogate pair)'
  const faults = await check(value)
  return faults.length === 0 ? null : wordsOf(faults)
}

/** The values that may be the answer, the likeliest first; of a value in another one, the outer value comes first. */
function* valuesIn(text: string): Generator<unknown> {
  const whole = parse(text)
  if (whole !== null) {
    yield whole.value
    yield* innerOf(whole.value)
    return
  }
  for (const part of [...fencedIn(text), ...bracketedIn(text)]) {
    const read = parse(part)
    if (read === null) continue
    yield read.value
    if (typeof read.value === 'string') yield* innerOf(read.value)
  }
}

/** JSON that is written as a text in JSON, or that an object or a list holds as its only value. */
function* innerOf(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    const inner = parse(value)
    if (inner !== null) yield inner.value
    return
  }
  if (typeof value !== 'object' || value === null) return
  const [only, ...others] = Object.values(value)
  if (typeof only === 'object' && only !== null && others.length === 0) yield only
}

/** The contents of code fences, the last one first. */
function fencedIn(text: string): string[] {
  const parts = text.split(/^[ \t]{0,20}```[^\n]*\n?/m)
  return parts.filter((_, index) => index % 2 === 1).reverse()
}

/** Of a text with many brackets, the last parts are looked at. */
const mostParts = 16

/** The parts of a text from an opening bracket to the one that closes it, the last one first. */
function bracketedIn(text: string): string[] {
  const parts: string[] = []
  let [depth, start, isInText] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isInText) {
      if (sign === '\\') at++
      else if (sign === '"') isInText = false
    } else if (sign === '"' && depth > 0) isInText = true
    else if (sign === '{' || sign === '[') {
      if (depth++ === 0) start = at
    } else if ((sign === '}' || sign === ']') && depth > 0 && --depth === 0)
      parts.push(text.slice(start, at + 1))
  }
  // A bracket among the words may never be closed; what follows it is looked at without it.
  if (depth > 0 && start + 1 < text.length) parts.push(...unclosed(text.slice(start + 1)))
  const latest = parts.slice(-mostParts).reverse()
  // A short list may be a citation.
  const isObject = (part: string) => part.startsWith('{')
  return [
    ...latest.filter(isObject),
    ...latest.filter(part => !isObject(part)).sort((a, b) => b.length - a.length),
  ]
}

/** From the last opening bracket of an object to the last closing one. */
function unclosed(text: string): string[] {
  const [opening, closing] = [text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))]
  return opening >= 0 && closing > opening ? [text.slice(opening, closing + 1)] : []
}

/** Null for what is no JSON, or too much of it; the next candidate may be the JSON. */
function parse(text: string): { value: unknown } | null {
  const value = jsonIn(text, modelTextLimits)
  return value === undefined ? null : { value }
}

/** PostgreSQL cannot store NUL, and half a surrogate pair would silently become another character. */
function hasUnsafe(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => hasUnsafe(key) || hasUnsafe(item))
}

function wordsOf(faults: readonly FieldError[]): string {
  const shown = faults.slice(0, mostFaults).map(({ field, message }) => `${field}: ${message}`)
  const more = faults.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
