/** Optimistic concurrency: a record's revision as an ETag, compared inside the transaction that changes it. */
import { hash } from 'node:crypto'
import { invalidField, ServiceError } from './errors.ts'

/** A record by its id and its state: a number that grows, or a text of all that changes. */
export type Revised = { id: string; revision: number | string }

/** How to delete a record: only in the state that `ifMatch` names. With `dryRun` the call only asks what would go. */
export type Deletion = { ifMatch: string | null; dryRun: boolean }

/** The `ETag` header of a record. It changes with every change of the record. A reply adds the hash of its body. */
export const etagOf = (record: Revised): { etag: string } => ({
  etag: `"${record.id}.${record.revision}"`,
})

/**
 * The ETag of a reply: its record's tag, if it shows a record, then a hash of the body. A count in the body changes
 * only the hash, so a count does not refuse any change of the record.
 */
export const bodyTag = (recordTag: string | undefined, body: string): string =>
  `"${recordTag === undefined ? '' : `${recordTag.slice(1, -1)}:`}${hash('sha256', body, 'base64url').slice(0, hashLength)}"`

const hashLength = 22
const hashOfBody = new RegExp(`:[\\w-]{${hashLength}}"$`)

/** The tags of an `If-Match` or `If-None-Match`, without the `W/` of a body that was compressed on its way. */
export const tagsIn = (header: string): string[] | 'any' =>
  header.trim() === '*' ? 'any' : (header.match(/"[^"]*"/g) ?? [])

/** The tags of an `If-Match`. Throws `validation_failed` if it has none: a client may have cut off the quotes. */
export function wantedTags(ifMatch: string): string[] | 'any' {
  const tags = tagsIn(ifMatch)
  if (tags === 'any' || tags.length > 0) return tags
  throw invalidField('If-Match', 'must be an ETag with its quotes, as a reply has it, or *')
}

/** Throws `precondition_failed` if `If-Match` names another state of the record, and as `wantedTags`. */
export function checkRevision(ifMatch: string | null, record: Revised): void {
  if (ifMatch === null) return
  const tags = wantedTags(ifMatch)
  const own = etagOf(record).etag
  if (tags !== 'any' && !tags.some(tag => tag.replace(hashOfBody, '"') === own)) {
    throw new ServiceError('precondition_failed')
  }
}
