/** The master secret in the data folder, for a server whose settings name none. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minimumSecretLength } from '../platform/crypto/keyring.ts'
import { flushFolder, writeWhole } from '../platform/private-files.ts'

/**
 * Made at the first start: whole or not at all, and readable by its owner only. Throws one line if the database is
 * already under a secret and the file is missing or damaged: another secret would open nothing.
 */
export async function readSecretFile(folder: string, isUnderSecret: () => Promise<boolean>): Promise<string> {
  const path = join(folder, 'secret')
  if ((await read(path)) === null) {
    if (await isUnderSecret()) throw missingSecret(path)
    await writeWhole(path, `${randomBytes(48).toString('base64url')}\n`)
    await flushFolder(folder)
  }
  const secret = (await read(path)) ?? ''
  if (secret.length < minimumSecretLength) {
    throw new Error(
      `${path} holds no master secret, which has ${minimumSecretLength} characters or more: ${remedy}`,
    )
  }
  return secret
}

export const missingSecret = (path: string): Error =>
  new Error(`${path}, the master secret of the database, is missing: ${remedy}`)

const remedy = 'put the file back (a backup holds it), or set ATRIUM_SECRET'

async function read(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
