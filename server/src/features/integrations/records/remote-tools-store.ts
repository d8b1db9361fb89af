/** The rows of tools that connected servers name themselves. */
import type { Selectable, Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { countOf, inserts } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'

export type RemoteToolRow = Selectable<Tables['connection_tools']>

/** Whether agents can use the tool: it is accepted, and still offered as it was accepted. */
export const isUsable = ({
  accepted_hash,
  offered_hash,
  fault,
}: Pick<RemoteToolRow, 'accepted_hash' | 'offered_hash' | 'fault'>): boolean =>
  accepted_hash !== null && accepted_hash === offered_hash && fault === null

/** Ordered by name. */
export const toolsOfConnection = (scope: Scope, query: Query, connectionId: string) =>
  selectTools(scope, query).where('connection_id', '=', connectionId).orderBy('name').selectAll().execute()

/** The named tools that a person has accepted, whether or not the server offers them now. */
export async function acceptedToolsNamed(
  scope: Scope,
  query: Query,
  names: readonly string[],
): Promise<RemoteToolRow[]> {
  if (names.length === 0) return []
  return await selectTools(scope, query)
    .where('name', 'in', names)
    .where('accepted_hash', 'is not', null)
    .orderBy('name')
    .selectAll()
    .execute()
}

/** The tools that agents can be given, ordered by name: accepted, and still offered as they were accepted. */
export const usableTools = (scope: Scope, query: Query, range: { offset: number; limit: number }) =>
  selectUsable(scope, query).orderBy('name').offset(range.offset).limit(range.limit).selectAll().execute()

export const countUsableTools = (scope: Scope, query: Query): Promise<number> =>
  countOf(selectUsable(scope, query))

export const insertTool = inserts('connection_tools')

export async function updateTool(
  scope: Scope,
  tx: Tx,
  { connection_id, name }: Pick<RemoteToolRow, 'connection_id' | 'name'>,
  change: Updateable<Tables['connection_tools']>,
): Promise<void> {
  await tx
    .updateTable('connection_tools')
    .set(change)
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('connection_id', '=', connection_id)
    .where('name', '=', name)
    .execute()
}

export async function deleteTool(
  scope: Scope,
  tx: Tx,
  { connection_id, name }: Pick<RemoteToolRow, 'connection_id' | 'name'>,
): Promise<void> {
  await tx
    .deleteFrom('connection_tools')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('connection_id', '=', connection_id)
    .where('name', '=', name)
    .execute()
}

/** `tools_listed_at` is null if the list is known to be old. */
export async function noteListing(
  scope: Scope,
  tx: Tx,
  connectionId: string,
  change: { tools_listed_at: number | null; tools_note?: string | null },
): Promise<void> {
  await tx
    .updateTable('connections')
    .set(change)
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', connectionId)
    .execute()
}

const selectTools = (scope: Scope, query: Query) =>
  query
    .selectFrom('connection_tools')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)

const selectUsable = (scope: Scope, query: Query) =>
  selectTools(scope, query).whereRef('accepted_hash', '=', 'offered_hash').where('fault', 'is', null)
