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
  const reader = createReader(writer, tablesAroundTables(page), withTitle)
  walk(page, reader.enter, reader.leave)
  reader.flush()
  return reader.title()
}

/** A table that holds another table is only there for the page's layout: its cells are not read as rows. */
function tablesAroundTables(root: Node): Set<Node> {
  const open: Node[] = []
  const found = new Set<Node>()
  walk(
    root,
    node => {
      if (isElement(node) && node.tagName === 'table') {
        const around = open.at(-1)
        if (around !== undefined) found.add(around)
        open.push(node)
      }
      return true
    },
    node => {
      if (open.at(-1) === node) open.pop()
    },
  )
  return found
}

const alsoInvisible = words('title math')

/** Gathers running text until an element ends it, then writes the text as the kind of block that it stood in. */
function createReader(writer: TextWriter, layoutTables: ReadonlySet<Node>, withTitle: boolean) {
  let running: string[] = []
  let rows: string[][] | null = null
  let table: Node | null = null
  let code = 0
  let items = 0
  let title: string | null = null

  const flush = (kind: BlockKind = items > 0 ? 'list' : 'paragraph', level = 0): void => {
    const raw = running.join('')
    running = []
    if (code > 0 || kind === 'code') {
      writer.add('code', raw.replace(/^\n/, ''))
    } else {
      const text = raw.split('\n').map(onOneLine).join('\n').trim()
      const repeatsTitle = withTitle && kind === 'heading' && text === title
      if (!repeatsTitle) writer.add(kind, text, { level })
    }
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
    if (isInvisible(element) || alsoInvisible.has(tagName)) return false
    if (tagName === 'br') running.push('\n')
    if (tagName === 'img') running.push(attribute(element, 'alt') ?? '')
    if (rows !== null) {
      if (tagName === 'tr') rows.push([])
      if (blockTags.has(tagName)) running.push(' ')
      return true
    }
    if (blockTags.has(tagName)) flush()
    if (tagName === 'table' && !layoutTables.has(element)) [rows, table] = [[], element]
    if (tagName === 'pre') code += 1
    if (tagName === 'li') items += 1
    return true
  }

  const leaveElement = (element: Element): void => {
    const { tagName } = element
    if (rows !== null) {
      if (tagName === 'caption') endCaption()
      if (tagName === 'td' || tagName === 'th') endCell(rows)
      if (element === table) endTable(rows)
      return
    }
    if (tagName === 'pre') flush('code')
    else if (/^h[1-6]$/.test(tagName)) flush('heading', Number(tagName[1]))
    else if (blockTags.has(tagName)) flush()
    if (tagName === 'pre') code -= 1
    if (tagName === 'li') items -= 1
  }

  const endCell = (into: string[][]): void => {
    const text = onOneLine(running.join(''))
    running = []
    const row = into.at(-1)
    if (row === undefined) into.push([text])
    else row.push(text)
  }

  const endCaption = (): void => {
    writer.add('paragraph', onOneLine(running.join('')))
    running = []
  }

  const endTable = (all: string[][]): void => {
    rows = null
    const lines = all.filter(row => row.some(cell => cell !== '')).map(row => row.join(' | '))
    writer.add('table', lines.join('\n'))
  }

  return {
    enter: (node: Node): boolean => {
      if (isElement(node)) return enterElement(node)
      if (node.nodeName === '#text' && 'value' in node)
        running.push(code > 0 ? node.value : withSingleSpaces(node.value))
      return 'childNodes' in node
    },
    leave: (node: Node): void => {
      if (isElement(node)) leaveElement(node)
    },
    flush: (): void => flush(),
    title: (): string | null => title,
  }
}

const textWithin = (element: Element): string =>
  element.childNodes.map(node => ('value' in node ? node.value : '')).join('')
