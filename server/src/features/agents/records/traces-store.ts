/** The SQL that finds the runs that were shown words of a document, or of a connection's service. */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { UsedConnection } from '../../../platform/tool.ts'
import type { RunRow, StepRow } from './run-store.ts'

/** Written with the steps in which a tool found passages of these documents. */
export async function insertShown(tx: Tx, runId: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return
  await tx
    .insertInto('run_documents')
    .values(documentIds.map(documentId => ({ document_id: documentId, run_id: runId })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Written with the steps in which these connections answered a tool. */
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

/** Whether a connection fills the collection, or a run was shown what one answered that did. */
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
export async function insertShownToPart(tx: Tx, partId: string, runId: string): Promise<void> {
  await sql`INSERT INTO run_documents (document_id, run_id)
    SELECT DISTINCT shown.document_id, ${runId} FROM run_documents AS shown WHERE shown.run_id = ${partId}
    ON CONFLICT DO NOTHING`.execute(tx)
  await sql`INSERT INTO run_connections (connection_id, run_id, collection_id)
    SELECT DISTINCT used.connection_id, ${runId}, used.collection_id
      FROM run_connections AS used WHERE used.run_id = ${partId}
    ON CONFLICT DO NOTHING`.execute(tx)
}

/** The prompt of a part may hold all that its caller was shown, or remembers. */
export async function insertShownToCaller(
  tx: Tx,
  { conversation_id: conversationId }: Pick<RunRow, 'conversation_id'>,
  partId: string,
): Promise<void> {
  const line = sql`WITH RECURSIVE line (id) AS (
      SELECT id FROM conversations WHERE id = ${conversationId}
      UNION
      SELECT conversations.parent_id FROM conversations JOIN line ON conversations.id = line.id
        WHERE conversations.parent_id IS NOT NULL
    )`
  await sql`INSERT INTO run_documents (document_id, run_id)
    ${line}
    SELECT DISTINCT shown.document_id, ${partId} FROM line
      JOIN runs ON runs.conversation_id = line.id
      JOIN run_documents AS shown ON shown.run_id = runs.id
      WHERE runs.id <> ${partId}
    ON CONFLICT DO NOTHING`.execute(tx)
  await sql`INSERT INTO run_connections (connection_id, run_id, collection_id)
    ${line}
    SELECT DISTINCT used.connection_id, ${partId}, used.collection_id FROM line
      JOIN runs ON runs.conversation_id = line.id
      JOIN run_connections AS used ON used.run_id = runs.id
      WHERE runs.id <> ${partId}
    ON CONFLICT DO NOTHING`.execute(tx)
}

/** The branches of a deleted conversation keep the record of what it was shown. */
export async function copyShownToBranches(tx: Tx, conversationId: string): Promise<void> {
  await sql`INSERT INTO run_documents (document_id, run_id)
    SELECT DISTINCT shown.document_id, heir.id FROM conversations AS branch
      JOIN runs AS heir ON heir.conversation_id = branch.id
      JOIN runs AS gone ON gone.conversation_id = branch.parent_id
      JOIN run_documents AS shown ON shown.run_id = gone.id
      WHERE branch.parent_id = ${conversationId}
    ON CONFLICT DO NOTHING`.execute(tx)
  await sql`INSERT INTO run_connections (connection_id, run_id, collection_id)
    SELECT DISTINCT used.connection_id, heir.id, used.collection_id FROM conversations AS branch
      JOIN runs AS heir ON heir.conversation_id = branch.id
      JOIN runs AS gone ON gone.conversation_id = branch.parent_id
      JOIN run_connections AS used ON used.run_id = gone.id
      WHERE branch.parent_id = ${conversationId}
    ON CONFLICT DO NOTHING`.execute(tx)
}

export async function listShownConversations(
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
  query: Query,
  documentId: string,
  limit: number,
): Promise<string[]> {
  const rows = await query
    .selectFrom('run_documents')
    .innerJoin('runs', 'runs.id', 'run_documents.run_id')
    .select('runs.conversation_id')
    .distinct()
    .where('run_documents.document_id', '=', documentId)
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.environment', '=', environment)
    .limit(limit)
    .execute()
  return rows.map(row => row.conversation_id)
}

/** In the order of their turns, behind `after`. */
export const runsOfConversation = (
  query: Query,
  conversationId: string,
  after: number,
  limit: number,
): Promise<RunRow[]> =>
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

export async function stepsOfRuns(query: Query, runIds: readonly string[]): Promise<Map<string, StepRow[]>> {
  if (runIds.length === 0) return new Map()
  const rows = await query
    .selectFrom('run_steps')
    .selectAll()
    .where('run_id', 'in', [...runIds])
    .orderBy('seq')
    .execute()
  return Map.groupBy(rows, row => row.run_id)
}

export async function forgetShown(tx: Tx, conversationId: string, documentId: string): Promise<void> {
  await tx
    .deleteFrom('run_documents')
    .where('document_id', '=', documentId)
    .where('run_id', 'in', ({ selectFrom }) =>
      selectFrom('runs').select('runs.id').where('conversation_id', '=', conversationId),
    )
    .execute()
}
