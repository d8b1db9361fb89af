/** The name that was probably meant by a name that does not exist. */

/** The known name with the fewest edits, if it is near enough to be a slip: within `mostEdits` and a third of it. */
export function nearestName(
  name: string,
  known: readonly string[],
  { mostEdits = Infinity } = {},
): string | null {
  const bare = name.toLowerCase().replaceAll(/[_-]/g, '')
  const ranked = known
    .map(candidate => ({ candidate, distance: editDistance(bare.slice(0, 64), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best !== undefined &&
    best.distance <= Math.min(mostEdits, Math.max(1, Math.floor(best.candidate.length / 3)))
    ? best.candidate
    : null
}

/** Levenshtein's distance: insertions, deletions and replacements; two neighbours that changed places are one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : change
      next[j] = Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
