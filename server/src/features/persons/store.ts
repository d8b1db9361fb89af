/** People and the workspaces that they belong to. */
import type { Query, Tx } from '../../platform/database/database.ts'
import { countOf } from '../../platform/database/rows.ts'

export const findPerson = (query: Query, userId: string) =>
  query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()

/** Without those that are being erased. By name, as people look for them. */
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

/** Makes what one person does at once take turns; false if there is no such person. */
export async function lockPerson(tx: Tx, userId: string): Promise<boolean> {
  const person = tx.selectFrom('users').select('id').where('id', '=', userId)
  return (await person.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/** Those that are deleted count until they are erased: else one person could make any number of them. */
export const countOwned = (query: Query, userId: string): Promise<number> =>
  countOf(query.selectFrom('members').where('user_id', '=', userId).where('role', '=', 'owner'))
