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

/** Reads the JSON of an answer, which stands alone, in a code fence, or between other words. */
export async function readOutput(text: string, check: CheckValue): Promise<ReadOutput> {
  const read = candidatesOf(text)
    .map(parse)
    .find(parsed => parsed !== null)
  if (read === undefined || read === null) return { faults: 'output: is not valid JSON' }
  const unsafe = hasUnsafe(read.value)
  if (unsafe)
    return { faults: 'output: holds characters that cannot be stored (NUL or half of a surrogate pair)' }
  const faults = await check(read.value)
  return faults.length === 0 ? { value: read.value } : { faults: wordsOf(faults) }
}

function candidatesOf(text: string): string[] {
  const fenced = fencedIn(text)
  const opening = text.search(/[{[]/)
  const closing = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  return [
    text,
    ...(fenced === undefined ? [] : [fenced]),
    ...(opening >= 0 && closing > opening ? [text.slice(opening, closing + 1)] : []),
  ]
}

/** The content of the first code fence; undefined without a fence that is closed. */
function fencedIn(text: string): string | undefined {
  const opening = /```(?:json)?[^\S\n]*\n/i.exec(text)
  if (opening === null) return undefined
  const start = opening.index + opening[0].length
  const end = text.indexOf('```', start)
  return end < 0 ? undefined : text.slice(start, end)
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
