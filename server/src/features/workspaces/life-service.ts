/** How a workspace ends: deleted by an owner, restored while there is time, then erased. */
import type { Caller, Scope } from '../../platform/caller.ts'
import { toTimestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { previewedIds } from '../../platform/database/page.ts'
import { found, invalidField, notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import { lockWorkspaceRow } from './records/members-store.ts'
import { checkOwner } from './records/roles.ts'
import { type ContentCount, countContents, findWorkspace, setDeletesAt, type WorkspaceRow } from './store.ts'

export type WorkspaceLifeService = ReturnType<typeof createWorkspaceLifeService>

export function createWorkspaceLifeService(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    audit: AuditService
    graceMs: number
    /** Called after each change, so that this process forgets what it had cached of the workspace's callers. */
    onChange: () => void
  },
) {
  const { database, clock, audit, graceMs, onChange } = dependencies

  const change = async (tx: Tx, caller: Caller, action: string, deletesAt: number | null) => {
    const { workspaceId } = caller.scope
    await setDeletesAt(tx, workspaceId, { deletesAt, now: clock() })
    const details = deletesAt === null ? {} : { deletesAt: toTimestamp(deletesAt) }
    await audit.record(tx, caller, { action, resourceId: workspaceId, details })
    database.afterCommit(tx, onChange)
    return lockedRow(caller.scope, tx)
  }

  return {
    /** How much of each kind would go with it; makes the same checks as `remove`. */
    async preview(
      caller: Caller,
      ifMatch: string | null,
    ): Promise<(ContentCount | { resource: 'workspace'; count: number; ids: string[] })[]> {
      checkOwner(caller, 'delete the workspace')
      const row = found(await findWorkspace(database.read, caller.scope.workspaceId))
      checkRevision(ifMatch, row)
      const own = { resource: 'workspace' as const, count: 1, ids: [row.id] }
      return [own, ...(await countContents(database.read, row.id, previewedIds))]
    },
    /**
     * From now on every key and every member is refused; the workspace is erased after the days of grace. `confirm` must
     * be its slug. Throws `permission_missing` for all but owners and for a narrowed key, and `precondition_failed`.
     */
    remove: (caller: Caller, { confirm, ifMatch }: { confirm: string | undefined; ifMatch: string | null }) =>
      database.write(async tx => {
        checkOwner(caller, 'delete the workspace')
        const row = await lockedRow(caller.scope, tx)
        checkRevision(ifMatch, row)
        // The operator may ask twice: what is being erased must not look as if it could be had back.
        if (row.deletes_at !== null) return row
        if (confirm !== row.slug) {
          throw invalidField('confirm', `must be the slug of the workspace, ${row.slug}`)
        }
        return change(tx, caller, 'workspace.delete', clock() + graceMs)
      }),
    /** Takes the deletion back; for owners. `not_found` once it is being erased. */
    restore: (caller: Caller): Promise<WorkspaceRow> =>
      database.write(async tx => {
        const row = await lockedRow(caller.scope, tx)
        if (row.deletes_at === null) return row
        if (row.deletes_at <= clock()) throw notFound()
        checkOwner(caller, 'restore the workspace')
        return change(tx, caller, 'workspace.restore', null)
      }),
  }
}

async function lockedRow({ workspaceId }: Scope, tx: Tx): Promise<WorkspaceRow> {
  await lockWorkspaceRow(tx, workspaceId)
  return found(await findWorkspace(tx, workspaceId))
}
