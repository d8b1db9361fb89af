/** The folder of one child: through it the child gets the one file that it reads. */
import { chmodSync, chownSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod, chown, copyFile, link } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ParseFailure } from '../failure.ts'
import { ownerOf, type Stages } from './container.ts'

/** Libraries tell formats by the ending. */
export const documentName = 'document.pdf'

export type Place = {
  /** What the server and the container need for this child alone. */
  scratch: string
  /** The folder of the file, as the server sees it. */
  outside: string
  /** The same folder, as the child sees it. */
  inside: string
  /** Puts a stored file there, in place of the last one. */
  lend(path: string): Promise<void>
  /** Removes the file: one that is kept here would outlive the erasure of its document. */
  takeBack(): void
}

export function makePlace(folder: string, has: Stages): Place {
  const owner = ownerOf(has)
  const isHidden = has.has('files')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Another user cannot come through the data folder, which is closed to all. Mounts need no way to it.
  const scratch = mkdtempSync(join(owner === null || isHidden ? folder : tmpdir(), 'child-'))
  const outside = join(scratch, 'document')
  mkdirSync(outside, { mode: 0o700 })
  if (owner !== null && isHidden) chownSync(outside, owner.uid, owner.gid)
  // Without mounts that cannot be written to, the owner could write there, so the other user only belongs to the group.
  if (owner !== null && !isHidden) {
    for (const path of [scratch, outside]) {
      chownSync(path, process.getuid?.() ?? 0, owner.gid)
      chmodSync(path, 0o750)
    }
  }
  const file = join(outside, documentName)
  const takeBack = (): void => rmSync(file, { force: true })
  const lend = async (path: string): Promise<void> => {
    takeBack()
    if (owner === null) return link(resolve(path), file).catch(() => copy(path, file))
    // The stored file itself must stay closed to the other user.
    await copy(path, file)
    // Where it is mounted for reading alone, it may be the other user's: the data folder holds nothing for groups.
    await chown(file, isHidden ? owner.uid : (process.getuid?.() ?? 0), owner.gid)
    await chmod(file, isHidden ? 0o400 : 0o440)
  }
  return { scratch, outside, inside: isHidden ? '/document' : outside, lend, takeBack }
}

const copy = (from: string, to: string): Promise<void> =>
  copyFile(from, to, constants.COPYFILE_FICLONE).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ParseFailure('file_missing', undefined, error) : error
  })
