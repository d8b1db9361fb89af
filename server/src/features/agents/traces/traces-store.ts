/** The SQL by which the runs are found that were shown words of a document. */
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { RunRow, StepRow } from '../runs/run-store.ts'

/** With the steps in which a tool found passages of these documents. */
export async function insertShown(tx: Tx, runId: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return
  await tx
    .insertInto('run_documents')
    .values(documentIds.map(documentId => ({ document_id: documentId, run_id: runId })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
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

/** The conversations of all runs that have been begun by the same one as a run of this one. */
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
