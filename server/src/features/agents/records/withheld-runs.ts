/**
 * Finds runs and conversations that hold words which the caller does not reach. These are words of documents in
 * withheld collections, and of services whose connections fill a collection that the caller does not reach. What
 * counts is what runs were really shown. The words then also count for later runs of the conversation and for its
 * branches.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import type { RevisionReach } from '../definitions/agent-content.ts'

/** For one row that is looked up by its id. Searches its conversation and all conversations that it branched from. */
export const holdsNothingWithheld = (
  scope: Scope,
  conversationColumn: string,
): RawBuilder<SqlBool> | null => {
  const reached = reachesCollection(scope, 'held.sync_collection_id')
  if (reached === null) return null
  const withheld = withheldOf(scope)
  const shown = [
    sql`SELECT 1 FROM run_connections AS used JOIN connections AS held ON held.id = used.connection_id
      WHERE used.run_id = remembered.id AND held.sync_collection_id IS NOT NULL AND NOT ${reached}`,
    ...(withheld === null
      ? []
      : [
          sql`SELECT 1 FROM run_documents AS shown JOIN documents AS kept ON kept.id = shown.document_id
            WHERE shown.run_id = remembered.id AND kept.collection_id IN (${sql.join(withheld)})`,
          sql`SELECT 1 FROM run_connections AS used
            WHERE used.run_id = remembered.id AND used.collection_id IN (${sql.join(withheld)})`,
        ]),
  ]
  return sql<SqlBool>`NOT EXISTS (
    WITH RECURSIVE line (id) AS (
      SELECT ${sql.ref(conversationColumn)}
      UNION
      SELECT conversations.parent_id FROM conversations JOIN line ON conversations.id = line.id
        WHERE conversations.parent_id IS NOT NULL
    )
    SELECT 1 FROM line
      JOIN runs AS remembered ON remembered.conversation_id = line.id
    WHERE ${sql.join(
      shown.map(select => sql`EXISTS (${select})`),
      sql` OR `,
    )}
  )`
}

/** The same for lists. Finds all conversations that the withheld words have come to, in one lookup. */
export const isNotAmongWithheld = (scope: Scope, conversationColumn: string): RawBuilder<SqlBool> | null => {
  const reached = reachesCollection(scope, 'held.sync_collection_id')
  if (reached === null) return null
  const { workspaceId, environment } = scope
  const withheld = withheldOf(scope)
  const shown = [
    sql`SELECT used.run_id FROM connections AS held CROSS JOIN run_connections AS used
      WHERE held.workspace_id = ${workspaceId} AND held.environment = ${environment}
        AND held.sync_collection_id IS NOT NULL AND NOT ${reached} AND used.connection_id = held.id`,
    ...(withheld === null
      ? []
      : [
          sql`SELECT shown.run_id FROM documents AS kept CROSS JOIN run_documents AS shown
            WHERE kept.collection_id IN (${sql.join(withheld)}) AND shown.document_id = kept.id`,
          sql`SELECT used.run_id FROM run_connections AS used WHERE used.collection_id IN (${sql.join(withheld)})`,
        ]),
  ]
  return sql<SqlBool>`${sql.ref(conversationColumn)} NOT IN (
    WITH RECURSIVE told (id) AS (
      SELECT remembered.conversation_id FROM (${sql.join(shown, sql` UNION `)}) AS told_runs
        CROSS JOIN runs AS remembered WHERE remembered.id = told_runs.run_id
      UNION
      SELECT conversations.id FROM conversations JOIN told ON conversations.parent_id = told.id
    )
    SELECT id FROM told
  )`
}

/**
 * A run in progress may still read any source that its author can read. Other members see it only if they can read
 * all sources.
 */
export const hasEndedOrIsOwn = (scope: Scope): RawBuilder<SqlBool> | null =>
  withheldOf(scope) === null
    ? null
    : sql<SqlBool>`(runs.finished_at IS NOT NULL OR runs.author_id = ${scope.withheld?.userId ?? null})`

/**
 * Whether words of these conversations may be beyond `reach`: one of their runs, or one that they remember, was shown
 * words of another collection. A connection that is no longer there may have filled any. Every way by which words of
 * earlier runs come into a run asks this.
 */
export async function wasShownBeyond(
  query: Query,
  conversationIds: readonly string[],
  reach: RevisionReach,
): Promise<boolean> {
  if (reach === null || conversationIds.length === 0) return false
  // An empty text stands for no collection, and null is in no list.
  const isBeyond = (column: string): RawBuilder<SqlBool> =>
    sql`${sql.ref(column)} NOT IN (${sql.join(['', ...reach])})`
  // PostgreSQL does not accept an empty list, and no row has this id.
  const inReach = ['none', ...reach]
  const { rows } = await sql`
    WITH RECURSIVE line (id) AS (
      SELECT id FROM conversations WHERE id IN (${sql.join(conversationIds)})
      UNION
      SELECT conversations.parent_id FROM conversations JOIN line ON conversations.id = line.id
        WHERE conversations.parent_id IS NOT NULL
    )
    SELECT 1 FROM line JOIN runs AS remembered ON remembered.conversation_id = line.id
    WHERE EXISTS (SELECT 1 FROM run_documents AS shown LEFT JOIN documents AS kept ON kept.id = shown.document_id
        WHERE shown.run_id = remembered.id
          AND coalesce(kept.collection_id, shown.document_id) NOT IN (${sql.join(inReach)}))
      OR EXISTS (SELECT 1 FROM run_connections AS used LEFT JOIN connections AS held ON held.id = used.connection_id
        WHERE used.run_id = remembered.id AND (held.id IS NULL
          OR ${isBeyond('used.collection_id')} OR ${isBeyond('held.sync_collection_id')}))
    LIMIT 1`.execute(query)
  return rows.length > 0
}

const withheldOf = ({ withheld }: Scope): readonly string[] | null =>
  withheld === undefined || withheld.collectionIds.length === 0 ? null : withheld.collectionIds
