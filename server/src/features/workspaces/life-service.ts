/** How a workspace ends: deleted by an owner, restored while there is time, then erased by a job, piece by piece. */
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

// Erases a workspace whose days of grace are over: every row and every file, by a job, piece by piece.

type Dependencies = Pick<Platform, 'database' | 'jobs' | 'clock' | 'log'> & {
  /** Of every feature, those that refer to others first. */
  data: readonly WorkspaceData[]
}

const queueName = 'workspace-erasure'
/** In place of a time: from then on there is nothing to be restored any more. */
const begun = 0

const workspacesPerRound = 1_000

export const createWorkspaceErasure = (dependencies: Dependencies) => ({
  queues: { [queueName]: createErasureQueue(dependencies) },
  /** Adds a job for each workspace that is due, the longest due first; returns how many they are, at most `atMost`. */
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
      // Not in the workspace's lane, whose jobs are removed.
      const job = { queue: queueName, workspaceId: null, payload, uniqueKey: workspaceId }
      await database.write(tx => jobs.enqueue(tx, job))
    }
    return due.length
  },
})

/** Every step can be done again, so an attempt that was cut short begins again. */
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

/** No job may write during the erasure: those that wait are removed, and those that run are waited for. */
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

/** What is few, and what the rest hung on. */
async function eraseRest(tx: Tx, workspaceId: string, now: number): Promise<void> {
  const accounts = await tx
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'service')
    .execute()
  // Replies that are kept for repetition are older than their day: no request was let in since.
  await tx.deleteFrom('idempotency').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('jobs').where('lane', '=', workspaceId).execute()
  await tx.deleteFrom('members').where('workspace_id', '=', workspaceId).execute()
  await tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
  const userIds = accounts.map(({ user_id }) => user_id)
  if (userIds.length > 0) await tx.deleteFrom('users').where('id', 'in', userIds).execute()
}
