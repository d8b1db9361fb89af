/** JSON texts before they are parsed: how large and deep they are, and where one stops being JSON, in words. */
import { createScan, OutsideFault } from '@atrium/connectors/gate'
import type { FieldError } from '../errors.ts'
import { createTurns } from '../turns.ts'

const blank = /[ \t\n\r]*/y
const plainValue = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * The fault, such as `unexpected "}" in line 2, column 7`, and the remedy for a common slip. Null if the text is JSON.
 * Call it after parsing failed.
 */
export function jsonFault(text: string): string | null {
  const position = faultyPosition(text)
  if (position === null) return null
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const place = `in line ${line}, column ${column}`
  const sign = text.codePointAt(position)
  if (sign === undefined) return `it ends too early, ${place}`
  const remedy = remedyFor(before, text.slice(position, position + longestWord))
  return `unexpected ${JSON.stringify(String.fromCodePoint(sign))} ${place}${remedy === null ? '' : `: ${remedy}`}`
}

const longestWord = 16

/** For what other languages allow. */
function remedyFor(before: string, rest: string): string | null {
  const previous = before.trimEnd().at(-1)
  if (/^[}\]]/.test(rest) && previous === ',') return 'no comma may stand before it'
  if (/^['\u2018\u2019\u201c\u201d`]/.test(rest)) return 'use straight double quotation marks'
  if (/^(\/\/|\/\*|#)/.test(rest)) return 'JSON has no comments'
  if (/^(True|False|None)\b/.test(rest)) return 'write true, false or null in lower case'
  if (/^(NaN|-?Infinity|undefined)\b/.test(rest)) return 'write null, or a number'
  if (/^[\p{L}_$]/u.test(rest) && (previous === '{' || previous === ','))
    return 'put each name in double quotation marks'
  if (/^["\p{L}\d{[-]/u.test(rest) && /["}\]\w]\s+$/.test(before) && isWithin(before))
    return 'a comma is missing before it'
  return null
}

/** Whether a bracket is open, for a text that is JSON so far. */
const isWithin = (before: string): boolean =>
  /^\s*[{[]/.test(before) && faultyPosition(before) === before.length

/** What may come next: a value, a first item or key, a key, a colon, or what follows a value. */
type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next'

function faultyPosition(text: string): number | null {
  const closing: ('}' | ']')[] = []
  let expected: Expected = 'value'
  for (let at = endOf(blank, text, 0) ?? 0; ; at = endOf(blank, text, at) ?? at) {
    const sign = text[at]
    if (expected === 'next' && closing.length === 0) return at === text.length ? null : at
    if (sign === undefined) return at
    const last = closing.at(-1)
    const mayClose = expected === 'next' || expected === 'first-item' || expected === 'first-key'
    if (mayClose && sign === last) {
      closing.pop()
      expected = 'next'
      at++
    } else if (expected === 'next') {
      if (sign !== ',') return at
      expected = last === '}' ? 'key' : 'value'
      at++
    } else if (expected === 'colon') {
      if (sign !== ':') return at
      expected = 'value'
      at++
    } else if (expected === 'key' || expected === 'first-key') {
      if (sign !== '"') return at
      const string = readString(text, at)
      if ('faultAt' in string) return string.faultAt
      expected = 'colon'
      at = string.end
    } else if (sign === '{' || sign === '[') {
      closing.push(sign === '{' ? '}' : ']')
      expected = sign === '{' ? 'first-key' : 'first-item'
      at++
    } else if (sign === '"') {
      const string = readString(text, at)
      if ('faultAt' in string) return string.faultAt
      expected = 'next'
      at = string.end
    } else {
      const end = endOf(plainValue, text, at)
      if (end === null) return at
      expected = 'next'
      at = end
    }
  }
}

function readString(text: string, start: number): { end: number } | { faultAt: number } {
  for (let at = start + 1; at < text.length; ) {
    const sign = text[at] ?? ''
    if (sign === '"') return { end: at + 1 }
    if (sign < ' ') return { faultAt: at }
    const next = sign === '\\' ? endOf(escaped, text, at) : at + 1
    if (next === null) return { faultAt: at }
    at = next
  }
  return { faultAt: text.length }
}

/** Where a match of the pattern that begins at `at` ends; null if none begins there. */
function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

// The size and depth of a JSON text, counted in its bytes.

/** How deep a body may be nested. */
export const maxDepth = 32
/**
 * How many values a body may have, unless its route takes more. All faults are found before the first fifty are
 * reported. A body of a million faulty values would hold the server up.
 */
export const usualMaxValues = 20_000
/** The exact number is counted on the parsed values, with the field that has too many. */
const slack = 4

export const tooDeep = (field: string): FieldError => ({
  field,
  message: `must not be nested deeper than ${maxDepth} levels`,
  rule: 'maxDepth',
  limit: maxDepth,
})

export const tooManyValues = (field: string, maxValues: number): FieldError => ({
  field,
  message: `must not hold more than ${maxValues} values`,
  rule: 'maxValues',
  limit: maxValues,
})

/** Null if the text can be parsed in little time, whether it is JSON or not. Others get their turn meanwhile. */
export async function shapeFault(text: Uint8Array, maxValues: number): Promise<FieldError | null> {
  // The innermost value is one level deeper than its container.
  const limits = { maxBytes: text.length, maxValues: maxValues * slack, maxDepth: maxDepth + 1 }
  const scan = createScan(limits, 'json')
  const othersTurn = createTurns()
  try {
    for (let at = 0; at < text.length; await othersTurn()) at = scan.take(text, at)
    return null
  } catch (error) {
    if (!(error instanceof OutsideFault)) throw error
    return error.limit === 'depth' ? tooDeep('body') : tooManyValues('body', maxValues)
  }
}
