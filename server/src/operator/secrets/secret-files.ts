/** Files that hold a master secret: each is whole, and on the disk, before anything depends on it. */
import { randomBytes } from 'node:crypto'
import { access, link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '../errors.ts'

/** Throws in one line. */
export async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new OperatorError(`The secret ${file} cannot be read`, { cause })
  }
}

/**
 * The secret that lies in `file` in the end: `secret`, unless one is there already, which is the operator's choice or that of
 * a call that was interrupted. Throws in one line.
 */
export async function keepSecret(file: string, secret: string): Promise<string> {
  try {
    if (!(await isThere(file))) await writeWhole(file, secret)
    await flushFolder(dirname(file))
  } catch (cause) {
    const why = `The new secret cannot be written to ${file}`
    throw new OperatorError(`${why}; put one of your own there, or name another place`, { cause })
  }
  return await readSecret(file)
}

export const makeSecret = (): string => randomBytes(48).toString('base64url')

/** Both lie in one folder. */
export async function replaceSecret(file: string, next: string): Promise<void> {
  await rename(next, file)
  await flushFolder(dirname(file))
}

/** A read-only folder may hold the file, too. */
const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

async function writeWhole(file: string, secret: string): Promise<void> {
  const partial = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const handle = await open(partial, 'wx', 0o600)
    try {
      await handle.writeFile(`${secret}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Unlike a rename, it never takes the place of a file that is there.
    await link(partial, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(partial, { force: true })
  }
}

/** Without it a new name can be forgotten when the power fails. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
