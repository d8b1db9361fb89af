/** Documents of Office before 2007: a compound file with the document, its summary, and the objects within it. */
import { belowHeadings, writeAttached } from '../attached.ts'
import { ParseFailure } from '../failure.ts'
import { type HeldObject, heldIn, isDocument, type Streams, streamsOf } from '../office/compound.ts'
import { writtenTitle } from '../office/ooxml.ts'
import type { About, Reader, Source } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'
import type { OldWriter } from './old-writer.ts'
import { titleOfProperties } from './properties.ts'

const writers: readonly { stream: RegExp; load(): Promise<OldWriter> }[] = [
  { stream: /^worddocument$/, load: async () => (await import('./doc.ts')).writeDoc },
  { stream: /^(workbook|book)$/, load: async () => (await import('./xls.ts')).writeXls },
  { stream: /^powerpoint document$/, load: async () => (await import('./ppt.ts')).writePpt },
]

export const readOldOffice: Reader = async (source, writer) => {
  try {
    const bytes = await source.bytes()
    const streams = streamsOf(bytes)
    const about = await writeDocument(streams, source, writer)
    const objects = heldIn(bytes)
    const files = objects.filter(object => !isDocument(object.streams))
    await writeAttached(files, source, writer, { level: 2 })
    for (const object of objects.filter(object => isDocument(object.streams)))
      await writeObject(object, source, writer)
    return { ...about, title: writtenTitle(titleOfProperties(streams)) }
  } catch (error) {
    throw error instanceof ParseFailure ? error : new ParseFailure('corrupt', undefined, error)
  }
}

async function writeDocument(streams: Streams, source: Source, writer: TextWriter): Promise<About> {
  const names = [...streams.keys()]
  const found = writers.find(({ stream }) => names.some(name => stream.test(name)))
  if (found === undefined) throw new ParseFailure('corrupt')
  const write = await found.load()
  return write(streams, source, writer)
}

/** A document within the document; one that cannot be read does not fail the document around it. */
async function writeObject({ streams }: HeldObject, source: Source, writer: TextWriter): Promise<void> {
  if (!source.beginInner()) return source.warn('attachment_not_read')
  try {
    const below = belowHeadings(writer, 2)
    await writeDocument(streams, source, {
      add: (kind, text, { level } = {}) => below.add(kind, text, { level, isAttached: true }),
    })
  } catch (error) {
    if (error instanceof ParseFailure && error.code === 'text_too_long') throw error
    source.warn('attachment_not_read')
  }
}
