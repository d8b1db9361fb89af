/** The structures of a Word document before 2007 ([MS-DOC]): its text in pieces, styles, lists, and runs of properties. */
import { ParseFailure } from '../failure.ts'
import type { Streams } from '../office/compound.ts'
import { numberAs } from '../office/flow.ts'
import { decodeWide } from '../sniff.ts'

/** Places of the header (FIB) that is read: [MS-DOC] 2.5. */
const places = {
  flags: 0x0a,
  mainLength: 0x4c,
  noteLength: 0x50,
  headerLength: 0x54,
  macroLength: 0x58,
  commentLength: 0x5c,
  endnoteLength: 0x60,
  boxLength: 0x64,
  styles: 0xa2,
  noteReferences: 0xaa,
  noteTexts: 0xb2,
  commentReferences: 0xba,
  commentTexts: 0xc2,
  headers: 0xf2,
  characterRuns: 0xfa,
  paragraphRuns: 0x102,
  pieces: 0x1a2,
  endnoteReferences: 0x20a,
  endnoteTexts: 0x212,
  lists: 0x2e2,
  listOverrides: 0x2ea,
} as const

/** A run of characters: the properties that this reader asks for. */
export type Run = {
  isHidden: boolean
  isDeleted: boolean
  isStruck: boolean
  place: 'raised' | 'lowered' | null
  symbol: number | null
}

/** A paragraph, and where it stands in tables. */
export type Paragraph = {
  style: number
  outline: number | null
  list: { override: number; level: number } | null
  tableDepth: number
  endsRow: boolean
  endsInnerCell: boolean
  endsInnerRow: boolean
  /** Of a row's last paragraph: the edges of its cells from left to right, and which cells another one covers. */
  row: Row | null
  /** Of a row's last paragraph: whether the row is repeated above the table's rows on further pages. */
  isOfNames: boolean
}

export type Row = { edges: number[]; covered: ('left' | 'above' | null)[] }

export type DocFile = ReturnType<typeof openDoc>

/** Throws `corrupt`, `encrypted`, `unsupported_type` or a `RangeError`, where a number points beyond the file. */
export function openDoc(streams: Streams) {
  const main = streams.get('worddocument')?.()
  if (main === undefined || main.length < 0x200) throw new ParseFailure('corrupt')
  const flags = main.readUInt16LE(places.flags)
  if ((flags & 0x100) !== 0) throw new ParseFailure('encrypted')
  // Word 6 and 95 have another header. Word 97 to 2003 state 193 or more.
  if (main.readUInt16LE(0) !== 0xa5ec || main.readUInt16LE(2) < 193)
    throw new ParseFailure('unsupported_type', older)
  const table = streams.get((flags & 0x200) !== 0 ? '1table' : '0table')?.()
  if (table === undefined) throw new ParseFailure('corrupt')
  /** An open part has more behind the length that the header states. */
  const partAt = (place: number, kind: 'closed' | 'open' = 'closed'): Buffer => {
    const [start, length] = [main.readUInt32LE(place), main.readUInt32LE(place + 4)]
    if (start + length > table.length) throw new ParseFailure('corrupt')
    return length === 0
      ? Buffer.alloc(0)
      : table.subarray(start, kind === 'open' ? undefined : start + length)
  }
  const length = (place: number): number => Math.max(0, main.readInt32LE(place))
  const pieces = readPieces(partAt(places.pieces))
  const styles = readStyles(partAt(places.styles))
  const paragraphs = createRuns(main, partAt(places.paragraphRuns), 13, readParagraph)
  const characters = createRuns(main, partAt(places.characterRuns), 1, readCharacters)
  const noteStart = length(places.mainLength)
  const headerStart = noteStart + length(places.noteLength)
  const commentStart = headerStart + length(places.headerLength) + length(places.macroLength)
  const endnoteStart = commentStart + length(places.commentLength)
  const boxStart = endnoteStart + length(places.endnoteLength)
  return {
    text: textOf(main, pieces),
    mainLength: noteStart,
    paragraphAt: (place: number): Paragraph => paragraphs(offsetOf(pieces, place)) ?? plainParagraph,
    runAt: (place: number): Run => characters(offsetOf(pieces, place)) ?? plainRun,
    styles,
    labels: createLabels(partAt(places.lists, 'open'), partAt(places.listOverrides)),
    /** Where notes and comments stand, and the places of their texts. */
    notes: new Map([
      ...beside(partAt(places.noteReferences), partAt(places.noteTexts), noteStart, 2),
      ...beside(partAt(places.commentReferences), partAt(places.commentTexts), commentStart, 30),
      ...beside(partAt(places.endnoteReferences), partAt(places.endnoteTexts), endnoteStart, 2),
    ]),
    headers: rangesOf(partAt(places.headers), headerStart),
    boxes: { start: boxStart, end: boxStart + length(places.boxLength) },
  }
}

const older = 'Word documents of before Word 97 are not read: save the file as .docx and upload it again.'

export type Range = { start: number; end: number }

const plainParagraph: Paragraph = {
  style: 0,
  outline: null,
  list: null,
  tableDepth: 0,
  endsRow: false,
  endsInnerCell: false,
  endsInnerRow: false,
  row: null,
  isOfNames: false,
}

const plainRun: Run = { isHidden: false, isDeleted: false, isStruck: false, place: null, symbol: null }

// Text

/** A piece of the text: from which character on, and where its bytes lie. */
type Piece = Range & { offset: number; isWide: boolean }

/** [MS-DOC] 2.9.38: property changes first, then the pieces. */
function readPieces(clx: Buffer): Piece[] {
  let at = 0
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1)
  if (clx[at] !== 2) throw new ParseFailure('corrupt')
  const plc = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1))
  const count = Math.floor((plc.length - 4) / 12)
  const pieces: Piece[] = []
  for (let index = 0; index < count; index++) {
    const [start, end] = [plc.readUInt32LE(index * 4), plc.readUInt32LE(index * 4 + 4)]
    const place = plc.readUInt32LE((count + 1) * 4 + index * 8 + 2)
    const isWide = (place & 0x40000000) === 0
    const offset = isWide ? place : (place & 0x3fffffff) / 2
    if (end < start || start !== (pieces.at(-1)?.end ?? 0)) throw new ParseFailure('corrupt')
    pieces.push({ start, end, offset, isWide })
  }
  return pieces
}

function textOf(main: Buffer, pieces: readonly Piece[]): string {
  const western = new TextDecoder('windows-1252')
  return pieces
    .map(({ start, end, offset, isWide }) => {
      const bytes = main.subarray(offset, offset + (end - start) * (isWide ? 2 : 1))
      const text = isWide ? decodeWide(bytes) : western.decode(bytes)
      // Places count characters: a piece that ends beyond the file must not move the others.
      return text.slice(0, end - start).padEnd(end - start, ' ')
    })
    .join('')
}

function offsetOf(pieces: readonly Piece[], place: number): number {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle]?.start ?? 0) <= place) low = middle
    else high = middle - 1
  }
  const piece = pieces[low]
  return piece === undefined ? 0 : piece.offset + (place - piece.start) * (piece.isWide ? 2 : 1)
}

// Runs of properties: pages of 512 bytes, each with the offsets where its runs begin ([MS-DOC] 2.9.32 and 2.9.33).

/** Looks up the properties at an offset of the file. Neighbouring offsets are asked for one after the other. */
function createRuns<Properties>(
  main: Buffer,
  plc: Buffer,
  entryBytes: number,
  read: (page: Buffer, at: number) => Properties,
): (offset: number) => Properties | null {
  const count = Math.max(0, Math.floor((plc.length - 4) / 8))
  let known: (Range & { properties: Properties }) | null = null
  return offset => {
    if (known !== null && known.start <= offset && offset < known.end) return known.properties
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (plc.readUInt32LE(middle * 4) <= offset) low = middle
      else high = middle - 1
    }
    if (count === 0) return null
    const number = plc.readUInt32LE((count + 1) * 4 + low * 4) & 0x3fffff
    const page = main.subarray(number * 512, number * 512 + 512)
    if (page.length < 512) return null
    const runs = page[511] ?? 0
    for (let index = 0; index < runs; index++) {
      const [start, end] = [page.readUInt32LE(index * 4), page.readUInt32LE(index * 4 + 4)]
      if (offset < start || offset >= end) continue
      const word = page[(runs + 1) * 4 + index * entryBytes] ?? 0
      known = { start, end, properties: read(page, word * 2) }
      return known.properties
    }
    return null
  }
}

/** Calls `use` for each property, with its data. Sizes follow from the code ([MS-DOC] 2.6). */
function readProperties(bytes: Buffer, use: (code: number, data: Buffer) => void): void {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const kind = code >> 13
    let size = [1, 1, 2, 4, 2, 2, 0, 3][kind] ?? 0
    if (code === 0xd608) {
      if (at + 2 > bytes.length) return
      size = bytes.readUInt16LE(at) + 1
    } else if (kind === 6) size = (bytes[at] ?? 0) + 1
    use(code, bytes.subarray(at, at + size))
    at += size
  }
}

function readParagraph(page: Buffer, at: number): Paragraph {
  if (at === 0) return plainParagraph
  const short = page[at] ?? 0
  const [start, size] = short === 0 ? [at + 2, (page[at + 1] ?? 0) * 2] : [at + 1, short * 2 - 1]
  const bytes = page.subarray(start, start + size)
  if (bytes.length < 2) return plainParagraph
  const found = { ...plainParagraph, style: bytes.readUInt16LE(0) }
  let isInTable = false
  let depth: number | null = null
  let override = 0
  let level = 0
  readProperties(bytes.subarray(2), (code, data) => {
    const [first = 0] = data
    if (code === 0x2416) isInTable = first !== 0
    else if (code === 0x2417) found.endsRow = first !== 0
    else if (code === 0x244b) found.endsInnerCell = first !== 0
    else if (code === 0x244c) found.endsInnerRow = first !== 0
    else if (code === 0x6649 && data.length === 4) depth = data.readInt32LE(0)
    else if (code === 0x2640) found.outline = first
    else if (code === 0x260a) level = first
    else if (code === 0x460b && data.length === 2) override = data.readUInt16LE(0)
    else if (code === 0xd608) found.row = readRow(data)
    else if (code === 0x3404) found.isOfNames = first !== 0
  })
  found.tableDepth = depth ?? (isInTable ? 1 : 0)
  found.list = override === 0 || override > 0x7fe ? null : { override, level: Math.min(8, level) }
  return found
}

/** [MS-DOC] 2.9.315 and 2.9.310: the edges in twips, and twenty bytes for each cell. */
function readRow(data: Buffer): Row | null {
  const cells = data[2] ?? 0
  if (data.length < 3 + (cells + 1) * 2) return null
  const edges = Array.from({ length: cells + 1 }, (_, index) => data.readInt16LE(3 + index * 2))
  const covered = Array.from({ length: cells }, (_, index) => {
    const at = 3 + (cells + 1) * 2 + index * 20
    const flags = at + 2 <= data.length ? data.readUInt16LE(at) : 0
    // Covered from the left; from above, unless the cell is the one that covers those below.
    return (flags & 2) !== 0 ? ('left' as const) : (flags & 0x60) === 0x20 ? ('above' as const) : null
  })
  return { edges, covered }
}

function readCharacters(page: Buffer, at: number): Run {
  if (at === 0) return plainRun
  const found = { ...plainRun }
  readProperties(page.subarray(at + 1, at + 1 + (page[at] ?? 0)), (code, data) => {
    const [first = 0] = data
    if (code === 0x0800) found.isDeleted = first !== 0
    else if (code === 0x083c) found.isHidden = first === 1 || first === 0x81
    else if (code === 0x0837 || code === 0x2a53) found.isStruck = first === 1 || first === 0x81
    else if (code === 0x2a48) found.place = first === 1 ? 'raised' : first === 2 ? 'lowered' : null
    else if (code === 0x6a09 && data.length === 4) found.symbol = data.readUInt16LE(2)
  })
  return found
}

// Styles

const headingIds = { first: 1, last: 9 }
const titleId = 62

/** The level of headings by the number of the style; a style that is based on a heading is one. */
function readStyles(bytes: Buffer): ReadonlyMap<number, number> {
  const levels = new Map<number, number>()
  if (bytes.length < 6) return levels
  const count = bytes.readUInt16LE(2)
  const bases: { id: number; base: number }[] = []
  let at = 2 + bytes.readUInt16LE(0)
  for (let index = 0; index < count && at + 2 <= bytes.length; index++) {
    const size = bytes.readUInt16LE(at)
    at += 2
    bases.push(
      size < 4
        ? { id: -1, base: 0xfff }
        : { id: bytes.readUInt16LE(at) & 0xfff, base: bytes.readUInt16LE(at + 2) >> 4 },
    )
    at += size
  }
  for (const index of bases.keys()) {
    let style = index
    for (let depth = 0; depth < 12; depth++) {
      const { id, base } = bases[style] ?? { id: -1, base: 0xfff }
      const level = id === titleId ? 1 : id >= headingIds.first && id <= headingIds.last ? id : null
      if (level !== null) levels.set(index, level)
      if (level !== null || base === 0xfff) break
      style = base
    }
  }
  return levels
}

// Labels of lists

type Level = { start: number; format: number; template: string }

/** By their numbers in [MS-OSHARED] 2.2.1.3; others are written as digits. */
const numberFormats: Readonly<Record<number, string>> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  22: 'decimalZero',
}
const [bulletFormat, noFormat] = [23, 255]

/** Counts the items of each list, and returns the label of the next one. */
function createLabels(listBytes: Buffer, overrideBytes: Buffer) {
  const lists = readLists(listBytes)
  const overrides = readOverrides(overrideBytes)
  const counters = new Map<number, number[]>()
  return ({ override, level }: { override: number; level: number }): string => {
    const list = overrides[override - 1]
    const levels = list === undefined ? undefined : lists.get(list)
    const own = levels?.[level] ?? levels?.[0]
    if (list === undefined || levels === undefined || own === undefined || own.format === bulletFormat)
      return '-'
    if (own.format === noFormat) return ''
    const numbers = counters.get(list) ?? []
    counters.set(list, numbers)
    numbers.length = Math.min(numbers.length, level + 1)
    numbers[level] = (numbers[level] ?? own.start - 1) + 1
    const label = [...own.template]
      .map(sign => {
        const place = sign.charCodeAt(0)
        if (place > 8) return sign
        const counted = levels[place]
        return numberAs(
          numberFormats[counted?.format ?? 0] ?? 'decimal',
          numbers[place] ?? counted?.start ?? 1,
        )
      })
      .join('')
    return label.trim()
  }
}

/** [MS-DOC] 2.9.131 to 2.9.150: all lists, and behind them all their levels. */
function readLists(whole: Buffer): ReadonlyMap<number, Level[]> {
  const lists = new Map<number, Level[]>()
  if (whole.length < 2) return lists
  const count = whole.readUInt16LE(0)
  let at = 2 + count * 28
  for (let index = 0; index < count; index++) {
    const entry = 2 + index * 28
    if (entry + 28 > whole.length) break
    const isSimple = ((whole[entry + 26] ?? 0) & 1) !== 0
    const levels: Level[] = []
    for (let level = 0; level < (isSimple ? 1 : 9) && at + 30 <= whole.length; level++) {
      const text = at + 28 + (whole[at + 24] ?? 0) + (whole[at + 25] ?? 0)
      if (text + 2 > whole.length) break
      const end = text + 2 + whole.readUInt16LE(text) * 2
      levels.push({
        start: whole.readInt32LE(at),
        format: whole[at + 4] ?? 0,
        template: decodeWide(whole.subarray(text + 2, end)),
      })
      at = end
    }
    lists.set(whole.readInt32LE(entry), levels)
  }
  return lists
}

function readOverrides(bytes: Buffer): number[] {
  if (bytes.length < 4) return []
  const count = Math.min(bytes.readUInt32LE(0), Math.floor((bytes.length - 4) / 16))
  return Array.from({ length: count }, (_, index) => bytes.readInt32LE(4 + index * 16))
}

// Notes

/** Texts of notes by the place of their sign in the main text. */
function beside(references: Buffer, texts: Buffer, start: number, entryBytes: number): [number, Range][] {
  const count = Math.max(0, Math.floor((references.length - 4) / (4 + entryBytes)))
  const ranges = rangesOf(texts, start)
  return Array.from({ length: count }, (_, index) => [
    references.readUInt32LE(index * 4),
    ranges[index] ?? empty,
  ])
}

const empty: Range = { start: 0, end: 0 }

function rangesOf(places: Buffer, start: number): Range[] {
  const count = Math.max(0, Math.floor(places.length / 4) - 1)
  return Array.from({ length: count }, (_, index) => ({
    start: start + places.readUInt32LE(index * 4),
    end: start + places.readUInt32LE(index * 4 + 4),
  }))
}
