/** The rows from which callers are made. One query reads each kind, so its parts always fit together. */
import { sql } from 'kysely'
import type { Scope, WholeScope, Withheld } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'

/** A key with its maker and its workspace: one query for everything that its caller needs. */
export const findKeyByHashes = (query: Query, hashes: readonly string[]) =>
  selectKeys(query).where('api_key_secrets.secret_hash', 'in', hashes).executeTakeFirst()

/** What became of a key that `findKeyByHashes` finds no valid key for; `role` is null if its maker is no member. */
export const findEndedKey = (query: Query, hashes: readonly string[]) =>
  query
    .selectFrom('api_key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_secrets.key_id')
    .leftJoin('members', join =>
      join
        .onRef('members.workspace_id', '=', 'api_keys.workspace_id')
        .onRef('members.user_id', '=', 'api_keys.user_id'),
    )
    .select([
      'members.role as role',
      'api_keys.expires_at as expiresAt',
      'api_keys.revoked_at as revokedAt',
      'api_key_secrets.expires_at as secretExpiresAt',
    ])
    .where('api_key_secrets.secret_hash', 'in', hashes)
    .executeTakeFirst()

/**
 * The same by the key's id, if the key has a secret that has not expired. An app's key needs none: its tokens come
 * and go, and its work goes on as long as the key is valid.
 */
export async function findKeyById(query: Query, id: string, now: number): Promise<KeyRow | undefined> {
  const row = await selectKeys(query)
    .where('api_keys.id', '=', id)
    .where(({ eb, or }) =>
      or([
        eb('api_keys.app_audience', 'is not', null),
        eb('api_key_secrets.expires_at', 'is', null),
        eb('api_key_secrets.expires_at', '>', now),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row === undefined || row.audience === null ? row : { ...row, secretExpiresAt: null }
}

const selectKeys = (query: Query) =>
  query
    .selectFrom('api_key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_secrets.key_id')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .innerJoin('members', join =>
      join
        .onRef('members.workspace_id', '=', 'api_keys.workspace_id')
        .onRef('members.user_id', '=', 'api_keys.user_id'),
    )
    .select([
      'api_keys.id as keyId',
      'api_keys.workspace_id as workspaceId',
      'api_keys.environment as environment',
      'api_keys.user_id as userId',
      'api_keys.permissions as permissions',
      'api_keys.allowed_addresses as allowedAddresses',
      'api_keys.app_audience as audience',
      'api_keys.agent_ids',
      'api_keys.collection_ids',
      'api_keys.filter',
      'api_keys.expires_at as expiresAt',
      'api_keys.revoked_at as revokedAt',
      'api_key_secrets.expires_at as secretExpiresAt',
      'members.role as role',
      'workspaces.plan as plan',
      'workspaces.rate_limit as rateLimit',
      'workspaces.deletes_at as deletesAt',
    ])

export type KeyRow = NonNullable<Awaited<ReturnType<typeof findKeyByHashes>>>

/** By its hash, or by its id for work that it has begun. Undefined if it is revoked, or if its agent is deleted. */
export const findBrowserToken = (query: Query, by: { tokenHash: string } | { id: string }) =>
  query
    .selectFrom('browser_tokens')
    .innerJoin('agents', 'agents.id', 'browser_tokens.agent_id')
    .selectAll('browser_tokens')
    .where('revoked_at', 'is', null)
    .where('agents.deleted_at', 'is', null)
    .where(({ eb }) =>
      'id' in by ? eb('browser_tokens.id', '=', by.id) : eb('token_hash', '=', by.tokenHash),
    )
    .executeTakeFirst()

export type BrowserTokenRow = NonNullable<Awaited<ReturnType<typeof findBrowserToken>>>

/** Undefined if the session has ended, or if the person is not a member. */
export const findPersonBySession = (
  { workspaceId }: Pick<Scope, 'workspaceId'>,
  query: Query,
  session: { id: string; userId: string; now: number },
) =>
  selectMembers(query, workspaceId, session.userId)
    .innerJoin('sessions', 'sessions.user_id', 'members.user_id')
    .where('sessions.id', '=', session.id)
    .where('sessions.expires_at', '>', session.now)
    // A service account never signs in.
    .where('members.kind', '=', 'person')
    .executeTakeFirst()

/** What became of a session by which no person is found; `role` is null if the person is no member. */
export async function findEndedSession(
  query: Query,
  session: { id: string; userId: string; workspaceId: string },
) {
  const row = await query
    .selectFrom('sessions')
    .leftJoin('members', join =>
      join
        .onRef('members.user_id', '=', 'sessions.user_id')
        .on('members.workspace_id', '=', session.workspaceId),
    )
    .select(['sessions.expires_at as expiresAt', 'members.role as role'])
    .where('sessions.id', '=', session.id)
    .where('sessions.user_id', '=', session.userId)
    .executeTakeFirst()
  return row
}

/** What became of a page's token by which no page is found. */
export const findEndedBrowserToken = (query: Query, tokenHash: string) =>
  query
    .selectFrom('browser_tokens')
    .select('revoked_at as revokedAt')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()

/** Finds a person or a service account. */
export const findMember = ({ workspaceId }: Pick<Scope, 'workspaceId'>, query: Query, userId: string) =>
  selectMembers(query, workspaceId, userId).executeTakeFirst()

const selectMembers = (query: Query, workspaceId: string, userId: string) =>
  query
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .where('members.workspace_id', '=', workspaceId)
    .where('members.user_id', '=', userId)
    .select([
      'members.workspace_id as workspaceId',
      'members.user_id as userId',
      'members.kind',
      'members.role',
      'workspaces.plan',
      'workspaces.rate_limit as rateLimit',
      'workspaces.deletes_at as deletesAt',
    ])

export type MemberRow = NonNullable<Awaited<ReturnType<typeof findPersonBySession>>>

/**
 * The records that teams withhold from a member whose role does not reach everything. One query, because it usually
 * finds no row.
 */
export async function readWithheld(
  { workspaceId, environment }: WholeScope,
  query: Query,
  userId: string,
): Promise<Withheld | undefined> {
  const { rows } = await selectWithheld({ workspaceId, environment }, query, userId)
  if (rows.length === 0) return undefined
  const idsOf = (kind: WithheldRow['kind']) => rows.flatMap(row => (row.kind === kind ? row.id : []))
  return { userId, collectionIds: idsOf('collection'), agentIds: idsOf('agent') }
}

/** The conversations of other people that the person may read for a limited time, though they are not shared. */
export async function readOpened(
  { workspaceId, environment }: WholeScope,
  query: Query,
  { userId, now }: { userId: string; now: number },
): Promise<string[]> {
  const rows = await query
    .selectFrom('conversation_openings')
    .select('conversation_id')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .execute()
  return rows.map(row => row.conversation_id)
}

type WithheldRow = { kind: 'collection' | 'agent'; id: string }

/** Includes deleted records, since runs still name them. `teams` is a literal, so that the index is used. */
const selectWithheld = ({ workspaceId, environment }: WholeScope, query: Query, userId: string) =>
  sql<WithheldRow>`
    SELECT 'collection' AS kind, id FROM collections
    WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND access = 'teams'
      AND NOT EXISTS (
        SELECT 1 FROM collection_teams
          JOIN team_members ON team_members.team_id = collection_teams.team_id
          JOIN members ON members.id = team_members.member_id
        WHERE collection_teams.collection_id = collections.id AND members.user_id = ${userId}
      )
    UNION ALL
    SELECT 'agent', id FROM agents
    WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND access = 'teams'
      AND NOT EXISTS (
        SELECT 1 FROM agent_teams
          JOIN team_members ON team_members.team_id = agent_teams.team_id
          JOIN members ON members.id = team_members.member_id
        WHERE agent_teams.agent_id = agents.id AND members.user_id = ${userId}
      )`.execute(query)

/** The last use of a key, or of a person: then `keyId` is null. */
export type LastUse = {
  keyId: string | null
  workspaceId: string
  userId: string
  at: number
  address: string | null
}

/** The members' list shows it as the person's last activity, for their own requests and those of their keys. */
export async function updateLastUse(tx: Tx, use: LastUse): Promise<void> {
  if (use.keyId !== null) {
    await tx
      .updateTable('api_keys')
      .set({ last_used_at: use.at, last_used_address: use.address })
      .where('id', '=', use.keyId)
      .execute()
  }
  await tx
    .updateTable('members')
    .set({ last_active_at: use.at })
    .where('workspace_id', '=', use.workspaceId)
    .where('user_id', '=', use.userId)
    .execute()
}
