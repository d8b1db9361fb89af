/** The pause before a failed job is tried again. */

export type Backoff = { firstMs: number; maxMs: number }

/**
 * Doubles with each attempt up to `maxMs`; between half and all of it, by `random` (0 to 1), so that jobs that
 * failed together do not come back together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff, random: () => number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(full * (0.5 + random() / 2))
}
