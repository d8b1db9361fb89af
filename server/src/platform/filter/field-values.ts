/** The values of metadata as a filter sees them, and which texts are dates to it. */

/** A value that a filter can compare. A list has one value for each of its items; an empty list has a `none`. */
export type FieldValue = {
  name: string
  /** Whether the value is an item of a list. */
  isListed: boolean
} & (
  | { kind: 'string'; text: string }
  /** A string that is an ISO 8601 date: compared by its instant. */
  | { kind: 'date'; text: string; number: number }
  | { kind: 'number' | 'boolean'; number: number }
  | { kind: 'none' }
)

/** Values of other types, which were accepted before filters existed, are left out. */
export const fieldValues = (metadata: Readonly<Record<string, unknown>>): FieldValue[] =>
  Object.entries(metadata).flatMap(([name, value]): FieldValue[] => {
    if (!Array.isArray(value)) return readValue(name, false, value)
    if (value.length === 0) return [{ name, isListed: true, kind: 'none' }]
    return value.flatMap(item => readValue(name, true, item))
  })

function readValue(name: string, isListed: boolean, value: unknown): FieldValue[] {
  switch (typeof value) {
    case 'string': {
      const number = instantOf(value)
      return number === null
        ? [{ name, isListed, kind: 'string', text: value }]
        : [{ name, isListed, kind: 'date', text: value, number }]
    }
    case 'number':
      return [{ name, isListed, kind: 'number', number: value }]
    case 'boolean':
      return [{ name, isListed, kind: 'boolean', number: Number(value) }]
    default:
      return []
  }
}

/**
 * The milliseconds since 1970 of an ISO 8601 date: a day (midnight in UTC), or a day and a time with `Z` or an
 * offset. Null for any other text, including a time without an offset, because it does not name one instant.
 */
export function instantOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return null
  const day = text.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  // A 30th of February would silently become the 2nd of March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : instant
}
