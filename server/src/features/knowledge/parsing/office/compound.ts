/** Compound files, the containers of old Office ([MS-CFB]): finds the file that an embedded object holds. */
import type { AttachedFile } from '../attached.ts'
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import { decodeWide, endOfChain, entryBytes, isOle2, sectorBytesOf, streamNameAt } from '../sniff.ts'

/** The embedded file, under its stored name if there is one; null if the object holds no file. Throws `corrupt`. */
export function fileWithin(name: string, bytes: Buffer): AttachedFile | null {
  if (!isOle2(bytes)) return { name, bytes }
  try {
    const streams = streamsOf(bytes)
    if (ownStreams.some(stream => streams.has(stream))) return { name, bytes }
    const packed = streams.get('\u0001ole10native')?.()
    if (packed !== undefined) return unpackNative(packed)
    const held = (streams.get('package') ?? streams.get('embeddedodf'))?.() ?? null
    if (held !== null) return { name, bytes: held }
    const contents = streams.get('contents')?.() ?? null
    return contents?.subarray(0, 1_024).includes('%PDF-') ? { name, bytes: contents } : null
  } catch (error) {
    throw error instanceof ParseFailure ? error : new ParseFailure('corrupt', undefined, error)
  }
}

/** An object with one of these streams is itself a document: of old Office, protected, or a message. */
const ownStreams = [
  'worddocument',
  'workbook',
  'book',
  'powerpoint document',
  'encryptedpackage',
  '__properties_version1.0',
]

/** [MS-OLEDS] 2.3.6, as Windows packs files: name, path, the path of a copy, the file; then the names in Unicode. */
function unpackNative(packed: Buffer): AttachedFile | null {
  // Data that another program keeps there, such as a picture, has no name.
  if (packed.length < 6 || packed.readUInt16LE(4) !== 2) return null
  let at = 6
  const skipText = (): Buffer => {
    const end = packed.indexOf(0, at)
    if (end < 0) throw new ParseFailure('corrupt')
    const text = packed.subarray(at, end)
    at = end + 1
    return text
  }
  const label = skipText()
  skipText()
  at += 8
  skipText()
  const start = at + 4
  const end = start + packed.readUInt32LE(at)
  if (end > packed.length) throw new ParseFailure('corrupt')
  return { name: unicodeLabel(packed, end) ?? decodeText(label), bytes: packed.subarray(start, end) }
}

function unicodeLabel(packed: Buffer, from: number): string | null {
  if (from + 4 > packed.length) return null
  const at = from + 4 + packed.readUInt32LE(from) * 2
  if (at + 4 > packed.length) return null
  const label = decodeWide(packed.subarray(at + 4, at + 4 + packed.readUInt32LE(at) * 2))
  return label === '' ? null : label
}

const smallSectorBytes = 64
const smallStreamBytes = 4_096
/** So many places of the sector table stand in the header. */
const placesInHeader = 109

/** All streams of all folders by their names in small letters; of equal names the first one counts. */
function streamsOf(file: Buffer): Map<string, () => Buffer> {
  const sectorBytes = sectorBytesOf(file)
  const most = Math.ceil(file.length / sectorBytes)
  const sector = (number: number): Buffer =>
    file.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes)
  const table = Buffer.concat(tablePlaces(file, sector, most).map(sector))
  const follow = (start: number): Buffer => Buffer.concat(chainOf(start, table, most).map(sector))
  const smallTable = follow(file.readUInt32LE(60))
  const directory = follow(file.readUInt32LE(48))
  const small = follow(directory.readUInt32LE(116))
  const followSmall = (start: number): Buffer =>
    Buffer.concat(
      chainOf(start, smallTable, small.length / smallSectorBytes).map(number =>
        small.subarray(number * smallSectorBytes, (number + 1) * smallSectorBytes),
      ),
    )
  const streams = new Map<string, () => Buffer>()
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const name = streamNameAt(directory, at).toLowerCase()
    if (directory[at + 66] !== 2 || streams.has(name)) continue
    const [start, size] = [directory.readUInt32LE(at + 116), directory.readUInt32LE(at + 120)]
    streams.set(name, () => (size < smallStreamBytes ? followSmall : follow)(start).subarray(0, size))
  }
  return streams
}

/** The sectors that hold the table of which sector follows which. The header lists the first, a chain the rest. */
function tablePlaces(file: Buffer, sector: (number: number) => Buffer, most: number): number[] {
  const places: number[] = []
  const add = (list: Buffer): void => {
    for (let at = 0; at + 4 <= list.length && places.length < most; at += 4) {
      const place = list.readUInt32LE(at)
      if (place < endOfChain) places.push(place)
    }
  }
  add(file.subarray(76, 76 + placesInHeader * 4))
  let next = file.readUInt32LE(68)
  for (let count = 0; next < endOfChain && count < most; count++) {
    const list = sector(next)
    add(list.subarray(0, -4))
    next = list.readUInt32LE(list.length - 4)
  }
  return places
}

/** A chain of more sectors than the file has runs in a circle. */
function chainOf(start: number, table: Buffer, most: number): number[] {
  const chain: number[] = []
  for (let at = start; at < endOfChain; at = table.readUInt32LE(at * 4)) {
    if (chain.push(at) > most) throw new ParseFailure('corrupt')
  }
  return chain
}
