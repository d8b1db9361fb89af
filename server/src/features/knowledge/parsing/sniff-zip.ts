/** What a zip is: told by the names of its entries, and by the media type that some formats put into the first one. */
import type { Sniffed } from './formats.ts'

/** What a zip is that is no document, with the way to upload what is in it. */
export const zipArchive =
  'a zip archive (send it to POST /knowledge/documents/batch, which takes every file in it)'

export const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(localHeader)

/** The end of a zip lists its entries, so their names are found there; of one that was cut off, some stand at the head. */
export function sniffZip(head: Buffer, tail: Buffer): Sniffed {
  const entries = [...entriesIn(head, localHeader, 26, 30), ...entriesIn(tail, directoryHeader, 28, 46)]
  const [first] = entries
  if (first?.name === 'mimetype') {
    const stated = head.subarray(first.end, first.end + longestMediaType).toString('latin1')
    const kind = statedKinds.find(({ mediaType }) => stated.startsWith(mediaType))
    if (kind !== undefined) return kind.is
  }
  const kind = zipKinds.find(({ entry }) => entries.some(({ name }) => entry.test(name)))
  return kind?.is ?? { format: null, seemsToBe: zipArchive }
}

const localHeader = Buffer.from('PK\x03\x04', 'latin1')
const directoryHeader = Buffer.from('PK\x01\x02', 'latin1')
const longestMediaType = 80
/** Longer than any that tells a kind. Headers can lie within each other, and each state a name of 64 KB. */
const longestName = 100

/** The names behind all headers of one kind; chance likenesses within packed data do no harm. */
function entriesIn(bytes: Buffer, header: Buffer, lengthAt: number, nameAt: number) {
  const found: { name: string; end: number }[] = []
  for (let at = bytes.indexOf(header); at >= 0; at = bytes.indexOf(header, at + header.length)) {
    if (at + nameAt > bytes.length) break
    const nameEnd = at + nameAt + bytes.readUInt16LE(at + lengthAt)
    const extraLength = bytes.readUInt16LE(at + lengthAt + 2)
    const name = bytes.toString('latin1', at + nameAt, Math.min(nameEnd, at + nameAt + longestName))
    found.push({ name, end: nameEnd + extraLength })
  }
  return found
}

const openDocument = 'application/vnd.oasis.opendocument'

/** What the first entry may state; templates say more behind it. */
const statedKinds: readonly { mediaType: string; is: Sniffed }[] = [
  { mediaType: `${openDocument}.text`, is: { format: 'odt' } },
  { mediaType: `${openDocument}.spreadsheet`, is: { format: 'ods' } },
  { mediaType: `${openDocument}.presentation`, is: { format: 'odp' } },
  { mediaType: openDocument, is: { format: null, seemsToBe: 'an OpenDocument drawing' } },
  { mediaType: 'application/epub+zip', is: { format: 'epub' } },
  { mediaType: 'application/x-ibooks+zip', is: { format: 'epub' } },
]

/** The first that fits decides. */
const zipKinds: readonly { entry: RegExp; is: Sniffed }[] = [
  { entry: /^word\/document/, is: { format: 'docx' } },
  {
    entry: /^xl\/workbook\.bin$/,
    is: { format: null, seemsToBe: 'a binary Excel workbook (save it as .xlsx)' },
  },
  { entry: /^xl\/workbook/, is: { format: 'xlsx' } },
  { entry: /^ppt\/presentation/, is: { format: 'pptx' } },
  { entry: /^META-INF\/container\.xml$/, is: { format: 'epub' } },
  { entry: /^content\.xml$/, is: { format: 'odt' } },
  {
    entry: /^Index\/(Document|Presentation|Tables?)|^index\.(xml|apxl)/,
    is: { format: null, seemsToBe: 'an Apple iWork document' },
  },
]
