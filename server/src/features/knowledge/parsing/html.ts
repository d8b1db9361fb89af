/**
 * HTML to blocks of plain text: what a reader of the page would see. Nothing that the page refers to is ever fetched.
 */
import {
  attribute,
  blockTags,
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
import { createGrid, rowText } from './grid.ts'
import { marked } from './marks.ts'
import { mathText } from './math.ts'
import { numberAs } from './office/flow.ts'
import type { Reader } from './reader.ts'
import { type BlockKind, onOneLine, type TextWriter, withSingleSpaces } from './text-writer.ts'

export const readHtml: Reader = async (source, writer) => {
  const bytes = await source.bytes()
  const declared = declaredCharset(bytes.toString('latin1', 0, 4_096))
  return { title: writeHtml(decodeText(bytes, declared), writer) }
}

export type HtmlOptions = {
  /** False for a part of a larger document, whose title each part repeats. */
  withTitle?: boolean
}

/** Writes the page's blocks and returns its title. */
export function writeHtml(source: string, writer: TextWriter, { withTitle = true }: HtmlOptions = {}) {
  const page = parseHtml(source)
  const reader = createReader(writer, layoutTablesOf(page), withTitle)
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

type Table = { node: Node; grid: ReturnType<typeof createGrid>; around: string[] }
type List = { isOrdered: boolean; next: number; step: number; format: string }

/** Gathers running text until an element ends it, then writes the text as the kind of block that it stood in. */
function createReader(writer: TextWriter, layoutTables: ReadonlySet<Node>, withTitle: boolean) {
  let running: string[] = []
  const tables: Table[] = []
  const lists: List[] = []
  /** Where the text of each open mark begins. */
  const marks: { node: Node; start: number }[] = []
  let reading = ''
  let rubies = 0
  let label = ''
  let code = 0
  let items = 0
  let menus = 0
  let title: string | null = null

  /** The readings of neighbouring words stand behind all of them: they would cut the word. */
  const endReading = (): void => {
    if (reading !== '') running.push(marked.ruby(reading))
    reading = ''
  }

  const takeRunning = (): string => {
    endReading()
    const text = running.join('')
    running = []
    return text
  }

  const flush = (kind: BlockKind = items > 0 ? 'list' : 'paragraph', level = 0): void => {
    const raw = takeRunning()
    if (code > 0 || kind === 'code') {
      writer.add('code', raw.replace(/^\n/, ''))
    } else {
      const text = raw.split('\n').map(onOneLine).join('\n').trim()
      const repeatsTitle = withTitle && kind === 'heading' && text === title
      if (repeatsTitle || text === '') return
      writer.add(kind, kind === 'list' ? label + text : text, { level })
      label = ''
    }
  }

  /** The page's title becomes the first heading, even if the page has no other heading. */
  const readTitle = (element: Element): void => {
    if (title !== null) return
    title = onOneLine(textWithin(element))
    if (withTitle) writer.add('heading', title, { level: 1 })
  }

  const beginList = (element: Element): void => {
    const isReversed = attribute(element, 'reversed') !== null
    const count = element.childNodes.filter(node => isElement(node) && node.tagName === 'li').length
    const first = Number.parseInt(attribute(element, 'start') ?? '', 10)
    lists.push({
      isOrdered: element.tagName === 'ol',
      next: Number.isSafeInteger(first) ? first : isReversed ? count : 1,
      step: isReversed ? -1 : 1,
      format: attribute(element, 'type') ?? '1',
    })
  }

  const beginItem = (element: Element): void => {
    items += 1
    const list = lists.at(-1)
    if (list?.isOrdered !== true) return
    const own = Number.parseInt(attribute(element, 'value') ?? '', 10)
    const number = Number.isSafeInteger(own) ? own : list.next
    label = `${numberAs(list.format, number)}. `
    list.next = number + list.step
  }

  const enterElement = (element: Element): boolean => {
    const { tagName } = element
    if (tagName === 'title') readTitle(element)
    if (tagName === 'math') {
      running.push(mathText(element))
      return false
    }
    if (isInvisible(element) || alsoInvisible.has(tagName)) return false
    if (tagName === 'br') running.push('\n')
    if (tagName === 'img') running.push(attribute(element, 'alt') ?? '')
    if (tagName === 'input' && attribute(element, 'type') === 'checkbox')
      running.push(marked.checkbox(attribute(element, 'checked') !== null))
    if (tagName === 'ruby') rubies += 1
    else if (rubies === 0) endReading()
    if (markOf(element) !== null) marks.push({ node: element, start: running.length })
    if (menuTags.has(tagName)) menus += 1
    if (tagName === 'table' && !layoutTables.has(element)) {
      if (tables.length === 0) flush()
      tables.push({ node: element, grid: createGrid(), around: running })
      running = []
      return true
    }
    const table = tables.at(-1)
    if (table !== undefined) {
      if (tagName === 'tr') table.grid.beginRow()
      if (blockTags.has(tagName)) running.push(' ')
      return true
    }
    if (blockTags.has(tagName)) flush()
    if (tagName === 'pre') code += 1
    if (tagName === 'ol' || tagName === 'ul') beginList(element)
    if (tagName === 'li') beginItem(element)
    return true
  }

  const leaveElement = (element: Element): void => {
    const { tagName } = element
    if (marks.at(-1)?.node === element) endMark(element, marks.pop()?.start ?? 0)
    if (menuTags.has(tagName)) menus -= 1
    if (tagName === 'ruby') rubies -= 1
    const table = tables.at(-1)
    if (table !== undefined) {
      if (tagName === 'caption') endCaption()
      if (isCell(element)) endCell(table, element)
      if (element === table.node) endTable(table)
      return
    }
    if (tagName === 'pre') flush('code')
    else if (/^h[1-6]$/.test(tagName)) flush('heading', Number(tagName[1]))
    else if (blockTags.has(tagName)) flush()
    if (tagName === 'pre') code -= 1
    if (tagName === 'ol' || tagName === 'ul') lists.pop()
    if (tagName === 'li') {
      items -= 1
      label = ''
    }
  }

  /** A block within the mark has written its text already. */
  const endMark = (element: Element, start: number): void => {
    if (start > running.length) return
    const text = running.splice(start).join('')
    const mark = markOf(element)
    if (mark === 'reading') reading += onOneLine(text)
    else if (mark === 'link') running.push(menus > 0 ? text : marked.link(text, attribute(element, 'href')))
    else running.push(mark === null ? text : marked[mark](text))
  }

  const endCell = (table: Table, cell: Element): void =>
    table.grid.addCell({
      text: onOneLine(takeRunning()),
      columns: spanOf(cell, 'colspan'),
      rows: spanOf(cell, 'rowspan'),
    })

  const endCaption = (): void => {
    const text = onOneLine(takeRunning())
    if (tables.length === 1) writer.add('paragraph', text)
    else running.push(`${text}: `)
  }

  const endTable = (table: Table): void => {
    tables.pop()
    const rows = table.grid.rows()
    running = table.around
    // A table in a cell is a part of the cell's text.
    if (tables.length > 0) running.push(' ', rows.map(row => row.join(', ')).join('; '), ' ')
    else writer.add('table', rows.map(rowText).join('\n'))
  }

  return {
    enter: (node: Node): boolean => {
      if (isElement(node)) return enterElement(node)
      if (node.nodeName === '#text' && 'value' in node) {
        if (rubies === 0 && node.value !== '') endReading()
        running.push(code > 0 ? node.value : withSingleSpaces(node.value))
      }
      return 'childNodes' in node
    },
    leave: (node: Node): void => {
      if (isElement(node)) leaveElement(node)
    },
    flush: (): void => flush(),
    title: (): string | null => title,
  }
}

/** What an element means for the text in it; null if it means nothing. */
function markOf(element: Element): 'raised' | 'lowered' | 'struck' | 'link' | 'reading' | null {
  const { tagName } = element
  if (tagName === 'sup') return 'raised'
  if (tagName === 'sub') return 'lowered'
  if (tagName === 'rt') return 'reading'
  if (tagName === 'a') return 'link'
  if (tagName === 'del' || tagName === 's' || tagName === 'strike') return 'struck'
  return /text-decoration[^;]*line-through/i.test(attribute(element, 'style') ?? '') ? 'struck' : null
}

function spanOf(cell: Element, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attribute(cell, name) ?? '1', 10)
  return Number.isSafeInteger(span) && span > 1 ? span : 1
}

const textWithin = (element: Element): string =>
  element.childNodes.map(node => ('value' in node ? node.value : '')).join('')
