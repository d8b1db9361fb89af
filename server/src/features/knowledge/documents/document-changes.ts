/** Changes of a locked document: its name, title and metadata at once, its content as a new version. */
import { isDeepStrictEqual } from 'node:util'
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Metadata } from '../filter/filter.ts'
import { addToCollection } from '../records/collections-store.ts'
import { ingestJob, leftoversJob, reindexJob } from '../records/document-jobs.ts'
import { type DocumentRow, keepVersion, updateDocument } from '../records/documents-store.ts'

/** A field that is not given stays unchanged. */
export type DocumentChange = {
  name?: string | undefined
  title?: string | undefined
  metadata?: Metadata
  externalId?: string | null
}

type Dependencies = Pick<Platform, 'jobs' | 'clock'>

/** Returns the names of the changed fields. A job writes a new title or name into the search index. */
export async function describe(
  { jobs, clock }: Dependencies,
  caller: Caller,
  tx: Tx,
  row: DocumentRow,
  change: DocumentChange,
): Promise<string[]> {
  const changed = changedFields(row, change)
  if (changed.length === 0) return []
  await updateDocument(caller.scope, tx, row.id, { ...columnsOf(change), updated_at: clock() })
  const isSearched = changed.includes('title') || changed.includes('name')
  if (isSearched && row.served_version !== null)
    await jobs.enqueue(tx, reindexJob(caller.scope, row.id, 'rewrite'))
  return changed
}

/**
 * Queues the file as the next version and returns the version's number. A served version is kept, and stays served
 * until the new one is ready. A version that was never served is removed.
 */
export async function replaceContent(
  { jobs, clock }: Dependencies,
  { scope }: Caller,
  tx: Tx,
  row: DocumentRow,
  change: DocumentChange,
  { file, blobId, mediaType }: { file: ReceivedFile; blobId: string; mediaType: string },
): Promise<number> {
  const now = clock()
  const isKept = row.version === row.served_version
  const version = row.version + 1
  if (isKept) await keepVersion(tx, row, now)
  await updateDocument(scope, tx, row.id, {
    ...columnsOf(change),
    version,
    status: 'queued',
    progress: 0,
    error_code: null,
    error_message: null,
    media_type: mediaType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    blob_id: blobId,
    text_length: null,
    page_count: null,
    warnings: encodeJson([]),
    updated_at: now,
  })
  await addToCollection(scope, tx, row.collection_id, {
    bytes: file.sizeBytes - row.size_bytes,
    storedBytes: file.sizeBytes - (isKept ? 0 : row.size_bytes),
  })
  await jobs.enqueue(tx, ingestJob(scope, row.id, version))
  if (!isKept) await jobs.enqueue(tx, leftoversJob(scope, row.id, [row.blob_id]))
  return version
}

function changedFields(row: DocumentRow, { name, title, metadata, externalId }: DocumentChange): string[] {
  const changed: string[] = []
  if (name !== undefined && name !== row.name) changed.push('name')
  if (title !== undefined && title !== row.given_title) changed.push('title')
  if (metadata !== undefined && !isDeepStrictEqual(metadata, decodeJson(row.metadata)))
    changed.push('metadata')
  if (externalId !== undefined && externalId !== row.external_id) changed.push('externalId')
  return changed
}

const columnsOf = ({ name, title, metadata, externalId }: DocumentChange) => ({
  name,
  title,
  given_title: title,
  metadata: metadata !== undefined ? encodeJson(metadata) : undefined,
  external_id: externalId,
})
