/** Optimistic concurrency: a record's revision as an ETag, compared inside the transaction that changes it. */
import { ServiceError } from './errors.ts'

/** A record by its id and its state: a number that grows, or a text of all that changes. */
export type Revised = { id: string; revision: number | string }

/** How a record is deleted: only in the state that `ifMatch` names, and not at all where the call only asks what would go. */
export type Deletion = { ifMatch: string | null; dryRun: boolean }

/** The `ETag` header of a record: changes with every change of the record. */
export const etagOf = (record: Revised): { etag: string } => ({
  etag: `"${record.id}.${record.revision}"`,
})

/** Throws `precondition_failed` if `If-Match` names another state of the record. */
export function checkRevision(ifMatch: string | null, record: Revised): void {
  if (ifMatch === null || ifMatch === '*') return
  const wanted = ifMatch.split(',').map(tag => tag.trim())
  if (!wanted.includes(etagOf(record).etag)) throw new ServiceError('precondition_failed')
}
