/** Which connections a narrowed caller may change: those that fill a collection that it reaches. */
import { isNarrowed, type Scope } from '../../../platform/caller.ts'
import { forbidden, found } from '../../../platform/errors.ts'
import type { ConnectionRow } from './store.ts'

/**
 * The connection, for a change of it. Throws 404 if there is none for the scope. Throws 403 for a narrowed scope if the
 * connection fills no collection: then it serves every agent of the workspace.
 */
export function changeable(scope: Scope, row: ConnectionRow | undefined): ConnectionRow {
  const connection = found(row)
  if (connection.sync_collection_id !== null || !isNarrowed(scope)) return connection
  throw forbidden(
    'whole_workspace',
    'The connection fills no collection, so it serves the whole workspace, and the key is narrowed to a part of it. Use a key without `agentIds` and `collectionIds`, or let an owner or admin do it in the console.',
  )
}
