/**
 * HTML to blocks of plain text: what a reader of the page would see. Nothing that the page refers to is ever fetched.
 */
import {
  attribute,
  blockTags,
  childrenOf,
  declaredCharset,
  type Element,
  isElement,
  isInvisible,
  type Node,
  parseHtml,
  walk,
  words,
} from '@atrium/connectors/html'
import { decodeText } from './encoding.ts'
import { marked } from './marks.ts'
import { isFlattened, mathText } from './math.ts'
import { numberAs } from './office/flow.ts'
import type { Reader } from './reader.ts'
import { createGrid, type GridCell } from './tables/grid.ts'
import { rowText } from './tables/rows.ts'
import { type BlockKind, onOneLine, type TextWriter, withSingleSpaces } from './text-writer.ts'
import type { Warn } from './warnings.ts'

export const readHtml: Reader = async (source, writer) => {
  const bytes = await source.bytes()
  const declared = declaredCharset(bytes.toString('latin1', 0, 4_096))
  return { title: writeHtml(decodeText(bytes, declared), writer, { warn: source.warn }) }
}

export type HtmlOptions = {
  /** False for a part of a larger document, whose title each part repeats. */
  withTitle?: boolean
  /** Notes each picture that the page shows. */
  warn?: Warn
}

/** Writes the page's blocks and returns its title. */
export function writeHtml(
  source: string,
  writer: TextWriter,
  { withTitle = true, warn = () => undefined }: HtmlOptions = {},
) {
  const page = parseHtml(source)
  const reader = createReader(writer, layoutTablesOf(page), { withTitle, warn })
  walk(page, reader.enter, reader.leave)
  reader.flush()
  return reader.title()
}

/** A table around tables is only there for the page's layout, unless it has rows of its own. */
function layoutTablesOf(root: Node): Set<Node> {
  const found = new Set<Node>()
  const open: { cells: number; rows: number; around: number; isCellAround: boolean }[] = []
  walk(
    root,
    node => {
      if (!isElement(node)) return true
      const table = open.at(-1)
      if (node.tagName === 'table') {
        if (table !== undefined) table.isCellAround = true
        open.push({ cells: 0, rows: 0, around: 0, isCellAround: false })
      } else if (node.tagName === 'tr' && table !== undefined) table.rows += 1
      else if (isCell(node) && table !== undefined) {
        table.cells += 1
        table.isCellAround = false
      }
      return true
    },
    node => {
      if (!isElement(node)) return
      const table = open.at(-1)
      if (isCell(node) && table?.isCellAround === true) {
        table.around += 1
        table.isCellAround = false
      }
      if (node.tagName !== 'table' || table === undefined) return
      open.pop()
      const isLayout = table.around > 0 && (table.rows < 2 || table.around * 2 >= table.cells)
      if (isLayout || /^(none|presentation)$/i.test(attribute(node, 'role') ?? '')) found.add(node)
    },
  )
  return found
}

const isCell = ({ tagName }: Element): boolean => tagName === 'td' || tagName === 'th'

const alsoInvisible = words('title rp')
/** Menus name addresses without end. */
const menuTags = words('nav header footer aside menu')

/** Running text, with the marks in it. */
function createRunning() {
  let parts: string[] = []
  /** Where the text of each open mark begins. */
  const marks: { element: Element; start: number }[] = []
  let reading = ''
  let rubies = 0

  /** The readings of neighbouring words stand behind all of them: they would cut the word. */
  const endReading = (): void => {
    if (reading !== '') parts.push(marked.ruby(reading))
    reading = ''
  }

  return {
    say(text: string): void {
      if (rubies === 0) endReading()
      parts.push(text)
    },
    take(): string {
      endReading()
      const text = parts.join('')
      parts = []
      return text
    },
    /** Puts the text so far aside, and returns it. */
    aside(): string[] {
      const before = parts
      parts = []
      return before
    },
    resume(before: string[]): void {
      parts = before
    },
    enter(element: Element): void {
      if (element.tagName === 'ruby') rubies += 1
      else if (rubies === 0) endReading()
      if (markOf(element) !== null) marks.push({ element, start: parts.length })
    },
    leave(element: Element, isInMenu: boolean): void {
      if (element.tagName === 'ruby') rubies -= 1
      const { start } = marks.at(-1)?.element === element ? (marks.pop() ?? { start: -1 }) : { start: -1 }
      // A block within the mark has written its text already.
      if (start < 0 || start > parts.length) return
      const text = parts.splice(start).join('')
      const mark = markOf(element)
      if (mark === 'reading') reading += onOneLine(text)
      else if (mark === 'link') parts.push(isInMenu ? text : marked.link(text, attribute(element, 'href')))
      else parts.push(mark === null ? text : marked[mark](text))
    },
  }
}

/** The numbers of items, as a browser counts them. */
function createLists() {
  const lists: { isOrdered: boolean; next: number; step: number; format: string }[] = []
  return {
    begin(element: Element): void {
      const isReversed = attribute(element, 'reversed') !== null
      const count = element.childNodes.filter(node => isElement(node) && node.tagName === 'li').length
      lists.push({
        isOrdered: element.tagName === 'ol',
        next: numberIn(element, 'start') ?? (isReversed ? count : 1),
        step: isReversed ? -1 : 1,
        format: attribute(element, 'type') ?? '1',
      })
    },
    end: (): void => void lists.pop(),
    /** The label of the next item; '' if its list shows none. */
    label(item: Element): string {
      const list = lists.at(-1)
      if (list?.isOrdered !== true) return ''
      const number = numberIn(item, 'value') ?? list.next
      list.next = number + list.step
      return `${numberAs(list.format, number)}. `
    },
  }
}

function numberIn(element: Element, name: string): number | null {
  const number = Number.parseInt(attribute(element, name) ?? '', 10)
  return Number.isSafeInteger(number) ? number : null
}

type Table = { node: Node; grid: ReturnType<typeof createGrid>; isHead: boolean; around: string[] }

/** Gathers running text until an element ends it, then writes the text as the kind of block that it stood in. */
function createReader(
  writer: TextWriter,
  layoutTables: ReadonlySet<Node>,
  { withTitle, warn }: Required<HtmlOptions>,
) {
  const running = createRunning()
  const lists = createLists()
  const tables: Table[] = []
  let label = ''
  let code = 0
  let items = 0
  let menus = 0
  let title: string | null = null

  const flush = (kind: BlockKind = items > 0 ? 'list' : 'paragraph', level = 0): void => {
    const raw = running.take()
    if (code > 0 || kind === 'code') {
      writer.add('code', raw.replace(/^\n/, ''))
      return
    }
    const text = raw.split('\n').map(onOneLine).join('\n').trim()
    if (text === '' || (withTitle && kind === 'heading' && text === title)) return
    writer.add(kind, kind === 'list' ? label + text : text, { level })
    label = ''
  }

  /** The page's title becomes the first heading, even if the page has no other heading. */
  const readTitle = (element: Element): void => {
    if (title !== null) return
    title = onOneLine(textWithin(element))
    if (withTitle) writer.add('heading', title, { level: 1 })
  }

  const enterElement = (element: Element): boolean => {
    const { tagName } = element
    if (tagName === 'title') readTitle(element)
    if (isPicture(element)) warn('pictures_not_read')
    if (tagName === 'math') {
      running.say(mathText(element))
      if (isFlattened(element)) warn('formula_flattened')
    }
    if (tagName === 'math' || isInvisible(element) || alsoInvisible.has(tagName)) return false
    running.enter(element)
    if (menuTags.has(tagName)) menus += 1
    const shown = shownBy(element)
    if (shown !== '') running.say(shown)
    if (tagName === 'table' && !layoutTables.has(element)) {
      if (tables.length === 0) flush()
      tables.push({ node: element, grid: createGrid(), isHead: false, around: running.aside() })
      return true
    }
    const table = tables.at(-1)
    if (table !== undefined) {
      if (tagName === 'thead') table.isHead = true
      if (tagName === 'tr') table.grid.beginRow()
      if (blockTags.has(tagName)) running.say(' ')
      return true
    }
    if (blockTags.has(tagName)) flush()
    if (tagName === 'pre') code += 1
    if (tagName === 'ol' || tagName === 'ul') lists.begin(element)
    if (tagName === 'li') {
      items += 1
      label = lists.label(element)
    }
    return true
  }

  const leaveElement = (element: Element): void => {
    const { tagName } = element
    running.leave(element, menus > 0)
    if (menuTags.has(tagName)) menus -= 1
    const table = tables.at(-1)
    if (table !== undefined) {
      if (tagName === 'thead') table.isHead = false
      if (tagName === 'caption') endCaption()
      if (isCell(element)) {
        const isName = tagName === 'th' || table.isHead
        table.grid.addCell({ ...cellOf(element, onOneLine(running.take())), isName })
      }
      if (element === table.node) endTable(table)
      return
    }
    if (tagName === 'pre') flush('code')
    else if (/^h[1-6]$/.test(tagName)) flush('heading', Number(tagName[1]))
    else if (blockTags.has(tagName)) flush()
    if (tagName === 'pre') code -= 1
    if (tagName === 'ol' || tagName === 'ul') lists.end()
    if (tagName === 'li') {
      items -= 1
      label = ''
    }
  }

  const endCaption = (): void => {
    const text = onOneLine(running.take())
    if (tables.length === 1) writer.add('paragraph', text)
    else running.say(`${text}: `)
  }

  const endTable = ({ grid, around }: Table): void => {
    tables.pop()
    const rows = grid.rows()
    running.resume(around)
    // A table in a cell is a part of the cell's text.
    if (tables.length > 0) running.say(` ${rows.map(row => row.join(', ')).join('; ')} `)
    else writer.add('table', rows.map(rowText).join('\n'), { header: grid.header() })
  }

  return {
    enter: (node: Node): boolean => {
      if (isElement(node)) return enterElement(node)
      if (node.nodeName === '#text' && 'value' in node)
        running.say(code > 0 ? node.value : withSingleSpaces(node.value))
      return 'childNodes' in node
    },
    leave: (node: Node): void => {
      if (isElement(node)) leaveElement(node)
    },
    flush: (): void => flush(),
    title: (): string | null => title,
  }
}

/** An empty alternative text means that a picture is decoration. */
const isPicture = (element: Element): boolean =>
  element.tagName === 'img'
    ? attribute(element, 'alt') !== '' && !isInvisible(element)
    : element.tagName === 'svg' && hasText(element)

const hasText = (drawing: Element): boolean =>
  childrenOf(drawing).some(
    node => isElement(node) && (node.tagName === 'text' || node.tagName === 'image' || hasText(node)),
  )

/** What an element without content shows. */
function shownBy(element: Element): string {
  const { tagName } = element
  if (tagName === 'br') return '\n'
  if (tagName === 'img') return attribute(element, 'alt') ?? ''
  const isBox = tagName === 'input' && attribute(element, 'type') === 'checkbox'
  return isBox ? marked.checkbox(attribute(element, 'checked') !== null) : ''
}

/** What an element means for the text in it; null if it means nothing. */
function markOf(element: Element): 'raised' | 'lowered' | 'struck' | 'link' | 'reading' | null {
  const { tagName } = element
  if (tagName === 'sup') return 'raised'
  if (tagName === 'sub') return 'lowered'
  if (tagName === 'rt') return 'reading'
  if (tagName === 'a') return 'link'
  if (tagName === 'del' || tagName === 's' || tagName === 'strike') return 'struck'
  const style = (attribute(element, 'style') ?? '').toLowerCase()
  return style.includes('text-decoration') && style.includes('line-through') ? 'struck' : null
}

const cellOf = (cell: Element, text: string): GridCell => ({
  text,
  columns: Math.max(1, numberIn(cell, 'colspan') ?? 1),
  rows: Math.max(1, numberIn(cell, 'rowspan') ?? 1),
})

const textWithin = (element: Element): string =>
  element.childNodes.map(node => ('value' in node ? node.value : '')).join('')
