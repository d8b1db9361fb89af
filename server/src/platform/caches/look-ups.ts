/** What was looked up, kept for a while: bounded, and never kept where it was looked up before all was forgotten. */

import type { Clock } from '../clock.ts'
import { createBoundedMap } from './bounded-map.ts'

export type LookUps<Value> = {
  /** What is kept under the name, or what `look` finds; null is not kept. */
  find(name: string, look: () => Promise<Value | null>): Promise<Value | null>
  /** A change made in this process holds from the next request on: also a look-up that is in progress is not kept. */
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
  // A look-up that began before the change may read what was there before, and end after it.
  let changes = 0
  return {
    async find(name, look) {
      const now = clock()
      const known = kept.get(name)
      if (known !== undefined && known.until > now) return known.value
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
