/** WordprocessingML, tag by tag: the body of a document, and what has the same form beside it. */

import { undeclaredStyle, type WordStyles } from './docx-styles.ts'
import { altText } from './drawing.ts'
import type { Flow, RecordedBlock } from './flow.ts'
import type { Attributes, XmlVisitor } from './xml.ts'

export type WordContext = {
  styles: WordStyles
  /** The number or sign of the next item of a list, which counts it; null where the list shows none. */
  label(list: string, level: number): string | null
  /** What stands at a place without being written there: by the id, or by the tag that refers to it and its number. */
  inserts: Map<string, RecordedBlock[]>
}

/** What was deleted or moved away, what settings were before, how letters are spoken, and where tabs stop. */
const leftOut = new Set(
  `w:del w:moveFrom w:pPrChange w:rPrChange w:sectPrChange w:tblPrChange w:tblGridChange w:tcPrChange w:trPrChange
  w:tblPrExChange w:numberingChange w:rt w:tabs w:sdtPr w:instrText`.split(/\s+/),
)

type Paragraph = { style: string | null; outline: number | null; list: string | null; level: number | null }

const defaultStyle = ''

export function createWordVisitor(flow: Flow, { styles, label, inserts }: WordContext): Required<XmlVisitor> {
  const open: Paragraph[] = []
  let isText = false

  const set = (change: Partial<Paragraph>): void => {
    const paragraph = open.at(-1)
    if (paragraph !== undefined) Object.assign(paragraph, change)
  }

  const endParagraph = (): void => {
    const paragraph = open.pop()
    const id = paragraph?.style ?? defaultStyle
    const style = styles.get(id) ?? undeclaredStyle(id)
    const list = paragraph?.list ?? style.list ?? null
    const level = Math.min(8, paragraph?.level ?? style.level ?? 0)
    const sign = list === null ? null : label(list, level)
    const outline = paragraph?.outline ?? style.outline ?? null
    if (outline !== null && outline < 9) {
      const number = sign === null || sign === '-' ? '' : sign
      flow.endParagraph('heading', { level: outline + 1, marker: spaced(number) })
    } else if (sign !== null) {
      flow.endParagraph('list', { marker: '  '.repeat(level) + spaced(sign) })
    } else {
      flow.endParagraph()
    }
  }

  const opened: Record<string, (attributes: Attributes) => void> = {
    'w:p': () => {
      open.push({ style: null, outline: null, list: null, level: null })
      flow.beginParagraph()
    },
    'w:pStyle': attributes => set({ style: attributes['w:val'] ?? null }),
    'w:outlineLvl': attributes => set({ outline: numberOf(attributes) }),
    'w:numId': attributes => set({ list: attributes['w:val'] ?? null }),
    'w:ilvl': attributes => set({ level: numberOf(attributes) }),
    'w:tab': () => flow.text('\t'),
    'w:br': () => flow.text('\n'),
    'w:cr': () => flow.text('\n'),
    'w:noBreakHyphen': () => flow.text('-'),
    'w:tbl': flow.beginTable,
    'w:tr': flow.beginRow,
    'w:tc': flow.beginCell,
    'w:txbxContent': flow.beginBox,
    'wp:docPr': attributes => flow.insert(altText(attributes)),
  }

  const closed: Record<string, () => void> = {
    'w:p': endParagraph,
    'w:tr': () => flow.endRow(),
    'w:tbl': () => flow.endTable(),
    'w:txbxContent': flow.endBox,
    'a:p': () => flow.text('\n'),
  }

  return {
    open(name, attributes) {
      if (leftOut.has(name)) return 'skip'
      isText = name === 'w:t' || name === 'm:t' || name === 'a:t'
      opened[name]?.(attributes)
      const insert = inserts.get(
        attributes['r:id'] ?? attributes['r:dm'] ?? `${name} ${attributes['w:id'] ?? ''}`,
      )
      if (insert !== undefined) flow.insert(insert)
      return undefined
    },
    close(name) {
      isText = false
      closed[name]?.()
    },
    text(text) {
      if (isText) flow.text(text)
    },
  }
}

const spaced = (label: string): string => (label === '' ? '' : `${label} `)

function numberOf(attributes: Attributes): number | null {
  const number = Number(attributes['w:val'])
  return Number.isInteger(number) && number >= 0 ? number : null
}
