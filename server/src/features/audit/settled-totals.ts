/** How many rows a list of the log has, without counting the old ones again: they are never changed and never go. */
import { createBoundedMap } from '../../platform/bounded-map.ts'
import { type Clock, minuteMs } from '../../platform/clock.ts'
import { firstIdAt } from '../../platform/ids.ts'

/** Longer than any transaction takes, and than the clocks of two servers are apart: older rows are all there. */
const settlesAfterMs = 5 * minuteMs
const maxLists = 1_000

/** `count` tells the rows from one id up to another, which is null for no end. */
export type SettledTotals = (
  list: string,
  count: (from: string, until: string | null) => Promise<number>,
) => Promise<number>

export function createSettledTotals(clock: Clock): SettledTotals {
  const known = createBoundedMap<{ total: number; until: string }>(maxLists)
  return async (list, count) => {
    const before = known.get(list) ?? { total: 0, until: '' }
    const until = firstIdAt('auditEntry', clock() - settlesAfterMs)
    if (until > before.until) {
      known.set(list, { total: before.total + (await count(before.until, until)), until })
    }
    const settled = known.get(list) ?? before
    return settled.total + (await count(settled.until, null))
  }
}
