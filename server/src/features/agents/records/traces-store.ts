/** The SQL that finds the runs that were shown words of a document, or of a connection's service. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { UsedConnection } from '../../../platform/tool.ts'
import type { RunRow } from './run-store.ts'

/** Stores that the run was shown these documents, together with the steps in which a tool found their passages. */
export async function insertShown(tx: Tx, runId: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return
  await tx
    .insertInto('run_documents')
    .values(documentIds.map(documentId => ({ document_id: documentId, run_id: runId })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Stores that the run used these connections, together with the steps in which they answered a tool. */
export async function insertShownConnections(
  tx: Tx,
  runId: string,
  connections: readonly UsedConnection[],
): Promise<void> {
  if (connections.length === 0) return
  await tx
    .insertInto('run_connections')
    .values(
      connections.map(({ id, collectionId }) => ({
        connection_id: id,
        run_id: runId,
        collection_id: collectionId ?? '',
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Whether a connection fills the collection, or a run was shown the answer of a connection that filled it then. */
export async function isCollectionNamed(
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
  query: Query,
  collectionId: string,
): Promise<boolean> {
  const filling = query
    .selectFrom('connections')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('sync_collection_id', '=', collectionId)
  const used = query.selectFrom('run_connections').select('run_id').where('collection_id', '=', collectionId)
  return [await filling.executeTakeFirst(), await used.executeTakeFirst()].some(row => row !== undefined)
}

/** The answer of a part goes to the run that called it, so what the part was shown counts as shown to that run. */
export const insertShownToPart = (tx: Tx, partId: string, runId: string): Promise<void> =>
  copyShown(tx, sql`${runId}`, sql`(SELECT ${partId} AS id) AS source`)

/** The prompt of a part may hold everything that its calling run was shown or remembers. */
export const insertShownToCaller = (
  tx: Tx,
  { conversation_id: conversationId }: Pick<RunRow, 'conversation_id'>,
  partId: string,
): Promise<void> => copyRemembered(tx, sql`id = ${conversationId}`, partId)

/** The messages of a run may come from earlier runs, and hold everything that those runs were shown or remember. */
export const insertShownBefore = async (
  tx: Tx,
  earlierIds: readonly string[],
  runId: string,
): Promise<void> => {
  if (earlierIds.length === 0) return
  const said = sql`id IN (SELECT conversation_id FROM runs WHERE runs.id IN (${sql.join(earlierIds)}))`
  await copyRemembered(tx, said, runId)
}

/** Whether a model may have written the run's prompt: the run, or one that it repeats, is a part of another run. */
export async function hasPromptOfModel(
  query: Query,
  { id, parent_run_id: parentId, rerun_of: repeatedId }: Pick<RunRow, 'id' | 'parent_run_id' | 'rerun_of'>,
): Promise<boolean> {
  if (repeatedId === null) return parentId !== null
  // A run that has been deleted may have been a part.
  const { rows } = await sql`
    WITH RECURSIVE chain (id) AS (
      SELECT runs.id FROM runs WHERE runs.id = ${id}
      UNION
      SELECT runs.rerun_of FROM runs JOIN chain ON runs.id = chain.id WHERE runs.rerun_of IS NOT NULL
    )
    SELECT 1 FROM chain LEFT JOIN runs ON runs.id = chain.id
      WHERE runs.id IS NULL OR runs.parent_run_id IS NOT NULL
      LIMIT 1`.execute(query)
  return rows.length > 0
}

/** Copies from these conversations and from all conversations that they branched from. */
const copyRemembered = (tx: Tx, which: RawBuilder<unknown>, runId: string): Promise<void> =>
  copyShown(
    tx,
    sql`${runId}`,
    sql`(
      WITH RECURSIVE line (id) AS (
        SELECT id FROM conversations WHERE ${which}
        UNION
        SELECT conversations.parent_id FROM conversations JOIN line ON conversations.id = line.id
          WHERE conversations.parent_id IS NOT NULL
      )
      SELECT runs.id FROM line JOIN runs ON runs.conversation_id = line.id WHERE runs.id <> ${runId}
    ) AS source`,
  )

/**
 * The branches of a deleted conversation, and their branches, keep the record of what it was shown and remembered. The
 * caller takes it out of their line afterwards.
 */
export const copyShownToBranches = (tx: Tx, conversationId: string): Promise<void> =>
  copyShown(
    tx,
    sql`source.heir_id`,
    sql`(
      WITH RECURSIVE line (id) AS (
        SELECT id FROM conversations WHERE id = ${conversationId}
        UNION
        SELECT conversations.parent_id FROM conversations JOIN line ON conversations.id = line.id
          WHERE conversations.parent_id IS NOT NULL
      ), branched (id) AS (
        SELECT id FROM conversations WHERE parent_id = ${conversationId}
        UNION
        SELECT conversations.id FROM conversations JOIN branched ON conversations.parent_id = branched.id
      )
      SELECT heir.id AS heir_id, gone.id FROM branched
        JOIN runs AS heir ON heir.conversation_id = branched.id
        CROSS JOIN line
        JOIN runs AS gone ON gone.conversation_id = line.id
    ) AS source`,
  )

/** What the runs of `source` (by their `id`) were shown counts as shown to `target` as well. */
async function copyShown(tx: Tx, target: RawBuilder<unknown>, source: RawBuilder<unknown>): Promise<void> {
  await sql`INSERT INTO run_documents (document_id, run_id)
    SELECT DISTINCT shown.document_id, ${target} FROM ${source}
      JOIN run_documents AS shown ON shown.run_id = source.id
    WHERE true ON CONFLICT DO NOTHING`.execute(tx)
  await sql`INSERT INTO run_connections (connection_id, run_id, collection_id)
    SELECT DISTINCT used.connection_id, ${target}, used.collection_id FROM ${source}
      JOIN run_connections AS used ON used.run_id = source.id
    WHERE true ON CONFLICT DO NOTHING`.execute(tx)
}

/** The conversations that were shown the document, latest first, after the conversation `behind`. */
export async function listShownConversations(
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
  query: Query,
  documentId: string,
  { behind, limit }: { behind: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await query
    .selectFrom('run_documents')
    .innerJoin('runs', 'runs.id', 'run_documents.run_id')
    .select('runs.conversation_id')
    .distinct()
    .where('run_documents.document_id', '=', documentId)
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.environment', '=', environment)
    .$if(behind !== undefined, shown => shown.where('runs.conversation_id', '<', behind ?? ''))
    .orderBy('runs.conversation_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => row.conversation_id)
}

/** The runs of a conversation in the order of their turns, from the turn after `after`. */
export const runsOfConversation = (query: Query, conversationId: string, after: number, limit: number) =>
  query
    .selectFrom('runs')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('turn', '>', after)
    .orderBy('turn')
    .limit(limit)
    .execute()

/** The conversations of all runs of the trees that a run of this conversation belongs to. */
export async function conversationsOfTree(query: Query, conversationId: string): Promise<string[]> {
  const roots = await query
    .selectFrom('runs')
    .select('root_run_id')
    .distinct()
    .where('conversation_id', '=', conversationId)
    .where('root_run_id', 'is not', null)
    .execute()
  const ids = roots.flatMap(({ root_run_id: id }) => id ?? [])
  if (ids.length === 0) return []
  const rows = await query
    .selectFrom('runs')
    .select('conversation_id')
    .distinct()
    .where(({ eb, or }) => or([eb('id', 'in', ids), eb('root_run_id', 'in', ids)]))
    .execute()
  return rows.map(row => row.conversation_id)
}

/** The collection's id takes the document's place: a model may have said the same in words of its own. */
export async function forgetShown(tx: Tx, conversationId: string, documentId: string): Promise<void> {
  await sql`INSERT INTO run_documents (document_id, run_id)
    SELECT coalesce(documents.collection_id, ''), shown.run_id FROM run_documents AS shown
      JOIN runs ON runs.id = shown.run_id
      LEFT JOIN documents ON documents.id = shown.document_id
      WHERE shown.document_id = ${documentId} AND runs.conversation_id = ${conversationId}
    ON CONFLICT DO NOTHING`.execute(tx)
  await tx
    .deleteFrom('run_documents')
    .where('document_id', '=', documentId)
    .where('run_id', 'in', ({ selectFrom }) =>
      selectFrom('runs').select('runs.id').where('conversation_id', '=', conversationId),
    )
    .execute()
}
