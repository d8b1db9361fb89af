/**
 * JSON laid out in lines without making values of it: numbers keep all their digits, and keys their order and their
 * repetitions.
 */
import { ParseFailure } from '../failure.ts'
import { maxTextLength } from '../text-writer.ts'
import { createJsonScanner, NotJson } from './json-scanner.ts'

/**
 * Each value of the text, or each element of its only array, in lines of its own. Null where the text is no JSON, or
 * nested deeper than anybody reads.
 */
export function jsonRecords(source: string): string[] | null {
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
  /** How deep the list lies whose element begins with the next line. */
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

  /** What fits on a line stands behind the label, the rest below it. */
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
