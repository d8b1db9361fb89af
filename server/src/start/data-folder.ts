/** The data folder: checked before anything is made in it, and every fault of a disk told in one line with its remedy. */
import { constants } from 'node:fs'
import { access, lstat, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ServiceError } from '../platform/errors.ts'

const remedy = 'choose another folder with ATRIUM_DATA_DIR'

/** What a server writes directly in its folder. An earlier start by another user leaves files that this one cannot write. */
const ownFiles = [
  'atrium.db',
  'atrium.db-wal',
  'atrium.db-shm',
  'secret',
  'server.lock',
  'server.pid',
  'files',
  'files/staging',
  'files/partial',
]

/** Throws one line if the process cannot keep its data in the folder. Makes nothing. */
export async function checkDataFolder(folder: string): Promise<void> {
  const path = resolve(folder)
  const ground = await nearestThatExists(path)
  if (!(await stat(ground)).isDirectory()) throw new Error(`${ground} is a file, not a folder: ${remedy}`)
  await requireWritable(ground)
  if (ground !== path) return
  for (const name of ownFiles) {
    const file = join(path, name)
    if ((await lstat(file).catch(() => null)) !== null) await requireWritable(file)
  }
}

async function nearestThatExists(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    try {
      await stat(place)
      return place
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isLink = (await lstat(place).catch(() => null))?.isSymbolicLink() === true
      if (isLink && code === 'ENOENT') throw new Error(`${place} is a link to nothing: ${remedy}`)
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw faultOfFile(code, place, error)
    }
  }
}

async function requireWritable(path: string): Promise<void> {
  const isFolder = (await stat(path)).isDirectory()
  const mode = constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0)
  try {
    await access(path, mode)
  } catch (error) {
    throw faultOfFile((error as NodeJS.ErrnoException).code, path, error, await ownerOf(path))
  }
}

/** Says whose the path is, and who this process is; empty where users have no numbers. */
async function ownerOf(path: string): Promise<string> {
  const { uid } = await stat(path)
  const own = process.getuid?.()
  return own === undefined || own === uid
    ? ''
    : ` (it belongs to user ${uid}, and this process is user ${own})`
}

/** One line for a system error about a file: the path, the cause and the remedy. */
export function faultOfFile(code: string | undefined, path: string, cause: unknown, owner = ''): Error {
  const fault = (why: string, what = remedy) => new Error(`${path} ${why}: ${what}`, { cause })
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return fault(`cannot be read and written${owner}`, `start as its owner, or ${remedy}`)
    case 'EROFS':
      return fault('is on a read-only file system', `mount it for writing, or ${remedy}`)
    case 'ENOSPC':
    case 'EDQUOT':
      return fault('cannot be written, since its disk or quota is full', `free space, or ${remedy}`)
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return fault('is a file where a folder is needed, or a folder where a file is needed')
    case 'ENOENT':
      return fault('cannot be made there')
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return fault(`is no usable path (${code})`)
    case 'EMFILE':
    case 'ENFILE':
      return fault('cannot be opened, since too many files are open', 'raise the limit (ulimit -n)')
    case 'EIO':
      return fault('cannot be read or written, since the disk reports errors', `check the disk, or ${remedy}`)
    default:
      return cause instanceof Error ? cause : new Error(String(cause))
  }
}

/** SQLite's primary result codes, as the system errors that they stand for. */
const codesOfSqlite: Readonly<Record<number, string>> = {
  3: 'EACCES',
  8: 'EACCES',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
}
const busy = 5
const corrupt = 11
const noDatabase = 26

/**
 * The same error as one line with path, cause and remedy, if it or one of its causes is a fault of a file. Any other
 * error comes back as it is.
 */
export async function clearFileFault(error: unknown, dataDir: string): Promise<unknown> {
  const database = join(dataDir, 'atrium.db')
  const [first, ...deeper] = causesOf(error)
  // Any other error with a cause tells the whole fault itself.
  for (const cause of first instanceof ServiceError ? deeper : [first]) {
    if (cause === undefined) continue
    const { code, errcode, path } = cause as NodeJS.ErrnoException & { errcode?: number }
    if (errcode !== undefined) {
      const primary = errcode & 0xff
      if (primary === corrupt || primary === noDatabase)
        return new Error(`${database} is damaged (${cause.message}): restore a backup, or ${remedy}`, {
          cause,
        })
      if (primary === busy)
        return new Error(`${database} is locked by another program: close that program, then start again`, {
          cause,
        })
      const isFull = (await freeBytes(dataDir)) < leastFreeBytes
      const known = isFull ? 'ENOSPC' : codesOfSqlite[primary]
      if (known !== undefined) return faultOfFile(known, known === 'ENOSPC' ? dataDir : database, cause)
    }
    // Errors of sockets have no path.
    if (code !== undefined && path !== undefined) return faultOfFile(code, path, cause)
    if (code === 'ENOSPC' || code === 'EDQUOT') return faultOfFile(code, dataDir, cause)
  }
  return error
}

/** Less than one page of the database: SQLite reports a full disk by several codes. */
const leastFreeBytes = 65_536

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The error and its causes, outermost first. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let next = error; next instanceof Error && causes.length < 8; next = next.cause) causes.push(next)
  return causes
}
