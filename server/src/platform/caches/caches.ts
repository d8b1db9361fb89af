/** Caches that cannot fill the memory: a map of limited size, look-ups kept for a while, and times of last use. */
import type { Clock } from '../clock.ts'
import type { Database, Tx } from '../database/database.ts'

/** A full map drops the entry that was set longest ago. */
export type BoundedMap<Value> = Pick<Map<string, Value>, 'get' | 'delete' | 'clear'> & {
  /** The entry counts as the newest from then on. */
  set(name: string, value: Value): Value
}

export function createBoundedMap<Value>(limit: number): BoundedMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get: name => entries.get(name),
    delete: name => entries.delete(name),
    clear: () => entries.clear(),
    set(name, value) {
      entries.delete(name)
      entries.set(name, value)
      const oldest = entries.size > limit ? entries.keys().next() : undefined
      if (oldest?.done === false) entries.delete(oldest.value)
      return value
    },
  }
}

/** Results of look-ups, limited in number and kept for a while. Results from before a `forget` are never kept. */
type LookUps<Value> = {
  /** The value that is kept under the name. */
  get(name: string): Value | undefined
  /** The kept value, or the value that `look` finds. Null is not kept. */
  find(name: string, look: () => Promise<Value | null>): Promise<Value | null>
  /** A change made in this process then holds from the next request on. Look-ups in progress are not kept either. */
  forget(): void
}

export function createLookUps<Value>({
  clock,
  keptMs,
  limit,
}: {
  clock: Clock
  keptMs: number
  limit: number
}): LookUps<Value> {
  const kept = createBoundedMap<{ value: Value; until: number }>(limit)
  // A look-up that began before the change may read the old value, and end after the change.
  let changes = 0
  const get = (name: string): Value | undefined => {
    const known = kept.get(name)
    return known !== undefined && known.until > clock() ? known.value : undefined
  }
  return {
    get,
    async find(name, look) {
      const known = get(name)
      if (known !== undefined) return known
      const now = clock()
      kept.delete(name)
      const begunAfter = changes
      const value = await look()
      if (value !== null && begunAfter === changes) kept.set(name, { value, until: now + keptMs })
      return value
    },
    forget() {
      changes += 1
      kept.clear()
    },
  }
}

/** Times of last use. A periodic task writes them: a write for each request would cost more than the request. */
type UseLog<Use> = {
  /** Only the last use of a name is written. */
  note(name: string, use: Use): void
  /** Writes the uses since the last flush. If that fails, they are kept for the next flush. */
  flush(): Promise<void>
  /** Writes the uses that are left. */
  close(): Promise<void>
}

/** How many uses are kept after a write has failed. */
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
