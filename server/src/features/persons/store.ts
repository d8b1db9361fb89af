/** What a signed-in person is in a workspace: read as one row, so that nothing of it can be out of step. */
import type { Scope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'

type Place = Pick<Scope, 'workspaceId'>

/** What the caller is made of; undefined where the session has ended or the person is no member. */
export const findBySession = (
  { workspaceId }: Place,
  query: Query,
  session: { id: string; userId: string; now: number },
) =>
  selectPersons(query, workspaceId)
    .innerJoin('sessions', 'sessions.user_id', 'members.user_id')
    .where('sessions.id', '=', session.id)
    .where('sessions.expires_at', '>', session.now)
    .where('members.user_id', '=', session.userId)
    .executeTakeFirst()

/** The same for what goes on after the session: undefined where the person is no member any more. */
export const findByMembership = ({ workspaceId }: Place, query: Query, userId: string) =>
  selectPersons(query, workspaceId).where('members.user_id', '=', userId).executeTakeFirst()

/** A service account never signs in, so a row of one is no person's. */
const selectPersons = (query: Query, workspaceId: string) =>
  query
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .where('members.workspace_id', '=', workspaceId)
    .where('members.kind', '=', 'person')
    .select([
      'members.workspace_id as workspaceId',
      'members.user_id as userId',
      'members.role',
      'workspaces.plan',
      'workspaces.rate_limit as rateLimit',
      'workspaces.deletes_at as deletesAt',
    ])

export type PersonInWorkspace = NonNullable<Awaited<ReturnType<typeof findBySession>>>

/** What the members' list shows as the last activity. */
export type LastActive = { workspaceId: string; userId: string; at: number }

export async function updateLastActive(tx: Tx, { workspaceId, userId, at }: LastActive): Promise<void> {
  await tx
    .updateTable('members')
    .set({ last_active_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
}

export const findPerson = (query: Query, userId: string) =>
  query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()

/** Those that are being erased are gone for everybody. By name, as people look for them. */
export const listWorkspaces = (query: Query, userId: string, now: number) =>
  query
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .where('members.user_id', '=', userId)
    .where(({ eb, or }) =>
      or([eb('workspaces.deletes_at', 'is', null), eb('workspaces.deletes_at', '>', now)]),
    )
    .select([
      'workspaces.id',
      'workspaces.name',
      'workspaces.slug',
      'workspaces.plan',
      'members.role',
      'workspaces.deletes_at',
    ])
    .orderBy('workspaces.name')
    .orderBy('workspaces.id')
    .execute()

export type OwnWorkspaceRow = Awaited<ReturnType<typeof listWorkspaces>>[number]

/** Makes what one person does at once take turns, on either engine; false where there is no such person. */
export async function lockPerson(tx: Tx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Those that are deleted count until they are erased: else one person could make any number of them. */
export async function countOwned(query: Query, userId: string): Promise<number> {
  const { count } = await query
    .selectFrom('members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return count
}
