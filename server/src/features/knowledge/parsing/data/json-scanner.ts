/** Reads JSON sign by sign: what stands next, and strings, numbers and words as they are written. */

/** Thrown by the scanner and by its callers if the text is not JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

const whiteSpace = /[ \t\r\n]*/y
const bareValue = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

export function createJsonScanner(source: string) {
  let at = 0

  const peek = (): string | undefined => {
    whiteSpace.lastIndex = at
    whiteSpace.exec(source)
    at = whiteSpace.lastIndex
    return source[at]
  }

  /** True where the sign stands there; then it is stepped over. */
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
    /** The next sign that is no white space; undefined at the end. */
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

/** By an odd number of backslashes before it. */
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
