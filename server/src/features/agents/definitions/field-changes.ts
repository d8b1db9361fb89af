/** Which fields of two records of one kind differ. */
import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from './revision-schemas.ts'

/** In the order of their fields; what one of them does not have is null there. */
export function fieldChanges(before: object, after: object): FieldChange[] {
  const [old, fresh] = [new Map<string, unknown>(Object.entries(before)), Object.entries(after)]
  const fields = new Map<string, unknown>([...old.keys()].map(field => [field, null]))
  for (const [field, value] of fresh) fields.set(field, value)
  return [...fields]
    .map(([field, value]) => ({ field, before: old.get(field) ?? null, after: value ?? null }))
    .filter(change => !isDeepStrictEqual(change.before, change.after))
}
