/** The running text of OpenDocument files with its marks, and the styles that the marks and the lists are named by. */

import { createRunMarks, marked, type RunMark } from '../marks.ts'
import { onOneLine } from '../text-writer.ts'
import type { Flow } from './flow.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'
import type { Zip } from './zip.ts'

/** The running text of each open paragraph, with the marks in it: a note lies within the paragraph around it. */
export function createRunning(flow: Flow, marksOf: MarkStyles) {
  const open: Paragraph[] = []
  const innermost = (change: (paragraph: Paragraph) => void): void => {
    const paragraph = open.at(-1)
    if (paragraph !== undefined) change(paragraph)
  }

  const isHiddenHere = (): boolean => open.at(-1)?.marks.at(-1)?.isHidden ?? false

  /** The readings of neighbouring words stand behind all of them: they would cut the word. */
  const endReading = (paragraph: Paragraph): void => {
    if (paragraph.reading !== '') paragraph.runs.text(marked.ruby(onOneLine(paragraph.reading)))
    paragraph.reading = ''
  }

  const text = (text: string): void =>
    innermost(paragraph => {
      const { runs, marks, links } = paragraph
      if (marks.at(-1)?.isHidden === true) return
      if (paragraph.isReading) {
        paragraph.reading += text
        return
      }
      if (paragraph.rubies === 0) endReading(paragraph)
      const link = links.at(-1)
      if (link !== undefined) link.text += text
      runs.beginRun()
      const { place = null, isStruck = false } = marks.at(-1) ?? {}
      runs.set({ place, isStruck })
      runs.text(text)
    })

  const opened: Record<string, (attributes: Attributes) => void> = {
    'text:span': attributes =>
      innermost(({ marks }) => {
        marks.push({ ...marks.at(-1), ...marksOf.get(attributes['text:style-name'] ?? '') })
      }),
    'text:a': attributes =>
      innermost(({ links }) => void links.push({ address: attributes['xlink:href'] ?? '', text: '' })),
    'text:ruby': () =>
      innermost(paragraph => {
        paragraph.rubies += 1
      }),
    'text:ruby-text': () =>
      innermost(paragraph => {
        paragraph.isReading = true
      }),
    'text:hidden-paragraph': attributes =>
      innermost(paragraph => {
        paragraph.isGone ||= attributes['text:is-hidden'] === 'true'
      }),
    'text:s': attributes => text(' '.repeat(Math.min(maxBlanks, Number(attributes['text:c'] ?? 1) || 1))),
    'text:tab': () => text('\t'),
    'text:line-break': () => text('\n'),
  }

  const closed: Record<string, () => void> = {
    'text:span': () => innermost(({ marks }) => void marks.pop()),
    'text:a': () =>
      innermost(({ links }) => {
        const { address = '', text = '' } = links.pop() ?? {}
        flow.text(marked.link(text, address).slice(text.trimEnd().length))
      }),
    'text:ruby': () =>
      innermost(paragraph => {
        paragraph.rubies -= 1
      }),
    'text:ruby-text': () =>
      innermost(paragraph => {
        paragraph.isReading = false
      }),
  }

  return {
    opened,
    closed,
    text,
    begin: (attributes: Attributes): void =>
      void open.push({
        runs: createRunMarks(flow.text),
        marks: [
          // A box or a note within a hidden text is hidden with it.
          { isHidden: isHiddenHere(), ...marksOf.get(attributes['text:style-name'] ?? '') },
        ],
        isGone: false,
        links: [],
        rubies: 0,
        reading: '',
        isReading: false,
      }),
    end(): void {
      innermost(paragraph => {
        endReading(paragraph)
        paragraph.runs.endParagraph()
        if (paragraph.isGone) flow.dropParagraphText()
      })
      open.pop()
    },
  }
}

const maxBlanks = 16

type Paragraph = {
  runs: ReturnType<typeof createRunMarks>
  /** The marks of the open spans, from the paragraph's own on. */
  marks: TextStyle[]
  /** Whether a condition hides the whole paragraph. */
  isGone: boolean
  links: { address: string; text: string }[]
  rubies: number
  reading: string
  isReading: boolean
}

// The styles of an OpenDocument file: the markers of lists, and the marks of texts.

export type Styles = { lists: ListStyles; marks: MarkStyles; hiddenLayers: ReadonlySet<string> }

/** Signs of a list become "-". The number format of each level, from 0, by the style's name; null for signs. */
type ListStyles = ReadonlyMap<string, readonly (NumberStyle | null)[]>

type NumberStyle = { format: string; suffix: string }

/** What styles say about raised, lowered, struck and hidden text; what they leave out is as around it. */
type MarkStyles = ReadonlyMap<string, TextStyle>

type TextStyle = Partial<RunMark> & { isHidden?: boolean }

export const noStyles: Styles = { lists: new Map(), marks: new Map(), hiddenLayers: new Set() }

export async function readStyles(zip: Zip): Promise<Styles> {
  const lists = new Map<string, (NumberStyle | null)[]>()
  const marks = new Map<string, TextStyle>()
  const parents = new Map<string, string>()
  const hiddenLayers = new Set<string>()
  let levels: (NumberStyle | null)[] = []
  let style: string | null = null
  const visitor: XmlVisitor = {
    open(name, attributes) {
      const level = Number(attributes['text:level'] ?? 1) - 1
      if (name === 'text:list-style') {
        levels = []
        lists.set(attributes['style:name'] ?? '', levels)
      } else if (name === 'text:list-level-style-number' && level >= 0 && level < 10) {
        const format = attributes['style:num-format'] ?? ''
        levels[level] = format === '' ? null : { format, suffix: attributes['style:num-suffix'] ?? '' }
      } else if (name === 'style:style') {
        style = attributes['style:name'] ?? ''
        parents.set(style, attributes['style:parent-style-name'] ?? '')
      } else if (name === 'draw:layer' && isOffScreen(attributes)) {
        hiddenLayers.add(attributes['draw:name'] ?? '')
      } else if (name === 'style:text-properties' && style !== null) marks.set(style, marksIn(attributes))
      return name === 'office:body' ? 'skip' : undefined
    },
    close(name) {
      if (name === 'style:style') style = null
    },
  }
  for (const part of ['styles.xml', 'content.xml']) {
    if (zip.has(part)) await readXml(zip.piecesAgain(part), visitor)
  }
  return { lists, marks: withParents(marks, parents), hiddenLayers }
}

/** A shape or a layer that is there for the printer alone, or not at all. */
export const isOffScreen = (attributes: Attributes): boolean =>
  /^(none|printer)$/.test(attributes['draw:display'] ?? '')

function marksIn(attributes: Attributes): TextStyle {
  const marks: TextStyle = {}
  const display = attributes['text:display']
  if (display !== undefined) marks.isHidden = display === 'none'
  const place = attributes['style:text-position']
  const line = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type']
  if (place !== undefined) marks.place = placeOf(place)
  if (line !== undefined) marks.isStruck = line !== 'none'
  return marks
}

/** `super 58%`, `sub 58%`, or a share of the line's height such as `33% 58%`. */
function placeOf(position: string): RunMark['place'] {
  if (position.startsWith('super')) return 'raised'
  if (position.startsWith('sub')) return 'lowered'
  const share = Number.parseFloat(position)
  return share > 0 ? 'raised' : share < 0 ? 'lowered' : null
}

const maxAncestors = 20

function withParents(
  marks: ReadonlyMap<string, TextStyle>,
  parents: ReadonlyMap<string, string>,
): MarkStyles {
  const resolved = new Map<string, TextStyle>()
  for (const name of parents.keys()) {
    let all: TextStyle = {}
    let ancestor = name
    for (let depth = 0; ancestor !== '' && depth < maxAncestors; depth++) {
      all = { ...marks.get(ancestor), ...all }
      ancestor = parents.get(ancestor) ?? ''
    }
    if (Object.keys(all).length > 0) resolved.set(name, all)
  }
  return resolved
}
