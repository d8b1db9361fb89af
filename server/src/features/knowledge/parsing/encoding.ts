/** From bytes to text: a byte order mark, else UTF-8 where it fits, else the encoding under which the text looks most like a language. */
import { isUtf8 } from 'node:buffer'
import { likeliestEncoding, looksLikeLanguage } from './encoding-score.ts'
import { decodeByTable, isTable, looksLikeEbcdic } from './encoding-tables.ts'

/** Decodes all of `bytes`. `declared` is what the file says of itself: it counts where the bytes leave a choice. */
export function decodeText(bytes: Uint8Array, declared: string | null = null): string {
  const encoding = detectEncoding(bytes, declared)
  return isTable(encoding) ? decodeByTable(encoding, bytes) : new TextDecoder(encoding).decode(bytes)
}

/** A table of our own, or a label that `TextDecoder` knows. Looks at the first 64 KB beyond what plain UTF-8 needs. */
export function detectEncoding(bytes: Uint8Array, declared: string | null = null): string {
  const marked = byteOrderMark(bytes)
  if (marked !== null) return marked
  const sample = sampleOf(bytes)
  const wide = utf16WithoutMark(sample)
  if (wide !== null) return wide
  if (looksLikeEbcdic(sample)) return 'ebcdic'
  if (hasJapaneseEscapes(sample)) return 'iso-2022-jp'
  if (isMostlyUtf8(bytes)) return 'utf-8'
  const known = declared === null ? null : knownLabel(declared)
  return likeliestEncoding(sample, known) ?? known ?? 'windows-1252'
}

/**
 * Whether the beginning of a file is text in some encoding of single bytes or pairs. UTF-8 and ASCII prove themselves; the
 * older encodings take almost any bytes, so a text in them has hardly any control characters and looks like a language.
 */
export function looksLikeText(head: Uint8Array): boolean {
  // DOS ended its texts with one.
  const text = head.at(-1) === 0x1a ? head.subarray(0, -1) : head
  const controls = text.reduce((count, byte) => (isControl(byte) ? count + 1 : count), 0)
  if (isMostlyUtf8(text) || isMostlyAscii(text)) return controls <= text.length * 0.1
  return controls <= text.length * 0.01 && looksLikeLanguage(text)
}

/** Not those that texts are laid out with. */
const isControl = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b)

export function byteOrderMark(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** UTF-16 shows by zeros (or other high bytes that hardly change) at every other place. */
export function utf16WithoutMark(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = Math.floor(sample.length / 2)
  if (pairs < 4) return null
  let zerosAtEven = 0
  let zerosAtOdd = 0
  for (let i = 0; i < pairs * 2; i += 2) {
    if (sample[i] === 0) zerosAtEven += 1
    if (sample[i + 1] === 0) zerosAtOdd += 1
  }
  if (zerosAtEven === 0 && zerosAtOdd === 0) return null
  // A text in another script still has spaces and line ends, whose high byte is zero; what is ASCII otherwise, and
  // has a few zeros, is no UTF-16.
  const many = isMostlyAscii(sample) ? pairs * 0.4 : Math.max(2, pairs * 0.07)
  if (zerosAtOdd > many && zerosAtEven * 8 < zerosAtOdd) return 'utf-16le'
  if (zerosAtEven > many && zerosAtOdd * 8 < zerosAtEven) return 'utf-16be'
  return null
}

function isMostlyAscii(sample: Uint8Array): boolean {
  let printable = 0
  // By index: a callback or an iterator for each byte costs five times as much.
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i] ?? 0
    if (byte >= 0x20 && byte < 0x7f) printable += 1
  }
  return printable > sample.length * 0.7
}

const sampleBytes = 65_536

const sampleOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, sampleBytes)

/** ISO-2022-JP is ASCII throughout: only its escapes tell it from plain text. */
const hasJapaneseEscapes = (sample: Uint8Array): boolean => {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength)
  return japaneseEscapes.some(sequence => bytes.includes(sequence))
}

const japaneseEscapes = ['\u001b$@', '\u001b$B', '\u001b(J', '\u001b(I']

/** Valid UTF-8, or damaged in a few places only: in no other encoding do so many sequences fit by chance. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true
  let sound = 0
  let broken = 0
  for (const character of new TextDecoder('utf-8').decode(sampleOf(bytes))) {
    if (character === '\ufffd') broken += 1
    else if (character > '\x7f') sound += 1
  }
  return sound > broken * 4
}

function knownLabel(declared: string): string | null {
  try {
    return new TextDecoder(declared).encoding
  } catch {
    return null
  }
}
