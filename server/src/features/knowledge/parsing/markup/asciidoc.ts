/** AsciiDoc: titles, lists, tables, blocks. Comments and settings are left out. */

import { marked } from '../marks.ts'
import type { Reader } from '../reader.ts'
import { createGrid } from '../tables/grid.ts'
import { rowText } from '../tables/rows.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { createParagraph, indentOf, linesOf, outdented } from './lines.ts'

export const readAsciidoc: Reader = async (source, writer) => {
  writeAsciidoc(await linesOf(source), writer)
  return {}
}

function writeAsciidoc(lines: readonly string[], writer: TextWriter): void {
  const settings = settingsIn(lines)
  const plain = (text: string): string => inlineText(text, settings)
  const paragraph = createParagraph(writer, plain)
  let at = 0

  const takeUntil = (end: string): string[] => {
    const start = at
    while (at < lines.length && lines[at] !== end) at += 1
    at += 1
    return lines.slice(start, at - 1)
  }

  const takeWhile = (isWanted: (line: string) => boolean): string[] => {
    const start = at
    while (at < lines.length && isWanted(lines[at] ?? '')) at += 1
    return lines.slice(start, at)
  }

  /** The level of the title that begins with this line, and its text; null if there is none. */
  const titleAt = (line: string): { level: number; text: string; lines: number } | null => {
    const [, signs, text] = /^(={1,6}|#{1,6}) +(\S.*)$/.exec(line) ?? []
    if (signs !== undefined && text !== undefined) return { level: signs.length, text, lines: 1 }
    const below = lines[at + 1] ?? ''
    const level = ['=', '-', '~', '^', '+'].indexOf(below[0] ?? ' ')
    const isUnderlined =
      level >= 0 && /^([=~^+-])\1+$/.test(below) && Math.abs(below.length - line.length) <= 2
    return isUnderlined && /^[^.[|/:+*=~^-].*\p{L}/u.test(line)
      ? { level: level + 1, text: line, lines: 2 }
      : null
  }

  const readLine = (line: string): void => {
    const text = line.trimStart()
    const [, sign, rest = ''] = item.exec(text) ?? []
    const [, term, colons = '', meaning = ''] = /^(\S[^\n]{0,400}?)(:{2,4}|;;)(?: +(.*))?$/.exec(text) ?? []
    if (sign !== undefined) paragraph.begin(withBox(rest), `${'  '.repeat(depthOf(sign))}${labelOf(sign)} `)
    else if (term !== undefined && !/^[\w-]+::\S/.test(text)) {
      paragraph.begin(term, '  '.repeat(Math.max(0, colons.length - 2)))
      paragraph.end()
      if (meaning !== '') paragraph.begin(meaning)
    } else if (paragraph.isOpen()) paragraph.add(text)
    else if (indentOf(line) > 0 && lines[at - 2] === '')
      writer.add('code', outdented([line, ...takeWhile(next => next !== '' && next !== '+')]))
    else paragraph.begin(text)
  }

  const readOther = (line: string): void => {
    const title = paragraph.isOpen() ? null : titleAt(line)
    at += title?.lines ?? 1
    const [, image, alt = ''] =
      /^(image|include|video|audio|toc|ifn?def|ifeval|endif)::[^[]*\[(.*)\]$/.exec(line) ?? []
    if (title === null && image === undefined && !isConstruct(line)) {
      readLine(line)
      return
    }
    paragraph.end()
    if (title !== null) writer.add('heading', onOneLine(plain(title.text)), { level: title.level })
    else if (image === 'image') writer.add('paragraph', plain(alt.split(',', 1)[0] ?? ''))
    else if (image === 'ifdef' || image === 'ifndef') writer.add('paragraph', plain(alt))
    else if (/^\/{4,}$/.test(line)) takeUntil(line)
    else if (/^(-{4,}|\.{4,}|\+{4,})$/.test(line)) writer.add('code', outdented(takeUntil(line)))
    else if (/^```\w*$/.test(line)) writer.add('code', outdented(takeUntil('```')))
    else if (/^[|,:!]={3,}$/.test(line))
      writer.add('table', tableText(takeUntil(line), columnsAbove(), plain))
    else if (/^\.[^\s.]/.test(line)) writer.add('paragraph', plain(line.slice(1)))
  }

  /** The columns that the attributes above a table state; 0 if there are none. */
  const columnsAbove = (): number => {
    const [, quoted, one] = /cols="?(?:([^"\]]{1,500})"|([^,\]]{1,20}))/.exec(lastAttributes) ?? []
    const stated = quoted ?? one ?? ''
    return stated
      .split(/[,;]/)
      .filter(part => part.trim() !== '')
      .reduce((sum, part) => sum + Math.min(100, Number(/^\s*(\d{1,3})\*/.exec(part)?.[1] ?? 1)), 0)
  }
  let lastAttributes = ''

  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (/^\[.*\]$/.test(line)) lastAttributes = line
    if (line !== '') readOther(line)
    else {
      paragraph.end()
      at += 1
    }
    if (!/^\[.*\]$|^\.\S/.test(line)) lastAttributes = ''
  }
  paragraph.end()
}

/** Comments, attributes, borders of blocks, titles of blocks, page breaks, and the sign that joins blocks to items. */
const isConstruct = (line: string): boolean =>
  /^(\/\/([^/].*)?|\/{4,}|\[[^\]]{0,500}\]|\[\[.*\]\]|:!?[\w-]{1,60}!?:( .*)?|-{4,}|\.{4,}|\+{4,}|={4,}|\*{4,}|_{4,}|--|```\w*|[|,:!]={3,}|\.[^\s.].*|'{3,}|<{3,}|\+)$/.test(
    line,
  )

const item = /^(\*{1,6}|-|\.{1,6}|\d{1,9}\.|[a-zA-Z]\.|<(?:\d{1,3}|\.)>) +(\S.*)$/

const depthOf = (sign: string): number => (/^[*.]/.test(sign) ? sign.length - 1 : 0)

const labelOf = (sign: string): string => (/^[*-]/.test(sign) ? '-' : sign.startsWith('.') ? '1.' : sign)

const withBox = (text: string): string =>
  text.replace(/^\[([ *xX])\] +/, (_, sign: string) => marked.checkbox(sign !== ' '))

type Cell = { text: string; columns: number; rows: number }

/** What a sign for a new cell may have before it: how far the cell spans or is repeated, its alignment, its style. */
const cellAttributes =
  /(?:^|\s)(?:(\d{1,4})?(?:\.(\d{1,4}))?\+|(\d{1,2})\*)?(?:[<^>]?(?:\.[<^>])?)[aehlmsdv]?$/

/** Adds the cells of a line, whose beginning still belongs to the last cell above. */
function addCells(line: string, cells: Cell[]): void {
  const parts = line.split(/(?<!\\)\|/)
  let open = cells.slice(-1)
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    // No attributes are longer.
    const found = isLast ? null : cellAttributes.exec(part.slice(-16))
    const text = found === null ? part : part.slice(0, part.length - found[0].length)
    for (const cell of open) cell.text += ` ${text.replaceAll('\\|', '|')}`
    if (isLast) break
    const [, columns = '1', rows = '1', times = '1'] = found ?? []
    open = Array.from({ length: Number(times) }, () => ({
      text: '',
      columns: Number(columns),
      rows: Number(rows),
    }))
    cells.push(...open)
  }
}

function tableText(lines: readonly string[], stated: number, plain: (text: string) => string): string {
  const grid = createGrid()
  const cells: Cell[] = []
  let first = 0
  for (const line of lines) {
    addCells(line, cells)
    if (first === 0) first = cells.reduce((sum, cell) => sum + cell.columns, 0)
  }
  const width = stated > 0 ? stated : Math.max(1, first)
  /** The columns of rows to come that cells above cover. */
  const taken: number[] = []
  let column = width
  let row = -1
  for (const cell of cells) {
    if (column >= width) {
      grid.beginRow()
      row += 1
      column = taken[row] ?? 0
    }
    for (let below = 1; below < Math.min(cell.rows, mostRowsBelow); below++)
      taken[row + below] = (taken[row + below] ?? 0) + cell.columns
    grid.addCell({ ...cell, text: onOneLine(plain(cell.text)) })
    column += cell.columns
  }
  return grid.rows().map(rowText).join('\n')
}

/** No table that people write has a higher cell. */
const mostRowsBelow = 100

// Running text.

type Settings = ReadonlyMap<string, string>

function settingsIn(lines: readonly string[]): Settings {
  const settings = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = /^:([\w-]{1,60}): +(.{1,200})$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) settings.set(name.toLowerCase(), value)
  }
  return settings
}

/** Addresses, macros, places in the document, literals, marks, raised and lowered text, settings, line breaks. */
const marks =
  /(?:link:)?((?:https?|ftp):\/\/[^\s[\]<>]{1,500})\[([^\]]{0,500})\]|\b(footnote|pass|kbd|btn|image|icon|xref|link|mailto|menu|stem|anchor|[a-z]{3,12}):([\w.#/:@+-]{0,300})\[([^\]]{0,1000})\]|<<([^<>,\n]{1,200})(?:,\s*([^<>]{1,300}))?>>|\[\[[^[\]]{1,200}\]\]|\+\+\+?([^+]{1,500})\+\+\+?|``?([^`\n]{1,500})``?|\[([.\w -]{1,60})\]#([^#]{1,300})#|\^([^\s^]{1,100})\^|~([^\s~]{1,100})~|(?<![\w*\\])\*\*?([^\s*](?:[^*]{0,300}[^\s*])?)\*\*?(?!\w)|(?<![\w\\])__?([^\s_](?:[^_]{0,300}[^\s_])?)__?(?!\w)|\{([\w-]{1,60})\}| \+(?=\n|$)/g

function inlineText(text: string, settings: Settings): string {
  const notes: string[] = []
  const plain = text.replace(marks, (...found) => {
    const [
      whole,
      address,
      shown,
      macro,
      target,
      inner,
      place,
      placeText,
      passed,
      literal,
      roles,
      inRole,
      raised,
      lowered,
    ] = found as (string | undefined)[]
    const [strong, emphasis, setting] = found.slice(14, 17) as (string | undefined)[]
    if (address !== undefined) return linked(shown ?? '', address)
    if (macro === 'footnote') {
      notes.push(inner ?? '')
      return ''
    }
    if (macro === 'mailto') return linked(inner ?? '', `mailto:${target ?? ''}`)
    if (macro === 'link' || macro === 'xref') return (inner ?? '') || (target ?? '')
    if (macro !== undefined)
      return ownMacros.has(macro) ? (inner ?? '') : `${target ?? ''}${inner ? `(${inner})` : ''}`
    if (place !== undefined) return placeText ?? place
    if (inRole !== undefined) return roles?.includes('line-through') ? marked.struck(inRole) : inRole
    if (raised !== undefined) return marked.raised(raised)
    if (lowered !== undefined) return marked.lowered(lowered)
    if (setting !== undefined) return settings.get(setting.toLowerCase()) ?? signNames[setting] ?? whole ?? ''
    return passed ?? literal ?? strong ?? emphasis ?? ''
  })
  return [plain, ...notes].join('\n')
}

const ownMacros = new Set('pass kbd btn image icon menu stem anchor'.split(' '))

const linked = (shown: string, address: string): string => {
  const [text = ''] = shown.replace(/^"(.*)"$/, '$1').split(/,\s*(?:window|role)=|\^$/)
  return text === '' ? address.replace(/^mailto:/, '') : marked.link(text, address)
}

const signNames: Readonly<Record<string, string>> = {
  nbsp: ' ',
  empty: '',
  plus: '+',
  asterisk: '*',
  caret: '^',
  tilde: '~',
  backtick: '`',
  startsb: '[',
  endsb: ']',
  vbar: '|',
  lt: '<',
  gt: '>',
  amp: '&',
  apos: "'",
  quot: '"',
  zwsp: '',
  litdd: '--',
}
