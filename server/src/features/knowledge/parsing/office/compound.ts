/** Compound files, the containers of old Office ([MS-CFB]): finds the file that an embedded object holds. */
import type { AttachedFile } from '../attached.ts'
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import {
  decodeWide,
  endOfChain,
  entriesOfFolder,
  entryBytes,
  entryPlaces,
  isOle2,
  sectorBytesOf,
  streamNameAt,
} from '../sniff.ts'

/** The embedded file, under its stored name if there is one; null if the object holds no file. Throws `corrupt`. */
export function fileWithin(name: string, bytes: Buffer): AttachedFile | null {
  if (!isOle2(bytes)) return { name, bytes }
  try {
    const streams: Streams = new Map()
    for (const { streams: own } of foldersOf(bytes))
      for (const [stream, read] of own) if (!streams.has(stream)) streams.set(stream, read)
    return isDocument(streams) ? { name, bytes } : heldBy(streams, name)
  } catch (error) {
    throw error instanceof ParseFailure ? error : new ParseFailure('corrupt', undefined, error)
  }
}

/** The streams of one folder by their names in small letters. */
export type Streams = Map<string, () => Buffer>

/** The streams of the document itself, without those of objects in it. Throws `corrupt`. */
export const streamsOf = (file: Buffer): Streams => foldersOf(file)[0]?.streams ?? new Map()

/** An object within a document of old Office. */
export type HeldObject = { name: string; streams: Streams; open(): AttachedFile | null }

/** The objects within a document: files, or documents of old Office themselves. Throws `corrupt`. */
export const heldIn = (file: Buffer): HeldObject[] =>
  foldersOf(file)
    .slice(1)
    .map(({ name, streams }) => ({ name, streams, open: () => heldBy(streams, name) }))

export const isDocument = (streams: Streams): boolean => ownStreams.some(stream => streams.has(stream))

function heldBy(streams: Streams, name: string): AttachedFile | null {
  const packed = streams.get('\u0001ole10native')?.()
  if (packed !== undefined) return unpackNative(packed)
  const held = (streams.get('package') ?? streams.get('embeddedodf'))?.() ?? null
  if (held !== null) return { name, bytes: held }
  const contents = streams.get('contents')?.() ?? null
  return contents?.subarray(0, 1_024).includes('%PDF-') ? { name, bytes: contents } : null
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

type Folder = { name: string; streams: Streams }

const [folderKind, streamKind] = [1, 2]

/** All folders, the root first. */
function foldersOf(file: Buffer): Folder[] {
  const sectorBytes = sectorBytesOf(file)
  const most = Math.ceil(file.length / sectorBytes)
  const sector = (number: number): Buffer =>
    file.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes)
  const table = Buffer.concat(tablePlaces(file, sector, most).map(sector))
  const follow = (start: number): Buffer => Buffer.concat(chainOf(start, table, most).map(sector))
  const smallTable = follow(file.readUInt32LE(60))
  const directory = follow(file.readUInt32LE(48))
  const small = follow(directory.readUInt32LE(entryPlaces.start))
  const followSmall = (start: number): Buffer =>
    Buffer.concat(
      chainOf(start, smallTable, small.length / smallSectorBytes).map(number =>
        small.subarray(number * smallSectorBytes, (number + 1) * smallSectorBytes),
      ),
    )
  const read = (at: number): Buffer => {
    const size = directory.readUInt32LE(at + entryPlaces.size)
    return (size < smallStreamBytes ? followSmall : follow)(
      directory.readUInt32LE(at + entryPlaces.start),
    ).subarray(0, size)
  }
  const folders: Folder[] = []
  const seen = new Set<number>()
  const waiting = [0]
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (seen.has(folder)) continue
    seen.add(folder)
    const streams: Streams = new Map()
    for (const number of entriesOfFolder(directory, folder)) {
      const at = number * entryBytes
      const kind = directory[at + entryPlaces.kind]
      if (kind === streamKind) streams.set(streamNameAt(directory, at).toLowerCase(), () => read(at))
      else if (kind === folderKind) waiting.push(number)
    }
    folders.push({ name: streamNameAt(directory, folder * entryBytes), streams })
  }
  return folders
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
