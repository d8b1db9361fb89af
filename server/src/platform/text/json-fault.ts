/** Where a text stops being JSON, in words: the engine's own message names no position, and quotes the text. */

const blank = /[ \t\n\r]*/y
const plainValue = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Such as `unexpected "}" in line 2, column 7`. Null if the text is JSON. To be asked once parsing has failed. */
export function jsonFault(text: string): string | null {
  const position = faultyPosition(text)
  if (position === null) return null
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const place = `in line ${line}, column ${column}`
  const sign = text.codePointAt(position)
  return sign === undefined
    ? `it ends too early, ${place}`
    : `unexpected ${JSON.stringify(String.fromCodePoint(sign))} ${place}`
}

/** What may come next: a value, the first item or key of what was just opened, a key, a colon, or what follows a value. */
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

/** Where the pattern's match ends that begins at `at`; null if none does. */
function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}
