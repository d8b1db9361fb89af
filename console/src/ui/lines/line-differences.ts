/**
 * Which lines of a text stay, go and come: by the longest common subsequence of its lines. The package `diff` answers the
 * same, but takes 25 seconds for two texts of 5,000 lines that share none, adds 12 KB, and still needs the limit below.
 */

export type Line = { kind: 'kept' | 'added' | 'removed'; text: string; key: string }

/** Beyond this many pairs of lines the comparison would block the page, so the whole text is shown as replaced. */
const mostPairs = 1_000_000

export function differences(before: string, after: string): Line[] {
  const left = before.split('\n')
  const right = after.split('\n')
  if (left.length * right.length > mostPairs) {
    return [
      ...left.map((text, at) => line('removed', text, at)),
      ...right.map((text, at) => line('added', text, at)),
    ]
  }
  return walk(left, right, lengths(left, right))
}

/** `table[i][j]`: how many lines the texts from there on have in common. */
function lengths(left: readonly string[], right: readonly string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0))
  for (let i = left.length - 1; i >= 0; i--) {
    const [row, below] = [table[i] ?? [], table[i + 1] ?? []]
    for (let j = right.length - 1; j >= 0; j--) {
      row[j] = left[i] === right[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return table
}

function walk(left: readonly string[], right: readonly string[], table: number[][]): Line[] {
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]]
    if (one !== undefined && one === other) {
      lines.push(line('kept', one, i++))
      j++
    } else if (
      other === undefined ||
      (one !== undefined && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))
    ) {
      lines.push(line('removed', one ?? '', i++))
    } else {
      lines.push(line('added', other, j++))
    }
  }
  return lines
}

const line = (kind: Line['kind'], text: string, at: number): Line => ({ kind, text, key: `${kind} ${at}` })
