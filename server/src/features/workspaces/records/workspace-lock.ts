/** Makes changes of who belongs to a workspace take turns, so that what one has checked still holds when it writes. */
import type { Plan, Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { found, ServiceError } from '../../../platform/errors.ts'

/**
 * Holds the workspace's row until the transaction ends. Members, invitations and teams are changed under it:
 * otherwise two owners could demote each other at once, since neither sees the other's change.
 * A workspace that is deleted changes no more: throws `workspace_deleted`.
 */
export async function lockWorkspace(scope: Scope, tx: Tx): Promise<{ name: string; plan: Plan }> {
  const locked = await lockWorkspaceRow(tx, scope.workspaceId)
  if (locked.deletes_at !== null) throw new ServiceError('workspace_deleted')
  return locked
}

/** The same for what may be deleted already. */
export async function lockWorkspaceRow(tx: Tx, workspaceId: string) {
  const locked = found(
    await tx
      .updateTable('workspaces')
      // An update that changes nothing locks the row on either engine.
      .set(({ ref }) => ({ revision: ref('revision') }))
      .where('id', '=', workspaceId)
      .returning(['name', 'plan', 'deletes_at'])
      .executeTakeFirst(),
  )
  return locked
}
