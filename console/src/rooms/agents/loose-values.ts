/** Reads from values whose shape the API leaves open, such as what a tool was given and has answered. */

export const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

export const fieldOf = (value: unknown, name: string): unknown => recordIn(value)[name]

export function listIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list : []
}

export function textIn(value: unknown, name: string): string {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}
