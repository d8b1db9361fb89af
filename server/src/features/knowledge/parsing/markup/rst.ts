/** reStructuredText: titles by their underlines, lists, tables, code, directives. Comments and settings are left out. */
import { marked, signs } from '../marks.ts'
import type { Reader } from '../reader.ts'
import { rowText } from '../tables/rows.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { createItemDepths, createParagraph, deeperLines, indentOf, linesOf, outdented } from './lines.ts'
import { csvTable, gridTableAt, listTable, simpleTableAt } from './rst-tables.ts'

export const readRst: Reader = async (source, writer) => {
  writeRst(await linesOf(source), writer)
  return {}
}

function writeRst(lines: readonly string[], writer: TextWriter): void {
  const names = namesIn(lines)
  const plain = (text: string): string => inlineText(text, names)
  const paragraph = createParagraph(writer, plain)
  const cursor: Cursor = { lines, at: 0, indent: 0 }
  const reading = { cursor, writer, plain, paragraph, depths: createItemDepths(), titleStyles: [] }
  while (cursor.at < lines.length) {
    const line = lines[cursor.at] ?? ''
    if (line !== '') readBlock(line, reading)
    else {
      endParagraph(reading)
      if (lines[cursor.at] === '') cursor.at += 1
    }
  }
  endParagraph(reading)
}

/** The next line, and the column that the open paragraph or construct begins in. */
type Cursor = { lines: readonly string[]; at: number; indent: number }

type Reading = {
  cursor: Cursor
  writer: TextWriter
  plain: (text: string) => string
  paragraph: ReturnType<typeof createParagraph>
  depths: ReturnType<typeof createItemDepths>
  /** The lines around titles, in the order of their levels. */
  titleStyles: string[]
}

function readBlock(line: string, reading: Reading): void {
  const { cursor, paragraph, writer } = reading
  const isOpen = paragraph.isOpen()
  const taken = isOpen ? 0 : readTitle(line, reading) || readTable(line, reading)
  if (taken > 0) cursor.at += taken
  else if (isRule(line) && line.length >= 4 && !isOpen) cursor.at += 1
  else if (/^ *\.\.( |$)/.test(line)) readExplicit(line, reading)
  else if (/^ *>>> /.test(line) && !isOpen) writer.add('code', outdented(takeWhile(cursor, at => at !== '')))
  else if (/^ *\|( |$)/.test(line)) {
    paragraph.begin(line.trim().slice(1).trim())
    cursor.at += 1
  } else readLine(line, reading)
}

/** Two colons at a paragraph's end: code follows. */
function endParagraph({ cursor, paragraph, writer }: Reading): void {
  const isCode = paragraph.isOpen() && cursor.lines[cursor.at - 1]?.endsWith('::') === true
  paragraph.end()
  if (!isCode) return
  const body = takeDeeper(cursor)
  if (body.length === 0) {
    // Code that is not indented: each of its lines begins with the same sign.
    takeWhile(cursor, line => line === '')
    const sign = cursor.lines[cursor.at]?.[0] ?? ''
    if (/^[>|$#]$/.test(sign)) body.push(...takeWhile(cursor, line => line.startsWith(sign)))
  }
  writer.add('code', outdented(body))
}

function takeDeeper(cursor: Cursor): string[] {
  const body = deeperLines(cursor.lines, cursor.at, cursor.indent)
  cursor.at += body.length
  return body
}

function takeWhile(cursor: Cursor, isWanted: (line: string) => boolean): string[] {
  const start = cursor.at
  while (cursor.at < cursor.lines.length && isWanted(cursor.lines[cursor.at] ?? '')) cursor.at += 1
  return cursor.lines.slice(start, cursor.at)
}

/** Returns how many lines the title has; 0 if there is none. */
function readTitle(line: string, reading: Reading): number {
  const { lines, at } = reading.cursor
  const [next = '', third = ''] = [lines[at + 1], lines[at + 2]]
  const isBetween = isRule(line) && next !== '' && third === line
  const isAbove =
    indentOf(line) === 0 && isRule(next) && (next.length >= 4 || next.length >= line.length) && !isRule(line)
  if (!isBetween && !isAbove) return 0
  const style = isBetween ? `over${line[0]}` : (next[0] ?? '')
  const { titleStyles, depths, writer, plain } = reading
  depths.end()
  if (!titleStyles.includes(style)) titleStyles.push(style)
  const title = onOneLine(plain(isBetween ? next.trim() : line))
  writer.add('heading', title, { level: Math.min(9, titleStyles.indexOf(style) + 1) })
  return isBetween ? 3 : 2
}

/** Returns how many lines the table has; 0 if there is none. */
function readTable(line: string, { cursor, writer, plain }: Reading): number {
  const isGrid = /^ *\+[-=]+\+/.test(line)
  if (!isGrid && !/^ *={2,} +=/.test(line)) return 0
  const table = isGrid ? gridTableAt(cursor.lines, cursor.at) : simpleTableAt(cursor.lines, cursor.at)
  if (table === null) return 0
  writer.add('table', table.rows.map(row => rowText(row.map(plain))).join('\n'), { header: table.header })
  return table.lines
}

function readLine(line: string, { cursor, paragraph, depths }: Reading): void {
  const text = line.trimStart()
  const own = indentOf(line)
  const isBelow = paragraph.isOpen() && own === cursor.indent
  const [, sign, gap = '', rest = ''] = item.exec(text) ?? []
  const [, name, value = ''] = field.exec(text) ?? []
  cursor.at += 1
  if (sign !== undefined && !isBelow) {
    paragraph.begin(rest, `${depths.indent(own)}${/^[-*+•]/.test(sign) ? '-' : sign} `)
    cursor.indent = own + sign.length + gap.length
    return
  }
  if (isBelow && name === undefined) {
    paragraph.add(text)
    return
  }
  if (own === 0) depths.end()
  paragraph.begin(name === undefined ? text : `${name}: ${value}`)
  cursor.indent = own
}

/** `.. name:: argument`, or another construct that begins with two dots. */
function readExplicit(line: string, reading: Reading): void {
  const { cursor, paragraph } = reading
  paragraph.end()
  cursor.indent = indentOf(line)
  cursor.at += 1
  const text = line.trim().slice(2).trim()
  const [, name = '', argument = ''] = /^([\w:+.-]{1,60})::(?: +(.*))?$/.exec(text) ?? []
  const [, note] = /^\[[^\]]{1,80}\] *(.*)$/.exec(text) ?? []
  if (note !== undefined) paragraph.begin(note)
  else if (name === '') takeDeeper(cursor)
  else readDirective(name.toLowerCase(), argument, reading)
}

/** The body of other directives is read like the text around it. */
function readDirective(name: string, argument: string, { cursor, writer, plain }: Reading): void {
  const options = takeOptions(cursor)
  if (silent.has(name)) takeDeeper(cursor)
  else if (codeNames.has(name)) writer.add('code', outdented(takeDeeper(cursor)))
  else if (name === 'math') writer.add('paragraph', [argument, outdented(takeDeeper(cursor))].join('\n'))
  else if (name === 'image' || name === 'figure') writer.add('paragraph', options.get('alt') ?? '')
  else {
    const shown = admonitions.has(name) ? [capitalised(name), argument] : [argument]
    writer.add(
      'paragraph',
      shown
        .filter(text => text !== '')
        .map(plain)
        .join(': '),
    )
    const own = options.get('header') ?? ''
    const rows = (own === '' ? 0 : 1) + (Number(options.get('header-rows')) || 0)
    const header = rows > 0 ? { rows } : undefined
    if (name === 'list-table') writer.add('table', listTable(takeDeeper(cursor), plain), { header })
    if (name === 'csv-table') writer.add('table', csvTable([own, ...takeDeeper(cursor)], plain), { header })
  }
}

/** Lines such as `:width: 5` directly below a directive. */
function takeOptions(cursor: Cursor): Map<string, string> {
  const options = new Map<string, string>()
  for (const line of takeWhile(
    cursor,
    line => indentOf(line) > cursor.indent && /^ *:[\w-]{1,40}:/.test(line),
  )) {
    const [, name = '', value = ''] = /^ *:([\w-]{1,40}):(?: +(.*))?$/.exec(line) ?? []
    options.set(name, value)
  }
  return options
}

const isRule = (line: string): boolean => /^([!-/:-@[-`{-~])\1+$/.test(line)

/** A sign or number, and the blanks behind it. */
const item = /^([-*+•]|(?:\d{1,9}|#|[a-zA-Z])[.)]|\((?:\d{1,9}|#|[a-zA-Z])\))( +)(?=\S)(.*)$/

const field = /^:([^:`]{1,80}):(?: +(.*))?$/

const codeNames = new Set(
  'code code-block sourcecode parsed-literal literalinclude doctest testcode testoutput prompt graphviz'.split(
    ' ',
  ),
)

const admonitions = new Set(
  'attention caution danger error hint important note tip warning seealso'.split(' '),
)

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** What they show stands elsewhere, or is nothing that is read. */
const silent = new Set(
  `toctree contents include raw index meta role default-role currentmodule highlight testsetup testcleanup
  sectnum header footer tabularcolumns highlightlang target-notes`.split(/\s+/),
)

// Running text.

type Names = {
  /** Addresses by the names of links, in small letters. */
  addresses: Map<string, string>
  /** What stands for `|name|`. */
  substitutes: Map<string, string>
}

function namesIn(lines: readonly string[]): Names {
  const names: Names = { addresses: new Map(), substitutes: new Map() }
  for (const line of lines) {
    const [, name, address] = /^ *\.\. _`?([^:`]{1,200})`?: +(\S+)$/.exec(line) ?? []
    if (name !== undefined && address !== undefined) names.addresses.set(name.toLowerCase(), address)
    const [, short, text] = /^ *\.\. \|([^|]{1,200})\| +(?:replace|unicode):: +(.*)$/.exec(line) ?? []
    if (short !== undefined && text !== undefined) names.substitutes.set(short, text)
  }
  return names
}

/** One sign after the other: literals, roles and links, strong, emphasis, substitutes, references, escapes. */
const marks =
  /``([^`]{1,500}(?:`[^`]{1,500}){0,9})``|(?::([\w:+.-]{1,60}):)?`([^`]{1,1000})`(__?)?|(?<![\w*])\*\*([^*]{1,1000})\*\*|(?<![\w*])\*([^*\s][^*]{0,1000})\*|\|([^|\s][^|]{0,200})\|(?:__?)?| ?\[(?:\d{1,6}|#[\w-]{0,60}|\*)\]_|\[([\w.-]{1,60})\]_|(?<=\w)__?(?![\w`])|\\([\s\S])/g

function inlineText(text: string, names: Names): string {
  const withoutColons = text.endsWith('::') ? text.slice(0, -1).replace(/^:$|\s:$/, '') : text
  return withoutColons.replace(
    marks,
    (whole, literal, role, interpreted, reference, strong, emphasis, substitute, citation, escaped) => {
      if (literal !== undefined) return literal
      if (interpreted !== undefined) return interpretedText(interpreted, role ?? '', reference, names)
      if (strong !== undefined || emphasis !== undefined) return strong ?? emphasis
      if (substitute !== undefined) return names.substitutes.get(substitute) ?? whole
      if (citation !== undefined) return `[${citation}]`
      return escaped === undefined || /\s/.test(escaped) ? '' : escaped
    },
  )
}

function interpretedText(text: string, role: string, reference: string | undefined, names: Names): string {
  const [, before = text, address] = /^([^<]*)<([^<>]{1,500})>$/.exec(text) ?? []
  const shown = before.trimEnd()
  if (reference !== undefined)
    return marked.link(
      shown || (address ?? ''),
      address ?? names.addresses.get(onOneLine(text).toLowerCase()) ?? null,
    )
  if (/^sup/.test(role)) return signs.raised + text
  if (/^sub(script)?$/.test(role)) return signs.lowered + text
  if (role === 'math' || role === '') return text
  return shown.replace(/^[~!]/, '') || (address ?? '')
}
