/** When something was last used, gathered and written once a minute: a write for every request would cost more than the request. */
import { minuteMs } from './clock.ts'
import type { Database, Tx } from './database/database.ts'
import type { Log } from './log.ts'

const flushEveryMs = minuteMs

export type UseLog<Use> = {
  /** The last use of a name is the one that is written. */
  note(name: string, use: Use): void
  flush(): Promise<void>
  /** Writes what is left. */
  close(): Promise<void>
}

/** `what` is named in the log where the writing fails. */
export function createUseLog<Use>({
  database,
  log,
  what,
  write,
}: {
  database: Database
  log: Log
  what: string
  write: (tx: Tx, use: Use) => Promise<void>
}): UseLog<Use> {
  const uses = new Map<string, Use>()
  const flush = async (): Promise<void> => {
    if (uses.size === 0) return
    const written = [...uses.values()]
    uses.clear()
    await database.write(async tx => {
      for (const use of written) await write(tx, use)
    })
  }
  const timer = setInterval(() => {
    flush().catch(error => log.warn(`When ${what} were last used could not be written`, { error }))
  }, flushEveryMs)
  timer.unref()
  return {
    note: (name, use) => void uses.set(name, use),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
