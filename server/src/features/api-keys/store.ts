/** The rows of API keys and of their secrets' hashes. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Role, Scope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { type PageRequest, pageOf } from '../../platform/database/page.ts'
import { inserts } from '../../platform/database/rows.ts'
import { engineOf } from '../../platform/database/statement.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { namesOnly } from '../../platform/database/within-reach.ts'

type ApiKeyRow = Selectable<Tables['api_keys']>
/** With the last four characters of the current secret, and the maker's current role: null if the maker has left. */
export type ListedApiKeyRow = ApiKeyRow & { last_four: string | null; maker_role: Role | null }

/** A test key sees only test keys. */
const keysOf = (scope: Scope, query: Query) => {
  const keys = query.selectFrom('api_keys').where('workspace_id', '=', scope.workspaceId)
  return scope.environment === 'test' ? keys.where('environment', '=', 'test') : keys
}

/** The current secret is the one without an end. */
const withHint = (scope: Scope, query: Query) =>
  keysOf(scope, query)
    .selectAll('api_keys')
    .select(({ selectFrom }) => [
      selectFrom('api_key_secrets')
        .select('last_four')
        .whereRef('api_key_secrets.key_id', '=', 'api_keys.id')
        .where('api_key_secrets.expires_at', 'is', null)
        .limit(1)
        .as('last_four'),
      selectFrom('members')
        .select('role')
        .whereRef('members.workspace_id', '=', 'api_keys.workspace_id')
        .whereRef('members.user_id', '=', 'api_keys.user_id')
        .as('maker_role'),
    ])

/**
 * A narrowed key sees only keys that reach no further than itself: other keys name records that it does not reach.
 */
const reached = (scope: Scope, query: Query) =>
  withHint(scope, query)
    .where(namesOnly(engineOf(query), 'api_keys.agent_ids', scope.agentIds))
    .where(namesOnly(engineOf(query), 'api_keys.collection_ids', scope.collectionIds))

export const listKeys = (scope: Scope, query: Query, page: PageRequest) => pageOf(reached(scope, query), page)

export const findKey = (scope: Scope, query: Query, id: string) =>
  reached(scope, query).where('api_keys.id', '=', id).executeTakeFirst()

export const findServiceAccount = (scope: Scope, query: Query, memberId: string) =>
  query
    .selectFrom('members')
    .select(['user_id as userId', 'role'])
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', memberId)
    .where('kind', '=', 'service')
    .executeTakeFirst()

export const insertKey = inserts('api_keys')

export async function insertSecret(tx: Tx, row: Insertable<Tables['api_key_secrets']>): Promise<void> {
  await tx.insertInto('api_key_secrets').values(row).execute()
}

/** Every secret of the key ends at this time, or earlier if its end was earlier. */
export async function expireSecrets(tx: Tx, keyId: string, expiresAt: number): Promise<void> {
  await tx
    .updateTable('api_key_secrets')
    .set({ expires_at: expiresAt })
    .where('key_id', '=', keyId)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', expiresAt)]))
    .execute()
}

/** Returns false if the row has changed since `revision` was read. */
export async function updateKey(
  scope: Scope,
  tx: Tx,
  key: { id: string; revision: number },
  change: Updateable<Tables['api_keys']>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('api_keys')
    .set({ ...change, revision: key.revision + 1 })
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', key.id)
    .where('revision', '=', key.revision)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/**
 * Does not depend on the revision, so a change at the same time does not matter. False if the key was revoked before.
 */
export async function revokeKey(
  scope: Scope,
  tx: Tx,
  { id, now }: { id: string; now: number },
): Promise<boolean> {
  const revoked = await tx
    .updateTable('api_keys')
    .set(({ eb }) => ({ revoked_at: now, updated_at: now, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return revoked.numUpdatedRows === 1n
}
