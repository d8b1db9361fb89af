/** One server per data folder: a lock that ends with the process that holds it, even if the process is killed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type ServerLock = { release(): void }

/**
 * Throws one clear line if another server runs on the folder. The operator's command does not take the lock: it works
 * beside the server in short transactions.
 */
export function lockDataFolder(folder: string): ServerLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holderFile = join(folder, 'server.pid')
  // The operating system releases a lock on a file when its process dies, even by SIGKILL. SQLite takes such locks on
  // every platform; `node:fs` offers none. The pid is in another file, because a process that reads and closes its
  // locked file loses the lock.
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
/** How long a starting server waits for another process in `isDataFolderLocked`, which takes far less time. */
const probedMs = 250

/** Whether a server runs on the folder. Takes no lock and writes nothing. */
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
    // The other server has the lock but has not written its pid yet.
    return 'unknown'
  }
}
