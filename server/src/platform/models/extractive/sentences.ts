/** Cuts a passage into pieces that can be quoted: sentences, list items and table rows, each with its headings. */

export type Sentence = {
  /** Exactly as in the passage, without surrounding white space. */
  text: string
  /** The headings above it, outermost first; a table's first row counts as one. */
  context: string
  /** The sentence before it in the same block, or the question or lead-in just above it. */
  before: string
  /** The rows that name the columns, if the sentence is a table's row. */
  head: string | null
  /** Whether the sentence is a row that names columns. */
  isHead: boolean
}

/** Whether a line is a table's row, in the form that document parsers write. */
export const isRow = (line: string): boolean => /^\||\t| \| /.test(line)

/** The name of the table, and its columns. With more rows, the context would grow with each row. */
const mostHeadRows = 2

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** `above` are the headings above the passage; a row that names columns may be the last of them. */
export function sentencesOf(passage: string, above: readonly string[] = []): Sentence[] {
  const sentences: Sentence[] = []
  const columns = above.findLast((text, place) => place === above.length - 1 && isRow(text))
  let headings = above.filter(text => text !== columns).map((text, place) => ({ level: place + 1, text }))
  let tableHead = columns ?? ''
  let headRows = columns === undefined ? 0 : 1
  let before = ''
  for (const block of blocksOf(passage)) {
    if (block.kind === 'heading') {
      headings = [...headings.filter(({ level }) => level < block.level), block]
      before = ''
    } else if (block.kind === 'row') {
      if (/^[|\s:-]+$/.test(block.text)) continue
      const isHead =
        headRows === 0 || (headRows < mostHeadRows && isRowOfYears(block.text) && !isRowOfYears(tableHead))
      const head = isData(tableHead) ? null : tableHead
      if (isHead) {
        tableHead = `${tableHead} ${block.text}`.trim()
        headRows += 1
      }
      const context = [...headings.map(({ text }) => text), tableHead].join(' ')
      sentences.push({ text: block.text, context, before: '', head: isHead ? null : head, isHead })
      continue
    } else {
      const context = headings.map(({ text }) => text).join(' ')
      for (const text of split(block.text)) {
        sentences.push({ text, context, before, head: null, isHead: false })
        before = text
      }
      if (!/[:?]$/.test(before)) before = ''
    }
    tableHead = ''
    headRows = 0
  }
  return sentences
}

type Block = { kind: 'heading' | 'row' | 'prose'; level: number; text: string }

/** Lines that belong together: prose may be wrapped, while headings, list items and rows stand alone. */
function blocksOf(passage: string): Block[] {
  const blocks: Block[] = []
  let prose: string[] = []
  const flush = () => {
    const text = prose.join('\n').trim()
    if (text !== '') blocks.push(isPlainHeading(text) ? heading(6, text) : { kind: 'prose', level: 0, text })
    prose = []
  }
  for (const line of passage.split('\n')) {
    const text = line.trim()
    const marked = /^(#{1,6})\s+(.*)$/.exec(text)
    if (text === '') flush()
    else if (marked !== null) {
      flush()
      blocks.push(heading(marked[1]?.length ?? 1, marked[2] ?? ''))
    } else if (isRow(text)) {
      flush()
      blocks.push({ kind: 'row', level: 0, text })
    } else if (isLabelled(text)) {
      flush()
      blocks.push({ kind: 'prose', level: 0, text })
    } else if (/^([-*+•]|\d{1,3}[.)])\s/.test(text)) {
      flush()
      prose = [line]
    } else prose.push(line)
  }
  flush()
  return blocks
}

const heading = (level: number, text: string): Block => ({ kind: 'heading', level, text })

/** "Total due: 4,310.00": a name and its value, which is no heading. */
const isLabelled = (text: string): boolean =>
  text.length <= longestLabelled &&
  /^\p{L}[^:：.!?。\s]*(?:\s[^:：.!?。\s]+){0,5}\s?(?::\s|：)\s*\S/u.test(text)
const longestLabelled = 100

/** A short line without an end mark: a heading whose marks a parser has dropped. */
function isPlainHeading(text: string): boolean {
  return (
    text.length <= 80 &&
    !text.includes('\n') &&
    !/[.!?:;,)"'”`。！？：；，]$/.test(text) &&
    !/^([-*+•]|\d)/.test(text) &&
    !isLabelled(text)
  )
}

/** A second row may name the columns of a table whose first one names the table. */
const isRowOfYears = (row: string): boolean => cellsOf(row).some(isYear) && !isData(row)

/** Whether a row has figures. The first row of a passage may come from the middle of its table. */
const isData = (row: string): boolean =>
  cellsOf(row).some(cell => /^[\d.,()$€£% -]+$/.test(cell) && /\d/.test(cell) && !isYear(cell))

const cellsOf = (row: string): string[] => row.split(/[|\t]/).map(cell => cell.trim())

const isYear = (cell: string): boolean => /^(19|20)\d\d$/.test(cell)

/** Longer than any abbreviation and the space behind it. */
const longestEnd = 40

function split(block: string): string[] {
  const pieces: string[] = []
  let open = ''
  // The segmenter takes every line break for the end of a sentence, but prose may be wrapped.
  for (const { segment, index } of segmenter.segment(block.replace(/\s/g, ' '))) {
    open += block.slice(index, index + segment.length)
    // Looking at the whole text for each piece would take the square of its length.
    const end = open.slice(-longestEnd)
    if (endsInAbbreviation(end) || /\w$/.test(end)) continue
    pieces.push(open)
    open = ''
  }
  pieces.push(open)
  return pieces
    .map(piece => piece.replace(/^\s*([-*+•]|\d{1,3}[.)])\s+/, '').trim())
    .filter(piece => piece !== '')
}

/** After "Dr." or "e.g." a sentence goes on, though the next word has a capital letter. */
function endsInAbbreviation(text: string): boolean {
  return /\b(Dr|Mr|Mrs|Ms|Prof|St|No|Nos|vs|approx|e\.g|i\.e|etc|Inc|Ltd|Co|Fig|[A-Z])\.\s*$/.test(text)
}
