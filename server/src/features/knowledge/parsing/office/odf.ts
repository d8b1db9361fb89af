/** OpenDocument texts, spreadsheets and presentations: they share one vocabulary, and each kind uses a part of it. */

import { elementsOf, parseHtml } from '@atrium/connectors/html'
import { type Attached, writeAttached } from '../attached.ts'
import { ParseFailure } from '../failure.ts'
import { isFlattened, mathText } from '../math.ts'
import type { Reader } from '../reader.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import type { Warn } from '../warnings.ts'
import { fileWithin } from './compound.ts'
import {
  createFlow,
  createRecorder,
  type Flow,
  type FlowCell,
  numberAs,
  type RecordedBlock,
  writerOfSlides,
} from './flow.ts'
import { formatNumber } from './number-format.ts'
import { createRunning, isOffScreen, noStyles, readStyles, type Styles } from './odf-text.ts'
import { type Attributes, readXml, within, type XmlVisitor } from './xml.ts'
import { readTitle, withZip, type Zip } from './zip.ts'

export const readOdf: Reader = (source, writer) =>
  withZip(source, async zip => {
    await requireReadable(zip)
    const styles = await readStyles(zip)
    const { objects, attached } = await readObjects(zip, source.warn)
    const visitor = createOdfVisitor(createFlow(writerOfSlides(writer)), {
      styles,
      objects,
      warn: source.warn,
    })
    await readXml(zip.pieces('content.xml'), visitor)
    for (const text of await readMargins(zip)) writer.add('paragraph', text)
    await writeAttached(attached, source, writer, { level: 1 })
    const title = zip.has('meta.xml') ? await readTitle(zip, 'meta.xml') : null
    return { title, pageCount: visitor.pageCount() }
  })

/** Throws `encrypted` if the manifest names encrypted parts. */
async function requireReadable(zip: Zip): Promise<void> {
  const manifest = 'META-INF/manifest.xml'
  if (!zip.has(manifest)) return
  await readXml(zip.pieces(manifest), {
    open(name) {
      if (name === 'manifest:encryption-data') throw new ParseFailure('encrypted')
    },
  })
}

/** Charts and other documents within this one, by their folders, and other embedded objects (OLE). */
async function readObjects(zip: Zip, warn: Warn): Promise<{ objects: Objects; attached: Attached[] }> {
  const objects: Objects = new Map()
  const attached: Attached[] = zip.names
    .filter(name => /^object[^/]*$/.test(name))
    .map(name => ({ name, open: async () => fileWithin(name, await zip.fileBytes(name)) }))
  const folders = zip.names.flatMap(name => /^(.+)\/content\.xml$/.exec(name)?.[1] ?? [])
  const depthOf = (folder: string): number => folder.split('/').length
  // An object within another object is read before that one.
  for (const folder of folders.toSorted((one, other) => depthOf(other) - depthOf(one))) {
    const recorder = createRecorder()
    objects.set(folder, recorder.blocks)
    const visitor = createOdfVisitor(createFlow(recorder), { objects, folder: `${folder}/`, warn })
    try {
      const part = `${folder}/content.xml`
      let isFormula = false
      await readXml(zip.pieces(part), {
        ...visitor,
        open(name, attributes) {
          isFormula ||= /^(math:)?math$/.test(name)
          return isFormula ? 'skip' : visitor.open(name, attributes)
        },
      })
      if (isFormula) writeFormula(await zip.bytes(part), recorder, warn)
    } catch (error) {
      if (!(error instanceof ParseFailure) || error.code !== 'corrupt') throw error
      attached.push({ name: folder, open: () => Promise.reject(error) })
    }
  }
  return { objects, attached }
}

function writeFormula(bytes: Buffer, writer: TextWriter, warn: Warn): void {
  const page = parseHtml(bytes.toString().replace(/<(\/?)math:/g, '<$1'))
  const math = [...elementsOf(page)].find(({ tagName }) => tagName === 'math')
  if (math !== undefined) writer.add('paragraph', mathText(math))
  if (math === undefined || isFlattened(math)) warn('formula_flattened')
}

/** The texts of headers and footers, each text once. */
async function readMargins(zip: Zip): Promise<Set<string>> {
  const recorder = createRecorder()
  if (zip.has('styles.xml')) {
    await readXml(zip.pieces('styles.xml'), within(isMargin, marginVisitor(createFlow(recorder))))
  }
  return new Set(recorder.blocks.map(({ text }) => withoutFields(text)).filter(text => text !== ''))
}

/** Fields that a program fills in for each page: a file holds only placeholders, such as "???" for a sheet's name. */
const fields = new Set(
  `text:sheet-name text:title text:file-name text:date text:time text:page-number text:page-count
  text:author-name text:template-name presentation:date-time`.split(/\s+/),
)
const fieldSign = '\ufffc'

/** The text without its fields; empty if only signs or a few short words, such as "Page", are left. */
function withoutFields(text: string): string {
  if (!text.includes(fieldSign)) return text
  const plain = onOneLine(text.replaceAll(fieldSign, ' '))
  const words = plain.match(/\p{L}+/gu)?.length ?? 0
  return words > 2 || /\p{L}{8}/u.test(plain) ? plain : ''
}

function marginVisitor(flow: Flow): Required<XmlVisitor> {
  const visitor = createOdfVisitor(flow)
  return {
    ...visitor,
    open(name, attributes) {
      if (!fields.has(name)) return visitor.open(name, attributes)
      flow.text(fieldSign)
      return 'skip'
    },
  }
}

const isMargin = (name: string, attributes: Attributes): boolean =>
  /^style:(header|footer)(-left|-first)?$/.test(name) ||
  /^(header|footer)$/.test(attributes['presentation:class'] ?? '')

// The content of an OpenDocument file, tag by tag.

type Options = {
  styles?: Styles
  objects?: Objects
  /** The document's folder, with "/" behind it; empty for the outermost document. */
  folder?: string
  /** Notes pictures, on the pages of a presentation. */
  warn?: Warn
}

/** Documents within this one, by their folders. */
type Objects = Map<string, readonly RecordedBlock[]>

/**
 * Elements without readable text: deletions, authors, dates, page numbers, and pictures as letters.
 */
const leftOut = new Set(
  `text:tracked-changes text:note-citation dc:creator dc:date meta:creator-initials
  office:binary-data office:forms office:scripts presentation:date-time text:page-number text:page-count`.split(
    /\s+/,
  ),
)

const hideable = new Set(['text:section', 'text:hidden-text'])

/** A condition is never worked out: the program that saved the file says what it came to. */
const isHiddenText = (attributes: Attributes): boolean =>
  attributes['text:display'] === 'none' || attributes['text:is-hidden'] === 'true'

/** Elements that stand beside the text, wherever they are anchored. */
const boxes = new Set(
  `draw:frame draw:custom-shape draw:rect draw:ellipse draw:circle draw:line draw:polyline draw:polygon draw:path
  draw:connector draw:caption draw:measure draw:g text:note office:annotation table:shapes`.split(/\s+/),
)

const simpleParagraphs = new Set(['text:p', 'svg:title', 'svg:desc'])

/** Cells that are far apart are not a table. Rows that repeat very often are only there for their colour. */
const maxGap = 16
const maxRepeat = 100

function createOdfVisitor(
  flow: Flow,
  { styles = noStyles, objects = new Map(), folder = '', warn = () => undefined }: Options = {},
): Required<XmlVisitor> & { pageCount(): number | null } {
  const list = createListState(styles.lists)
  const running = createRunning(flow, styles.marks)
  const cells = createCellState(flow)
  const margins = createSlideMargins(flow)
  let pages = 0
  let isPresentation = false
  let isNotes = false
  let isTitle = false
  const pictures = createPictureState(warn)
  let headingLevel: number | null = null
  let sheets: string[] | null = null

  const isHidden = (name: string, attributes: Attributes): boolean =>
    (hideable.has(name) && isHiddenText(attributes)) ||
    (boxes.has(name) && (isOffScreen(attributes) || styles.hiddenLayers.has(attributes['draw:layer'] ?? '')))

  const onPage = () => (isPresentation && pages > 0 ? { page: pages } : {})

  const beginParagraph = (attributes: Attributes): void => {
    cells.fill()
    flow.beginParagraph()
    running.begin(attributes)
  }

  const endParagraph = (): void => {
    const level = headingLevel ?? (isTitle && !isNotes ? 1 : null)
    const marker = isNotes ? null : list.marker()
    headingLevel = null
    running.end()
    if (level !== null) flow.endParagraph('heading', { level, ...onPage() })
    else if (marker !== null) flow.endParagraph('list', { marker, ...onPage() })
    else flow.endParagraph('paragraph', onPage())
  }

  const insertObject = (attributes: Attributes): void => {
    const target = (attributes['xlink:href'] ?? '').replace(/^\.\//, '').replace(/\/$/, '')
    const name = `${folder}${target.toLowerCase()}`
    flow.insert(objects.get(name) ?? [], onPage().page)
    // Each object is inserted once: objects that show each other many times could come to any length.
    objects.delete(name)
  }

  const opened: Record<string, (attributes: Attributes) => void> = {
    'office:presentation': () => {
      isPresentation = true
    },
    'office:spreadsheet': () => {
      sheets = []
    },
    'draw:page': () => {
      pages += 1
    },
    'presentation:notes': () => {
      isNotes = true
    },
    'presentation:footer-decl': margins.begin,
    'presentation:header-decl': margins.begin,
    'draw:object': insertObject,
    'draw:frame': attributes => {
      isTitle = attributes['presentation:class'] === 'title'
      pictures.beginFrame()
    },
    'draw:image': attributes => pictures.take(attributes['xlink:href'] ?? '', onPage()),
    'text:h': attributes => {
      headingLevel = Math.min(9, countOf(attributes['text:outline-level']))
      beginParagraph(attributes)
    },
    ...running.opened,
    'text:list': list.begin,
    'text:list-item': list.beginItem,
    'table:table': attributes => {
      sheets?.push(attributes['table:name'] ?? '')
      flow.beginTable()
      cells.beginTable()
    },
    ...cells.opened,
    'table:table-cell': attributes => cells.begin(attributes, false),
    'table:covered-table-cell': attributes => cells.begin(attributes, true),
  }

  const closed: Record<string, () => void> = {
    'office:presentation': margins.write,
    'presentation:notes': () => {
      isNotes = false
    },
    'presentation:header-decl': margins.end,
    'presentation:footer-decl': margins.end,
    'draw:frame': () => {
      isTitle = false
    },
    'text:h': endParagraph,
    ...running.closed,
    'text:list': list.end,
    'table:table': () => flow.endTable({ ...onPage(), heading: sheets?.pop() ?? '' }),
    ...cells.closed,
    'table:table-cell': cells.end,
    'table:covered-table-cell': cells.end,
  }

  return {
    pageCount: () => (isPresentation ? pages : null),
    open(name, attributes) {
      if (leftOut.has(name) || isHidden(name, attributes)) return 'skip'
      if (boxes.has(name)) flow.beginBox()
      opened[name]?.(attributes)
      if (simpleParagraphs.has(name)) beginParagraph(attributes)
      return undefined
    },
    close(name) {
      if (simpleParagraphs.has(name)) endParagraph()
      closed[name]?.()
      if (boxes.has(name)) flow.endBox()
    },
    text(text) {
      if (!margins.take(text)) running.text(cells.inFull(text))
    },
  }
}

/** Texts that a presentation declares once, for all of its pages. */
function createSlideMargins(flow: Flow) {
  const texts = new Set<string>()
  let open: string | null = null
  return {
    begin: (): void => {
      open = ''
    },
    end: (): void => {
      texts.add(onOneLine(open ?? ''))
      open = null
    },
    /** False outside of these texts. */
    take(text: string): boolean {
      if (open !== null) open += text
      return open !== null
    },
    write: (): void => {
      for (const text of texts) flow.insert([{ kind: 'paragraph', text, options: {} }])
    },
  }
}

/** A frame may hold a picture in several forms. The pictures of objects lie in another folder. */
function createPictureState(warn: Warn) {
  let isTaken = false
  return {
    beginFrame(): void {
      isTaken = false
    },
    take(address: string, onPage: { page?: number }): void {
      if (isTaken || !/^(\.\/)?pictures\//i.test(address)) return
      isTaken = true
      warn('pictures_not_read', onPage)
    },
  }
}

function createListState(lists: Styles['lists']) {
  const open: { style: string; number: number }[] = []
  let isFirstOfItem = false
  return {
    begin: (attributes: Attributes): void => {
      open.push({ style: attributes['text:style-name'] ?? open.at(-1)?.style ?? '', number: 0 })
    },
    beginItem: (attributes: Attributes): void => {
      const list = open.at(-1)
      if (list === undefined) return
      const start = attributes['text:start-value']
      list.number = start === undefined ? list.number + 1 : Number(start) || 1
      isFirstOfItem = true
    },
    end: () => void open.pop(),
    /** The marker that the next paragraph begins with; null outside of lists. */
    marker: (): string | null => {
      const list = open.at(-1)
      if (list === undefined) return null
      const level = Math.min(9, open.length - 1)
      const indent = '  '.repeat(level)
      const style = lists.get(list.style)?.[level] ?? null
      const sign = style === null ? '-' : `${numberAs(style.format, list.number)}${style.suffix || '.'}`
      const marker = isFirstOfItem ? `${indent}${sign} ` : `${indent}  `
      isFirstOfItem = false
      return marker
    },
  }
}

/** A cell is begun once it has content: a row may end in sixteen thousand empty cells. */
function createCellState(flow: Flow) {
  let empty = 0
  let isFilled = true
  let isCovered = false
  let columns = 1
  let rows = 1
  let value: string | null = null
  let spanned = { columns: 1, rows: 1 }
  let row = 0
  let column = 0
  let isOfNames = false
  /** Whether the row says anything that no cell of an earlier row says. */
  let hasOwn = false
  /** The cells that cover others, by the columns that they cover. */
  let covering = new Map<number, { cell: FlowCell; lastRow: number }>()

  const beginCell = (cell?: FlowCell): FlowCell | null => {
    for (let i = 0; i < Math.min(maxGap, empty); i++) flow.beginCell()
    empty = 0
    return flow.beginCell(cell)
  }

  /** A covered cell shows what the cell shows that covers it. */
  const cover = (): void => {
    for (let at = column; at < column + Math.min(maxRepeat, columns); at++) {
      const over = covering.get(at)
      if (over === undefined || over.lastRow < row || flow.claim(1) === 0) empty += 1
      else beginCell(over.cell)
    }
    empty += Math.max(0, columns - maxRepeat)
  }

  const beginRow = (attributes: Attributes): void => {
    rows = countOf(attributes['table:number-rows-repeated'])
    empty = 0
    column = 0
    hasOwn = false
    flow.beginRow()
    if (isOfNames) flow.setNames()
  }

  const endRow = (): void => {
    if (hasOwn) flow.endRow(Math.min(maxRepeat, rows))
    row += rows
  }

  /** The rows to come hold names of columns, or hold none. */
  const setNames = (are: boolean): void => {
    isOfNames = are
  }

  return {
    beginTable: (): void => {
      row = 0
      isOfNames = false
      covering = new Map()
    },
    opened: { 'table:table-header-rows': () => setNames(true), 'table:table-row': beginRow },
    closed: { 'table:table-header-rows': () => setNames(false), 'table:table-row': endRow },
    begin: (attributes: Attributes, covered: boolean): void => {
      columns = countOf(attributes['table:number-columns-repeated'])
      spanned = {
        columns: countOf(attributes['table:number-columns-spanned']),
        rows: countOf(attributes['table:number-rows-spanned']),
      }
      isFilled = false
      isCovered = covered
      value = attributes['office:value-type'] === 'float' ? (attributes['office:value'] ?? null) : null
    },
    fill: (): void => {
      if (isFilled) return
      isFilled = true
      hasOwn = true
      const cell = beginCell()
      if (cell === null || (spanned.columns === 1 && spanned.rows === 1)) return
      const wide = flow.claim(Math.min(maxRepeat, spanned.columns))
      for (let at = column; at < column + wide; at++)
        covering.set(at, { cell, lastRow: row + spanned.rows - 1 })
    },
    /** A number that the file shows with an exponent is written with all of its digits. */
    inFull: (text: string): string =>
      value !== null && /^-?\d[\d.,]*E[+-]?\d+$/.test(text) ? formatNumber(value, '') : text,
    end: (): void => {
      if (isFilled) flow.repeatCell(Math.min(maxRepeat, columns))
      else if (isCovered) cover()
      else empty += columns
      isFilled = true
      column += columns
      value = null
    },
  }
}

const countOf = (repeated: string | undefined): number => Math.max(1, Math.floor(Number(repeated ?? 1)) || 1)
