/** Files in a folder of this machine: staged, hashed on arrival, adopted by a rename, flushed before promised. */
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fdatasync,
  fsync,
  openSync,
  renameSync,
  write,
  writeSync,
} from 'node:fs'
import { link, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Clock } from '../clock.ts'
import { notFound, ServiceError, tooLarge } from '../errors.ts'
import { idPattern, type NewId } from '../ids.ts'
import { makeFolder } from '../private-files.ts'
import type { BlobStore, ReceivedFile } from './blobs.ts'
import { safeName } from './file-name.ts'

export async function createFolderBlobs(dependencies: { folder: string; newId: NewId }): Promise<BlobStore> {
  const { folder, newId } = dependencies
  const staging = join(folder, 'staging')
  makeFolder(staging)
  const id = await readFolderId(folder, join(staging, newId('blob')))
  const adopted = new WeakSet<ReceivedFile>()
  const pathOf = (blobId: string): string => {
    if (!idPattern.test(blobId)) throw notFound()
    return join(folder, shelfOf(blobId), blobId)
  }
  return {
    id,
    async receive(stream, options) {
      const file = await receive(stream, join(staging, newId('blob')), options).catch(unwritable)
      return file
    },
    async adopt(file, blobId) {
      const path = pathOf(blobId)
      await settle(file.path, path).catch(unwritable)
      adopted.add(file)
    },
    async discard(file) {
      if (!adopted.has(file)) await rm(file.path, { force: true })
    },
    localPath: async blobId => pathOf(blobId),
    async open(blobId, range) {
      const handle = await open(pathOf(blobId), 'r').catch(missingIsNotFound)
      return createReadStream('', { fd: handle, ...range })
    },
    async size(blobId) {
      return (await stat(pathOf(blobId)).catch(missingIsNotFound)).size
    },
    async remove(blobId) {
      await rm(pathOf(blobId), { force: true })
    },
    async *ids() {
      for (const shelf of await readdir(folder, { withFileTypes: true })) {
        if (!shelf.isDirectory()) continue
        for (const name of await readdir(join(folder, shelf.name))) {
          if (idPattern.test(name) && shelf.name === shelfOf(name)) yield name
        }
      }
    },
    async ping() {
      const probe = join(staging, newId('blob'))
      await writeFile(probe, '', { mode: 0o600 })
      await rm(probe)
    },
  }
}

/** The id is made once. A link never replaces a file, so the first process wins and the file is always whole. */
async function readFolderId(folder: string, partial: string): Promise<string> {
  const path = join(folder, 'storage-id')
  const read = async (): Promise<string> => (await readFile(path, 'utf8')).trim()
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await writeFile(partial, `${randomUUID()}\n`, { mode: 0o600, flush: true })
  try {
    await link(partial, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(partial, { force: true })
  }
  return await read()
}

/** Moves a file to its place, in a folder that may be new. Renaming takes less time than another thread's turn. */
async function settle(from: string, path: string): Promise<void> {
  const shelf = dirname(path)
  try {
    renameSync(from, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(shelf, { recursive: true, mode: 0o700 })
    renameSync(from, path)
    await flushFolder(dirname(shelf))
  }
  await flushFolder(shelf)
}

/** Blobs are spread over folders by the end of their ids, the one part that is random. */
const shelfOf = (blobId: string): string => blobId.slice(-2)

/** Removes what a dead process left in a folder of temporary files. Younger entries may still be in use. */
export async function removeAbandoned(folder: string, clock: Clock, maxAgeMs: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder).catch(noFolder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && clock() - found.mtimeMs > maxAgeMs) {
      await rm(path, { recursive: true, force: true })
      removed += 1
    }
  }
  return removed
}

/** A folder that was never used does not exist yet. */
function noFolder(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function receive(
  stream: Readable,
  path: string,
  options: { name: string; statedMediaType: string; maxBytes: number },
): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  const descriptor = openSync(path, 'wx', 0o600)
  let sizeBytes = 0
  try {
    for await (const piece of stream) {
      const bytes = piece as Buffer
      sizeBytes += bytes.byteLength
      if (sizeBytes > options.maxBytes) {
        throw tooLarge('The file', options.maxBytes, { remedy: ', the limit of the plan', field: 'file' })
      }
      hash.update(bytes)
      if (sizeBytes <= quickBytes) writeAtOnce(descriptor, bytes)
      else await writeAll(descriptor, bytes)
    }
    await flushData(descriptor)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  return {
    name: options.name === '' ? '' : safeName(options.name),
    statedMediaType: options.statedMediaType,
    path,
    sizeBytes,
    sha256: hash.digest('hex'),
  }
}

/** The first bytes are written synchronously: the kernel takes them in less time than another thread's turn. */
const quickBytes = 65_536

/** A disk that is nearly full writes only a part of the bytes. It throws nothing and only returns the number. */
async function writeAll(descriptor: number, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) {
    const { bytesWritten } = await writeBeside(descriptor, bytes, written)
    written += bytesWritten
  }
}

function writeAtOnce(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.byteLength; ) written += writeSync(descriptor, bytes, written)
}

/** The disk is full, over its quota, read-only or broken, or no handle is left. Such a fault may pass. */
const machineCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
])

function unwritable(error: NodeJS.ErrnoException): never {
  if (!machineCodes.has(error.code ?? '')) throw error
  throw new ServiceError('unavailable', 'The server cannot store files at the moment', {
    headers: { 'retry-after': '10' },
    cause: error,
  })
}

/** Throws `not_found` instead of the system's error if the file is missing. */
export function missingIsNotFound(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw notFound()
  throw error
}

/** Without it, a power failure can undo a rename. Opening and closing take less time than another thread's turn. */
async function flushFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, 'r')
  await flush(descriptor).finally(() => closeSync(descriptor))
}

const flush = promisify(fsync)
const flushData = promisify(fdatasync)
const writeBeside = promisify(write)
