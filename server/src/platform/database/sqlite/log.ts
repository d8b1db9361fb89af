/**
 * Flushes SQLite's write-ahead log beside the event loop. `COMMIT` only writes to the log. A caller is told of a
 * commit after a flush that began after the commit.
 */

import { type FileHandle, open } from 'node:fs/promises'
import { databaseUnavailable } from '../../errors.ts'
import type { SqliteConnection } from './connection.ts'

export type SqliteLog = {
  /** Resolves once all earlier commits are on the disk. Throws `unavailable` if that is unknown. */
  flush(): Promise<void>
  /** Resolves when the flush in progress has ended, even if it failed; null if there is none. */
  flushing(): Promise<void> | null
  /**
   * Call it outside of a transaction, before the next one. After a failed flush it is unknown how much of the log is
   * on the disk, and a later flush would not tell. So the whole log is moved into the database file. Throws
   * `unavailable` while that is not possible.
   */
  settle(connection: SqliteConnection): void
  close(): Promise<void>
}

/** The log of the database `file`, whose name must be the one that SQLite itself uses: without symbolic links. */
export function createSqliteLog(file: string, openFile: typeof open = open): SqliteLog {
  let handle: FileHandle | null = null
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
  let isUncertain = false

  const flushNow = async (): Promise<void> => {
    try {
      // The log exists from the first commit until the last connection is closed. SQLite's locks are on other files.
      handle ??= await openFile(`${file}-wal`, 'r+')
      await handle.datasync()
    } catch (error) {
      isUncertain = true
      throw databaseUnavailable('The database file cannot be written', error)
    }
  }

  /** One flush at a time. Callers that come meanwhile share the next one. */
  const begin = async (): Promise<void> => {
    await current
    next = null
    const flush = flushNow()
    current = flush.then(ignore, ignore).finally(() => {
      current = null
    })
    return flush
  }

  return {
    flush: () => {
      next ??= begin()
      return next
    },
    flushing: () => current,
    settle: connection => {
      if (!isUncertain) return
      const { rows } = connection.run('PRAGMA wal_checkpoint(TRUNCATE)', [])
      const isBusy = rows.some(row => (row as { busy: number }).busy !== 0)
      if (isBusy) throw databaseUnavailable('What the database has written could not be made safe')
      isUncertain = false
    },
    close: async () => {
      await (next ?? current)?.catch(ignore)
      await handle?.close()
    },
  }
}

const ignore = (): void => undefined
