/**
 * What texts may come to. A plan counts files, and a reader keeps a document's text in proportion to its file; an archive brings
 * its texts along, and they could be of any size beside files of a few bytes.
 */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { type ArchivedChunk, ArchiveFault } from './format.ts'

/** Texts of ours are rarely larger than their files, and those of packed formats some times as large. */
const textPerStorage = 10
/** Of a chunk beside its text: else there could be any number of empty ones. */
const rowBytes = 200

/** Takes what a chunk needs; throws `ArchiveFault` if that is more than there is room for. */
export type TextRoom = (chunks: readonly ArchivedChunk[]) => void

export const unlimitedText: TextRoom = () => undefined

/** With what the environment holds by now, earlier versions and the trash among it. */
export async function createTextRoom(scope: Scope, query: Query, storageBytes: number): Promise<TextRoom> {
  const maxBytes = textPerStorage * storageBytes
  let bytes = await sumTextBytes(scope, query)
  return chunks => {
    for (const { headings, text, gap } of chunks) {
      bytes += rowBytes + Buffer.byteLength(headings) + Buffer.byteLength(text) + Buffer.byteLength(gap)
    }
    if (bytes <= maxBytes) return
    throw new ArchiveFault(
      'storage_limit',
      `The archive's texts are too large: with what is stored they would come to more than ${textPerStorage} times the plan's storage of ${storageBytes} bytes`,
    )
  }
}

/** What imports have not shown yet is left out: it is counted as it comes, or is about to be erased. */
async function sumTextBytes({ workspaceId, environment }: Scope, query: Query): Promise<number> {
  const shown = sql`SELECT id FROM collections WHERE workspace_id = ${workspaceId}
    AND environment = ${environment} AND (deleted_at IS NULL OR erase_at IS NOT NULL)`
  const { rows } = await sql<{ bytes: number | null }>`
    SELECT sum(coalesce(text_length, 0) + ${sql.lit(rowBytes)} * chunk_count) AS bytes FROM (
      SELECT text_length, chunk_count FROM documents WHERE collection_id IN (${shown})
      UNION ALL
      SELECT version.text_length, version.chunk_count FROM document_versions AS version
      JOIN documents ON documents.id = version.document_id
      WHERE documents.collection_id IN (${shown})
    ) AS texts`.execute(query)
  return Number(rows[0]?.bytes ?? 0)
}
