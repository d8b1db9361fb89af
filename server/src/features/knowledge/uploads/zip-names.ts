/** The names of a zip's entries: decoded in the encoding that all of them suggest, and judged as paths. */
import { isAscii, isUtf8 } from 'node:buffer'
import { type Entry, getFileNameLowLevel } from 'yauzl'
import { faultOfName } from '../../../platform/blobs/file-name.ts'
import { detectEncoding } from '../parsing/encoding.ts'

const maxPathLength = 255
const sampleBytes = 65_536
const utf8Flag = 0x800
/** Holds the name in UTF-8 beside one in the maker's own encoding. */
const unicodePathField = 0x7075

/**
 * Answers how to read a name of this archive. Archives say of a name that it is UTF-8, or say nothing: then it is in
 * whatever the maker's system used, and one name alone is too short to tell what that was.
 */
export async function createNameReader(entries: AsyncIterable<Entry>): Promise<(entry: Entry) => string> {
  const samples: Buffer[] = []
  let length = 0
  for await (const entry of entries) {
    const { fileNameRaw } = entry
    if (saysItsEncoding(entry) || isAscii(fileNameRaw) || length > sampleBytes) continue
    samples.push(fileNameRaw, Buffer.from('\n'))
    length += fileNameRaw.length
  }
  const sample = Buffer.concat(samples)
  const decoder = new TextDecoder(isUtf8(sample) ? 'utf-8' : detectEncoding(sample))
  return entry => {
    const name = saysItsEncoding(entry)
      ? getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
      : decoder.decode(entry.fileNameRaw)
    // Some systems part folders by the other slash.
    return name.replaceAll('\\', '/').replace(/^(\.\/)+/, '')
  }
}

const saysItsEncoding = ({ generalPurposeBitFlag, extraFields }: Entry): boolean =>
  (generalPurposeBitFlag & utf8Flag) !== 0 || extraFields.some(({ id }) => id === unicodePathField)

/** What systems and file managers leave beside the files. */
export const isClutter = (path: string): boolean =>
  /(^|\/)__MACOSX\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(path)

/** A sentence where the path cannot be a document's name; it never leads to a place in a file system. */
export function faultOfPath(path: string): string | null {
  if (path === '' || path.length > maxPathLength) {
    return `The name must have 1 to ${maxPathLength} characters, its folders included.`
  }
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'The name is an absolute path.'
  if (path.split('/').includes('..')) return 'The name leads out of the archive.'
  const fault = faultOfName(path)
  return fault === null ? null : `The name ${fault}.`
}
