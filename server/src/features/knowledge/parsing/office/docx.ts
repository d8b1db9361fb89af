/** Word documents: the body with what belongs to its places (notes, comments, boxes, charts), then headers and footers. */
import type { Reader, Source } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'
import { createWordVisitor, type WordContext } from './docx-content.ts'
import { createNumbering, readNumbering } from './docx-numbering.ts'
import { readStyles } from './docx-styles.ts'
import { createFlow, createRecorder, type RecordedBlock } from './flow.ts'
import { mainPart, type Relationship, readFigures, relationshipsOf, titleOf } from './ooxml.ts'
import { readXml } from './xml.ts'
import { withZip, type Zip } from './zip.ts'

export const readDocx: Reader = (source, writer) =>
  withZip(source, async zip => {
    const main = await mainPart(zip)
    const relationships = await relationshipsOf(zip, main)
    const context = await readContext(zip, relationships, source)
    await readXml(zip.pieces(main), createWordVisitor(createFlow(writer), context))
    for (const { kind, text, options } of await readMargins(zip, relationships, context)) {
      writer.add(kind, text, options)
    }
    return { title: await titleOf(zip) }
  })

const targetsOf = (relationships: readonly Relationship[], type: string): string[] =>
  relationships.filter(relationship => relationship.type === type).map(({ target }) => target)

async function readContext(
  zip: Zip,
  relationships: readonly Relationship[],
  source: Source,
): Promise<WordContext> {
  const [stylesPart = 'word/styles.xml'] = targetsOf(relationships, 'styles')
  const [numberingPart] = targetsOf(relationships, 'numbering')
  const styles = zip.has(stylesPart) ? await readStyles(zip.pieces(stylesPart)) : new Map()
  const lists =
    numberingPart === undefined ? new Map() : await readNumbering(zip.pieces(numberingPart), styles)
  const context: WordContext = {
    styles,
    label: createNumbering(lists),
    inserts: await readFigures(zip, relationships),
  }
  for (const type of ['footnotes', 'endnotes', 'comments']) {
    for (const part of targetsOf(relationships, type)) await readNotes(zip, part, context)
  }
  for (const { id, type, target } of relationships) {
    if (type !== 'aFChunk') continue
    const recorder = createRecorder()
    await source.readInner(await zip.bytes(target), target, recorder)
    context.inserts.set(id, recorder.blocks)
  }
  return context
}

const noteTags: Readonly<Record<string, string>> = {
  'w:footnote': 'w:footnoteReference',
  'w:endnote': 'w:endnoteReference',
  'w:comment': 'w:commentReference',
}

/** Keeps each note under the tag that refers to it and its number. */
async function readNotes(zip: Zip, part: string, context: WordContext): Promise<void> {
  let note: RecordedBlock[] = []
  const writer: TextWriter = { add: (kind, text, options = {}) => void note.push({ kind, text, options }) }
  const visitor = createWordVisitor(createFlow(writer), { ...context, inserts: new Map() })
  await readXml(zip.pieces(part), {
    ...visitor,
    open(name, attributes) {
      const reference = noteTags[name]
      if (reference === undefined) return visitor.open(name, attributes)
      // The lines between text and notes are notes too.
      if (/separator|notice/i.test(attributes['w:type'] ?? '')) return 'skip'
      note = []
      context.inserts.set(`${reference} ${attributes['w:id'] ?? ''}`, note)
      return undefined
    },
  })
}

/** What headers and footers say, each once. */
async function readMargins(
  zip: Zip,
  relationships: readonly Relationship[],
  context: WordContext,
): Promise<Iterable<RecordedBlock>> {
  const recorder = createRecorder()
  for (const type of ['header', 'footer']) {
    for (const part of new Set(targetsOf(relationships, type))) {
      const visitor = createWordVisitor(createFlow(recorder), { ...context, inserts: new Map() })
      await readXml(zip.pieces(part), visitor)
    }
  }
  return new Map(recorder.blocks.map(block => [block.text, block] as const)).values()
}
