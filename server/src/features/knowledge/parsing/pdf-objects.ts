/** The objects of a PDF (ISO 32000-1, 7.3 to 7.5), each read where the file's own table says that it lies. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateSync, constants as zlib } from 'node:zlib'
import { ParseFailure } from './failure.ts'
import { limits } from './office/zip.ts'
import type { Unpacked } from './reader.ts'

/** A name is a string, a string is bytes. */
export type PdfObject = null | boolean | number | string | Buffer | Reference | PdfObject[] | Dictionary
export type Dictionary = Map<string, PdfObject>
export type Reference = { number: number }
type Parsed = { value: PdfObject; streamAt: number | null }

export type PdfObjects = {
  catalog: Dictionary
  /** Its strings and streams are of no use then. */
  isEncrypted: boolean
  /** What an object is, or refers to. */
  resolve(object: PdfObject | undefined): PdfObject
  /** Null, or nothing, if it is of another kind. */
  dictionary(object: PdfObject | undefined): Dictionary | null
  array(object: PdfObject | undefined): PdfObject[]
  /** What a stream holds. Throws `corrupt`, `too_large` or `archive_bomb`. */
  stream(reference: Reference): Buffer
}

/** Throws `corrupt`, unless the file is sound as far as it is looked at. Readers of pages repair more than that. */
export async function withPdfObjects(
  input: string | Uint8Array,
  unpacked: Unpacked,
  work: (objects: PdfObjects) => Promise<void>,
): Promise<void> {
  if (typeof input !== 'string') {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
    return work(readObjects((at, length) => bytes.subarray(at, at + length), bytes.length, unpacked))
  }
  const descriptor = openSync(input, 'r')
  try {
    const readAt: ReadAt = (at, length) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at))
    }
    await work(readObjects(readAt, fstatSync(descriptor).size, unpacked))
  } finally {
    closeSync(descriptor)
  }
}

/** Fewer bytes than asked for where the file ends. */
type ReadAt = (at: number, length: number) => Buffer

/** Where an object lies: in the file, or in a stream of objects. */
type Place = { at: number } | { stream: number; index: number } | null
/** One part of the table; undefined of what it does not list. */
type Section = (number: number) => Place | undefined

/** Of the table, with the runs of numbers in all of its sections. */
const maxRuns = 5_000
/** What all objects may come to that are looked at. */
const maxObjectBytes = 100_000_000
/** An object is first looked for in a small window, and in larger ones if it does not end there. */
const windows = [4_096, 65_536, 2_097_152] as const
/** What tables and packs of objects may unpack to, and the list at the beginning of one. */
const maxOwnBytes = 48_000_000
const maxListBytes = 200_000
/** A pack may need another one to be read, but not so many. */
const maxOpenPacks = 5
const maxFilters = 4
const endBytes = 1_024
const entryBytes = 20
const corrupt = (): ParseFailure => new ParseFailure('corrupt')

function readObjects(read: ReadAt, sizeBytes: number, unpacked: Unpacked): PdfObjects {
  const sections: Section[] = []
  const packs = new Map<number, { bytes: Buffer; offsets: number[] }>()
  const openPacks = new Set<number>()
  const own: Room = { unpacked: { bytes: 0 }, most: maxOwnBytes }
  let objectBytes = 0

  const readAt: ReadAt = (at, length) => {
    if (!Number.isSafeInteger(at) || at < 0 || at > sizeBytes || !Number.isInteger(length)) throw corrupt()
    return read(at, Math.min(length, sizeBytes - at))
  }

  const parsing = (text: string, from: number) => {
    // However short, it takes some time.
    objectBytes += Math.max(text.length, windows[0])
    if (objectBytes > maxObjectBytes) throw corrupt()
    return parse(text, from)
  }

  const textAt = (at: number, length: number): string => readAt(at, length).toString('latin1')

  const parsedAt = (at: number, number: number | null): Parsed => {
    for (const length of windows) {
      const text = textAt(at, length)
      const header = number === null ? /^/ : new RegExp(`^\\s*${number}\\s+\\d+\\s+obj`)
      const found = header.exec(text)
      const parsed = found === null ? null : parsing(text, found[0].length)
      // What ends at the window's end may go on behind it.
      const isWhole = parsed !== null && (parsed.end + 20 < length || at + length >= sizeBytes)
      if (isWhole)
        return { value: parsed.value, streamAt: parsed.streamAt === null ? null : at + parsed.streamAt }
    }
    throw corrupt()
  }

  const parsedOf = (number: number): Parsed => {
    for (const section of sections) {
      const place = section(number)
      if (place === null) break
      if (place === undefined) continue
      return 'at' in place ? parsedAt(place.at, number) : { value: packed(place), streamAt: null }
    }
    return { value: null, streamAt: null }
  }

  const openPack = (stream: number) => {
    if (openPacks.has(stream) || openPacks.size >= maxOpenPacks) throw corrupt()
    openPacks.add(stream)
    const parsed = parsedOf(stream)
    const bytes = content(parsed, own)
    const first = resolve(dictionary(parsed.value)?.get('First'))
    if (!isCount(first) || first > maxListBytes) throw corrupt()
    const numbers = bytes.toString('latin1', 0, first).match(/\d+/g) ?? []
    const pack = {
      bytes,
      offsets: numbers.filter((_, i) => i % 2 === 1).map(offset => first + Number(offset)),
    }
    openPacks.delete(stream)
    packs.clear()
    packs.set(stream, pack)
    return pack
  }

  const packed = ({ stream, index }: { stream: number; index: number }): PdfObject => {
    const pack = packs.get(stream) ?? openPack(stream)
    const at = pack.offsets[index] ?? pack.bytes.length
    return parsing(pack.bytes.toString('latin1', at, pack.offsets[index + 1]), 0)?.value ?? null
  }

  const resolve = (object: PdfObject | undefined): PdfObject =>
    isReference(object) ? parsedOf(object.number).value : (object ?? null)

  const dictionary = (object: PdfObject | undefined): Dictionary | null => {
    const resolved = resolve(object)
    return resolved instanceof Map ? resolved : null
  }

  const array = (object: PdfObject | undefined): PdfObject[] => {
    const resolved = resolve(object)
    return Array.isArray(resolved) ? resolved : []
  }

  const content = (parsed: Parsed, room: Room): Buffer =>
    contentOf(parsed, { resolve, dictionary, readAt }, room)

  const trailers = readTable(
    { textAt, sizeBytes, parsedAt, array, content: parsed => content(parsed, own) },
    sections,
  )
  const catalog = dictionary(trailers.find(trailer => trailer.has('Root'))?.get('Root'))
  if (catalog === null) throw corrupt()
  return {
    catalog,
    isEncrypted: trailers.some(trailer => trailer.has('Encrypt')),
    resolve,
    dictionary,
    array,
    stream: ({ number }) => content(parsedOf(number), { unpacked, most: limits.totalBytes }),
  }
}

const isCount = (object: PdfObject | undefined): object is number =>
  typeof object === 'number' && Number.isSafeInteger(object) && object >= 0

export const isReference = (object: PdfObject | undefined): object is Reference =>
  object !== null && typeof object === 'object' && 'number' in object

/** What streams may come to: all that count on the same number. */
type Room = { unpacked: Unpacked; most: number }

function contentOf(
  { value, streamAt }: Parsed,
  { resolve, dictionary, readAt }: Pick<PdfObjects, 'resolve' | 'dictionary'> & { readAt: ReadAt },
  room: Room,
): Buffer {
  const about = dictionary(value)
  const length = resolve(about?.get('Length'))
  if (about === null || streamAt === null || typeof length !== 'number' || length < 0) throw corrupt()
  if (length > limits.wholeBytes) throw new ParseFailure('too_large')
  const listed = (key: string): PdfObject[] => {
    const some = resolve(about.get(key))
    return Array.isArray(some) ? some.map(resolve) : some === null ? [] : [some]
  }
  const parameters = listed('DecodeParms')
  const filters = listed('Filter')
  if (filters.length > maxFilters) throw corrupt()
  return filters.reduce<Buffer>(
    (bytes, filter, index) => {
      if (filter !== 'FlateDecode') throw new ParseFailure('unsupported_type')
      return withoutPredictor(inflate(bytes, room), dictionary(parameters[index]))
    },
    readAt(streamAt, length),
  )
}

function inflate(bytes: Buffer, { unpacked, most }: Room): Buffer {
  const maxOutputLength = Math.min(limits.wholeBytes, most - unpacked.bytes)
  if (maxOutputLength <= 0) throw new ParseFailure('archive_bomb')
  try {
    const plain = inflateSync(bytes, { maxOutputLength, finishFlush: zlib.Z_SYNC_FLUSH })
    unpacked.bytes += plain.length
    return plain
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLong) unpacked.bytes += maxOutputLength
    throw new ParseFailure(isTooLong ? 'archive_bomb' : 'corrupt', undefined, error)
  }
}

/** Rows that were written as the differences from the row above, or from the byte before, as in a PNG. */
function withoutPredictor(bytes: Buffer, parameters: Dictionary | null): Buffer {
  const predictor = parameters?.get('Predictor') ?? 1
  if (predictor === 1) return bytes
  const columns = parameters?.get('Columns') ?? 1
  if (!isCount(columns) || columns < 1 || columns > bytes.length || Number(predictor) < 10)
    throw new ParseFailure('unsupported_type')
  const rows = Math.ceil(bytes.length / (columns + 1))
  const plain = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (columns + 1)] ?? 0
    if (kind > 2) throw new ParseFailure('unsupported_type')
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const before =
        kind === 2 && row > 0 ? plain[at - columns] : kind === 1 && column > 0 ? plain[at - 1] : 0
      plain[at] = (bytes[row * (columns + 1) + 1 + column] ?? 0) + (before ?? 0)
    }
  }
  return plain
}

// The table of objects: sections from the newest to the oldest, as lines or as a stream.

type Table = Pick<PdfObjects, 'array'> & {
  textAt(at: number, length: number): string
  sizeBytes: number
  parsedAt(at: number, number: number | null): Parsed
  content(parsed: Parsed): Buffer
}

/** Puts the sections in, and returns what each says of the file. */
function readTable(table: Table, sections: Section[]): Dictionary[] {
  const end = table.textAt(Math.max(0, table.sizeBytes - endBytes), endBytes)
  const trailers: Dictionary[] = []
  const pending: PdfObject[] = [Number(/startxref\s+(\d+)(?![\s\S]*startxref)/.exec(end)?.[1] ?? Number.NaN)]
  const seen = new Set<PdfObject>()
  let runs = 0
  while (pending.length > 0) {
    const at = pending.shift()
    if (typeof at !== 'number' || seen.has(at)) continue
    seen.add(at)
    const isLines = /^\s*xref/.test(table.textAt(at, 32))
    const { section, trailer, runs: own } = isLines ? linesAt(table, at) : streamAt(table, at)
    runs += own
    if (runs > maxRuns) throw corrupt()
    sections.push(section)
    trailers.push(trailer)
    pending.unshift(...[trailer.get('XRefStm') ?? null, trailer.get('Prev') ?? null])
  }
  return trailers
}

type TablePart = { section: Section; trailer: Dictionary; runs: number }

function linesAt({ textAt, parsedAt }: Table, start: number): TablePart {
  const runs: { first: number; count: number; at: number }[] = []
  let at = start + (/^\s*xref\s*/.exec(textAt(start, 64))?.[0].length ?? 0)
  for (;;) {
    const [header, first, count] = /^\s*(\d+) +(\d+)\s+/.exec(textAt(at, 64)) ?? []
    if (header === undefined) break
    at += header.length
    runs.push({ first: Number(first), count: Number(count), at })
    at += Number(count) * entryBytes
    if (runs.length > maxRuns) throw corrupt()
  }
  const trailerAt = at + (/^\s*trailer/.exec(textAt(at, 64))?.[0].length ?? 0)
  const { value } = parsedAt(trailerAt, null)
  if (!(value instanceof Map)) throw corrupt()
  const section: Section = number => {
    const run = runs.find(({ first, count }) => number >= first && number < first + count)
    if (run === undefined) return undefined
    const [, offset, kind] =
      /^(\d{10}) \d{5} ([nf])/.exec(textAt(run.at + (number - run.first) * entryBytes, entryBytes)) ?? []
    return kind === 'n' ? { at: Number(offset) } : null
  }
  return { section, trailer: value, runs: runs.length + 1 }
}

function streamAt({ textAt, parsedAt, content, array }: Table, at: number): TablePart {
  const number = Number(/^\s*(\d+)/.exec(textAt(at, 64))?.[1] ?? Number.NaN)
  const parsed = parsedAt(at, number)
  if (!(parsed.value instanceof Map)) throw corrupt()
  const trailer = parsed.value
  const bytes = content(parsed)
  const numbersOf = (key: string): number[] => array(trailer.get(key)).map(Number)
  const [kindBytes = 0, firstBytes = 0, secondBytes = 0] = numbersOf('W')
  const widths = [kindBytes, firstBytes, secondBytes]
  if (!widths.every(width => isCount(width) && width <= 6)) throw corrupt()
  const rowBytes = kindBytes + firstBytes + secondBytes
  const index = trailer.has('Index') ? numbersOf('Index') : [0, Number(trailer.get('Size'))]
  const section: Section = wanted => {
    let rowAt = 0
    for (let run = 0; run + 1 < index.length; run += 2) {
      const [first = 0, count = 0] = index.slice(run, run + 2)
      if (wanted >= first && wanted < first + count) return placeAt(rowAt + (wanted - first) * rowBytes)
      rowAt += count * rowBytes
    }
    return undefined
  }
  const placeAt = (row: number): Place => {
    if (rowBytes === 0 || !isCount(row) || row + rowBytes > bytes.length) return null
    const field = (from: number, width: number): number => (width === 0 ? 0 : bytes.readUIntBE(from, width))
    const kind = kindBytes === 0 ? 1 : field(row, kindBytes)
    const first = field(row + kindBytes, firstBytes)
    if (kind === 1) return { at: first }
    return kind === 2 ? { stream: first, index: field(row + kindBytes + firstBytes, secondBytes) } : null
  }
  return { section, trailer, runs: index.length / 2 + 1 }
}

// One object as it is written.

const maxDepth = 64
const token =
  /(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*(<<|>>|[[\]()]|<[0-9A-Fa-f\0\s]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[+-]?(?:\d+\.?\d*|\.\d+)|[A-Za-z]+)/y
const restOfReference = /\s+\d+\s+R(?![A-Za-z])/y
const streamBegin = /\s*stream\r?\n/y

/** Null if no object ends within the text. `streamAt` is where the bytes of a stream begin. */
function parse(text: string, from: number): (Parsed & { end: number }) | null {
  let at = from
  const next = (): string => {
    token.lastIndex = at
    const found = token.exec(text)?.[1]
    if (found === undefined) throw corrupt()
    at = token.lastIndex
    return found
  }
  const value = (first: string, depth: number): PdfObject => {
    if (depth > maxDepth) throw corrupt()
    if (first === '<<') {
      const entries: Dictionary = new Map()
      for (let key = next(); key !== '>>'; key = next()) entries.set(nameOf(key), value(next(), depth + 1))
      return entries
    }
    if (first === '[') {
      const items: PdfObject[] = []
      for (let item = next(); item !== ']'; item = next()) items.push(value(item, depth + 1))
      return items
    }
    if (first === '(') return literal()
    if (first.startsWith('<')) {
      const digits = first.replace(/[^0-9A-Fa-f]/g, '')
      return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
    }
    if (first.startsWith('/')) return nameOf(first)
    if (first === 'true' || first === 'false') return first === 'true'
    if (first === 'null') return null
    restOfReference.lastIndex = at
    if (/^\d+$/.test(first) && restOfReference.test(text)) {
      at = restOfReference.lastIndex
      return { number: Number(first) }
    }
    if (Number.isNaN(Number(first))) throw corrupt()
    return Number(first)
  }
  const literal = (): Buffer => {
    const start = at
    let depth = 1
    while (depth > 0) {
      const sign = text[at++]
      if (sign === undefined) throw corrupt()
      if (sign === '\\') at += 1
      else if (sign === '(') depth += 1
      else if (sign === ')') depth -= 1
    }
    return Buffer.from(unescaped(text.slice(start, at - 1)), 'latin1')
  }
  try {
    const parsed = value(next(), 0)
    streamBegin.lastIndex = at
    const isStream = parsed instanceof Map && streamBegin.test(text)
    return {
      value: parsed,
      streamAt: isStream ? streamBegin.lastIndex : null,
      end: isStream ? streamBegin.lastIndex : at,
    }
  } catch {
    // Besides what is no object, what exhausts the stack of an expression.
    return null
  }
}

const nameOf = (token: string): string =>
  token
    .slice(1)
    .replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_, octal: string | undefined, sign = '') =>
    octal === undefined
      ? /[\r\n]/.test(sign)
        ? ''
        : (escapes[sign] ?? sign)
      : String.fromCharCode(Number.parseInt(octal, 8) & 0xff),
  )
