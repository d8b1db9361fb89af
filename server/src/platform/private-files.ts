/** Files that only the owner of the process may read: what is written is, by its umask, and what lay open before is closed. */
import { chmod, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

const forOthers = 0o077

/** Closes a folder and what lies directly in it, other folders left out; returns how many entries were open. */
export async function closeFolder(folder: string): Promise<number> {
  let closed = 0
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && (await closeEntry(join(folder, entry.name)))) closed += 1
  }
  // Last, so that a folder which is closed holds nothing that is open, also where this was interrupted.
  return (await closeEntry(folder)) ? closed + 1 : closed
}

/** Closes what lies open below a folder. Of a folder that is closed no file is looked at again: there may be a million. */
export async function closeFoldersBelow(folder: string): Promise<number> {
  let closed = 0
  for await (const entry of await opendir(folder)) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    try {
      closed += await closeFoldersBelow(path)
      if (await isOpen(path)) closed += await closeFolder(path)
    } catch (error) {
      // What is being worked on may be gone meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return closed
}

/** Up to so many paths below a folder, itself included, that other users of the machine could read. */
export async function openPaths(folder: string, limit: number): Promise<string[]> {
  const found: string[] = (await isOpen(folder)) ? [folder] : []
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await openPaths(path, limit - found.length)))
    else if (entry.isFile() && (await isOpen(path))) found.push(path)
    if (found.length >= limit) break
  }
  return found
}

/** What is gone meanwhile is not open. */
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
    // Another user's, which this one may write to, or gone: `doctor` tells the operator.
    if (['EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
