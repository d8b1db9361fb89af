/** When something was last used, gathered and written by a periodic task: a write for every request would cost more than the request. */
import type { Database, Tx } from '../database/database.ts'

export type UseLog<Use> = {
  /** The last use of a name is the one that is written. */
  note(name: string, use: Use): void
  /** Writes what came since the last flush; keeps it for the next one where that fails. */
  flush(): Promise<void>
  /** Writes what is left. */
  close(): Promise<void>
}

/** What is kept of uses that could not be written. */
const maxKept = 10_000

export function createUseLog<Use>({
  database,
  write,
}: {
  database: Database
  write: (tx: Tx, use: Use) => Promise<void>
}): UseLog<Use> {
  const uses = new Map<string, Use>()
  const flush = async (): Promise<void> => {
    if (uses.size === 0) return
    const written = [...uses]
    uses.clear()
    try {
      await database.write(async tx => {
        for (const [, use] of written) await write(tx, use)
      })
    } catch (error) {
      for (const [name, use] of written) if (!uses.has(name) && uses.size < maxKept) uses.set(name, use)
      throw error
    }
  }
  return {
    note: (name, use) => void uses.set(name, use),
    flush,
    close: flush,
  }
}
