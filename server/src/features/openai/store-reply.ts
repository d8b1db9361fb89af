/** Documents and collections as OpenAI's protocol shows files and vector stores. */
import { idPrefixes } from '../../platform/ids.ts'
import type { SearchHit } from '../knowledge/search/search-schemas.ts'
import { attributesOf, type Metadata } from './store-request.ts'
import { type Batch, type FileRow, metadataOf, type Store } from './stored-files.ts'

export function listOf<Item extends { id: string }>(data: readonly Item[], hasMore: boolean) {
  const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  return { object: 'list', data, ...ends, has_more: hasMore }
}

export const presentFile = ({ id, name, size_bytes: bytes, created_at: createdAt, ...row }: FileRow) => ({
  id,
  object: 'file',
  bytes,
  created_at: secondsOf(createdAt),
  filename: name,
  purpose: 'assistants',
  status: row.status === 'ready' ? 'processed' : row.status === 'failed' ? 'error' : 'uploaded',
  status_details: row.error_message,
})

export function presentStore({ row, unsettled: { inProgress, failed } }: Store) {
  const total = row.document_count
  return {
    id: row.id,
    object: 'vector_store',
    created_at: secondsOf(row.created_at),
    name: row.name,
    description: row.description,
    usage_bytes: row.size_bytes,
    file_counts: {
      in_progress: inProgress,
      completed: Math.max(0, total - inProgress - failed),
      failed,
      cancelled: 0,
      total,
    },
    status: inProgress > 0 ? 'in_progress' : 'completed',
    expires_after: null,
    expires_at: null,
    last_active_at: secondsOf(row.updated_at),
    metadata: {},
  }
}

export const presentStoreFile = (row: FileRow) => ({
  id: fileIdOf(row.id, row.external_id),
  object: 'vector_store.file',
  created_at: secondsOf(row.created_at),
  vector_store_id: row.collection_id,
  usage_bytes: row.size_bytes,
  status: statusOf(row),
  last_error:
    row.error_code === null ? null : { code: errorOf(row.error_code), message: row.error_message ?? '' },
  chunking_strategy: { type: 'other' },
  attributes: attributesOf(metadataOf(row)),
})

export function presentBatch({ id, storeId, createdAt, files }: Batch) {
  const statuses = files.map(statusOf)
  const count = (status: string) => statuses.filter(one => one === status).length
  const inProgress = count('in_progress')
  return {
    id,
    object: 'vector_store.files_batch',
    created_at: secondsOf(createdAt),
    vector_store_id: storeId,
    status: inProgress > 0 ? 'in_progress' : 'completed',
    file_counts: {
      in_progress: inProgress,
      completed: count('completed'),
      failed: count('failed'),
      cancelled: 0,
      total: files.length,
    },
  }
}

export const presentHits = (query: string, hits: readonly SearchHit[]) => ({
  object: 'vector_store.search_results.page',
  search_query: [query],
  data: hits.map(({ documentId, externalId, name, score, metadata, text }) => ({
    file_id: fileIdOf(documentId, externalId),
    filename: name,
    score,
    attributes: attributesOf(metadata as Metadata),
    content: [{ type: 'text', text }],
  })),
  has_more: false,
  next_page: null,
})

const secondsOf = (ms: number): number => Math.floor(ms / 1_000)

const statusOf = ({ status }: FileRow): string =>
  status === 'ready' ? 'completed' : status === 'failed' ? 'failed' : 'in_progress'

/** A copy has the id of the file that it was made of. */
const fileIdOf = (documentId: string, externalId: string | null): string =>
  externalId?.startsWith(`${idPrefixes.document}_`) ? externalId : documentId

/** OpenAI's clients know these three. */
const errorOf = (code: string): string => {
  if (code === 'unsupported_media_type') return 'unsupported_file'
  return code === 'internal_error' || code.endsWith('_timeout') ? 'server_error' : 'invalid_file'
}
