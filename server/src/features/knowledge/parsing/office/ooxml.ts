/** Office Open XML as a package: its main part, what each part refers to, its title; and charts and diagrams as blocks. */
import { type Holder, writeAttached } from '../attached.ts'
import { ParseFailure } from '../failure.ts'
import { createRunMarks } from '../marks.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import type { Warn } from '../warnings.ts'
import { fileWithin } from './compound.ts'
import { createFlow, createRecorder, createRows, type Flow, type RecordedBlock } from './flow.ts'
import { formatNumber } from './number-format.ts'
import { createMath } from './omml.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'
import { readTitle, resolvePart, type Zip } from './zip.ts'

export type Relationship = {
  id: string
  /** The last word of its type's address: `chart`, `footnotes`. */
  type: string
  /** The name of an existing part. */
  target: string
}

/** The package's main part. Throws `corrupt` if there is none. */
export async function mainPart(zip: Zip): Promise<string> {
  const main = (await relationshipsOf(zip, '')).find(({ type }) => type === 'officeDocument')
  if (main === undefined) throw new ParseFailure('corrupt', 'The file lacks its main part.')
  return main.target
}

/** The parts that a part refers to, without missing and external ones. */
export const relationshipsOf = async (zip: Zip, part: string): Promise<Relationship[]> =>
  (await referencesOf(zip, part)).parts

/**
 * What a part refers to: existing parts of the package, and the addresses of links out of it by the ids under which the
 * part refers to them.
 */
export async function referencesOf(zip: Zip, part: string) {
  const slash = part.lastIndexOf('/') + 1
  const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  const parts: Relationship[] = []
  const addresses = new Map<string, string>()
  if (!zip.has(name)) return { parts, addresses }
  await readXml(zip.pieces(name), {
    open(tag, { Id: id = '', Type: address = '', Target: target = '', TargetMode: mode }) {
      if (tag !== 'rel:Relationship') return
      const type = address.slice(address.lastIndexOf('/') + 1)
      if (mode === 'External') {
        if (type === 'hyperlink') addresses.set(id, target)
        return
      }
      const resolved = resolvePart(part, target)
      if (zip.has(resolved)) parts.push({ id, type, target: resolved })
    },
  })
  return { parts, addresses }
}

/** The title that the file states, unless a program made it up. */
export async function titleOf(zip: Zip): Promise<string | null> {
  const core = (await relationshipsOf(zip, '')).find(({ type }) => type === 'core-properties')
  if (core === undefined) return null
  return writtenTitle(await readTitle(zip, core.target))
}

/** Null for a title that the program made up. */
export function writtenTitle(title: string | null): string | null {
  const trimmed = title?.trim() ?? ''
  return trimmed === '' || madeUp.test(trimmed) ? null : trimmed
}

const madeUp =
  /^(powerpoint presentation|(slide|document|presentation|book|workbook) ?\d*|untitled.*|microsoft \w+ - .*)$/i

/** Writes the files that a part holds: documents of today as they are, and files packed into objects (OLE). */
export async function writeEmbedded(
  zip: Zip,
  relationships: readonly Relationship[],
  source: Holder,
  writer: TextWriter,
  place: { level: number; page?: number },
): Promise<void> {
  const targets = relationships
    .filter(({ type }) => type === 'package' || type === 'oleObject')
    .map(({ target }) => target)
  const files = [...new Set(targets)].map(name => ({
    name,
    open: async () => fileWithin(name, await zip.fileBytes(name)),
  }))
  await writeAttached(files, source, writer, place)
}

/** Charts and diagrams that a part shows, by the id under which it refers to them. */
export async function readFigures(zip: Zip, relationships: readonly Relationship[], warn: Warn) {
  const figures = new Map<string, RecordedBlock[]>()
  for (const { id, type, target } of relationships) {
    const recorder = createRecorder()
    if (type === 'chart') await writeChart(zip.pieces(target), recorder)
    else if (type === 'diagramData') await writeShapes(zip, target, recorder, { figures: new Map(), warn })
    else continue
    figures.set(id, recorder.blocks)
  }
  return figures
}

/** The text of all shapes of a drawing, with its charts and diagrams. */
export async function writeDrawing(zip: Zip, part: string, writer: TextWriter, warn: Warn): Promise<void> {
  await writeShapes(zip, part, writer, {
    figures: await readFigures(zip, await relationshipsOf(zip, part), warn),
    warn,
  })
}

async function writeShapes(
  zip: Zip,
  part: string,
  writer: TextWriter,
  { figures, warn }: { figures: ReadonlyMap<string, RecordedBlock[]>; warn: Warn },
): Promise<void> {
  await readXml(
    zip.pieces(part),
    withoutHiddenShapes(createDrawingVisitor(createFlow(writer), figures, { warn })),
  )
}

/** What a picture shows; the picture of a hidden shape is not heard of. */
const pictures = new Set(['pic:blipFill', 'p:blipFill', 'xdr:blipFill', 'v:imagedata'])
/** The picture in an embedded object stands for a file, which is read. */
const pictureHolders = new Set(['w:object', 'p:oleObj'])

/** Hears the tags of a part, and warns of each picture. */
export function createPictureCounter(warn: Warn, page?: number) {
  let held = 0
  return {
    open(name: string): void {
      if (pictureHolders.has(name)) held += 1
      else if (held === 0 && pictures.has(name)) warn('pictures_not_read', { page })
    },
    close(name: string): void {
      if (pictureHolders.has(name)) held -= 1
    },
  }
}

// A chart as text: its titles, and its series as a table.

/** Values by their index, as the chart keeps them. */
type Values = Map<number, string>
type Series = { name: string; categories: Values; values: Values }

async function writeChart(pieces: AsyncIterable<Buffer>, writer: TextWriter): Promise<void> {
  const titles = createDrawingVisitor(createFlow(writer), new Map())
  const all: Series[] = []
  let part: 'name' | 'categories' | 'values' | null = null
  let index = 0
  let format = ''
  let text: string | null = null

  const keep = (series: Series, value: string): void => {
    if (part === 'name') series.name += value
    else if (part !== null) {
      const shown = part === 'values' || format !== '' ? formatNumber(value, format) : value
      const before = series[part].get(index)
      // The levels of a category come from the inner one outwards.
      series[part].set(index, before === undefined ? shown : `${shown} ${before}`)
    }
  }

  await readXml(pieces, {
    open(name, attributes) {
      const series = all.at(-1)
      if (name === 'c:ser') all.push({ name: '', categories: new Map(), values: new Map() })
      else if (name === 'c:tx' && series !== undefined) part = 'name'
      else if (name === 'c:cat' || name === 'c:xVal') part = 'categories'
      else if (name === 'c:val' || name === 'c:yVal') part = 'values'
      else if (name === 'c:strCache' || name === 'c:numCache') format = ''
      else if (name === 'c:pt') index = Number(attributes.idx ?? 0)
      else if (name === 'c:v' || name === 'c:formatCode') text = ''
      return titles.open(name, attributes)
    },
    close(name) {
      const series = all.at(-1)
      if (name === 'c:formatCode') format = text ?? ''
      else if (name === 'c:v' && series !== undefined) keep(series, text ?? '')
      if (name === 'c:v' || name === 'c:formatCode') text = null
      if (seriesParts.has(name)) part = null
      titles.close(name)
    },
    text(piece) {
      if (text !== null) text += piece
      titles.text(piece)
    },
  })
  writer.add('table', tableOf(all), { header: { rows: 1 } })
}

const seriesParts = new Set(['c:tx', 'c:cat', 'c:xVal', 'c:val', 'c:yVal'])

function tableOf(all: readonly Series[]): string {
  const rows = createRows()
  rows.add(['', ...all.map(({ name }) => onOneLine(name))])
  const indexes = new Set(all.flatMap(({ values, categories }) => [...categories.keys(), ...values.keys()]))
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const category = all.map(({ categories }) => categories.get(index)).find(found => found !== undefined)
    rows.add([category ?? '', ...all.map(({ values }) => values.get(index) ?? '')].map(onOneLine))
  }
  return rows.text()
}

// DrawingML, in which slides, text boxes and diagrams are written: paragraphs with their lists, and tables.

/** A paragraph's level and list sign. */
type Bullet = { level: number; sign: 'number' | 'dash' | 'none' | null }

type DrawingOptions = {
  page?: number
  /** Whether a paragraph that states no sign is an item of a list. */
  isList?: () => boolean
  /** Notes pictures, and formulas that lose their structure. */
  warn?: Warn
}

/** Leaves out the shapes and pictures that their author has hidden, and all within them. */
export function withoutHiddenShapes(visitor: XmlVisitor): XmlVisitor {
  const open: { isHidden: boolean }[] = []
  return {
    open(name, attributes) {
      const isOn = /^(1|true|on)$/.test(attributes.hidden ?? '')
      const shape = shapes.has(name) ? { isHidden: isOn || open.at(-1)?.isHidden === true } : open.at(-1)
      if (shape !== undefined && isOn && shapeProperties.has(name)) shape.isHidden = true
      if (shape?.isHidden === true) return 'skip'
      const answer = visitor.open?.(name, attributes)
      if (shape !== undefined && answer !== 'skip' && shapes.has(name)) open.push(shape)
      return answer
    },
    close(name) {
      if (shapes.has(name)) open.pop()
      visitor.close?.(name)
    },
    text: text => visitor.text?.(text),
  }
}

const shapes = new Set(
  ['p', 'xdr']
    .flatMap(part => ['sp', 'pic', 'graphicFrame', 'grpSp', 'cxnSp'].map(name => `${part}:${name}`))
    .concat('wp:inline', 'wp:anchor'),
)
const shapeProperties = new Set(['p:cNvPr', 'xdr:cNvPr', 'wp:docPr'])

/** `figures` are charts and diagrams by the ids under which the part refers to them. */
export function createDrawingVisitor(
  flow: Flow,
  figures: ReadonlyMap<string, readonly RecordedBlock[]>,
  { page, isList = () => false, warn = () => undefined }: DrawingOptions = {},
): Required<XmlVisitor> {
  const onPage = page === undefined ? {} : { page }
  const numbers: number[] = []
  let bullet: Bullet = { level: 0, sign: null }
  let isText = false
  /** Whether the next row names the columns of its table. */
  let isOfNames = false

  /** The marker that a list item begins with; null if the paragraph is not an item. */
  const marker = (): string | null => {
    const { level } = bullet
    const sign = bullet.sign ?? (level > 0 || isList() ? 'dash' : 'none')
    if (sign === 'none') return null
    numbers.length = sign === 'number' ? level + 1 : level
    if (sign === 'number') numbers[level] = (numbers[level] ?? 0) + 1
    return `${'  '.repeat(level)}${sign === 'number' ? `${numbers[level]}.` : '-'} `
  }

  const sign = (value: Bullet['sign']) => () => {
    bullet.sign = value
  }
  const marks = createRunMarks(flow.text)
  const math = createMath(flow.text, warn, page)
  const shown = createPictureCounter(warn, page)
  const alternative = (attributes: Attributes): void => flow.insert(altText(attributes), page)
  const opened: Record<string, (attributes: Attributes) => void> = {
    'p:cNvPr': alternative,
    'xdr:cNvPr': alternative,
    'a:p': () => {
      bullet = { level: 0, sign: null }
      flow.beginParagraph()
    },
    'a:pPr': ({ lvl = '0' }) => {
      bullet.level = Math.min(8, Math.max(0, Number(lvl) || 0))
    },
    'a:buChar': sign('dash'),
    'a:buBlip': sign('dash'),
    'a:buNone': sign('none'),
    'a:buAutoNum': sign('number'),
    'a:r': marks.beginRun,
    'a:rPr': ({ baseline = '0', strike = 'noStrike' }) => {
      const rise = Number.parseInt(baseline, 10)
      marks.set({ place: rise > 0 ? 'raised' : rise < 0 ? 'lowered' : null, isStruck: strike !== 'noStrike' })
    },
    'a:br': () => flow.text('\n'),
    'a:tbl': flow.beginTable,
    'a:tblPr': ({ firstRow = '' }) => {
      isOfNames = isOn(firstRow)
    },
    'a:tr': () => {
      flow.beginRow()
      if (isOfNames) flow.setNames()
      isOfNames = false
    },
    'a:tc': ({ hMerge = '', vMerge = '' }) => {
      flow.beginCell()
      flow.spanCell({ continues: isOn(hMerge) ? 'left' : isOn(vMerge) ? 'above' : null })
    },
  }

  return {
    open(name, attributes) {
      if (name === 'a:fld' && attributes.type === 'slidenum') return 'skip'
      const figure = figures.get(attributes['r:id'] ?? attributes['r:dm'] ?? '')
      if (figure !== undefined) flow.insert(figure, page)
      isText = name === 'a:t' || name === 'm:t'
      math.open(name, attributes)
      shown.open(name)
      opened[name]?.(attributes)
      return undefined
    },
    close(name) {
      isText = false
      math.close(name)
      shown.close(name)
      if (name === 'a:tr') flow.endRow()
      else if (name === 'a:tbl') flow.endTable(onPage)
      else if (name === 'a:p') {
        marks.endParagraph()
        const item = marker()
        if (item === null) flow.endParagraph('paragraph', onPage)
        else flow.endParagraph('list', { ...onPage, marker: item })
      }
    },
    text(text) {
      if (isText && !math.take(text)) marks.text(text)
    },
  }
}

const isOn = (value: string): boolean => /^(1|true)$/.test(value)

/** What an author wrote about a picture. The name of its file, which programs put there, is left out. */
export function altText({ descr = '' }: Attributes): RecordedBlock[] {
  const text = onOneLine(descr)
  const isFileName = /\.(png|jpe?g|gif|bmp|tiff?|emf|wmf|svg)$/i.test(text)
  return text === '' || isFileName ? [] : [{ kind: 'paragraph', text, options: {} }]
}
