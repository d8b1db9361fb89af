/** Connections by their ids, for those who are bound to some: an agent, whose tools use them. */
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Query } from '../../../platform/database/database.ts'
import { type ConnectionRow, connectionsNamed } from '../records/store.ts'

export type BoundConnection = Pick<ConnectionRow, 'id' | 'name' | 'integration_id' | 'sync_collection_id'>

/**
 * Those of the ids that are connections of the scope, oldest first. A connection whose documents lie in a collection that
 * the scope does not reach is none of them: its tools would tell what that collection keeps.
 */
export type FindConnections = (
  scope: Scope,
  ids: readonly string[],
  query?: Query,
) => Promise<BoundConnection[]>

export const createFindConnections =
  ({ database }: { database: Database }): FindConnections =>
  async (scope, ids, query = database.read) =>
    ids.length === 0 ? [] : await connectionsNamed(scope, query, ids)
