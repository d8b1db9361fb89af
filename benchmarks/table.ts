/** The rows of the benchmark's table: each figure beside its floor of the same run, and what must be reached. */
export type Row = { what: string; figure: string; floor: string; mustReach: string; reached: boolean | null }

export const row = (
  what: string,
  figure: string,
  mustReach: string,
  reached: boolean | null,
  floor = '',
): Row => ({ what, figure, floor, mustReach, reached })

export function printTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, figure, floor, mustReach, reached }) =>
      `| ${what} | ${figure} | ${floor} | ${mustReach} | ${reached === null ? '' : reached ? 'yes' : '**no**'} |`,
  )
  return [
    '| what | figure | floor in the same run | must reach | reached |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

export const rounded = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
