/** XML to readable lines: elements that hold data become `name: text`, elements that hold prose become paragraphs. */
import { declaredCharset } from '@atrium/connectors/html'
import { SaxesParser } from 'saxes'
import { decodeText } from '../encoding.ts'
import type { Reader } from '../reader.ts'
import { onOneLine } from '../text-writer.ts'

export const readXml: Reader = async (source, writer) => {
  const bytes = await source.bytes()
  const text = decodeText(bytes, declaredCharset(bytes.toString('latin1', 0, 4_096)))
  const blocks = blocksOf(text)
  // A text that is not well-formed XML stays as it is: nothing is lost.
  for (const block of blocks ?? [{ kind: 'code', text } as const]) writer.add(block.kind, block.text)
  return {}
}

type TextBlock = { kind: 'paragraph' | 'code'; text: string }

/** Null if a tag is broken. Files that the text refers to are not read, and entities stay as they are written. */
function blocksOf(source: string): TextBlock[] | null {
  const blocks = createBlocks()
  const document = createXmlLines(blocks.take)
  const parser = new SaxesParser()
  parser.on('error', error => {
    if (!harmless.test(error.message)) throw new Unsound(error.message)
  })
  parser.on('opentag', ({ name, attributes }) => document.open(name, attributes))
  parser.on('text', document.text)
  parser.on('cdata', document.text)
  parser.on('closetag', document.close)
  try {
    parser.write(source).close()
  } catch (error) {
    if (error instanceof Unsound) return null
    throw error
  }
  return blocks.finish()
}

/** Ends the reading at the first fault: in a file of nothing but faults each would take 5 µs. */
class Unsound extends Error {}

/** Faults that leave no doubt where elements begin and end. */
const harmless = /entity|disallowed character\.$|in char data|XML declaration|whitespace required/

/** The values of one record form one block, up to `maxBlockLength`; each paragraph is a block by itself. */
function createBlocks() {
  const blocks: TextBlock[] = []
  let values: string[] = []
  let length = 0
  const endValues = (): void => {
    if (values.length > 0) blocks.push({ kind: 'code', text: values.join('\n') })
    values = []
    length = 0
  }
  return {
    take({ isParagraph, beginsRecord, text }: XmlLine): void {
      if (isParagraph || beginsRecord || length > maxBlockLength) endValues()
      if (isParagraph) blocks.push({ kind: 'paragraph', text })
      else values.push(text)
      length += text.length
    },
    finish(): TextBlock[] {
      endValues()
      return blocks
    },
  }
}

const maxBlockLength = 10_000

// The lines of an XML document, gathered while its elements open and close.

type XmlLine = {
  /** Running text with elements in it, such as emphasis. */
  isParagraph: boolean
  /** An element near the root that holds others. */
  beginsRecord: boolean
  text: string
}

type Element = {
  name: string
  label: string
  /** Indexes of the element's first line and first word among the document's lines and words. */
  firstLine: number
  firstWord: number
  hasText: boolean
  hasElements: boolean
}

/** Elements that lie deeper count as part of the text around them. */
const maxDepth = 100
const maxIndent = 10
const recordDepth = 1

/** `take` gets the lines of each child of the root once that child is closed, and the remaining lines at the end. */
function createXmlLines(take: (line: XmlLine) => void) {
  const lines: XmlLine[] = []
  const words: string[] = []
  const around: Element[] = []
  let deeper = 0

  const addLine = (depth: number, text: string, beginsRecord = false): void => {
    lines.push({
      isParagraph: false,
      beginsRecord,
      text: `${'  '.repeat(Math.min(depth, maxIndent))}${text}`,
    })
  }

  /** An element with child elements stands on a line before them. The root does only if it has attributes to show. */
  const beginContainer = (element: Element, depth: number): void => {
    if (element.hasElements) return
    element.hasElements = true
    if (depth > 0 || element.label !== element.name) addLine(depth, element.label, depth <= recordDepth)
  }

  const endElement = ({ name, label, firstLine, firstWord, hasText, hasElements }: Element): void => {
    const isContainer = hasElements && !hasText
    const isWithinText = around.some(element => element.hasText)
    if (isContainer || isWithinText) return
    const raw = words.slice(firstWord).join('')
    // The text is kept, since the parent element may turn out to be a paragraph.
    words.length = firstWord
    words.push(raw)
    lines.length = firstLine
    const text = onOneLine(raw)
    if (hasElements) lines.push({ isParagraph: true, beginsRecord: false, text })
    else if (text !== '') addLine(around.length, `${label}: ${text}`)
    else if (label !== name) addLine(around.length, label)
  }

  const release = (): void => {
    for (const line of lines) take(line)
    lines.length = 0
    words.length = 0
  }

  return {
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      const parent = around.at(-1)
      if (around.length >= maxDepth) {
        deeper += 1
        return
      }
      if (parent !== undefined) beginContainer(parent, around.length - 1)
      const label = labelOf(name, attributes)
      const [firstLine, firstWord] = [lines.length, words.length]
      around.push({ name, label, firstLine, firstWord, hasText: false, hasElements: false })
    },
    text(text: string): void {
      const element = around.at(-1)
      if (element !== undefined && text.trim() !== '') element.hasText = true
      words.push(text)
    },
    close(): void {
      if (deeper > 0) deeper -= 1
      else {
        const element = around.pop()
        if (element !== undefined) endElement(element)
        const [root] = around
        if (root === undefined || (around.length === 1 && !root.hasText)) {
          release()
          if (root !== undefined) Object.assign(root, { firstLine: 0, firstWord: 0 })
        }
      }
    },
  }
}

/** The name and attributes, without the attributes that only declare namespaces or schemas. */
function labelOf(name: string, attributes: Readonly<Record<string, string>>): string {
  const shown = Object.entries(attributes).filter(([key]) => !/^xmlns\b|^xsi:/.test(key))
  return [name, ...shown.map(([key, value]) => `${key}=${onOneLine(value)}`)].join(' ')
}
