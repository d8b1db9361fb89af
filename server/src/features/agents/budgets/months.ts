/** Calendar months in UTC, which budgets are counted by. */

/** Such as `2026-11`. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

/** When the next month begins. */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
