/** Workspaces: the walls between customers, each with a plan and a data key of its own. */
import type { Caller, Plan } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import type { Workspace, WorkspaceChange } from './schemas.ts'
import {
  findWorkspace,
  findWorkspaceByName,
  insertWorkspace,
  listWorkspaces,
  updateCostLimit,
  updatePlan,
  type WorkspaceRow,
} from './store.ts'

export type WorkspaceService = {
  /**
   * Makes a workspace inside `tx`, on the given plan. The slug is derived from the name where it is not given;
   * one that is taken is a 409 `conflict`.
   */
  create(tx: Tx, workspace: { name: string; slug?: string; plan: Plan }): Promise<WorkspaceRow>
  get(caller: Caller): Promise<WorkspaceRow>
  /** By id or slug; throws `not_found`. For the operator, who stands above all workspaces. */
  find(idOrSlug: string): Promise<WorkspaceRow>
  list(): Promise<WorkspaceRow[]>
  /** `requestsPerMinute` null gives the workspace the plan's own number. */
  setPlan(caller: Caller, change: { plan: Plan; requestsPerMinute: number | null }): Promise<WorkspaceRow>
  /** Throws `precondition_failed`. */
  update(caller: Caller, change: WorkspaceChange, ifMatch: string | null): Promise<WorkspaceRow>
}

export function createWorkspaceService(dependencies: {
  database: Database
  keyring: Keyring
  audit: AuditService
  clock: Clock
  newId: NewId
}): WorkspaceService {
  const { database, keyring, audit, clock, newId } = dependencies
  return {
    async create(tx, { name, slug = slugOf(name), plan }) {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
        throw invalidField('slug', 'must be 1 to 63 lower-case letters, digits and inner hyphens')
      }
      const taken = await findWorkspaceByName(tx, slug)
      if (taken !== undefined) {
        throw new ServiceError('conflict', `There is a workspace with the slug ${slug} already`)
      }
      const id = newId('workspace')
      const now = clock()
      const row: WorkspaceRow = {
        id,
        name,
        slug,
        plan,
        rate_limit: null,
        monthly_cost_limit_usd: null,
        data_key: keyring.newDataKey(id),
        created_at: now,
        updated_at: now,
        revision: 1,
      }
      await insertWorkspace(tx, row)
      return row
    },
    async get(caller) {
      return found(await findWorkspace(database.read, caller.scope.workspaceId))
    },
    async find(idOrSlug) {
      return found(await findWorkspaceByName(database.read, idOrSlug))
    },
    list: () => listWorkspaces(database.read),
    async setPlan(caller, { plan, requestsPerMinute }) {
      const { workspaceId } = caller.scope
      return database.write(async tx => {
        found(await findWorkspace(tx, workspaceId))
        await updatePlan(tx, workspaceId, { plan, rateLimit: requestsPerMinute, now: clock() })
        await audit.record(tx, caller, {
          action: 'workspace.set_plan',
          resourceId: workspaceId,
          details: { plan, requestsPerMinute },
        })
        return found(await findWorkspace(tx, workspaceId))
      })
    },
    async update(caller, { monthlyCostLimitUsd }, ifMatch) {
      const { workspaceId } = caller.scope
      return database.write(async tx => {
        const row = found(await findWorkspace(tx, workspaceId))
        checkRevision(ifMatch, row)
        if (monthlyCostLimitUsd === undefined) return row
        await updateCostLimit(tx, workspaceId, { monthlyCostLimitUsd, now: clock() })
        await audit.record(tx, caller, {
          action: 'workspace.update',
          resourceId: workspaceId,
          details: { monthlyCostLimitUsd },
        })
        return found(await findWorkspace(tx, workspaceId))
      })
    },
  }
}

export const presentWorkspace = (row: WorkspaceRow): Workspace => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  plan: row.plan,
  monthlyCostLimitUsd: row.monthly_cost_limit_usd,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

function found(row: WorkspaceRow | undefined): WorkspaceRow {
  if (row === undefined) throw notFound()
  return row
}

/** Letters and digits of the name with hyphens between. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? ['workspace']).join('-').slice(0, 63).replace(/-$/, '')
}
