/** Reads an archive entry by entry, from a stream of bytes that may be anything. */
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import type { Static, TSchema } from '../../../platform/json-schema/type.ts'
import { createTurns } from '../../../platform/turns.ts'
import {
  ArchiveFault,
  archiveFormat,
  damaged,
  entryNames,
  Manifest,
  maxJsonBytes,
  parseAs,
  textOf,
} from './format.ts'

export type ArchiveEntry = { name: string; sizeBytes: number; bytes: Readable }

export type ArchiveReader = {
  kind: 'collection' | 'workspace'
  /** The next entry, or null after the last. Skips the unread rest of the entry before. Throws `ArchiveFault`. */
  next(): Promise<ArchiveEntry | null>
  close(): void
}

/** More growth is a decompression bomb: Atrium's text with vectors packs three to one, and rarely ten to one. */
const maxGrowth = 100
const alwaysAllowedBytes = 64 * 1024 * 1024

/** Resolves after it has read the manifest. `onBytes` gets the number of bytes read so far. */
export async function openArchive(
  source: Readable,
  onBytes: (count: number) => void,
): Promise<ArchiveReader> {
  const entries = extract()
  const guard = createGuard(onBytes)
  let failure: unknown = null
  pipeline(source, guard.packed, createGunzip(), guard.unpacked, entries).catch((error: unknown) => {
    failure = error
  })
  const iterator = entries[Symbol.asyncIterator]()
  const asFault = (error: unknown): ArchiveFault => {
    for (const known of [failure, error]) if (known instanceof ArchiveFault) return known
    return damaged('The file is no whole archive: it is damaged, cut off, or something else')
  }
  const reader = {
    async next() {
      const step = await iterator.next().catch(error => Promise.reject(asFault(error)))
      if (step.done === true) return null
      const { name, size = 0, type } = step.value.header
      if (type !== 'file') throw damaged(`${name.slice(0, 200)} is no file`)
      return { name, sizeBytes: size, bytes: Readable.from(bytesOf(step.value, asFault)) }
    },
    close() {
      source.destroy()
    },
  }
  try {
    return { ...reader, kind: await readManifest(await reader.next()) }
  } catch (error) {
    reader.close()
    throw asFault(error)
  }
}

/** Reports every error while reading entries as a fault of the archive. */
async function* bytesOf(
  entry: AsyncIterable<unknown>,
  asFault: (error: unknown) => ArchiveFault,
): AsyncGenerator<Buffer> {
  try {
    for await (const piece of entry) yield piece as Buffer
  } catch (error) {
    throw asFault(error)
  }
}

/** Counts the bytes before and after unpacking, and stops an archive that grows too much. */
function createGuard(onBytes: (count: number) => void): { packed: Transform; unpacked: Transform } {
  let packedBytes = 0
  let unpackedBytes = 0
  const packed = new Transform({
    transform(piece: Buffer, _encoding, done) {
      packedBytes += piece.length
      onBytes(packedBytes)
      done(null, piece)
    },
  })
  const unpacked = new Transform({
    transform(piece: Buffer, _encoding, done) {
      unpackedBytes += piece.length
      const isBomb = unpackedBytes > alwaysAllowedBytes + maxGrowth * packedBytes
      done(isBomb ? damaged('The archive unpacks to far more than an archive of ours would') : null, piece)
    },
  })
  return { packed, unpacked }
}

async function readManifest(entry: ArchiveEntry | null): Promise<'collection' | 'workspace'> {
  if (entry?.name !== entryNames.manifest)
    throw damaged('The file is no archive of Atrium: it has no manifest.json')
  const takeTurn = createTurns()
  const text = await readText(entry)
  const format = formatOf(text)
  if (format !== archiveFormat) {
    throw new ArchiveFault(
      'archive_version',
      `The archive is of the form ${format}, and this version of Atrium reads ${archiveFormat}: update Atrium, or export again`,
    )
  }
  return (await parseAs(Manifest, text, entry.name, takeTurn)).kind
}

function formatOf(text: string): string {
  try {
    const { format } = JSON.parse(text) as { format?: unknown }
    return String(format).slice(0, 100)
  } catch {
    return 'unknown'
  }
}

export async function readJson<Schema extends TSchema>(entry: ArchiveEntry, schema: Schema) {
  const takeTurn = createTurns()
  return await parseAs(schema, await readText(entry), entry.name, takeTurn)
}

/** The most rows that one statement can write. An entry of an Atrium archive has a tenth of them. */
const maxLines = 1_000

export async function readLines<Schema extends TSchema>(entry: ArchiveEntry, schema: Schema) {
  const text = await readText(entry)
  const lines = text.split('\n').filter(line => line !== '')
  if (lines.length > maxLines) throw damaged(`${entry.name} has more than ${maxLines} lines`)
  const takeTurn = createTurns()
  const values: Static<Schema>[] = []
  for (const line of lines) values.push(await parseAs(schema, line, entry.name, takeTurn))
  return values
}

async function readText({ name, sizeBytes, bytes }: ArchiveEntry): Promise<string> {
  if (sizeBytes > maxJsonBytes) throw damaged(`${name} is larger than ${maxJsonBytes} bytes`)
  const pieces: Buffer[] = []
  for await (const piece of bytes) pieces.push(piece as Buffer)
  return textOf(Buffer.concat(pieces), name)
}
