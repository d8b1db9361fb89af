/** Org: headings by their stars, lists, tables, blocks. Comments, drawers and settings are left out. */
import { marked, signs } from '../marks.ts'
import type { Reader } from '../reader.ts'
import { rowText } from '../tables/rows.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { createItemDepths, createParagraph, indentOf, linesOf, outdented } from './lines.ts'

export const readOrg: Reader = async (source, writer) => {
  const lines = await linesOf(source)
  const title = lines.find(line => /^#\+title:/i.test(line))
  const shown = title === undefined ? '' : onOneLine(inlineText(title.slice(8)))
  writer.add('heading', shown, { level: 1 })
  writeOrg(lines, writer)
  return { title: shown === '' ? null : shown }
}

function writeOrg(lines: readonly string[], writer: TextWriter): void {
  const paragraph = createParagraph(writer, inlineText)
  const depths = createItemDepths()
  let at = 0

  const takeWhile = (isWanted: (line: string) => boolean): string[] => {
    const start = at
    while (at < lines.length && isWanted(lines[at] ?? '')) at += 1
    return lines.slice(start, at)
  }

  const readHeading = (stars: string, title: string): void => {
    depths.end()
    writer.add('heading', onOneLine(inlineText(title)), { level: Math.min(9, stars.length) })
  }

  /** `#+begin_name … #+end_name`; the text of other blocks is read like the text around it. */
  const readBlock = (name: string): void => {
    if (!/^(src|example|comment|export)$/.test(name)) return
    const body = takeWhile(line => !isEndOf(line, name))
    at += 1
    if (name === 'src' || name === 'example')
      writer.add('code', outdented(body).replace(/^,(?=\*|#\+)/gm, ''))
  }

  const readSetting = (line: string): void => {
    const [, name = '', value = ''] =
      /^ *#\+(?:attr_)?(\w{1,40})(?:\[[^\]]{0,200}\])?: *(.*)$/.exec(line) ?? []
    const lower = name.toLowerCase()
    if (lower === 'caption' || lower === 'author' || lower === 'subtitle')
      writer.add('paragraph', inlineText(value))
  }

  const writeTable = (rows: readonly string[]): void => {
    const isRule = (row: string): boolean => /^ *\|-/.test(row)
    const drawn = rows.slice(
      Math.max(
        0,
        rows.findIndex(row => !isRule(row)),
      ),
    )
    const names = drawn.findIndex(isRule)
    const cells = drawn
      .filter(row => !isRule(row))
      .map(row =>
        row
          .trim()
          .replace(/^\||\|$/g, '')
          .split('|'),
      )
    const header = names > 0 && names < cells.length ? { rows: names } : undefined
    writer.add('table', cells.map(row => rowText(row.map(inlineText))).join('\n'), { header })
  }

  const readLine = (line: string): void => {
    const own = indentOf(line)
    const [, sign, gap, rest = ''] = item.exec(line.trimStart()) ?? []
    if (sign !== undefined && gap !== undefined && !(sign === '*' && own === 0)) {
      const marker = `${depths.indent(own)}${/^[-+*]/.test(sign) ? '-' : sign} `
      paragraph.begin(
        rest.replace(/^\[@\d{1,9}\] */, '').replace(/^\[[-Xx ]\] /, box => boxes[box] ?? box),
        marker,
      )
    } else if (paragraph.isOpen()) paragraph.add(line.trim())
    else {
      if (own === 0) depths.end()
      paragraph.begin(line.trim())
    }
  }

  const readOther = (line: string): void => {
    const [, block] = /^ *#\+begin_(\w{1,40})/i.exec(line) ?? []
    const [, stars, title = ''] = /^(\*+) +(.*)$/.exec(line) ?? []
    const [, note, noteText = ''] = /^\[fn:([\w-]{1,60})\] *(.*)$/.exec(line) ?? []
    at += 1
    if (
      stars === undefined &&
      block === undefined &&
      note === undefined &&
      !/^ *(#( |\+|$)|:|\||-{5,}$)/.test(line)
    ) {
      readLine(line)
      return
    }
    paragraph.end()
    if (stars !== undefined) readHeading(stars, title)
    else if (block !== undefined) readBlock(block.toLowerCase())
    else if (note !== undefined) paragraph.begin(noteText)
    else if (/^ *\|/.test(line)) writeTable([line, ...takeWhile(next => /^ *\|/.test(next))])
    else if (/^ *:( |$)/.test(line))
      writer.add(
        'code',
        outdented(
          [line, ...takeWhile(next => /^ *:( |$)/.test(next))].map(code => code.replace(/^ *: ?/, '')),
        ),
      )
    else if (/^ *:(properties|logbook):$/i.test(line)) {
      takeWhile(next => !/^ *:end:$/i.test(next) && !/^\*+ /.test(next))
      if (/^ *:end:$/i.test(lines[at] ?? '')) at += 1
    } else if (/^ *#\+/.test(line)) readSetting(line)
    else if (/^ *:/.test(line) && !/^ *:[\w-]{1,40}:$/.test(line)) readLine(line)
  }

  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line !== '') readOther(line)
    else {
      paragraph.end()
      at += 1
    }
  }
  paragraph.end()
}

const isEndOf = (line: string, name: string): boolean => line.trim().toLowerCase() === `#+end_${name}`

/** A sign or number, and the blanks behind it. */
const item = /^([-+*]|\d{1,9}[.)]|[a-zA-Z][.)])( +)(?=\S)(.*)$/

const boxes: Readonly<Record<string, string>> = {
  '[ ] ': marked.checkbox(false),
  '[-] ': marked.checkbox(false),
  '[x] ': marked.checkbox(true),
  '[X] ': marked.checkbox(true),
}

/** Links, notes, literals, marks around words, raised and lowered groups, line breaks. */
const marks =
  /\[\[([^[\]]{1,1000})\](?:\[([^[\]]{1,1000})\])?\]|\[fn:[\w-]{0,60}:([^[\]]{1,1000})\]|\[fn:[\w-]{1,60}\]|@@[a-z]{1,20}:[^@]{0,500}@@|(?<=^|[\s({'"-])([=~*/_+])(\S|\S[^\n]{0,300}?\S)\4(?=$|[\s.,:!?;'")}[\]\\-])|([_^])\{([^{}]{1,200})\}|\\\\[ \t]*(?=\n|$)/gm

function inlineText(text: string): string {
  const notes: string[] = []
  const plain = text.replace(marks, (whole, target, shown, note, mark, inner, place, group) => {
    if (target !== undefined) return linkText(target, shown)
    if (note !== undefined) {
      notes.push(note)
      return ''
    }
    if (mark === '+') return marked.struck(inlineText(inner))
    if (mark === '=' || mark === '~') return inner
    if (mark !== undefined) return inlineText(inner)
    if (place !== undefined) return (place === '^' ? signs.raised : signs.lowered) + group
    return whole.startsWith('[') || whole.startsWith('@') || whole.startsWith('\\') ? '' : whole
  })
  return [plain, ...notes].join('\n')
}

function linkText(target: string, shown: string | undefined): string {
  if (shown !== undefined) return marked.link(inlineText(shown), target)
  return target.replace(/^(file|id|\*|#)[:]?/, '')
}
