/** Word documents: the body, with notes, comments, boxes and charts at their places, then headers and footers. */
import { ParseFailure } from '../failure.ts'
import { createRunMarks, marked } from '../marks.ts'
import type { Reader, Source } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'
import type { Warn } from '../warnings.ts'
import { createFlow, createRecorder, type Flow, numberAs, type RecordedBlock } from './flow.ts'
import { createMath } from './omml.ts'
import {
  altText,
  createPictureCounter,
  mainPart,
  type Relationship,
  readFigures,
  referencesOf,
  titleOf,
  withoutHiddenShapes,
  writeEmbedded,
} from './ooxml.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'
import { withZip, type Zip } from './zip.ts'

export const readDocx: Reader = (source, writer) =>
  withZip(source, async zip => {
    const main = await mainPart(zip)
    const { parts: relationships, addresses } = await referencesOf(zip, main)
    const context = await readContext(zip, relationships, addresses, source)
    await readXml(zip.pieces(main), createWordVisitor(createFlow(writer), context))
    for (const { kind, text, options } of await readMargins(zip, relationships, context)) {
      writer.add(kind, text, options)
    }
    await writeEmbedded(zip, relationships, source, writer, { level: 1 })
    return { title: await titleOf(zip) }
  })

const targetsOf = (relationships: readonly Relationship[], type: string): string[] =>
  relationships.filter(relationship => relationship.type === type).map(({ target }) => target)

async function readContext(
  zip: Zip,
  relationships: readonly Relationship[],
  addresses: ReadonlyMap<string, string>,
  source: Source,
) {
  const [stylesPart = 'word/styles.xml'] = targetsOf(relationships, 'styles')
  const [numberingPart] = targetsOf(relationships, 'numbering')
  const styles = zip.has(stylesPart) ? await readStyles(zip.pieces(stylesPart)) : new Map()
  const lists =
    numberingPart === undefined ? new Map() : await readNumbering(zip.pieces(numberingPart), styles)
  const context: WordContext = {
    styles,
    label: createNumbering(lists),
    inserts: await readFigures(zip, relationships, source.warn),
    addresses,
    warn: source.warn,
  }
  for (const type of ['footnotes', 'endnotes', 'comments']) {
    for (const part of targetsOf(relationships, type)) await readNotes(zip, part, context)
  }
  for (const { id, type, target } of relationships) {
    if (type !== 'aFChunk') continue
    context.inserts.set(id, await readChunk(await zip.bytes(target), target, source))
  }
  return context
}

/** A file that Word shows as a part of its text; what can be read of it. */
async function readChunk(bytes: Buffer, name: string, source: Source): Promise<RecordedBlock[]> {
  const recorder = createRecorder()
  let isRead = false
  try {
    isRead = await source.readInner(bytes, name, recorder)
  } catch (error) {
    if (!(error instanceof ParseFailure) || error.code === 'text_too_long') throw error
  }
  if (!isRead) source.warn('part_not_read')
  return recorder.blocks
}

const noteTags: Readonly<Record<string, string>> = {
  'w:footnote': 'w:footnoteReference',
  'w:endnote': 'w:endnoteReference',
  'w:comment': 'w:commentReference',
}

/** Stores each note in `inserts`, by the tag that refers to the note and the note's number. */
async function readNotes(zip: Zip, part: string, context: WordContext): Promise<void> {
  let note: RecordedBlock[] = []
  const writer: TextWriter = { add: (kind, text, options = {}) => void note.push({ kind, text, options }) }
  const visitor = createWordVisitor(createFlow(writer), { ...context, inserts: new Map() })
  await readXml(zip.pieces(part), {
    ...visitor,
    open(name, attributes) {
      const reference = noteTags[name]
      if (reference === undefined) return visitor.open?.(name, attributes)
      // The lines between text and notes are stored as notes too.
      if (/separator|notice/i.test(attributes['w:type'] ?? '')) return 'skip'
      note = []
      context.inserts.set(`${reference} ${attributes['w:id'] ?? ''}`, note)
      return undefined
    },
  })
}

/** The texts of headers and footers, each text once. */
async function readMargins(
  zip: Zip,
  relationships: readonly Relationship[],
  context: WordContext,
): Promise<Iterable<RecordedBlock>> {
  const recorder = createRecorder()
  for (const type of ['header', 'footer']) {
    for (const part of new Set(targetsOf(relationships, type))) {
      const visitor = createWordVisitor(createFlow(recorder), { ...context, inserts: new Map() })
      await readXml(zip.pieces(part), visitor)
    }
  }
  return new Map(recorder.blocks.map(block => [block.text, block] as const)).values()
}

// WordprocessingML, tag by tag: the body of a document, and other parts of the same form.

type WordContext = {
  styles: WordStyles
  /** Counts the next item of a list, and returns its number or sign; null if the list shows none. */
  label(list: string, level: number): string | null
  /** Content that the text only refers to: by its id, or by the tag that refers to it and its number. */
  inserts: Map<string, RecordedBlock[]>
  /** Addresses of links by their ids. */
  addresses: ReadonlyMap<string, string>
  warn: Warn
}

/** Tags without shown text: deleted or moved text, former settings, pronunciation, tab stops, field codes. */
const leftOut = new Set(
  `w:del w:moveFrom w:pPrChange w:rPrChange w:sectPrChange w:tblPrChange w:tblGridChange w:tcPrChange w:trPrChange
  w:tblPrExChange w:numberingChange w:rt w:tabs w:sdtPr w:instrText`.split(/\s+/),
)

type Paragraph = { style: string | null; outline: number | null; list: string | null; level: number | null }

const defaultStyle = ''

function createWordVisitor(flow: Flow, { styles, label, inserts, addresses, warn }: WordContext): XmlVisitor {
  const open: Paragraph[] = []
  let isText = false
  const hiding = createHiding(styles, () => open.at(-1)?.style ?? defaultStyle)
  const marks = createRunMarks(flow.text)
  const math = createMath(flow.text, warn)
  const pictures = createPictureCounter(warn)
  const links: { address: string; text: string }[] = []

  const say = (text: string): void => {
    if (hiding.isHidden()) return
    const link = links.at(-1)
    if (link !== undefined) link.text += text
    marks.text(text)
  }

  const set = (change: Partial<Paragraph>): void => {
    const paragraph = open.at(-1)
    if (paragraph !== undefined) Object.assign(paragraph, change)
  }

  const endParagraph = (): void => {
    marks.endParagraph()
    const paragraph = open.pop()
    const id = paragraph?.style ?? defaultStyle
    const style = styles.get(id) ?? undeclaredStyle(id)
    const list = paragraph?.list ?? style.list ?? null
    const level = Math.min(8, paragraph?.level ?? style.level ?? 0)
    const sign = list === null ? null : label(list, level)
    const outline = paragraph?.outline ?? style.outline ?? null
    if (outline !== null && outline < 9) {
      const number = sign === null || sign === '-' ? '' : sign
      flow.endParagraph('heading', { level: outline + 1, marker: spaced(number) })
    } else if (sign !== null) {
      flow.endParagraph('list', { marker: '  '.repeat(level) + spaced(sign) })
    } else {
      flow.endParagraph()
    }
  }

  const opened: Record<string, (attributes: Attributes) => void> = {
    'w:p': () => {
      open.push({ style: null, outline: null, list: null, level: null })
      flow.beginParagraph()
    },
    'w:pStyle': attributes => set({ style: attributes['w:val'] ?? null }),
    'w:outlineLvl': attributes => set({ outline: numberOf(attributes) }),
    'w:numId': attributes => set({ list: attributes['w:val'] ?? null }),
    'w:ilvl': attributes => set({ level: numberOf(attributes) }),
    'w:r': () => {
      hiding.beginRun()
      marks.beginRun()
    },
    ...hiding.opened,
    'w:vertAlign': attributes => marks.set({ place: placesOfRuns[attributes['w:val'] ?? ''] ?? null }),
    'w:strike': attributes => marks.set({ isStruck: isOn(attributes['w:val']) }),
    'w:dstrike': attributes => marks.set({ isStruck: isOn(attributes['w:val']) }),
    'w:hyperlink': attributes =>
      void links.push({ address: addresses.get(attributes['r:id'] ?? '') ?? '', text: '' }),
    'w:tab': () => say('\t'),
    'w:br': () => say('\n'),
    'w:cr': () => say('\n'),
    'w:noBreakHyphen': () => say('-'),
    'w:tbl': flow.beginTable,
    'w:tr': flow.beginRow,
    'w:tblHeader': attributes => {
      if (isOn(attributes['w:val'])) flow.setNames()
    },
    'w:tc': () => void flow.beginCell(),
    'w:gridSpan': attributes => flow.spanCell({ columns: numberOf(attributes) ?? 1 }),
    'w:vMerge': attributes =>
      flow.spanCell({ continues: attributes['w:val'] === 'restart' ? null : 'above' }),
    'w:hMerge': attributes => flow.spanCell({ continues: attributes['w:val'] === 'restart' ? null : 'left' }),
    'w:txbxContent': flow.beginBox,
    'wp:docPr': attributes => flow.insert(altText(attributes)),
  }

  const closed: Record<string, () => void> = {
    'w:p': endParagraph,
    'w:hyperlink': () => {
      const { address = '', text = '' } = links.pop() ?? {}
      flow.text(marked.link(text, address).slice(text.trimEnd().length))
    },
    'w:tr': () => flow.endRow(),
    'w:tbl': () => flow.endTable(),
    'w:txbxContent': flow.endBox,
    'a:p': () => flow.text('\n'),
  }

  return withoutHiddenShapes({
    open(name, attributes) {
      if (leftOut.has(name)) return 'skip'
      isText = name === 'w:t' || name === 'm:t' || name === 'a:t'
      math.open(name, attributes)
      pictures.open(name)
      opened[name]?.(attributes)
      const insert = inserts.get(
        attributes['r:id'] ?? attributes['r:dm'] ?? `${name} ${attributes['w:id'] ?? ''}`,
      )
      if (insert !== undefined) flow.insert(insert)
      return undefined
    },
    close(name) {
      isText = false
      math.close(name)
      pictures.close(name)
      closed[name]?.()
    },
    text(text) {
      if (isText && !math.take(hiding.isHidden() ? '' : text)) say(text)
    },
  })
}

/** Whether a text is hidden: its run says so before the run's style, and this before the paragraph's style. */
function createHiding(styles: WordStyles, paragraphStyle: () => string) {
  let own: boolean | null = null
  let style: string | null = null
  return {
    beginRun(): void {
      own = null
      style = null
    },
    opened: {
      'w:rStyle': (attributes: Attributes): void => {
        style = attributes['w:val'] ?? null
      },
      'w:vanish': (attributes: Attributes): void => {
        own = isOn(attributes['w:val'])
      },
    },
    isHidden(): boolean {
      const byRun = own ?? (style === null ? null : styles.get(style)?.isHidden)
      return byRun ?? styles.get(paragraphStyle())?.isHidden ?? false
    },
  }
}

const placesOfRuns: Readonly<Record<string, 'raised' | 'lowered'>> = {
  superscript: 'raised',
  subscript: 'lowered',
}

/** A switch without a value is on. */
const isOn = (value = 'true'): boolean => !/^(0|false|off)$/.test(value)

const spaced = (label: string): string => (label === '' ? '' : `${label} `)

function numberOf(attributes: Attributes): number | null {
  const number = Number(attributes['w:val'])
  return Number.isInteger(number) && number >= 0 ? number : null
}

// The numbers and signs of lists in Word documents, counted as Word counts them.

type Level = { start: number; format: string; text: string }

/** Lists that continue the numbers of another list share its `counter`. */
type List = { counter: string; levels: ReadonlyMap<number, Level>; restarts: ReadonlyMap<number, number> }

type Lists = ReadonlyMap<string, List>

type Abstract = { levels: Map<number, Level>; link: string | null }
type Instance = { abstract: string; levels: Map<number, Level>; restarts: Map<number, number> }

async function readNumbering(pieces: AsyncIterable<Buffer>, styles: WordStyles): Promise<Lists> {
  const abstracts = new Map<string, Abstract>()
  const instances = new Map<string, Instance>()
  let levels: Map<number, Level> | null = null
  let abstract: Abstract | null = null
  let instance: Instance | null = null
  let level: Level | null = null
  let override = 0
  await readXml(pieces, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      const number = Number(attributes['w:ilvl'] ?? 0)
      if (name === 'w:abstractNum') {
        abstract = { levels: new Map(), link: null }
        levels = abstract.levels
        abstracts.set(attributes['w:abstractNumId'] ?? '', abstract)
      } else if (name === 'w:num') {
        instance = { abstract: '', levels: new Map(), restarts: new Map() }
        levels = instance.levels
        instances.set(attributes['w:numId'] ?? '', instance)
      } else if (name === 'w:lvl') {
        level = { start: 1, format: 'decimal', text: '' }
        levels?.set(number, level)
      } else if (name === 'w:lvlOverride') override = number
      else if (name === 'w:abstractNumId' && instance !== null) instance.abstract = value
      else if (name === 'w:startOverride') instance?.restarts.set(override, Number(value))
      else if (name === 'w:numStyleLink' && abstract !== null) abstract.link = value
      else if (name === 'w:start' && level !== null) level.start = Number(value) || 0
      else if (name === 'w:numFmt' && level !== null) level.format = value
      else if (name === 'w:lvlText' && level !== null) level.text = value
    },
    close(name) {
      if (name === 'w:lvl') level = null
    },
  })
  const listOf = ({ abstract: id, levels: own, restarts }: Instance): List => {
    const declared = abstracts.get(id)
    const linked = instances.get(styles.get(declared?.link ?? '-')?.list ?? '')
    const counter = linked?.abstract ?? id
    return { counter, levels: new Map([...(abstracts.get(counter)?.levels ?? []), ...own]), restarts }
  }
  return new Map([...instances].map(([id, instance]) => [id, listOf(instance)] as const))
}

/**
 * Returns the label of a list's next item at a level; null if it is no item. A sign of any kind is "-". Single
 * letters of inner levels are left out: sentences run on through such items, and no reader refers to them by letter.
 */
function createNumbering(lists: Lists): (list: string, level: number) => string | null {
  const counters = new Map<string, number[]>()
  const restarted = new Set<string>()
  return (id, level) => {
    const list = lists.get(id)
    const own = list?.levels.get(level)
    if (list === undefined || own === undefined) return null
    const counts = counters.get(list.counter) ?? []
    counters.set(list.counter, counts)
    const restart = list.restarts.get(level)
    if (restart !== undefined && !restarted.has(`${id} ${level}`)) counts[level] = restart - 1
    restarted.add(`${id} ${level}`)
    counts[level] = (counts[level] ?? own.start - 1) + 1
    counts.length = level + 1
    if (own.format === 'bullet') return '-'
    if (own.format === 'none') return null
    if (level > 0 && !isNumeric(own.format) && !/%[1-9].*%[1-9]/.test(own.text)) return ''
    const label = own.text.replace(/%([1-9])/g, (_, digit: string) => {
      const place = Number(digit) - 1
      const { format = 'decimal', start = 1 } = list.levels.get(place) ?? {}
      return numberAs(format, counts[place] ?? start)
    })
    return label.trim() === '' ? null : label.trim()
  }
}

const isNumeric = (format: string): boolean => !/letter|roman/i.test(format)

// What the styles of a Word document say: that a paragraph is a heading, or an item of a list, or that a text is hidden.

type WordStyle = {
  /** The heading's level, from 0; null if the style is not a heading's. */
  outline: number | null
  /** The list that the style's paragraphs belong to, and their level in the list. */
  list: string | null
  level: number | null
  isHidden: boolean | null
}

/** Styles by id; '' is the style of paragraphs that name none. */
type WordStyles = ReadonlyMap<string, WordStyle>

type Declared = WordStyle & { basedOn: string | null; isDefault: boolean }

const maxAncestors = 20

async function readStyles(pieces: AsyncIterable<Buffer>): Promise<WordStyles> {
  const declared = await readDeclared(pieces)
  const styles = new Map<string, WordStyle>()
  for (const [id, style] of declared) {
    const resolved = resolve(style, declared)
    styles.set(id, resolved)
    if (style.isDefault) styles.set('', resolved)
  }
  return styles
}

async function readDeclared(pieces: AsyncIterable<Buffer>): Promise<Map<string, Declared>> {
  const declared = new Map<string, Declared>()
  let style: Declared | null = null
  await readXml(pieces, {
    open(name, attributes) {
      if (name === 'w:style') {
        const isParagraph = attributes['w:type'] === 'paragraph'
        const isDefault = isParagraph && /^(1|true|on)$/.test(attributes['w:default'] ?? '')
        style = { outline: null, list: null, level: null, isHidden: null, basedOn: null, isDefault }
        if (isParagraph || attributes['w:type'] === 'character')
          declared.set(attributes['w:styleId'] ?? '', style)
      } else if (style !== null) declare(style, name, attributes['w:val'])
    },
    close(name) {
      if (name === 'w:style') style = null
    },
  })
  return declared
}

function declare(style: Declared, name: string, given: string | undefined): void {
  const value = given ?? ''
  if (name === 'w:vanish') style.isHidden = isOn(given)
  else if (name === 'w:name') style.outline = outlineOf(value)
  else if (name === 'w:basedOn') style.basedOn = value
  else if (name === 'w:outlineLvl') style.outline = Number(value)
  else if (name === 'w:numId') style.list = value
  else if (name === 'w:ilvl') style.level = Number(value)
}

/** A style that the document does not declare is known by its id alone. */
const undeclaredStyle = (id: string): WordStyle => ({
  outline: outlineOf(id),
  list: null,
  level: null,
  isHidden: null,
})

/** Word's built-in styles have English names in the file, whatever language Word shows them in. */
function outlineOf(name: string): number | null {
  const level = /^heading ?(\d)$/i.exec(name)?.[1]
  if (level !== undefined) return Number(level) - 1
  return /^title$/i.test(name) ? 0 : null
}

function resolve(style: Declared, declared: ReadonlyMap<string, Declared>): WordStyle {
  const { outline, list, level, isHidden } = style
  const resolved: WordStyle = { outline, list, level, isHidden }
  let ancestor = declared.get(style.basedOn ?? '')
  for (let depth = 0; ancestor !== undefined && depth < maxAncestors; depth++) {
    resolved.outline ??= ancestor.outline
    resolved.list ??= ancestor.list
    resolved.level ??= ancestor.level
    resolved.isHidden ??= ancestor.isHidden
    ancestor = declared.get(ancestor.basedOn ?? '')
  }
  return resolved
}
