/**
 * Markdown to blocks of plain text: marks of emphasis and links are removed; headings, lists, tables and code stay.
 */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { decodeText } from './encoding.ts'
import { writePlainText } from './plain-text.ts'
import type { Reader } from './reader.ts'
import { onOneLine, type TextWriter } from './text-writer.ts'

type Root = ReturnType<typeof fromMarkdown>
type RootContent = Root['children'][number]
type List = Extract<RootContent, { type: 'list' }>
type Table = Extract<RootContent, { type: 'table' }>
type Node = Root | RootContent | List['children'][number] | Table['children'][number]

/** Longer texts are read as plain text with headings: the parser needs seconds for each megabyte. */
const maxLength = 2_000_000

export const readMarkdown: Reader = async (source, writer) => {
  writeMarkdown(decodeText(await source.bytes()).replace(/\r\n?/g, '\n'), writer)
  return {}
}

export function writeMarkdown(source: string, writer: TextWriter): void {
  const text = withoutFrontMatter(source)
  const isLong = text.length > maxLength
  for (const part of partsOf(text)) {
    if (part.isCode) writer.add('code', part.text)
    else if (isLong || isTangle(part.text)) writePlainMarkdown(part.text, writer)
    else writeNodes(parse(part.text).children, writer, '')
  }
}

/** A text with very many marks has no structure to find, and takes the parser longest. */
const isTangle = (part: string): boolean => (part.match(/[[\]*_`<>~]/g)?.length ?? 0) > part.length * 0.3

type Part = { isCode: boolean; text: string }

/** The parser's time and memory grow with the square of its input, so it gets small parts. */
const partLength = 4_000

/**
 * Each fenced code block is one part. Other text is cut at empty lines if it has any, into parts up to `partLength`.
 */
function* partsOf(text: string): Generator<Part> {
  let lines: string[] = []
  let length = 0
  let fence: string | null = null
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
      yield { isCode: before !== null, text: take(lines.length) }
      continue
    }
    if (fence === null && length + line.length > partLength) {
      const lastEmpty = lines.findLastIndex(candidate => candidate.trim() === '')
      yield { isCode: false, text: take(lastEmpty > 0 ? lastEmpty : lines.length) }
    }
    lines.push(line)
    length += line.length + 1
  }
  yield { isCode: fence !== null, text: take(lines.length) }
}

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
    else if (node.type === 'html') writer.add('paragraph', withoutTags(node.value))
    else if (node.type === 'table') writer.add('table', tableText(node))
    else if (node.type === 'list') writeList(node, writer, indent)
    else if (node.type === 'blockquote') writeNodes(node.children, writer, indent)
    else if (node.type === 'footnoteDefinition') writeNodes(node.children, writer, indent)
    else if (node.type === 'paragraph') writer.add('paragraph', inlineText(node))
  }
}

function writeList(list: List, writer: TextWriter, indent: string): void {
  for (const [index, item] of list.children.entries()) {
    const marker = list.ordered ? `${(list.start ?? 1) + index}. ` : '- '
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
  table.children.map(row => row.children.map(cell => onOneLine(inlineText(cell))).join(' | ')).join('\n')

function inlineText(node: Node): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'html') return withoutTags(node.value)
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  if (node.type === 'footnoteReference') return ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(inlineText).join('') : ''
}

function withoutTags(html: string): string {
  let [text, at] = ['', 0]
  for (let start = html.indexOf('<!--'); start !== -1; start = html.indexOf('<!--', at)) {
    const end = html.indexOf('-->', start + 4)
    if (end === -1) break
    text += html.slice(at, start)
    at = end + 3
  }
  return (text + html.slice(at)).replace(/<[^<>]*>/g, '')
}

/** Settings between two lines of dashes at the very beginning are not text. */
function withoutFrontMatter(source: string): string {
  if (!source.startsWith('---\n')) return source
  const end = source.indexOf('\n---\n', 3)
  return end < 0 || end > 10_000 ? source : source.slice(end + 5)
}

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
