/** The files that are attached to a PDF: to the document, and to places on its pages (ISO 32000-1, 7.11 and 12.5.6.15). */
import { type Attached, onPage, writeAttached } from './attached.ts'
import { byteOrderMark } from './encoding.ts'
import { ParseFailure } from './failure.ts'
import {
  type Dictionary,
  isReference,
  type PdfObject,
  type PdfObjects,
  withPdfObjects,
} from './pdf-objects.ts'
import type { Source } from './reader.ts'
import type { TextWriter } from './text-writer.ts'

const maxFiles = 1_000
const maxDepth = 50

/** Behind all pages; `clips` are the pages to which files are attached. A file whose table is damaged has none. */
export async function writeAttachments(
  input: string | Uint8Array,
  clips: readonly number[],
  source: Source,
  writer: TextWriter,
): Promise<void> {
  try {
    await withPdfObjects(input, source.unpackedWithin, async objects => {
      const attachedTo = createFinder(objects)
      for (const page of clips) {
        await writeAttached(attachedTo.page(page), source, onPage(writer, page), 1)
      }
      await writeAttached(attachedTo.document(), source, writer, 1)
    })
  } catch (error) {
    if (!(error instanceof ParseFailure) || error.code === 'text_too_long') throw error
  }
}

/** Each file once, where it is found first. */
function createFinder({ catalog, isEncrypted, resolve, dictionary, array, stream }: PdfObjects) {
  const seen = new Set<number>()

  const filesOf = (specification: PdfObject | undefined): Attached[] => {
    if (seen.size >= maxFiles) return []
    const about = dictionary(specification)
    const held = dictionary(about?.get('EF'))
    const reference = ['UF', 'F', 'Unix', 'DOS', 'Mac'].map(key => held?.get(key)).find(isReference)
    if (reference === undefined || seen.has(reference.number)) return []
    seen.add(reference.number)
    const name = isEncrypted ? '' : textOf(resolve(about?.get('UF') ?? about?.get('F')))
    const open: Attached['open'] = () => {
      if (isEncrypted) throw new ParseFailure('encrypted')
      return { name, bytes: stream(reference) }
    }
    return [{ name, open }]
  }

  const named = (node: Dictionary | null, depth = 0): Attached[] => {
    if (depth > maxDepth) return []
    const own = array(node?.get('Names')).flatMap((object, index) => (index % 2 === 1 ? filesOf(object) : []))
    return [...own, ...array(node?.get('Kids')).flatMap(kid => named(dictionary(kid), depth + 1))]
  }

  const pageAt = (node: Dictionary | null, index: number, depth = 0): Dictionary | null => {
    const kids = array(node?.get('Kids'))
    if (node === null || depth > maxDepth) return null
    if (kids.length === 0) return index === 0 ? node : null
    if (node.get('Count') === kids.length) return pageAt(dictionary(kids[index]), 0, depth + 1)
    let before = 0
    for (const kid of kids) {
      const within = dictionary(kid)
      const count = within?.has('Kids') ? Number(resolve(within.get('Count'))) : 1
      if (index < before + count) return pageAt(within, index - before, depth + 1)
      before += count
    }
    return null
  }

  return {
    /** Pages count from 1. */
    page: (page: number): Attached[] =>
      array(pageAt(dictionary(catalog.get('Pages')), page - 1)?.get('Annots'))
        .map(dictionary)
        .filter(annotation => annotation?.get('Subtype') === 'FileAttachment')
        .flatMap(annotation => filesOf(annotation?.get('FS'))),
    document: (): Attached[] => [
      ...named(dictionary(dictionary(catalog.get('Names'))?.get('EmbeddedFiles'))),
      ...array(catalog.get('AF')).flatMap(filesOf),
    ],
  }
}

/** A text of a PDF is in Unicode if it says so, and else close to Latin. */
const textOf = (object: PdfObject): string =>
  Buffer.isBuffer(object) ? new TextDecoder(byteOrderMark(object) ?? 'latin1').decode(object) : ''
