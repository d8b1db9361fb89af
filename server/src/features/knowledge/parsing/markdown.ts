/**
 * Markdown to blocks of plain text: marks of emphasis and links are removed; headings, lists, tables and code stay.
 */
import { blockTags } from '@atrium/connectors/html'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { decodeText } from './encoding.ts'
import { writeHtml } from './html.ts'
import { marked, signs } from './marks.ts'
import { writePlainText } from './plain-text.ts'
import type { Reader } from './reader.ts'
import { rowText } from './tables/rows.ts'
import { type BlockKind, type BlockOptions, onOneLine, type TextWriter } from './text-writer.ts'
import type { Warn } from './warnings.ts'

type Root = ReturnType<typeof fromMarkdown>
type RootContent = Root['children'][number]
type List = Extract<RootContent, { type: 'list' }>
type Table = Extract<RootContent, { type: 'table' }>
type Node = Root | RootContent | List['children'][number] | Table['children'][number]

/** Longer texts are read as plain text with headings: the parser needs seconds for each megabyte. */
const maxLength = 2_000_000

export const readMarkdown: Reader = async (source, writer) => {
  writeMarkdown(decodeText(await source.bytes()).replace(/\r\n?/g, '\n'), writer, source.warn)
  return {}
}

export function writeMarkdown(source: string, writer: TextWriter, warn: Warn): void {
  const { settings, text } = splitFrontMatter(source)
  const isLong = text.length > maxLength
  const blocks = createTables(writer)
  writeSettings(settings, blocks)
  for (const part of partsOf(text)) {
    if (part.isCode) blocks.add('code', part.text)
    else if (isLong || isTangle(part.text)) writePlainMarkdown(part.text, blocks)
    else {
      const { rows, rest } = part.table === null ? { rows: [], rest: part.text } : rowsOf(part.text)
      blocks.continueTable(part.table !== null)
      if (rows.length > 0) writeRows(rows, blocks, warn)
      if (rows.length === 0 || rest.trim() !== '') {
        // A line that is not empty may still be a row.
        const isWithin = part.table !== null && (rows.length === 0 || /^.*\S/.test(rest))
        blocks.continueTable(isWithin)
        const root = parse(isWithin ? `${part.table}\n${rest}` : rest)
        warn('pictures_not_read', { count: picturesIn(root) })
        writeNodes(root.children, blocks, '')
      }
    }
  }
  blocks.end()
}

/**
 * The lines at the beginning of the text that are rows of the table in which it begins, whatever they hold. None if
 * something in them may be explained behind them.
 */
function rowsOf(text: string): { rows: string[]; rest: string } {
  const lines = text.split('\n')
  const end = lines.findIndex(line => !/^ {0,3}\|/.test(line))
  const rows = end < 0 ? lines : lines.slice(0, end)
  const rest = lines.slice(rows.length).join('\n')
  return rest.includes(']:') ? { rows: [], rest: text } : { rows, rest }
}

/** The parser takes fifty times as long as this for a cell, so it gets the cells alone that need it, each of them once. */
function writeRows(rows: readonly string[], writer: TextWriter, warn: Warn): void {
  const table = rows.map(cellsOf)
  const marked = [...new Set(table.flat().filter(cell => meansMore.test(cell)))]
  const read = new Map<string, { text: string; pictures: number }>()
  if (marked.length > 0) {
    const [column] = parse(`| |\n|-|\n${marked.map(cell => `|${cell} |`).join('\n')}`).children
    const cells = column?.type === 'table' ? column.children.slice(1) : []
    for (const [index, cell] of cells.entries())
      read.set(marked[index] ?? '', { text: inlineText(cell), pictures: picturesIn(cell) })
  }
  let count = 0
  const textOf = (cell: string): string => {
    const found = read.get(cell)
    count += found?.pictures ?? 0
    return found?.text ?? cell
  }
  const texts = table.map(cells => rowText(cells.map(textOf)))
  warn('pictures_not_read', { count })
  writer.add('table', `\n${texts.join('\n')}`)
}

/** Signs that may be more than themselves within a cell: marks, escapes, references and addresses. */
const meansMore = /[\\`*_~<&[\]@\0]|:\/\/|www\./i

/** Behind each line that no backslash takes away; the last line of a row ends it. */
function cellsOf(row: string): string[] {
  const cells = [...row.matchAll(/\|((?:\\[\\|]|[^|])*)/g)].map(([, cell = '']) => cell)
  return cells.at(-1)?.trim() === '' ? cells.slice(0, -1) : cells
}

/** Joins the parts of a long table, each of which begins with the names of its columns, to one block. */
function createTables(writer: TextWriter) {
  let table: string[] = []
  let options: BlockOptions | undefined
  let continues = false
  const end = (): void => {
    if (table.length > 0) writer.add('table', table.join('\n'), options)
    table = []
  }
  return {
    add(kind: BlockKind, text: string, ofBlock?: BlockOptions): void {
      if (kind === 'table' && continues && table.length > 0) {
        const start = text.indexOf('\n') + 1
        if (start > 0) table.push(text.slice(start))
      } else {
        end()
        if (kind === 'table') {
          table = [text]
          options = ofBlock
        } else writer.add(kind, text, ofBlock)
      }
      continues = false
    },
    continueTable(isContinued: boolean): void {
      continues = isContinued
    },
    end,
  }
}

/** A text with very many marks has no structure to find, and takes the parser longest. */
const isTangle = (part: string): boolean =>
  (part.match(/[[\]*_`<>~]/g)?.length ?? 0) > part.length * 0.3 || deepList.test(part)

/** A list within a list within a list, on one line: the parser recurses. */
const deepList = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]){30}/m

/** `table` are the names of columns and the line below them, if the part begins within a table. */
type Part = { isCode: boolean; text: string; table: string | null }

/** The parser's time and memory grow with the square of its input, so it gets small parts. */
const partLength = 4_000

/**
 * Each fenced code block is one part. Other text is cut at empty lines if it has any, into parts up to `partLength`.
 */
function* partsOf(text: string): Generator<Part> {
  let lines: string[] = []
  let length = 0
  let fence: string | null = null
  let table: string | null = null
  const part = (isCode: boolean, text: string): Part => {
    const taken = { isCode, text, table: isCode || !/^\s*\S.*\|/.test(text) ? null : table }
    if (!isCode) table = openTable(text) ?? (taken.table !== null && isAllTable(text) ? table : null)
    return taken
  }
  const take = (count: number): string => {
    const taken = lines.slice(0, count).join('\n')
    lines = lines.slice(count)
    length = lines.reduce((sum, line) => sum + line.length + 1, 0)
    return taken
  }
  for (const line of piecesOf(text)) {
    const before: string | null = fence
    fence = fenceAfter(line, fence)
    if (before !== fence) {
      yield part(before !== null, take(lines.length))
      continue
    }
    if (fence === null && length + line.length > partLength) {
      const lastEmpty = lines.findLastIndex(candidate => candidate.trim() === '')
      yield part(false, take(lastEmpty > 0 ? lastEmpty : lines.length))
    }
    lines.push(line)
    length += line.length + 1
  }
  yield part(fence !== null, take(lines.length))
}

/** The names and the line below them of a table that runs to the end of the text; null if there is none. */
function openTable(text: string): string | null {
  const lines = text.split('\n')
  const line = lines.findLastIndex((one, index) => index > 0 && delimiterRow.test(one))
  if (line < 1 || !lines.slice(line - 1).every(one => one.includes('|'))) return null
  return lines.slice(line - 1, line + 1).join('\n')
}

const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

const isAllTable = (text: string): boolean => text.split('\n').every(line => line.includes('|'))

/** The lines of the text. Lines longer than `partLength` are cut, at a space if they have one. */
function* piecesOf(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    let rest = line
    while (rest.length > partLength) {
      const space = rest.lastIndexOf(' ', partLength)
      const cut = space > 0 ? space : partLength
      yield rest.slice(0, cut)
      rest = rest.slice(cut)
    }
    yield rest
  }
}

/** The fence that is open behind a line; null outside of code. */
function fenceAfter(line: string, open: string | null): string | null {
  const [, fence, info = ''] = /^ {0,3}(```+|~~~+)(.*)$/.exec(line) ?? []
  if (fence === undefined) return open
  if (open === null) return fence.startsWith('`') && info.includes('`') ? null : fence
  return fence.startsWith(open) && info.trim() === '' ? null : open
}

const syntax = gfm()
/**
 * Leaves out the search for addresses in the text, which takes a sixth of the time: an address is plain text anyway.
 */
const tree = gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension)

const parse = (part: string): Root => fromMarkdown(part, { extensions: [syntax], mdastExtensions: [tree] })

function writeNodes(nodes: readonly RootContent[], writer: TextWriter, indent: string): void {
  for (const node of nodes) {
    if (node.type === 'heading') writer.add('heading', onOneLine(inlineText(node)), { level: node.depth })
    else if (node.type === 'code') writer.add('code', node.value)
    else if (node.type === 'html') writeHtml(node.value, writer, { withTitle: false })
    else if (node.type === 'table') writer.add('table', tableText(node), { header: { rows: 1 } })
    else if (node.type === 'list') writeList(node, writer, indent)
    else if (node.type === 'blockquote') writeNodes(node.children, writer, indent)
    else if (node.type === 'footnoteDefinition') writeNodes(node.children, writer, indent)
    else if (node.type === 'paragraph') writer.add('paragraph', inlineText(node))
  }
}

/** The pictures below a node, in Markdown and in HTML, that are not marked as decoration. */
function picturesIn(node: Node): number {
  if (node.type === 'image' || node.type === 'imageReference') return 1
  if (node.type === 'html') return node.value.match(/<img\b(?![^>]*\balt=(""|''))/gi)?.length ?? 0
  if (!('children' in node)) return 0
  return node.children.reduce((sum, child) => sum + picturesIn(child), 0)
}

function writeList(list: List, writer: TextWriter, indent: string): void {
  for (const [index, item] of list.children.entries()) {
    const box = item.checked === null || item.checked === undefined ? '' : marked.checkbox(item.checked)
    const marker = (list.ordered ? `${(list.start ?? 1) + index}. ` : '- ') + box
    const [first, ...rest] = item.children
    if (first?.type === 'paragraph') {
      writer.add('list', `${indent}${marker}${inlineText(first)}`)
      writeNodes(rest, writer, `${indent}  `)
    } else {
      writeNodes(item.children, writer, `${indent}  `)
    }
  }
}

const tableText = (table: Table): string =>
  table.children.map(row => rowText(row.children.map(inlineText))).join('\n')

function inlineText(node: Node): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'html') return inlineHtml(node.value)
  if (node.type === 'delete') return marked.struck(childText(node))
  if (node.type === 'link') return marked.link(childText(node), node.url)
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  if (node.type === 'footnoteReference') return ''
  if ('value' in node) return node.value
  return 'children' in node ? childText(node) : ''
}

const childText = ({ children }: { children: readonly Node[] }): string => children.map(inlineText).join('')

/** A single tag within a line: it has no content of its own. */
function inlineHtml(tag: string): string {
  const [, isEnd, name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(tag) ?? []
  const lower = name.toLowerCase()
  if (lower === 'br') return '\n'
  if (isEnd === '' && lower === 'sup') return signs.raised
  if (isEnd === '' && lower === 'sub') return signs.lowered
  if (/^(del|s|strike)$/.test(lower)) return signs.struck
  return blockTags.has(lower) ? ' ' : ''
}

/** Settings stand between two lines of dashes at the very beginning. */
function splitFrontMatter(source: string): { settings: string; text: string } {
  const [, settings] = /^---[ \t]*\n([\s\S]{0,10000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(source) ?? []
  if (settings === undefined || !/^[\w-]+[ \t]*:/m.test(settings)) return { settings: '', text: source }
  const end = source.indexOf('\n', settings.length + 5)
  return { settings, text: end < 0 ? '' : source.slice(end + 1) }
}

/** The title as a heading; other settings, such as tags, a line each. */
function writeSettings(settings: string, writer: TextWriter): void {
  const lines: string[] = []
  let title = ''
  for (const line of settings.split('\n')) {
    const [, name = '', value = ''] = /^([\w-]+)[ \t]*:[ \t]*(.*)$/.exec(line) ?? []
    const [, item] = /^[ \t]*-[ \t]+(.+)$/.exec(line) ?? []
    if (name.toLowerCase() === 'title') title = plainSetting(value)
    else if (name !== '') lines.push(`${name}: ${plainSetting(value)}`)
    else if (item !== undefined && lines.length > 0)
      lines.push(`${lines.pop()?.replace(/([^ ])$/, '$1,')} ${plainSetting(item)}`)
  }
  writer.add('heading', title, { level: 1 })
  writer.add('paragraph', lines.map(line => line.replace(/: ,? */, ': ').trim()).join('\n'))
}

/** Without quotes and the brackets of a list. */
const plainSetting = (value: string): string =>
  onOneLine(
    value
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/^(["'])(.*)\1$/, '$2')
      .replace(/["']([^"',]*)["'](?=\s*(,|$))/g, '$1'),
  )

function writePlainMarkdown(part: string, writer: TextWriter): void {
  for (const section of part.split(/^(?=#{1,6} )/m)) {
    const [, marks, title = ''] = /^(#{1,6}) (.*)/.exec(section) ?? []
    if (marks === undefined) writePlainText(section, writer)
    else {
      writer.add('heading', title, { level: marks.length })
      writePlainText(section.slice(marks.length + 1 + title.length), writer)
    }
  }
}
