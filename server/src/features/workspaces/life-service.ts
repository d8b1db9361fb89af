/** How a workspace ends: an owner deletes it, can restore it for a time, and then a job erases it piece by piece. */
import type { Caller, Scope } from '../../platform/caller.ts'
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { previewedIds } from '../../platform/database/page.ts'
import { found, invalidField, notFound } from '../../platform/errors.ts'
import type { Queue } from '../../platform/jobs/job.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkRevision } from '../../platform/revision.ts'
import { type ErasureJob, eraseSlices, type WorkspaceData } from '../../platform/workspace-data.ts'
import type { AuditService } from '../audit/service.ts'
import { lockWorkspaceRow } from './records/members-store.ts'
import { checkOwner } from './records/roles.ts'
import { type ContentCount, countContents, findWorkspace, setDeletesAt, type WorkspaceRow } from './store.ts'

export type WorkspaceLifeService = ReturnType<typeof createWorkspaceLifeService>

export function createWorkspaceLifeService(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    audit: AuditService
    graceMs: number
    /** Called after each change, so that this process drops its cached callers of the workspace. */
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
    /** Counts the records of each kind that would be deleted with it; makes the same checks as `remove`. */
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
     * From now on every key and every member is refused; the workspace is erased after the grace period. `confirm`
     * must be its slug. Throws `permission_missing` for all but owners, and `precondition_failed`.
     */
    remove: (caller: Caller, { confirm, ifMatch }: { confirm: string | undefined; ifMatch: string | null }) =>
      database.write(async tx => {
        checkOwner(caller, 'delete the workspace')
        const row = await lockedRow(caller.scope, tx)
        checkRevision(ifMatch, row)
        // The operator may ask twice. A workspace that is being erased must not look as if it could be restored.
        if (row.deletes_at !== null) return row
        if (confirm !== row.slug) {
          throw invalidField('confirm', `must be the slug of the workspace, ${row.slug}`)
        }
        return change(tx, caller, 'workspace.delete', clock() + graceMs)
      }),
    /** Takes the deletion back; for owners. Throws `not_found` once the workspace is being erased. */
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

// Erases a workspace after its grace period: every row and every file, by a job, piece by piece.

type Dependencies = Pick<Platform, 'database' | 'jobs' | 'clock' | 'log'> & {
  /** The data of every feature; rows that refer to others come first. */
  data: readonly WorkspaceData[]
}

const queueName = 'workspace-erasure'
/** Replaces the time of the erasure: from then on nothing can be restored. */
const begun = 0

const workspacesPerRound = 1_000

export const createWorkspaceErasure = (dependencies: Dependencies) => ({
  queues: { [queueName]: createErasureQueue(dependencies) },
  /** Adds a job for each workspace that is due, the longest due first. Returns how many, at most `atMost`. */
  async sweep(atMost = workspacesPerRound): Promise<number> {
    const { database, clock, jobs } = dependencies
    const due = await database.read
      .selectFrom('workspaces')
      .select('id')
      .where('deletes_at', '<=', clock())
      .orderBy('deletes_at')
      .limit(atMost)
      .execute()
    for (const { id: workspaceId } of due) {
      const payload: ErasureJob['payload'] = { workspaceId }
      // Not in the workspace's lane, because the erasure removes that lane's jobs.
      const job = { queue: queueName, workspaceId: null, payload, uniqueKey: workspaceId }
      await database.write(tx => jobs.enqueue(tx, job))
    }
    return due.length
  },
})

/** Every step can be repeated, so an attempt that was cut short begins again. */
function createErasureQueue(dependencies: Dependencies): Queue<ErasureJob['payload']> {
  const { clock, log, data } = dependencies
  return {
    concurrency: 1,
    leaseMs: 30 * secondMs,
    maxAttempts: 20,
    timeoutMs: 2 * hourMs,
    backoffMs: 5 * secondMs,
    maxBackoffMs: 10 * minuteMs,
    async handle(job) {
      const { workspaceId } = job.payload
      const workspace = await begin(dependencies, job)
      if (workspace === null) return
      const { slug, deletion } = workspace
      log.info('A workspace is being erased', { workspaceId, slug, deletion })
      await stopJobs(dependencies, job)
      let rows = 0
      for (const { erase, slices } of data) {
        await erase?.(job)
        rows += await eraseSlices(slices, job)
      }
      await job.complete(async tx => {
        await eraseRest(tx, workspaceId, clock())
        for (const { afterwards } of data) await afterwards?.(tx)
      })
      log.info('A workspace was erased', { workspaceId, slug, rows })
    },
  }
}

/** Null if there is nothing to erase, or not yet. A restore locks the same row. */
const begin = ({ clock }: Dependencies, job: ErasureJob) =>
  job.write(async tx => {
    const { workspaceId } = job.payload
    const row = await tx
      .updateTable('workspaces')
      .set({ deletes_at: begun })
      .where('id', '=', workspaceId)
      .where('deletes_at', '<=', clock())
      .returning('slug')
      .executeTakeFirst()
    if (row === undefined) return null
    const deletion = await tx
      .selectFrom('audit_log')
      .select(['actor', 'user_id as userId', 'key_id as keyId', 'request_id as requestId'])
      .where('workspace_id', '=', workspaceId)
      .where('action', '=', 'workspace.delete')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return { slug: row.slug, deletion: deletion ?? null }
  })

/** No job may write during the erasure: waiting jobs are removed, and running jobs must end first. */
async function stopJobs({ jobs }: Dependencies, job: ErasureJob): Promise<void> {
  const { workspaceId } = job.payload
  const running = await job.write(async tx => {
    await tx.deleteFrom('jobs').where('lane', '=', workspaceId).where('state', '<>', 'running').execute()
    const rows = await tx.selectFrom('jobs').select('id').where('lane', '=', workspaceId).execute()
    for (const { id } of rows) await jobs.cancel(tx, id)
    return rows.length
  })
  if (running > 0) throw new Error(`${running} jobs of the workspace still run; it is erased after them`)
}

/** Erases the few remaining rows, and the rows that the others referred to. */
async function eraseRest(tx: Tx, workspaceId: string, now: number): Promise<void> {
  const accounts = await tx
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'service')
    .execute()
  // Kept replies expire after a day, and no request has been admitted since the deletion.
  await tx.deleteFrom('idempotency').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('jobs').where('lane', '=', workspaceId).execute()
  await tx.deleteFrom('members').where('workspace_id', '=', workspaceId).execute()
  await tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
  const userIds = accounts.map(({ user_id }) => user_id)
  if (userIds.length > 0) await tx.deleteFrom('users').where('id', 'in', userIds).execute()
}
