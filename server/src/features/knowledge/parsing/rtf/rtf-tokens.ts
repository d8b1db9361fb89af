/** The tokens of RTF: groups, control words with their numbers, and the bytes between them. */

export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  /** A control word, or a control symbol such as `~`; without a number, `value` is null. */
  | { kind: 'word'; word: string; value: number | null }
  /** Text as it stands there or is written in hexadecimal, in whatever code page is in force. */
  | { kind: 'text'; bytes: Buffer }

const open: RtfToken = { kind: 'open' }
const close: RtfToken = { kind: 'close' }

/** Never throws; binary data (`\bin`) is stepped over. */
export function* rtfTokens(bytes: Buffer): Generator<RtfToken> {
  const source = bytes.toString('latin1')
  let at = 0
  while (at < source.length) {
    const sign = source[at]
    if (sign === '{') {
      yield open
      at += 1
    } else if (sign === '}') {
      yield close
      at += 1
    } else if (sign === '\\') {
      const { token, end } = controlAt(source, at)
      if (token !== null) yield token
      at = end
    } else {
      plainText.lastIndex = at
      const end = at + (plainText.exec(source)?.[0].length ?? 0)
      if (end > at) yield { kind: 'text', bytes: bytes.subarray(at, end) }
      at = Math.max(end, at + 1)
    }
  }
}

/** Line ends, and the NUL that old programs leave at the end, mean nothing. */
const plainText = /[^{}\\\r\n\0]*/y
const controlWord = /([A-Za-z]{1,32})(-?\d{1,10})? ?/y
const hexBytes = /(?:\\'[0-9a-fA-F]{2}){1,1000}/y

function controlAt(source: string, at: number): { token: RtfToken | null; end: number } {
  controlWord.lastIndex = at + 1
  const found = controlWord.exec(source)
  if (found !== null) {
    const [all, word = '', digits] = found
    const value = digits === undefined ? null : Number(digits)
    const end = at + 1 + all.length
    if (word === 'bin') return { token: null, end: end + Math.max(0, value ?? 0) }
    return { token: { kind: 'word', word, value }, end }
  }
  const symbol = source[at + 1] ?? ''
  if (symbol !== "'") return { token: { kind: 'word', word: symbol, value: null }, end: at + 2 }
  hexBytes.lastIndex = at
  const run = hexBytes.exec(source)?.[0]
  if (run === undefined) return { token: null, end: at + 2 }
  const bytes = Buffer.from(run.replaceAll("\\'", ''), 'hex')
  return { token: { kind: 'text', bytes }, end: at + run.length }
}
