/** What keeps a source that answers with half of its documents from emptying a collection. */
import { ServiceError } from '../../../platform/errors.ts'

export type Deletes = {
  count: number
  /** How many documents the source had before. */
  of: number
  /** From 0 to 1. */
  maxShare: number
}

/** So few always go: a share says nothing of them. */
const alwaysAllowed = 2

/** Why the deletion must not be carried out; null where it may. `confirmed` is the number that the caller knows of. */
export function guardDeletes(
  { count, of, maxShare }: Deletes,
  confirmed: number | null,
): ServiceError | null {
  if (confirmed === count) return null
  const isMuch = count > alwaysAllowed && count > of * maxShare
  if (confirmed === null && !isMuch) return null
  const message = `This would delete ${count} of ${of} documents. If that is meant, send {"confirmDeletes": ${count}}`
  return new ServiceError('delete_guard', message, {
    errors: [{ field: 'confirmDeletes', message: `must be ${count}` }],
  })
}
