/** RTF to blocks of plain text: what a reader of the document would see, in whatever code pages it is written. */
import type { Reader } from '../reader.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { createBlockGatherer } from './rtf-blocks.ts'
import { createGroups, type Destination, type Group } from './rtf-groups.ts'
import { createStyles } from './rtf-styles.ts'
import { rtfTokens } from './rtf-tokens.ts'

export const readRtf: Reader = async (source, writer) => ({ title: writeRtf(await source.bytes(), writer) })

/** Writes the document and returns the title that its properties hold. */
export function writeRtf(bytes: Buffer, writer: TextWriter): string | null {
  const blocks = createBlockGatherer(writer)
  const styles = createStyles()
  let title = ''
  const say = (text: string, group: Group): void => {
    if (group.destination === 'body' && !group.isHidden) blocks.text(text)
    else if (group.destination === 'styles') styles.text(text)
    else if (group.destination === 'title') title += text
  }
  const groups = createGroups(say)
  const takeWord = createWordReader(groups, styles, blocks, say)
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

/** What each control word does. */
function createWordReader(
  groups: ReturnType<typeof createGroups>,
  styles: ReturnType<typeof createStyles>,
  blocks: ReturnType<typeof createBlockGatherer>,
  say: (text: string, group: Group) => void,
) {
  let defaultFont = 0
  let isOptional = false

  const endParagraph = (): void => {
    const group = groups.current()
    // Within a note, paragraphs are part of the one that the note belongs to.
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
    par: endParagraph,
    sect: endParagraph,
    page: endParagraph,
    cell: () => inBody(blocks.endCell),
    row: () => inBody(blocks.endRow),
  }

  /** True where the word says what its group is for. */
  const takeDestination = (word: string): boolean => {
    const destination = destinations.get(word) ?? (isOptional && !readable.has(word) ? 'nowhere' : undefined)
    isOptional = false
    const group = groups.current()
    if (group.destination === 'nowhere') return true
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

/** Of those that old programs may leave out (`\*`), the ones that hold text. */
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
