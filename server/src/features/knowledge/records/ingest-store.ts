/** The SQL of ingestion: versions in progress, documents that were left behind, and failed documents. */

import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'
import { collectionsOf } from './collections-store.ts'
import type { WholeScope } from './document-jobs.ts'
import { ingestQueue, recogniseQueue } from './document-jobs.ts'
import type { DocumentRow } from './documents-store.ts'

/** The columns that the end of ingestion needs. The title or name may have changed meanwhile. */
export type UnderWay = Pick<
  DocumentRow,
  'collection_id' | 'name' | 'given_title' | 'served_version' | 'chunk_count' | 'text_length'
>

/** Locks a document if this version is its latest, is neither `ready` nor `failed`, and is not in the trash. */
export async function lockUnderWay(
  { workspaceId, environment }: WholeScope,
  tx: Tx,
  { documentId, version }: { documentId: string; version: number },
): Promise<UnderWay | undefined> {
  return (await selectUnderWay(tx, { workspaceId, environment, documentId, version })).rows[0]
}

const inLiveCollection = sql<boolean>`EXISTS (SELECT 1 FROM collections
  WHERE collections.id = documents.collection_id AND collections.deleted_at IS NULL)`

type Version = WholeScope & { documentId: string; version: number }

const selectUnderWay = statement((tx, version: Version) =>
  tx
    .selectFrom('documents')
    .select(['collection_id', 'name', 'given_title', 'served_version', 'chunk_count', 'text_length'])
    .where('id', '=', version.documentId)
    .where('workspace_id', '=', version.workspaceId)
    .where('environment', '=', version.environment)
    .where('version', '=', version.version)
    .where('status', 'not in', ['ready', 'failed'])
    .where('deleted_at', 'is', null)
    .where(inLiveCollection)
    .forUpdate(),
)

export type LeftBehind = Pick<DocumentRow, 'id' | 'workspace_id' | 'environment' | 'version' | 'status'>

/**
 * Unfinished documents of all workspaces, outside the trash, that last changed before `before` and have no ingest
 * job. A document that already has text was restored from the trash by another kind of job. It gets more time
 * (`restored`).
 */
export const listLeftBehind = (
  query: Query,
  before: { unread: number; restored: number },
  { after, limit }: RowRange,
): Promise<LeftBehind[]> =>
  query
    .selectFrom('documents')
    .select(['id', 'workspace_id', 'environment', 'version', 'status'])
    // A literal: only then do both engines use the partial index.
    .where(sql<boolean>`status <> 'ready' AND status <> 'failed'`)
    .where('updated_at', '<', before.unread)
    .where('id', '>', after)
    .where(({ or, eb }) => or([eb('text_length', 'is', null), eb('updated_at', '<', before.restored)]))
    .where('deleted_at', 'is', null)
    .where(inLiveCollection)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .where('queue', 'in', [ingestQueue, recogniseQueue])
            .where('unique_key', '=', sql<string>`documents.id || ':' || documents.version`)
            .where('finished_at', 'is', null),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()

export type FailedFilter = { collectionId?: string; errorCodes?: readonly string[] }

/** Failed documents that the scope can reach, in the order of their ids. */
export const listFailed = (
  scope: Scope,
  query: Query,
  filter: FailedFilter,
  range: { after: string; upTo: string; limit: number },
): Promise<{ id: string }[]> =>
  failedOf(scope, query, filter)
    .select('documents.id')
    .where('documents.id', '>', range.after)
    .where('documents.id', '<=', range.upTo)
    .orderBy('documents.id')
    .limit(range.limit)
    .execute()

/** The number of failed documents and the greatest of their ids; the id is null if there are none. */
export async function countFailed(scope: Scope, query: Query, filter: FailedFilter) {
  const row = await failedOf(scope, query, filter)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.max<string | null>('documents.id').as('last_id'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), lastId: row.last_id }
}

function failedOf(scope: Scope, query: Query, { collectionId, errorCodes }: FailedFilter) {
  let rows = query
    .selectFrom('documents')
    .where('documents.workspace_id', '=', scope.workspaceId)
    .where('documents.environment', '=', scope.environment)
    .where(sql<boolean>`documents.status = 'failed'`)
    .where('documents.deleted_at', 'is', null)
    .where('documents.collection_id', 'in', collectionsOf(scope, query).select('collections.id'))
  if (collectionId !== undefined) rows = rows.where('documents.collection_id', '=', collectionId)
  if (errorCodes !== undefined) rows = rows.where('documents.error_code', 'in', [...errorCodes])
  return rows
}
