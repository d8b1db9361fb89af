/** Compares a page of a manifest with the collection: which documents must be uploaded, and which are unchanged. */
import type { Tx } from '../../../platform/database/database.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { createTurns } from '../../../platform/turns.ts'
import { maxManifestEntries, type SyncEntry, type SyncPlan } from './sync-schemas.ts'
import {
  type EntryRow,
  entriesAtOnce,
  findHashes,
  findPositions,
  insertEntries,
  type SyncRow,
} from './sync-store.ts'

const maxErrors = 50

/**
 * Adds the entries to the session's manifest. Throws 400 for too many entries, and for repeated ids, naming both
 * places.
 */
export async function addToManifest(
  tx: Tx,
  sync: SyncRow,
  entries: readonly SyncEntry[],
): Promise<Pick<SyncPlan, 'upload' | 'unchanged'>> {
  const errors = repeatedWithin(entries)
  if (sync.entries + entries.length > maxManifestEntries) {
    errors.unshift({
      field: 'entries',
      message: `must come to at most ${maxManifestEntries} in all pages`,
      rule: 'maxItems',
      limit: maxManifestEntries,
    })
  }
  if (errors.length > 0) throw refused(errors)
  const plan: Pick<SyncPlan, 'upload' | 'unchanged'> = { upload: [], unchanged: [] }
  const othersTurn = createTurns()
  for (let start = 0; start < entries.length; start += entriesAtOnce) {
    await othersTurn()
    const slice = entries.slice(start, start + entriesAtOnce)
    await refuseRepeated(tx, sync, slice, start)
    const rows = await compare(tx, sync, slice, sync.entries + start)
    await insertEntries(tx, rows)
    for (const { external_id: externalId, sha256, prior_sha256: prior } of rows) {
      if (prior === sha256) plan.unchanged.push(externalId)
      else plan.upload.push({ externalId, reason: prior === null ? 'new' : 'changed' })
    }
  }
  return plan
}

function repeatedWithin(entries: readonly SyncEntry[]): FieldError[] {
  const places = new Map<string, number>()
  const errors: FieldError[] = []
  for (const [place, { externalId }] of entries.entries()) {
    const first = places.get(externalId)
    if (first === undefined) places.set(externalId, place)
    else if (errors.length < maxErrors) {
      errors.push({
        field: `entries.${place}.externalId`,
        message: `is the same as entries.${first}.externalId`,
      })
    }
  }
  return errors
}

async function refuseRepeated(tx: Tx, sync: SyncRow, slice: readonly SyncEntry[], start: number) {
  const ids = slice.map(({ externalId }) => externalId)
  const known = new Map((await findPositions(tx, sync.id, ids)).map(row => [row.external_id, row.position]))
  if (known.size === 0) return
  const errors = ids.flatMap((id, index) => {
    const position = known.get(id)
    const message = `was sent in an earlier page already, as entry ${position} of the manifest (from 0)`
    return position === undefined ? [] : [{ field: `entries.${start + index}.externalId`, message }]
  })
  throw refused(errors.slice(0, maxErrors))
}

const refused = (errors: FieldError[]): ServiceError =>
  new ServiceError('validation_failed', undefined, { errors })

async function compare(
  tx: Tx,
  sync: SyncRow,
  slice: readonly SyncEntry[],
  firstPosition: number,
): Promise<EntryRow[]> {
  const ids = slice.map(({ externalId }) => externalId)
  const found = await findHashes(tx, sync.collection_id, ids)
  const hashes = new Map(found.map(({ external_id, sha256 }) => [external_id, sha256]))
  return slice.map(({ externalId, sha256 }, index) => ({
    sync_id: sync.id,
    external_id: externalId,
    sha256,
    position: firstPosition + index,
    prior_sha256: hashes.get(externalId) ?? null,
    missing: 0,
  }))
}
