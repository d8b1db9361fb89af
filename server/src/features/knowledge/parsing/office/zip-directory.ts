/** The directory of a zip, held against the archive itself: what it leaves out would be lost without a word. */
import type { Entry, ZipFile } from 'yauzl'

/** Its message is public. */
export class ZipFault extends Error {
  override readonly name = 'ZipFault'
}

/** All entries of an opened zip, in their order. Throws a `ZipFault`, or what the library throws. */
export async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const stated = zip.entryCount
  if (stated === 0 && zip.fileSize > endBytes + zip.comment.length) throw incomplete()
  // One more than the archive states: where it fails, the directory has ended.
  zip.entryCount = stated + 1
  const entries = zip.eachEntry()[Symbol.asyncIterator]()
  const places: Place[] = []
  while (true) {
    const next = await entries.next().catch((error: unknown) => {
      if (places.length < stated) throw error
      return { done: true, value: null } as const
    })
    if (next.done === true) break
    if (places.length === stated) throw incomplete()
    const { relativeOffsetOfLocalHeader: start, compressedSize } = next.value
    places.push({ start, end: start + headerBytes + compressedSize })
    yield next.value
  }
  if (doOverlap(places)) throw new ZipFault('Entries of the archive share their bytes. Pack it again.')
}

type Place = { start: number; end: number }

/** Bytes that make up many files unpack to far more than the archive is large. No program packs so. */
function doOverlap(places: Place[]): boolean {
  places.sort((one, other) => one.start - other.start)
  return places.some(({ start }, index) => start < (places[index - 1]?.end ?? 0))
}

/** The record that ends an archive, without its comment, and the header of an entry, without its name. */
const endBytes = 22
const headerBytes = 30

const incomplete = (): ZipFault =>
  new ZipFault('The archive holds more files than its directory states. Pack it again.')
