/** XML to lines that people read: elements of data as `name: text`, elements of a text as its paragraphs. */

import { declaredCharset } from '@atrium/connectors/html'
import { SaxesParser } from 'saxes'
import { decodeText } from '../encoding.ts'
import type { Reader } from '../reader.ts'
import { createXmlLines, type XmlLine } from './xml-lines.ts'

export const readXml: Reader = async (source, writer) => {
  const bytes = await source.bytes()
  const text = decodeText(bytes, declaredCharset(bytes.toString('latin1', 0, 4_096)))
  const blocks = blocksOf(text)
  // What is no sound XML is read as it stands there: nothing of it is lost.
  for (const block of blocks ?? [{ kind: 'code', text } as const]) writer.add(block.kind, block.text)
  return {}
}

type TextBlock = { kind: 'paragraph' | 'code'; text: string }

/** Null where a tag is broken. Nothing that the file names is read, and entities stay as they are written. */
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

/** Ends the reading at once: a file of nothing but faults would take 5 µs for each. */
class Unsound extends Error {}

/** What leaves no doubt where elements begin and end. */
const harmless = /entity|disallowed character\.$|in char data|XML declaration|whitespace required/

/** Values of one record stand together, as far as a chunk holds them; paragraphs by themselves. */
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
