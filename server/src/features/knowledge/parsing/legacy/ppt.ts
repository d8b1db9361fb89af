/** PowerPoint presentations before 2007 ([MS-PPT]): each slide is a page, with its title as heading and its notes. */
import { inflateSync } from 'node:zlib'
import { writeAttached } from '../attached.ts'
import { ParseFailure } from '../failure.ts'
import { fileWithin } from '../office/compound.ts'
import { createRows, writerOfSlides } from '../office/flow.ts'
import { limits } from '../office/zip.ts'
import type { Source } from '../reader.ts'
import { decodeWide } from '../sniff.ts'
import { type BlockKind, onOneLine, type TextWriter } from '../text-writer.ts'
import type { OldWriter } from './old-writer.ts'

/** Throws `ParseFailure` or a `RangeError`. */
export const writePpt: OldWriter = async (streams, source, writer) => {
  const document = streams.get('powerpoint document')?.()
  const user = streams.get('current user')?.()
  if (document === undefined) throw new ParseFailure('corrupt')
  // PowerPoint 95 has records of another kind, and names no last edit.
  if (user === undefined || user.length < 20) throw new ParseFailure('unsupported_type', older)
  if (user.readUInt32LE(12) === protectedToken) throw new ParseFailure('encrypted')
  const show = openShow(document, user.readUInt32LE(16))
  const slides = writerOfSlides(writer)
  for (const [index, slide] of show.slides.entries()) writeSlide(show, slide, index + 1, slides)
  const objects = show.objects.map((object, index) => ({
    name: `object ${index + 1}`,
    open: () => fileWithin(`object ${index + 1}`, inflated(object, source)),
  }))
  await writeAttached(objects, source, writer, { level: 2 })
  return { pageCount: show.slides.length }
}

const older =
  'Presentations of before PowerPoint 97 are not read: save the file as .pptx and upload it again.'
const protectedToken = 0xf3d1c4df

// Records: a header of eight bytes, and data, which are records again if the version is 15.

type Tree = {
  type: number
  instance: number
  data: Buffer
  /** The records that it holds; none if its version says that it holds data. */
  children(): Tree[]
  /** The same, whatever its version says: some records hold others without saying so. */
  within(): Tree[]
}

const kinds = {
  document: 1_000,
  slideAtom: 1_007,
  slide: 1_006,
  notes: 1_008,
  drawing: 1_036,
  slideListWithText: 4_080,
  persist: 1_011,
  outlineReference: 3_998,
  textHeader: 3_999,
  textChars: 4_000,
  textBytes: 4_008,
  cString: 4_026,
  userEdit: 4_085,
  persistDirectory: 6_002,
  comment: 12_000,
  group: 0xf003,
  shape: 0xf004,
  shapeFlags: 0xf00a,
  childAnchor: 0xf00f,
  textbox: 0xf00d,
  options: 0xf00b,
  moreOptions: 0xf122,
  placeholder: 3_011,
  storage: 4_113,
  clientData: 0xf011,
} as const

const mostRecords = 2_000_000

function createRecords(document: Buffer) {
  let seen = 0
  const recordAt = (buffer: Buffer, at: number): Tree & { end: number } => {
    seen += 1
    if (seen > mostRecords) throw new ParseFailure('too_complex')
    const header = buffer.readUInt16LE(at)
    const end = Math.min(buffer.length, at + 8 + buffer.readUInt32LE(at + 4))
    const data = buffer.subarray(at + 8, end)
    const isTree = (header & 15) === 15
    const within = (): Tree[] => recordsIn(data)
    const children = (): Tree[] => (isTree ? within() : [])
    return { type: buffer.readUInt16LE(at + 2), instance: header >> 4, data, children, within, end }
  }
  const recordsIn = (data: Buffer): Tree[] => {
    const found: Tree[] = []
    for (let at = 0; at + 8 <= data.length; ) {
      const record = recordAt(data, at)
      found.push(record)
      at = record.end
    }
    return found
  }
  return (place: number): Tree => recordAt(document, place)
}

/** `fields` are the places of signs that stand for something else. */
type Text = { kind: number; text: string; fields: number[] }

/** The number of a slide, dates, headers and footers ([MS-PPT] 2.9.50 to 2.9.55). */
const shownFields: ReadonlySet<number> = new Set([4_056, 4_087, 4_088, 4_089, 4_090, 4_117])

type Slide = {
  tree: Tree
  id: number
  /** The texts of placeholders, which the drawing refers to by number. */
  outline: Text[]
}

type Show = {
  slides: Slide[]
  notes: Map<number, Slide>
  /** Files that slides hold, each packed. */
  objects: Tree[]
}

/** The last edit names where each object was written last ([MS-PPT] 2.1.2). */
function openShow(document: Buffer, lastEditAt: number): Show {
  const recordAt = createRecords(document)
  const places = new Map<number, number>()
  let documentReference = 1
  let isFirst = true
  const seen = new Set<number>()
  for (let at = lastEditAt; at > 0 || isFirst; ) {
    if (seen.has(at) || at + 8 > document.length) break
    seen.add(at)
    const edit = recordAt(at)
    if (edit.type !== kinds.userEdit) break
    if (isFirst) documentReference = edit.data.readUInt32LE(16)
    isFirst = false
    readPlaces(recordAt(edit.data.readUInt32LE(12)).data, places)
    at = edit.data.readUInt32LE(8)
  }
  const objectAt = (reference: number): Tree | null => {
    const place = places.get(reference)
    return place === undefined || place + 8 > document.length ? null : recordAt(place)
  }
  const root = objectAt(documentReference)
  if (root?.type !== kinds.document) throw new ParseFailure('corrupt')
  const lists = root.children().filter(({ type }) => type === kinds.slideListWithText)
  const listed = (instance: number): Slide[] =>
    lists.filter(list => list.instance === instance).flatMap(list => slidesOf(list, objectAt))
  const notes = new Map(listed(2).map(note => [note.id, note] as const))
  const objects = [...places.keys()]
    .flatMap(reference => objectAt(reference) ?? [])
    .filter(({ type }) => type === kinds.storage)
  return { slides: listed(0), notes, objects }
}

/** Its length before it was packed comes first ([MS-PPT] 2.10.34). */
function inflated({ instance, data }: Tree, { unpackedWithin }: Source): Buffer {
  if (instance !== 1) return data
  try {
    const bytes = inflateSync(data.subarray(4), { maxOutputLength: limits.wholeBytes })
    unpackedWithin.bytes += bytes.length
    if (unpackedWithin.bytes > limits.totalBytes) throw new ParseFailure('archive_bomb')
    return bytes
  } catch (error) {
    throw error instanceof ParseFailure ? error : new ParseFailure('corrupt', undefined, error)
  }
}

function readPlaces(directory: Buffer, places: Map<number, number>): void {
  for (let at = 0; at + 4 <= directory.length; ) {
    const entry = directory.readUInt32LE(at)
    const first = entry & 0xfffff
    at += 4
    for (let index = 0; index < entry >>> 20 && at + 4 <= directory.length; index++, at += 4) {
      const reference = first + index
      if (!places.has(reference)) places.set(reference, directory.readUInt32LE(at))
    }
  }
}

function slidesOf(list: Tree, objectAt: (reference: number) => Tree | null): Slide[] {
  const slides: Slide[] = []
  let open: Slide | null = null
  let texts: Tree[] = []
  const close = (): void => {
    if (open !== null) slides.push({ ...open, outline: textsIn(texts) })
    texts = []
  }
  for (const record of list.children()) {
    if (record.type !== kinds.persist) {
      texts.push(record)
      continue
    }
    close()
    const tree = objectAt(record.data.readUInt32LE(0))
    open = tree === null ? null : { tree, id: record.data.readInt32LE(12), outline: [] }
  }
  close()
  return slides
}

/** A text follows the record that says what it is of: a title, a body, notes. */
function textsIn(records: readonly Tree[]): Text[] {
  const texts: Text[] = []
  for (const { type, data } of records) {
    const last = texts.at(-1)
    if (type === kinds.textHeader) texts.push({ kind: data.readUInt32LE(0), text: '', fields: [] })
    else if (last !== undefined && type === kinds.textChars) last.text += decodeWide(data)
    // The lower half of each UTF-16 unit.
    else if (last !== undefined && type === kinds.textBytes) last.text += data.toString('latin1')
    // A sign stands where the program shows a date or the number of the slide.
    else if (last !== undefined && shownFields.has(type) && data.length >= 4)
      last.fields.push(data.readInt32LE(0))
  }
  return texts
}

// Shapes

type Shape = { text: Text; anchor: Anchor | null }
type Anchor = { top: number; left: number; bottom: number; right: number }

const titleKinds = new Set([0, 6])
const bodyKinds = new Set([1, 7, 8])

function writeSlide(show: Show, slide: Slide, page: number, writer: TextWriter): void {
  const about = slide.tree.children().find(({ type }) => type === kinds.slideAtom)
  const content = contentOf(slide, true)
  const isTitle = ({ kind }: Block): boolean => kind === 'heading'
  const blocks = [...content.filter(isTitle), ...content.filter(block => !isTitle(block))]
  for (const { kind, text } of blocks) writer.add(kind, text, { page, level: kind === 'heading' ? 1 : 0 })
  const notes = about === undefined || about.data.length < 20 ? 0 : about.data.readInt32LE(16)
  const note = notes === 0 ? undefined : show.notes.get(notes)
  if (note !== undefined)
    for (const { text } of contentOf(note, false)) writer.add('paragraph', text, { page })
  for (const text of commentsOf(slide.tree)) writer.add('paragraph', text, { page })
}

type Block = { kind: BlockKind; text: string }

function contentOf(slide: Slide, isSlide: boolean): Block[] {
  const blocks: Block[] = []
  const visit = (records: readonly Tree[], depth: number): void => {
    for (const record of records) {
      if (record.type === kinds.shape) {
        for (const { text } of shapeOf(record, slide, isSlide)) blocks.push(...blocksOf(text))
      } else if (record.type === kinds.group && isTable(record)) {
        const shapes = record.children().flatMap(shape => shapeOf(shape, slide, isSlide))
        blocks.push({ kind: 'table', text: tableOf(shapes) })
      } else if (depth < 64) visit(record.children(), depth + 1)
    }
  }
  visit(
    slide.tree.children().filter(({ type }) => type === kinds.drawing),
    0,
  )
  return blocks
}

function shapeOf(shape: Tree, { outline }: Slide, isSlide: boolean): Shape[] {
  const parts = shape.children()
  const textbox = parts.find(({ type }) => type === kinds.textbox)
  if (textbox === undefined || isHidden(parts)) return []
  const placeholder = parts
    .filter(({ type }) => type === kinds.clientData)
    .flatMap(data => data.children())
    .find(({ type }) => type === kinds.placeholder)
  if (leftOut.has(placeholder?.data[4] ?? 0)) return []
  const records = textbox.within()
  const place = records.find(({ type }) => type === kinds.outlineReference)
  const texts = place === undefined ? textsIn(records) : outline.slice(place.data.readInt32LE(0)).slice(0, 1)
  const anchor = parts.find(({ type }) => type === kinds.childAnchor)?.data
  return texts.map(text => ({
    text: isSlide ? text : { ...text, kind: 4 },
    anchor:
      anchor === undefined || anchor.length < 16
        ? null
        : {
            left: anchor.readInt32LE(0),
            top: anchor.readInt32LE(4),
            right: anchor.readInt32LE(8),
            bottom: anchor.readInt32LE(12),
          },
  }))
}

/** Placeholders of masters, dates and numbers, and the picture of the slide beside its notes ([MS-PPT] 2.13.21). */
const leftOut: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 11])

/** The property of groups of flags that hides a shape ([MS-ODRAW] 2.3.4.44). */
function isHidden(parts: readonly Tree[]): boolean {
  const flags = propertyOf(parts, 0x03bf)
  return flags !== null && (flags & 0x20002) === 0x20002
}

function propertyOf(parts: readonly Tree[], wanted: number): number | null {
  for (const { type, instance, data } of parts) {
    if (type !== kinds.options && type !== kinds.moreOptions) continue
    for (let index = 0; index < instance && index * 6 + 6 <= data.length; index++)
      if ((data.readUInt16LE(index * 6) & 0x3fff) === wanted) return data.readUInt32LE(index * 6 + 2)
  }
  return null
}

/** The first shape of a group stands for the group itself, and says whether its other shapes are cells. */
function isTable(group: Tree): boolean {
  const [own] = group.children()
  return own?.type === kinds.shape && ((propertyOf(own.children(), 0x039f) ?? 0) & 1) === 1
}

/** Cells that cover others show their text in each row and column. */
function tableOf(shapes: readonly Shape[]): string {
  const edges = (low: 'left' | 'top', high: 'right' | 'bottom') =>
    [...new Set(shapes.flatMap(({ anchor }) => (anchor === null ? [] : [anchor[low], anchor[high]])))].sort(
      (one, other) => one - other,
    )
  const [columns, lines] = [edges('left', 'right'), edges('top', 'bottom')]
  if (columns.length * lines.length > mostCells) throw new ParseFailure('too_complex')
  const grid = lines.slice(1).map(() => columns.slice(1).map(() => ''))
  for (const { text, anchor } of shapes) {
    if (anchor === null) continue
    const cell = onOneLine(plainOf(text.text))
    for (let row = lines.indexOf(anchor.top); row < lines.indexOf(anchor.bottom); row++)
      for (let column = columns.indexOf(anchor.left); column < columns.indexOf(anchor.right); column++)
        grid[row]?.splice(column, 1, cell)
  }
  const rows = createRows()
  for (const row of grid) rows.add(row)
  return rows.text()
}

const mostCells = 200_000

/** Paragraphs end with a carriage return; a line that ends within one has a vertical tab. */
const plainOf = (text: string): string => text.replace(/\v/g, '\n')

function blocksOf({ kind, text: whole, fields }: Text): Block[] {
  const text = [...fields].reduceRight((rest, at) => rest.slice(0, at) + rest.slice(at + 1), whole)
  if (titleKinds.has(kind)) return [{ kind: 'heading', text: onOneLine(text) }]
  const paragraphs = text.split('\r').map(plainOf)
  return paragraphs
    .filter(paragraph => paragraph.trim() !== '')
    .map(paragraph =>
      bodyKinds.has(kind)
        ? { kind: 'list' as const, text: `- ${paragraph}` }
        : { kind: 'paragraph' as const, text: paragraph },
    )
}

/** Comments: author, text and initials, each a text of its own. */
function commentsOf(slide: Tree): string[] {
  const found: string[] = []
  const visit = (records: readonly Tree[], depth: number): void => {
    for (const record of records) {
      if (record.type === kinds.drawing) continue
      if (record.type !== kinds.comment) {
        if (depth < 8) visit(programTag(record), depth + 1)
        continue
      }
      const text = record.children().find(({ type, instance }) => type === kinds.cString && instance === 1)
      if (text !== undefined) found.push(decodeWide(text.data))
    }
  }
  visit(slide.children(), 0)
  return found
}

const programTagData = 5_003

const programTag = (record: Tree): Tree[] =>
  record.type === programTagData ? record.within() : record.children()
