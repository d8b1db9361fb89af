/** One server per data folder: a lock that ends with the process that holds it, even if the process is killed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../private-files.ts'

export type ServerLock = { release(): void }

/**
 * Throws one clear line if another server runs on the folder. The operator's command does not take the lock: it works
 * beside the server in short transactions.
 */
export function lockDataFolder(folder: string): ServerLock {
  makeFolder(folder)
  // The operating system releases a lock on a file when its process dies, even by SIGKILL. SQLite takes such locks on
  // every platform; `node:fs` offers none. The pid is in another file, because a process that reads and closes its
  // locked file loses the lock.
  const lock = new DatabaseSync(join(folder, lockFile), { timeout: probedMs })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (codeOf(error) === sqliteNoDatabase) {
      const path = join(folder, lockFile)
      throw new Error(`${path} is not a lock file of Atrium: delete it, for it holds no data`, {
        cause: error,
      })
    }
    if (!isLocked(error)) throw error
    throw new Error(
      `Another Atrium server (${describeServer(folder)}) runs on the data folder ${folder}: stop it first, or choose another folder with ATRIUM_DATA_DIR`,
      { cause: error },
    )
  }
  announceServer(folder, null)
  return { release: () => lock.close() }
}

/** Says which process serves the folder's data, and at which address; null if it does not listen. */
export function announceServer(folder: string, address: string | null): void {
  const lines = [String(process.pid), ...(address === null ? [] : [address])]
  writeFileSync(join(folder, serverFile), `${lines.join('\n')}\n`, { mode: 0o600 })
}

/** At the end of a server: its address leads nowhere from now on. Another one may have announced itself since. */
export function withdrawServer(folder: string): void {
  if (announcedServer(folder).pid === String(process.pid)) rmSync(join(folder, serverFile), { force: true })
}

/** Where the server that last announced itself listens; null if it does not, or if its process has ended. */
export function addressOfServer(folder: string): string | null {
  const { pid, address } = announcedServer(folder)
  return pid !== null && isAlive(Number(pid)) ? address : null
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user lives, although no signal may be sent to it.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The server that last announced itself; null of either if it is not known. It may have ended since. */
function announcedServer(folder: string): { pid: string | null; address: string | null } {
  try {
    const [pid = null, address = null] = readFileSync(join(folder, serverFile), 'utf8').trim().split('\n')
    return { pid, address }
  } catch {
    // No server has run here, or the present one has not written the file yet.
    return { pid: null, address: null }
  }
}

/** Such as `process 4711 at http://127.0.0.1:8787`. */
export function describeServer(folder: string): string {
  const { pid, address } = announcedServer(folder)
  return `process ${pid ?? 'unknown'}${address === null ? '' : ` at ${address}`}`
}

const lockFile = 'server.lock'
const serverFile = 'server.pid'
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
const sqliteNoDatabase = 26

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'errcode' in error ? error.errcode : undefined

const isLocked = (error: unknown): boolean => codeOf(error) === sqliteBusy
