/** Files that arrive in pieces, over hours and across restarts. Bytes count as received once they are flushed. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, link, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { notFound, ServiceError } from '../errors.ts'
import { idPattern, type NewId, timeOf } from '../ids.ts'
import { makeFolder } from '../private-files.ts'
import type { ReceivedFile } from './blobs.ts'
import { safeName } from './file-name.ts'
import { missingIsNotFound } from './folder.ts'

export type Appending = {
  /** Where the bytes belong. Bytes that the file holds beyond this offset are cut off. */
  offset: number
  /** The file's length when it is whole. More bytes are refused. */
  length: number
  /** The hash that the bytes must have. With a hash, no byte counts before the last one has come. */
  checksum: { algorithm: ChecksumAlgorithm; digest: Buffer } | null
  /** Called from time to time, and at the end, with the offset up to which the bytes are on the disk. */
  onFlushed(offset: number): Promise<void>
}

export const checksumAlgorithms = ['md5', 'sha1', 'sha256'] as const
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number]

export type PartialFiles = {
  create(id: string): Promise<void>
  /**
   * Writes the bytes of the stream. If the stream breaks off, the bytes so far are kept and reported to `onFlushed`.
   * Bytes with a checksum only count as a whole. Throws `payload_too_large`, `checksum_mismatch`, and `not_found`.
   */
  append(id: string, stream: Readable, appending: Appending): Promise<void>
  /** The whole file, as if it had just been received. The partial file also stays, until `remove`. */
  receive(id: string, stated: { name: string; mediaType: string }): Promise<ReceivedFile>
  remove(id: string): Promise<void>
  /** The ids of all files that were begun before `beforeMs`. */
  ids(beforeMs: number): Promise<string[]>
}

/** The most bytes of an upload that a killed process loses. */
const flushEveryBytes = 4 * 1024 * 1024

export async function createPartialFiles(dependencies: {
  folder: string
  newId: NewId
}): Promise<PartialFiles> {
  const folder = join(dependencies.folder, 'partial')
  const staging = join(dependencies.folder, 'staging')
  makeFolder(folder)
  makeFolder(staging)
  const pathOf = (id: string): string => {
    if (!idPattern.test(id)) throw notFound()
    return join(folder, id)
  }
  return {
    create: id => writeFile(pathOf(id), '', { flag: 'wx', mode: 0o600 }),
    async append(id, stream, appending) {
      const handle = await open(pathOf(id), 'r+').catch(missingIsNotFound)
      try {
        await handle.truncate(appending.offset)
        await (appending.checksum === null
          ? writeFlushing(handle, stream, appending)
          : writeVerified(handle, stream, appending, appending.checksum))
      } finally {
        await handle.close()
      }
    },
    async receive(id, { name, mediaType }) {
      const path = join(staging, dependencies.newId('blob'))
      await link(pathOf(id), path).catch(missingIsNotFound)
      const hash = createHash('sha256')
      let sizeBytes = 0
      for await (const piece of createReadStream(path)) {
        sizeBytes += (piece as Buffer).byteLength
        hash.update(piece as Buffer)
      }
      return { name: safeName(name), statedMediaType: mediaType, path, sizeBytes, sha256: hash.digest('hex') }
    },
    remove: id => rm(pathOf(id), { force: true }),
    ids: async beforeMs =>
      (await readdir(folder)).filter(name => idPattern.test(name) && timeOf(name) < beforeMs),
  }
}

async function writeFlushing(handle: FileHandle, stream: Readable, appending: Appending): Promise<void> {
  let written = appending.offset
  let flushed = appending.offset
  const flush = async (): Promise<void> => {
    if (written === flushed) return
    await handle.datasync()
    flushed = written
    await appending.onFlushed(flushed)
  }
  try {
    for await (const piece of stream) {
      written = await writePiece(handle, piece as Buffer, written, appending)
      if (written - flushed >= flushEveryBytes) await flush()
    }
  } finally {
    await flush()
  }
}

async function writeVerified(
  handle: FileHandle,
  stream: Readable,
  appending: Appending,
  { algorithm, digest }: NonNullable<Appending['checksum']>,
): Promise<void> {
  const hash = createHash(algorithm)
  let written = appending.offset
  for await (const piece of stream) {
    hash.update(piece as Buffer)
    written = await writePiece(handle, piece as Buffer, written, appending)
  }
  if (!hash.digest().equals(digest)) throw new ServiceError('checksum_mismatch')
  await handle.datasync()
  await appending.onFlushed(written)
}

async function writePiece(handle: FileHandle, piece: Buffer, position: number, { length }: Appending) {
  if (position + piece.byteLength > length) {
    throw new ServiceError(
      'payload_too_large',
      `The upload was said to have ${length} bytes, and this is more`,
      { details: { limit: length, unit: 'bytes' } },
    )
  }
  await handle.write(piece, 0, piece.byteLength, position)
  return position + piece.byteLength
}
