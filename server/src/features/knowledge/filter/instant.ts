/** Which text is a date: the same answer when metadata is stored and when a filter is read. */

/**
 * The milliseconds since 1970 of an ISO 8601 date: a day (midnight in UTC), or a day and a time with `Z` or an offset.
 * Null for any other text, including a time without an offset, because it does not name one instant.
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
