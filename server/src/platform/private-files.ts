/** Files that only the owner of the process may read: the umask covers new files, and this closes older open ones. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { chmod, link, lstat, open, opendir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const forOthers = 0o077

/**
 * Makes a folder, and each folder above it that is missing. Node's own recursive `mkdir` never ends in a place that
 * takes no folders, such as /proc.
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  let place = resolve(path)
  while (statSync(place, { throwIfNoEntry: false }) === undefined) {
    missing.unshift(place)
    place = dirname(place)
  }
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Another process has made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Writes a file that is there whole or not at all, whatever happens meanwhile. Never replaces an existing file. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const partial = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const handle = await open(partial, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Unlike a rename, a link never replaces an existing file.
    await link(partial, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(partial, { force: true })
  }
}

/** Without the flush, a power failure can lose the name of a new file. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Closes a folder and the files directly in it, without its subfolders. Returns how many of them were open. */
export async function closeFolder(folder: string): Promise<number> {
  let closed = 0
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && (await closeEntry(join(folder, entry.name)))) closed += 1
  }
  // The folder comes last. So a closed folder holds no open file, even after an interruption.
  return (await closeEntry(folder)) ? closed + 1 : closed
}

/** Closes what lies open below a folder. Files of a closed folder are not looked at: there may be a million. */
export async function closeFoldersBelow(folder: string): Promise<number> {
  let closed = 0
  for await (const entry of await opendir(folder)) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    try {
      closed += await closeFoldersBelow(path)
      if (await isOpen(path)) closed += await closeFolder(path)
    } catch (error) {
      // A path that is in use may be gone meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return closed
}

/** At most `limit` paths that other users of the machine could read: below a folder, or the folder itself. */
export async function openPaths(folder: string, limit: number): Promise<string[]> {
  const found: string[] = (await isOpen(folder)) ? [folder] : []
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await openPaths(path, limit - found.length).catch(noneIfGone)))
    else if (entry.isFile() && (await isOpen(path))) found.push(path)
    if (found.length >= limit) break
  }
  return found
}

/** A server at work removes folders, such as those of its readers, while `doctor` lists them. */
function noneIfGone(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error
  return []
}

/** A path that is gone meanwhile is not open. */
async function isOpen(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  return found !== null && (found.mode & forOthers) !== 0
}

async function closeEntry(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null || (found.mode & forOthers) === 0) return false
  try {
    await chmod(path, found.mode & 0o777 & ~forOthers)
    return true
  } catch (error) {
    // The path is gone, or belongs to another user and can only be written by this one. `doctor` tells the operator.
    if (['EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
