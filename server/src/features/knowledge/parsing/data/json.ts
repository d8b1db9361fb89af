/** JSON to readable lines: `key: value`, indented by depth. Also reads JSON lines, and several values in a row. */
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import { maxTextLength } from '../limits.ts'
import type { Reader } from '../reader.ts'

export const readJson: Reader = async (source, writer) => {
  const text = decodeText(await source.bytes())
  // A text that is not JSON, such as one with comments or one cut off, stays as it is: nothing is lost.
  const records = jsonRecords(text) ?? [text]
  for (const block of joined(records)) writer.add('code', block)
  return {}
}

/**
 * About the length of a chunk: a block for each of millions of small records would take more memory than its text.
 */
const blockLength = 1_000

function* joined(records: readonly string[]): Generator<string> {
  let block: string[] = []
  let length = 0
  for (const record of records) {
    if (length + record.length > blockLength && block.length > 0) {
      yield block.join('\n\n')
      block = []
      length = 0
    }
    block.push(record)
    length += record.length
  }
  yield block.join('\n\n')
}

// Lays out JSON in lines without parsing it into values: numbers keep their digits, and keys their order and repeats.

/**
 * Each value of the text, or each element of its only array, in separate lines. Null if the text is not JSON, or is
 * nested deeper than `maxDepth`.
 */
function jsonRecords(source: string): string[] | null {
  try {
    return createLayout(source).records()
  } catch (error) {
    if (error instanceof NotJson) return null
    throw error
  }
}

const maxDepth = 200
const maxIndent = 10
/** Numbers and words of a list share a line up to this length. */
const lineLength = 160

function createLayout(source: string) {
  const { peek, accept, expect, readString, readScalar } = createJsonScanner(source)
  let lines: string[] = []
  let length = 0
  /** The depth of the list whose next element begins with the next line; null if no element does. */
  let dashDepth: number | null = null

  const emit = (depth: number, text: string): void => {
    const indent = '  '.repeat(Math.min(dashDepth ?? depth, maxIndent))
    const line = `${indent}${dashDepth === null ? '' : '- '}${text.trim()}`
    dashDepth = null
    length += line.length
    if (length > maxTextLength) throw new ParseFailure('text_too_long')
    lines.push(line)
  }

  const isContainer = (): boolean => ['{', '['].includes(peek() ?? '')

  const readObject = (depth: number): void => {
    expect('{')
    if (accept('}')) return
    do {
      const key = readString()
      expect(':')
      if (peek() === '[') {
        readArray(depth + 1, `${key}:`)
      } else if (peek() === '{') {
        emit(depth, `${key}:`)
        readContainer(depth + 1)
      } else {
        emit(depth, `${key}: ${readScalar()}`)
      }
    } while (accept(','))
    expect('}')
  }

  /** Elements that fit on one line follow the label; otherwise all elements stand below it. */
  const readArray = (depth: number, label: string | null): void => {
    if (depth > maxDepth) throw new NotJson()
    let pendingLabel = label
    const emitLabel = (): void => {
      if (pendingLabel !== null) emit(depth - 1, pendingLabel)
      pendingLabel = null
    }
    const scalars = createScalarLine(line => {
      emitLabel()
      emit(depth, line)
    })
    expect('[')
    if (peek() !== ']') {
      do {
        if (isContainer()) {
          scalars.end()
          emitLabel()
          dashDepth = depth
          readContainer(depth + 1)
          dashDepth = null
        } else {
          scalars.add(readScalar())
        }
      } while (accept(','))
    }
    expect(']')
    if (pendingLabel === null) scalars.end()
    else emit(depth - 1, `${pendingLabel} ${scalars.take()}`)
  }

  const readContainer = (depth: number): void => {
    if (depth > maxDepth) throw new NotJson()
    if (peek() === '{') readObject(depth)
    else readArray(depth, dashDepth === null ? null : '')
  }

  const readRecord = (): string => {
    lines = []
    if (isContainer()) readContainer(0)
    else emit(0, readScalar())
    return lines.join('\n')
  }

  /** Numbers and words among the elements share lines, as in any other list. */
  const readElements = (): string[] => {
    const found: string[] = []
    const scalars = createScalarLine(line => found.push(line))
    expect('[')
    if (accept(']')) return found
    do {
      if (isContainer()) {
        scalars.end()
        found.push(readRecord())
      } else {
        scalars.add(readScalar())
      }
    } while (accept(','))
    scalars.end()
    expect(']')
    return found
  }

  return {
    records(): string[] {
      const found = peek() === '[' ? readElements() : []
      while (peek() !== undefined) found.push(readRecord())
      return found
    },
  }
}

/** Gathers numbers and words of a list into lines of some length. */
function createScalarLine(write: (line: string) => void) {
  let scalars: string[] = []
  let length = 0
  const take = (): string => {
    const line = scalars.join(', ')
    scalars = []
    length = 0
    return line
  }
  const end = (): void => {
    if (scalars.length > 0) write(take())
  }
  return {
    add(scalar: string): void {
      if (length + scalar.length > lineLength) end()
      scalars.push(scalar)
      length += scalar.length + 2
    },
    end,
    take,
  }
}

// Scans JSON sign by sign, and reads strings, numbers and words as they are written.

/** Thrown by the scanner and by its callers if the text is not JSON. */
class NotJson extends Error {
  override readonly name = 'NotJson'
}

const whiteSpace = /[ \t\r\n]*/y
const bareValue = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

function createJsonScanner(source: string) {
  let at = 0

  const peek = (): string | undefined => {
    whiteSpace.lastIndex = at
    whiteSpace.exec(source)
    at = whiteSpace.lastIndex
    return source[at]
  }

  /** Steps over the sign if it comes next; false if another sign does. */
  const accept = (sign: string): boolean => {
    if (peek() !== sign) return false
    at += 1
    return true
  }

  const readString = (): string => {
    if (peek() !== '"') throw new NotJson()
    const start = at
    let end = source.indexOf('"', start + 1)
    while (end >= 0 && isEscaped(source, end)) end = source.indexOf('"', end + 1)
    if (end < 0) throw new NotJson()
    at = end + 1
    return unquoted(source.slice(start, at))
  }

  return {
    /** The next sign that is not white space; undefined at the end. */
    peek,
    accept,
    expect(sign: string): void {
      if (!accept(sign)) throw new NotJson()
    },
    readString,
    /** A string without its quotes, a number with all its digits, or a word. */
    readScalar(): string {
      if (peek() === '"') return readString()
      bareValue.lastIndex = at
      const found = bareValue.exec(source)
      if (found === null) throw new NotJson()
      at = bareValue.lastIndex
      return found[0]
    },
  }
}

/** A quote is escaped if an odd number of backslashes stands before it. */
function isEscaped(source: string, at: number): boolean {
  let backslashes = 0
  while (source[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function unquoted(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    // An escape that does not exist, or a line end within a string.
    throw new NotJson()
  }
}
