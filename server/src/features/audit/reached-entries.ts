/** Which entries of the log a scope sees that does not reach everything: those about what exists for it, and about the workspace itself. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { narrowingOf, type Scope } from '../../platform/caller.ts'
import type { Engine } from '../../platform/database/database.ts'
import { namesOnly, reachesAgent, reachesCollection } from '../../platform/database/within-reach.ts'

type Condition = RawBuilder<SqlBool>

/** Null where the scope reaches everything. What is gone for good is in no table any more, and so its entries are not seen. */
export function seesEntry(scope: Scope, engine: Engine): Condition | null {
  const { agentIds, collectionIds, withheld } = scope
  if (agentIds === undefined && collectionIds === undefined && withheld === undefined) return null
  const ofKind = Object.entries(seenByKind(scope, engine)).map(
    ([kind, seen]) => sql<SqlBool>`(audit_log.action LIKE ${`${kind}.%`} AND ${seen})`,
  )
  return sql<SqlBool>`((${sql.join(ofKind, sql` OR `)}) AND ${namesNothingElse(scope, engine)})`
}

/** By the first word of the action. An action that is not named here is seen by those alone who reach everything. */
function seenByKind(scope: Scope, engine: Engine): Record<string, Condition> {
  const { agentIds, collectionIds } = scope
  const narrowing =
    collectionIds === undefined ? always : sql<SqlBool>`told.narrowing = ${narrowingOf(scope)}`
  const collection = reachesCollection(scope, 'audit_log.resource_id') ?? always
  const inCollection = reachesCollection(scope, 'told.collection_id') ?? always
  const ofAgent = reachesAgent(scope, 'told.agent_id') ?? always
  const target = reachesCollection(scope, 'told.sync_collection_id') ?? always
  // A key and an endpoint may reach further than the caller; then they tell of what is there.
  const isNoWider = sql<SqlBool>`${namesOnly(engine, 'told.agent_ids', agentIds)}
    AND ${namesOnly(engine, 'told.collection_ids', collectionIds)}`
  return {
    agent: reachesAgent(scope, 'audit_log.resource_id') ?? always,
    collection,
    // Many documents at once are told of under their collection, and those of all collections under none.
    document: sql<SqlBool>`(${isAbout('documents', inCollection)}
      OR (audit_log.resource_id IN (SELECT id FROM collections) AND ${collection}))`,
    upload: isAbout('uploads', inCollection),
    sync: isAbout('syncs', inCollection),
    trash: collection,
    // A client of OAuth belongs to the workspace.
    integration: sql<SqlBool>`(audit_log.action IN ('integration.set_client', 'integration.remove_client')
      OR ${isAbout('connections', sql<SqlBool>`(told.sync_collection_id IS NULL OR ${target})`)})`,
    run: isAbout('runs', sql<SqlBool>`${ofAgent} AND ${narrowing}`),
    conversation: isAbout('conversations', sql<SqlBool>`${ofAgent} AND ${narrowing}`),
    api_key: isAbout('api_keys', isNoWider),
    webhook: isAbout('webhooks', isNoWider),
    account: always,
    member: always,
    invitation: always,
    team: always,
    workspace: always,
    model_provider: always,
  }
}

const always = sql<SqlBool>`1 = 1`

const isAbout = (table: string, isReached: Condition): Condition =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM ${sql.table(table)} AS told
    WHERE told.id = audit_log.resource_id AND told.workspace_id = audit_log.workspace_id AND ${isReached})`

/** What an entry tells besides may be of another collection or agent, such as the one that a connection was kept in before. */
function namesNothingElse(scope: Scope, engine: Engine): Condition {
  const detail = (name: string) =>
    engine === 'sqlite'
      ? sql`json_extract(audit_log.details, ${`$.${name}`})`
      : sql`(audit_log.details::json ->> ${name})`
  const named = sql`(SELECT ${detail('collectionId')} AS collection_id, ${detail('agentId')} AS agent_id) AS named`
  const collection = reachesCollection(scope, 'named.collection_id') ?? always
  const agent = reachesAgent(scope, 'named.agent_id') ?? always
  return sql<SqlBool>`EXISTS (SELECT 1 FROM ${named}
    WHERE (named.collection_id IS NULL OR ${collection}) AND (named.agent_id IS NULL OR ${agent}))`
}
