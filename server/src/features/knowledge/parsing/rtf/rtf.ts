/** RTF to blocks of plain text: what a reader of the document would see, in whatever code pages it is written. */
import type { Reader } from '../reader.ts'
import { rowText } from '../tables/rows.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import type { Warn, WarningCode } from '../warnings.ts'
import { createGroups, type Destination, type Group } from './rtf-groups.ts'

export const readRtf: Reader = async (source, writer) => ({
  title: writeRtf(await source.bytes(), writer, source.warn),
})

/** Writes the document and returns the title that its properties hold. */
export function writeRtf(bytes: Buffer, writer: TextWriter, warn: Warn = () => undefined): string | null {
  const blocks = createBlockGatherer(writer)
  const styles = createStyles()
  let title = ''
  const say = (text: string, group: Group): void => {
    if (group.destination === 'body' && !group.isHidden) blocks.text(text)
    else if (group.destination === 'styles') styles.text(text)
    else if (group.destination === 'title') title += text
  }
  const groups = createGroups(say)
  const takeWord = createWordReader(groups, styles, blocks, { say, warn })
  for (const token of rtfTokens(bytes)) {
    if (token.kind === 'text') groups.addBytes(token.bytes)
    else if (token.kind === 'word') takeWord(token.word, token.value)
    else if (token.kind === 'open') groups.open()
    else groups.close()
  }
  groups.flush()
  blocks.finish()
  return onOneLine(title) === '' ? null : title
}

type Effect = (value: number | null) => void

/** Returns a function that carries out one control word. */
function createWordReader(
  groups: ReturnType<typeof createGroups>,
  styles: ReturnType<typeof createStyles>,
  blocks: ReturnType<typeof createBlockGatherer>,
  { say, warn }: { say: (text: string, group: Group) => void; warn: Warn },
) {
  let defaultFont = 0
  let isOptional = false

  const endParagraph = (): void => {
    const group = groups.current()
    // Paragraphs of a note are part of the paragraph that the note belongs to.
    if (group.isNote) say(' ', group)
    else if (group.destination === 'body') blocks.endParagraph()
  }
  const inBody = (work: () => void): void => {
    if (groups.current().destination === 'body') work()
  }

  const effects: Readonly<Record<string, Effect>> = {
    ansicpg: groups.setCodePage,
    mac: () => groups.setCodePage(10_000),
    pc: () => groups.setCodePage(437),
    pca: () => groups.setCodePage(850),
    deff: value => {
      defaultFont = value ?? 0
      groups.current().font = defaultFont
    },
    f: value => {
      groups.current().font = value ?? 0
    },
    fcharset: value => groups.setFontCharset(value ?? 0),
    uc: value => {
      groups.current().fallbackSigns = Math.max(0, Math.min(value ?? 1, 20))
    },
    plain: () => Object.assign(groups.current(), { font: defaultFont, isHidden: false }),
    v: value => {
      groups.current().isHidden = value !== 0
    },
    deleted: value => {
      groups.current().isHidden = value !== 0
    },
    s: value => {
      if (groups.current().destination === 'styles') styles.begin(value ?? 0)
      else blocks.setHeading(styles.levelOf(value ?? 0))
    },
    outlinelevel: value => {
      const level = value === null || value < 0 || value > 8 ? 0 : value + 1
      if (groups.current().destination === 'styles') styles.setLevel(level)
      else blocks.setHeading(level)
    },
    pard: () => blocks.resetParagraph(),
    intbl: () => blocks.setInTable(),
    trhdr: () => inBody(blocks.setNames),
    par: endParagraph,
    sect: endParagraph,
    page: endParagraph,
    cell: () => inBody(blocks.endCell),
    row: () => inBody(blocks.endRow),
  }

  /** True if the word decides where the text of its group goes. */
  const takeDestination = (word: string): boolean => {
    const destination = destinations.get(word) ?? (isOptional && !readable.has(word) ? 'nowhere' : undefined)
    isOptional = false
    const group = groups.current()
    if (group.destination === 'nowhere') return true
    const loss = losses.get(word)
    if (loss !== undefined) warn(loss)
    if (destination !== undefined) group.destination = destination
    if (listMarks.has(word)) blocks.setListItem()
    if (notes.has(word)) {
      say(' [', group)
      group.isNote = true
    }
    return destination !== undefined
  }

  return (word: string, value: number | null): void => {
    if (word === '*') isOptional = true
    else if (groups.takeFallback()) isOptional = false
    else if (word === 'u' && value !== null) groups.addUnicode(value)
    else {
      groups.flush()
      if (takeDestination(word)) return
      const sign = signs.get(word)
      if (sign !== undefined) say(sign, groups.current())
      else if (Object.hasOwn(effects, word)) effects[word]?.(value)
    }
  }
}

const words = (names: string): string[] => names.split(' ')

const destinations = new Map<string, Destination>([
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['title', 'title'],
  ...words(
    'colortbl author operator subject keywords comment doccomm company manager category pict objdata fldinst listtable listoverridetable rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl bkmkstart bkmkend htmltag mhtmltag sp nonshppict nesttableprops nonesttables pn pnseclvl atnid atnauthor atndate atnref atrfstart atrfend mmath factoidname docvar userprops',
  ).map((word): [string, Destination] => [word, 'nowhere']),
])

/** Groups that show what no text stands for. Pictures come twice; the copy for old programs is left out before. */
const losses = new Map<string, WarningCode>([
  ['pict', 'pictures_not_read'],
  ['shppict', 'pictures_not_read'],
  ['objdata', 'attachment_not_read'],
  ['mmath', 'formula_flattened'],
])

/** Groups that old programs may leave out (`\*`), but that hold text. */
const readable = new Set(words('shpinst shptxt annotation ud upr'))

const notes = new Set(['footnote', 'annotation'])
const listMarks = new Set(['listtext', 'pntext'])

const signs = new Map([
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
  ['~', '\u00a0'],
  ['_', '-'],
  ['\n', ' '],
  ['tab', '\t'],
  ['line', '\n'],
  ['softline', '\n'],
  ['column', ' '],
  ['nestcell', ' '],
  ['nestrow', ' '],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
])

// The tokens of RTF: groups, control words with their numbers, and the bytes between them.

type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  /** A control word, or a control symbol such as `~`; without a number, `value` is null. */
  | { kind: 'word'; word: string; value: number | null }
  /** Text, plain or written in hexadecimal, in the current code page. */
  | { kind: 'text'; bytes: Buffer }

const open: RtfToken = { kind: 'open' }
const close: RtfToken = { kind: 'close' }

/** Never throws; binary data (`\bin`) is stepped over. */
function* rtfTokens(bytes: Buffer): Generator<RtfToken> {
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

// Gathers the running text of an RTF document into paragraphs, list items, headings and rows of tables.

const plainParagraph = { headingLevel: 0, isListItem: false, isInTable: false }

function createBlockGatherer(writer: TextWriter) {
  let paragraph = { ...plainParagraph }
  let pieces: string[] = []
  let cells: string[] = []
  let rows: string[] = []
  /** Rows, from the top, that hold the names of the columns. */
  let names = 0
  let isOfNames = false

  const take = (): string => {
    const text = pieces.join('')
    pieces = []
    return text
  }
  const endCell = (): void => {
    cells.push(onOneLine(take()))
  }
  const endRow = (): void => {
    if (cells.some(cell => cell !== '')) {
      if (isOfNames && names === rows.length) names += 1
      rows.push(rowText(cells))
    }
    cells = []
    isOfNames = false
  }
  const endTable = (): void => {
    const header = names > 0 && names < rows.length ? { rows: names } : undefined
    if (rows.length > 0) writer.add('table', rows.join('\n'), { header })
    rows = []
    names = 0
  }
  const writeParagraph = (): void => {
    endTable()
    const { headingLevel, isListItem } = paragraph
    const text = take().split('\n').map(onOneLine).join('\n').trim()
    if (headingLevel > 0) writer.add('heading', onOneLine(text), { level: headingLevel })
    else writer.add(isListItem ? 'list' : 'paragraph', text)
  }

  return {
    text(piece: string): void {
      pieces.push(piece)
    },
    resetParagraph(): void {
      paragraph = { ...plainParagraph }
    },
    setHeading(level: number): void {
      paragraph.headingLevel = level
    },
    setListItem(): void {
      paragraph.isListItem = true
    },
    setNames(): void {
      isOfNames = true
    },
    setInTable(): void {
      paragraph.isInTable = true
    },
    /** Within a table, a paragraph is a part of a cell. */
    endParagraph(): void {
      if (paragraph.isInTable) pieces.push(' ')
      else writeParagraph()
    },
    endCell,
    endRow,
    /** Writes what is still open. */
    finish(): void {
      if (cells.length > 0) endCell()
      endRow()
      writeParagraph()
    },
  }
}

// The styles of an RTF document: which styles are headings, and of which level.

function createStyles() {
  const levels = new Map<number, number>()
  let open = { number: 0, level: 0, name: '' }
  return {
    /** The heading's level, from 1; 0 if the style is not a heading's. */
    levelOf: (number: number): number => levels.get(number) ?? 0,
    begin(number: number): void {
      open = { number, level: 0, name: '' }
    },
    setLevel(level: number): void {
      open.level = level
    },
    /** The style's name, which a semicolon ends. Word names its headings in English, whatever its language is. */
    text(text: string): void {
      open.name += text
      if (!open.name.includes(';')) return
      const named = /^\s*(?:heading (\d)|title\s*;)/i.exec(open.name)
      const level = named === null ? open.level : Number(named[1] ?? 1)
      if (level > 0) levels.set(open.number, level)
      open = { number: 0, level: 0, name: '' }
    },
  }
}
