/** Looks into the database of a server under the kill loop: what must hold there whenever no work is left. */
import { sql } from 'kysely'
import type { Query } from '../../platform/database/database.ts'

/** Jobs for later, such as the second look after an erasure, are not waited for. */
const soonMs = 60_000

/** What is in progress or due: documents, and jobs by their queues. */
export async function openWork(query: Query): Promise<string[]> {
  const documents = await query
    .selectFrom('documents')
    .select(['id', 'status'])
    .where('status', 'not in', ['ready', 'failed'])
    .where('deleted_at', 'is', null)
    .execute()
  const jobs = await query
    .selectFrom('jobs')
    .select(['queue', 'state', 'error', 'attempts'])
    .where('state', 'in', ['queued', 'alone', 'running'])
    .where('run_at', '<', Date.now() + soonMs)
    .execute()
  // One that waits for an approval does so until somebody decides, and those behind it in its conversation as well.
  const runs = await query
    .selectFrom('runs')
    .select(['id', 'status'])
    .where('finished_at', 'is', null)
    .where('status', '<>', 'waiting')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('runs as earlier')
            .select('earlier.id')
            .whereRef('earlier.conversation_id', '=', 'runs.conversation_id')
            .whereRef('earlier.turn', '<', 'runs.turn')
            .where('earlier.status', '=', 'waiting'),
        ),
      ),
    )
    .execute()
  return [
    ...documents.map(({ id, status }) => `${id} is ${status}`),
    ...runs.map(({ id, status }) => `${id} is ${status}`),
    ...jobs.map(
      ({ queue, state, error, attempts }) => `a job of ${queue} is ${state} (${attempts}, ${error})`,
    ),
  ]
}

/** Each answers the rows that must not be there. */
const faults: Record<string, string> = {
  'a collection counts other documents than it has': `
    SELECT collections.id, document_count, count(documents.id) AS found FROM collections
    LEFT JOIN documents ON documents.collection_id = collections.id AND documents.deleted_at IS NULL
    GROUP BY collections.id, document_count HAVING document_count <> count(documents.id)`,
  'a collection counts other chunks or bytes than its documents': `
    SELECT collections.id, collections.chunk_count, collections.size_bytes FROM collections
    LEFT JOIN documents ON documents.collection_id = collections.id AND documents.deleted_at IS NULL
    GROUP BY collections.id, collections.chunk_count, collections.size_bytes
    HAVING collections.chunk_count <> coalesce(sum(documents.chunk_count), 0)
    OR collections.size_bytes <> coalesce(sum(documents.size_bytes), 0)`,
  'a collection counts other stored bytes than its documents and their versions': `
    SELECT collections.id, stored_bytes FROM collections WHERE stored_bytes <>
      (SELECT coalesce(sum(size_bytes), 0) FROM documents WHERE collection_id = collections.id) +
      (SELECT coalesce(sum(document_versions.size_bytes), 0) FROM document_versions
        JOIN documents ON documents.id = document_versions.document_id AND document_versions.version <> documents.version
        WHERE documents.collection_id = collections.id)`,
  'a document has other chunks than it counts': `
    SELECT documents.id, chunk_count, count(chunks.id) AS found FROM documents
    LEFT JOIN chunks ON chunks.document_id = documents.id AND chunks.document_version = documents.served_version
    WHERE documents.deleted_at IS NULL GROUP BY documents.id, chunk_count HAVING chunk_count <> count(chunks.id)`,
  'chunks belong to no document': `
    SELECT id FROM chunks WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = chunks.document_id)`,
  'chunks belong to no version that is kept': `
    SELECT chunks.document_id, chunks.document_version, count(*) AS found FROM chunks
    JOIN documents ON documents.id = chunks.document_id
    WHERE chunks.document_version <> documents.version AND NOT EXISTS (SELECT 1 FROM document_versions
      WHERE document_versions.document_id = chunks.document_id AND document_versions.version = chunks.document_version)
    GROUP BY chunks.document_id, chunks.document_version`,
  'postings belong to no document that is there': `
    SELECT first_number, document_id FROM search_segments WHERE NOT EXISTS
      (SELECT 1 FROM documents WHERE documents.id = search_segments.document_id AND documents.deleted_at IS NULL)`,
  'postings are of a version that is not served, or not found': `
    SELECT first_number, document_id, document_version, live FROM search_segments
    JOIN documents ON documents.id = search_segments.document_id
    WHERE live <> 1 OR document_version <> served_version`,
  'a document is indexed with other chunks than it has': `
    SELECT documents.id, chunk_count, coalesce(sum(last_number - first_number + 1), 0) AS found FROM documents
    LEFT JOIN search_segments ON search_segments.document_id = documents.id
    WHERE documents.deleted_at IS NULL GROUP BY documents.id, chunk_count
    HAVING chunk_count <> coalesce(sum(last_number - first_number + 1), 0)`,
  'the index has chunks without a segment': `
    SELECT number FROM search_chunks WHERE NOT EXISTS (SELECT 1 FROM search_segments
      WHERE search_chunks.number BETWEEN first_number AND last_number)`,
  'the index counts other chunks than it has': `
    SELECT number, chunk_count FROM search_indexes WHERE chunk_count <>
      (SELECT coalesce(sum(last_number - first_number + 1), 0) FROM search_segments
        WHERE search_segments.index_number = search_indexes.number)`,
  'an external id is taken twice': `
    SELECT collection_id, external_id FROM documents WHERE deleted_at IS NULL AND external_id IS NOT NULL
    GROUP BY collection_id, external_id HAVING count(*) > 1`,
  'a job is dead': `
    SELECT queue, error FROM jobs WHERE state = 'dead' AND NOT EXISTS
      (SELECT 1 FROM runs WHERE runs.job_id = jobs.id AND error_code = 'crashed_server')`,
}

/** Returns one line for each thing that is wrong. */
export async function inspect(query: Query): Promise<string[]> {
  const lines: string[] = []
  for (const [fault, statement] of Object.entries(faults)) {
    const { rows } = await sql.raw<Record<string, unknown>>(statement).execute(query)
    if (rows.length > 0) lines.push(`${fault}: ${JSON.stringify(rows.slice(0, 5))}`)
  }
  return lines
}

/** The rows of one external id, those of the trash among them. */
export const rowsOf = (query: Query, collectionId: string, externalId: string) =>
  query
    .selectFrom('documents')
    .select(['id', 'sha256', 'status', 'deleted_at', 'erase_at', 'error_code', 'blob_id'])
    .where('collection_id', '=', collectionId)
    .where('external_id', '=', externalId)
    .orderBy('id', 'desc')
    .execute()

/** The files that rows name. */
export async function namedBlobs(query: Query): Promise<Set<string>> {
  const documents = await query.selectFrom('documents').select('blob_id').execute()
  const versions = await query.selectFrom('document_versions').select('blob_id').execute()
  return new Set([...documents, ...versions].map(row => row.blob_id))
}
