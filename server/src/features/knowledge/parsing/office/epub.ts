/** EPUB books: the chapters in reading order, each read as an HTML page. */

import { declaredCharset } from '@atrium/connectors/html'
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import { writeHtml } from '../html.ts'
import type { Reader } from '../reader.ts'
import { readXml } from './xml.ts'
import { readTitle, resolvePart, withZip, type Zip } from './zip.ts'

export const readEpub: Reader = (source, writer) =>
  withZip(source, async zip => {
    const book = await packageDocument(zip)
    const chapters = await spineOf(zip, book)
    const encrypted = await encryptedParts(zip)
    if (chapters.some(chapter => encrypted.has(chapter.toLowerCase()))) throw new ParseFailure('encrypted')
    for (const chapter of chapters) {
      const bytes = await zip.bytes(chapter)
      const declared = declaredCharset(bytes.toString('latin1', 0, 4_096))
      writeHtml(decodeText(bytes, declared), writer, { withTitle: false, warn: source.warn })
    }
    return { title: await readTitle(zip, book) }
  })

/** The part that lists all other parts. Throws `corrupt` if there is none. */
async function packageDocument(zip: Zip): Promise<string> {
  const found: string[] = []
  await readXml(zip.pieces('META-INF/container.xml'), {
    open(name, attributes) {
      if (name.endsWith('rootfile')) found.push(resolvePart('', attributes['full-path'] ?? ''))
    },
  })
  const [first] = found
  if (first === undefined || !zip.has(first)) {
    throw new ParseFailure('corrupt', 'The book lacks the list of its chapters.')
  }
  return first
}

/** The parts to read, in their order; the table of contents is left out, since it repeats the headings. */
async function spineOf(zip: Zip, book: string): Promise<string[]> {
  const parts = new Map<string, string>()
  const spine: string[] = []
  await readXml(zip.pieces(book), {
    open(name, attributes) {
      const { id = '', href = '', idref = '', properties = '' } = attributes
      if (name === 'opf:item' && !properties.split(' ').includes('nav'))
        parts.set(id, resolvePart(book, href))
      else if (name === 'opf:itemref') spine.push(idref)
    },
  })
  const chapters = spine.map(id => parts.get(id)).filter(part => part !== undefined && zip.has(part))
  if (chapters.length === 0) throw new ParseFailure('corrupt', 'The book has none of its chapters.')
  return [...new Set(chapters)].filter(part => part !== undefined)
}

/** The encrypted parts. Fonts may be encrypted even in a book that everybody can read. */
async function encryptedParts(zip: Zip): Promise<Set<string>> {
  const parts = new Set<string>()
  const list = 'META-INF/encryption.xml'
  if (!zip.has(list)) return parts
  await readXml(zip.pieces(list), {
    open(name, attributes) {
      if (name === 'enc:CipherReference') parts.add(resolvePart('', attributes.URI ?? '').toLowerCase())
    },
  })
  return parts
}
