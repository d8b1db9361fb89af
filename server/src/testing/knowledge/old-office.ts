/** Documents of Office before 2007, written by the numbers of [MS-DOC] and [MS-PPT]; workbooks are the package's. */
import { CFB } from '@e965/xlsx'

const compound = (streams: Record<string, Buffer>): Buffer => {
  const file = CFB.utils.cfb_new()
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, bytes)
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array)
}

const number16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value & 0xffff)
  return bytes
}

const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

/** A paragraph with its last sign; `style` 1 is Heading 1. `properties` and `marks` are lists of [code, data]. */
export type OldParagraph = {
  text: string
  style?: number
  properties?: [code: number, data: number[]][]
  /** From this sign on, runs have these properties. */
  marks?: { from: number; to: number; properties: [code: number, data: number[]][] }
}

const written = (properties: readonly [code: number, data: number[]][]): Buffer =>
  Buffer.concat(properties.map(([code, data]) => Buffer.concat([number16(code), Buffer.from(data)])))

/** At most twenty paragraphs: their properties share a page of 512 bytes. */
export function docOf(paragraphs: readonly OldParagraph[], { isEncrypted = false } = {}): Buffer {
  const textAt = 1_024
  const text = wide(paragraphs.map(paragraph => paragraph.text).join(''))
  const pageAt = (textAt + text.length + 511) & ~511
  let at = textAt
  const ranges = paragraphs.map(paragraph => {
    const start = at
    at += paragraph.text.length * 2
    return { ...paragraph, start, end: at }
  })
  const paragraphPage = pageOf(
    ranges.map(({ start, end, style = 0, properties = [] }) => {
      const bytes = Buffer.concat([number16(style), written(properties)])
      const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
      return { start, end, bytes: Buffer.concat([Buffer.from([0, padded.length / 2]), padded]) }
    }),
    13,
  )
  // Runs follow each other without a gap; those between the marked ones have no properties.
  const runs: PageRun[] = []
  for (const { start, marks } of ranges) {
    if (marks === undefined) continue
    const [from, to] = [start + marks.from * 2, start + marks.to * 2]
    runs.push({ start: runs.at(-1)?.end ?? textAt, end: from, bytes: Buffer.alloc(0) })
    runs.push({ start: from, end: to, bytes: lengthFirst(written(marks.properties)) })
  }
  runs.push({ start: runs.at(-1)?.end ?? textAt, end: at, bytes: Buffer.alloc(0) })
  const main = Buffer.alloc(pageAt + 1_024)
  main.writeUInt16LE(0xa5ec, 0)
  main.writeUInt16LE(193, 2)
  main.writeUInt16LE(isEncrypted ? 0x300 : 0x200, 10)
  main.writeUInt32LE(text.length / 2, 0x4c)
  text.copy(main, textAt)
  paragraphPage.copy(main, pageAt)
  pageOf(runs, 1).copy(main, pageAt + 512)
  const parts: [place: number, bytes: Buffer][] = [
    [0xa2, stylesheet],
    [0x102, Buffer.concat([number32(textAt), number32(at), number32(pageAt / 512)])],
    [0xfa, Buffer.concat([number32(textAt), number32(at), number32(pageAt / 512 + 1)])],
    [0x1a2, pieceTable(text.length / 2, textAt)],
  ]
  let table = Buffer.alloc(0)
  for (const [place, bytes] of parts) {
    main.writeUInt32LE(table.length, place)
    main.writeUInt32LE(bytes.length, place + 4)
    table = Buffer.concat([table, bytes])
  }
  return compound({ WordDocument: main, '1Table': table })
}

const lengthFirst = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes])

/** Styles 0 (Normal) and 1 (Heading 1), each with the numbers that name it. */
const stylesheet = (() => {
  const style = (id: number): Buffer => Buffer.concat([number16(4), number16(id), number16(0xfff0)])
  return Buffer.concat([number16(4), number16(2), number16(4), style(0), style(1)])
})()

const pieceTable = (length: number, at: number): Buffer => {
  const plc = Buffer.concat([number32(0), number32(length), number16(0), number32(at), number16(0)])
  return Buffer.concat([Buffer.from([2]), number32(plc.length), plc])
}

type PageRun = { start: number; end: number; bytes: Buffer }

function pageOf(runs: readonly PageRun[], entryBytes: number): Buffer {
  const page = Buffer.alloc(512)
  page[511] = runs.length
  let free = 511
  for (const [index, { start, end, bytes }] of runs.entries()) {
    page.writeUInt32LE(start, index * 4)
    page.writeUInt32LE(end, index * 4 + 4)
    free = (free - bytes.length) & ~1
    bytes.copy(page, free)
    page[(runs.length + 1) * 4 + index * entryBytes] = bytes.length === 0 ? 0 : free / 2
  }
  return page
}

// Presentations

const record = (type: number, data: Buffer, { version = 0, instance = 0 } = {}): Buffer =>
  Buffer.concat([number16((instance << 4) | version), number16(type), number32(data.length), data])

const tree = (type: number, children: readonly Buffer[], instance = 0): Buffer =>
  record(type, Buffer.concat(children), { version: 15, instance })

export type OldSlide = { title: string; body: string; notes?: string }

export function pptOf(slides: readonly OldSlide[]): Buffer {
  const objects = new Map<number, Buffer>()
  const listed = (instance: number, ids: readonly number[]): Buffer =>
    tree(
      4_080,
      ids.map(id =>
        record(1_011, Buffer.concat([number32(id), number32(0), number32(0), number32(id), number32(0)])),
      ),
      instance,
    )
  const textbox = (kind: number, text: string): Buffer =>
    tree(0xf004, [record(0xf00d, Buffer.concat([record(3_999, number32(kind)), record(4_000, wide(text))]))])
  const drawing = (shapes: readonly Buffer[]): Buffer => tree(1_036, [tree(0xf002, [tree(0xf003, shapes)])])
  const [slideIds, noteIds]: [number[], number[]] = [[], []]
  for (const [index, { title, body, notes }] of slides.entries()) {
    const [id, noteId] = [10 + index, 100 + index]
    slideIds.push(id)
    const about = record(
      1_007,
      Buffer.concat([Buffer.alloc(16), number32(notes === undefined ? 0 : noteId), Buffer.alloc(4)]),
    )
    objects.set(id, tree(1_006, [about, drawing([textbox(1, body), textbox(0, title)])]))
    if (notes === undefined) continue
    noteIds.push(noteId)
    objects.set(noteId, tree(1_008, [drawing([textbox(2, notes)])]))
  }
  objects.set(1, tree(1_000, [listed(0, slideIds), listed(2, noteIds)]))
  let stream = Buffer.alloc(0)
  const places: Buffer[] = []
  for (const [id, bytes] of objects) {
    places.push(number32((1 << 20) | id), number32(stream.length))
    stream = Buffer.concat([stream, bytes])
  }
  const directoryAt = stream.length
  stream = Buffer.concat([stream, record(6_002, Buffer.concat(places))])
  const editAt = stream.length
  const edit = [number32(0), number32(0), number32(0), number32(directoryAt), number32(1), Buffer.alloc(8)]
  stream = Buffer.concat([stream, record(4_085, Buffer.concat(edit))])
  const user = Buffer.concat([
    Buffer.alloc(8),
    number32(20),
    number32(0xe391c05f),
    number32(editAt),
    Buffer.alloc(8),
  ])
  return compound({ 'PowerPoint Document': stream, 'Current User': user })
}
