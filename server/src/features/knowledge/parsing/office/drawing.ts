/** DrawingML, in which slides, text boxes and diagrams are written: paragraphs with their lists, and tables. */
import { onOneLine } from '../text-writer.ts'
import type { Flow, RecordedBlock } from './flow.ts'
import type { Attributes, XmlVisitor } from './xml.ts'

/** What a paragraph is besides its text. */
type Bullet = { level: number; sign: 'number' | 'dash' | 'none' | null }

export type DrawingOptions = {
  page?: number
  /** Whether a paragraph that does not say so itself is an item of a list. */
  isList?: () => boolean
}

/** `figures` are charts and diagrams by the ids under which the part refers to them. */
export function createDrawingVisitor(
  flow: Flow,
  figures: ReadonlyMap<string, readonly RecordedBlock[]>,
  { page, isList = () => false }: DrawingOptions = {},
): Required<XmlVisitor> {
  const onPage = page === undefined ? {} : { page }
  const numbers: number[] = []
  let bullet: Bullet = { level: 0, sign: null }
  let isText = false

  /** What the item begins with; null if the paragraph is none. */
  const marker = (): string | null => {
    const { level } = bullet
    const sign = bullet.sign ?? (level > 0 || isList() ? 'dash' : 'none')
    if (sign === 'none') return null
    numbers.length = sign === 'number' ? level + 1 : level
    if (sign === 'number') numbers[level] = (numbers[level] ?? 0) + 1
    return `${'  '.repeat(level)}${sign === 'number' ? `${numbers[level]}.` : '-'} `
  }

  const sign = (value: Bullet['sign']) => () => {
    bullet.sign = value
  }
  const alternative = (attributes: Attributes): void => flow.insert(altText(attributes), page)
  const opened: Record<string, (attributes: Attributes) => void> = {
    'p:cNvPr': alternative,
    'xdr:cNvPr': alternative,
    'a:p': () => {
      bullet = { level: 0, sign: null }
      flow.beginParagraph()
    },
    'a:pPr': ({ lvl = '0' }) => {
      bullet.level = Math.min(8, Math.max(0, Number(lvl) || 0))
    },
    'a:buChar': sign('dash'),
    'a:buBlip': sign('dash'),
    'a:buNone': sign('none'),
    'a:buAutoNum': sign('number'),
    'a:br': () => flow.text('\n'),
    'a:tbl': flow.beginTable,
    'a:tr': flow.beginRow,
    'a:tc': flow.beginCell,
  }

  return {
    open(name, attributes) {
      if (name === 'a:fld' && attributes.type === 'slidenum') return 'skip'
      const figure = figures.get(attributes['r:id'] ?? attributes['r:dm'] ?? '')
      if (figure !== undefined) flow.insert(figure, page)
      isText = name === 'a:t' || name === 'm:t'
      opened[name]?.(attributes)
      return undefined
    },
    close(name) {
      isText = false
      if (name === 'a:tr') flow.endRow()
      else if (name === 'a:tbl') flow.endTable(onPage)
      else if (name === 'a:p') {
        const item = marker()
        if (item === null) flow.endParagraph('paragraph', onPage)
        else flow.endParagraph('list', { ...onPage, marker: item })
      }
    },
    text(text) {
      if (isText) flow.text(text)
    },
  }
}

/** What somebody wrote about a picture; programs put the name of its file there. */
export function altText({ descr = '' }: Attributes): RecordedBlock[] {
  const text = onOneLine(descr)
  const isFileName = /\.(png|jpe?g|gif|bmp|tiff?|emf|wmf|svg)$/i.test(text)
  return text === '' || isFileName ? [] : [{ kind: 'paragraph', text, options: {} }]
}
