/** One server per data folder: a lock that ends with the process that holds it, however that process ends. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type ServerLock = { release(): void }

/**
 * Throws with one clear line if another server runs on the folder. The operator's command does not take the
 * lock: it works beside the server by short transactions.
 */
export function lockDataFolder(folder: string): ServerLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holderFile = join(folder, 'server.pid')
  // The operating system lets go of a lock on a file when its process dies, even by SIGKILL. SQLite takes
  // such locks on every platform; `node:fs` offers none. The pid is in a file of its own, since to read and
  // close a locked file would end the lock of the process that does so.
  const lock = new DatabaseSync(join(folder, lockFile), { timeout: probedMs })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!isLocked(error)) throw error
    throw new Error(
      `Another Atrium server (process ${holderOf(holderFile)}) runs on the data folder ${folder}: stop it first, or choose another folder`,
      { cause: error },
    )
  }
  writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 })
  return { release: () => lock.close() }
}

const lockFile = 'server.lock'
/** A server that starts waits for `isDataFolderLocked` of another process, which takes far less. */
const probedMs = 250

/** Whether a server runs on the folder; takes nothing and writes nothing. */
export function isDataFolderLocked(folder: string): boolean {
  const path = join(folder, lockFile)
  if (!existsSync(path)) return false
  const lock = new DatabaseSync(path, { timeout: 0, readOnly: true })
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (!isLocked(error)) throw error
    return true
  } finally {
    lock.close()
  }
}

const sqliteBusy = 5

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy

function holderOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    // The other server has the lock but has not written its number yet.
    return 'unknown'
  }
}
