/** Documents by a part of their name: the API tells capitals apart, so the usual spellings are asked for. */
import type { Filter } from '@atrium/sdk'

export function nameFilter(part: string): Filter {
  const lower = part.toLocaleLowerCase()
  const capital = lower.charAt(0).toLocaleUpperCase() + lower.slice(1)
  const spellings = [...new Set([part, lower, capital, part.toLocaleUpperCase()])]
  return {
    or: ['$name', '$title'].flatMap(field =>
      spellings.map(value => ({ field, op: 'contains', value }) as const),
    ),
  }
}
