/** Workspaces: each separates a customer's data from all others, and has its own plan and data key. */
import { type Caller, type Plan, plans } from '../../platform/caller.ts'
import { toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Tx } from '../../platform/database/database.ts'
import { found, invalidField, ServiceError } from '../../platform/errors.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkRevision } from '../../platform/revision.ts'
import { idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'
import type { AuditService } from '../audit/service.ts'
import {
  findWorkspace,
  findWorkspaceByName,
  insertWorkspace,
  listIdsOf,
  listWorkspaces,
  updatePlan,
  updateWorkspace,
  type WorkspaceRow,
} from './store.ts'

const monthlyCostLimitUsd = nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000 }), {
  description:
    'Budget for the runs of an environment in a calendar month (UTC), in US dollars; null for no limit. 0 allows only runs on models that cost nothing.',
})

export const workspaceName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name for people. Changing it does not change the slug.',
})

export const WorkspaceChange = Type.Closed(
  'WorkspaceChange',
  {
    name: Type.Optional(workspaceName),
    monthlyCostLimitUsd: Type.Optional(monthlyCostLimitUsd),
  },
  { minProperties: 1 },
)
export type WorkspaceChange = Static<typeof WorkspaceChange>

export const WorkspaceDeletion = Type.Closed('WorkspaceDeletion', {
  confirm: Type.Optional(
    Type.String({
      maxLength: 63,
      description: 'The slug of the workspace; required without `dryRun=true`.',
    }),
  ),
})
export type WorkspaceDeletion = Static<typeof WorkspaceDeletion>

export const Workspace = Type.Closed('Workspace', {
  id: idOf('workspace'),
  name: Type.String({ description: 'Its name, for people.' }),
  slug: Type.String({
    description: 'Name in URLs and on the command line; unique on this server.',
  }),
  plan: stringEnum(plans, { description: 'The plan, which sets its limits.' }),
  monthlyCostLimitUsd,
  deletesAt: nullable(timestamp(), {
    description: 'When it will be erased; null unless an owner has deleted it.',
  }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type Workspace = Static<typeof Workspace>

export type WorkspaceService = ReturnType<typeof createWorkspaceService>

export function createWorkspaceService(
  dependencies: Pick<Platform, 'database' | 'keyring' | 'clock' | 'newId'> & {
    audit: AuditService
  },
) {
  const { database, keyring, audit, clock, newId } = dependencies
  return {
    /**
     * Makes a workspace inside `tx`, on the given plan. The slug is derived from the name if it is not given. Throws
     * 409 `already_exists` if the slug is taken.
     */
    async create(tx: Tx, { name, slug = slugOf(name), plan }: { name: string; slug?: string; plan: Plan }) {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
        throw invalidField('slug', 'must be 1 to 63 lower-case letters, digits and inner hyphens')
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
        deletes_at: null,
        created_at: now,
        updated_at: now,
        revision: 1,
      }
      if (!(await insertWorkspace(tx, row))) {
        throw new ServiceError('already_exists', `There is a workspace with the slug ${slug} already`, {
          details: { resource: 'workspace', field: 'slug', id: null },
        })
      }
      return row
    },
    /** The slug of the name, with random characters after it if that slug is taken. */
    async freeSlug(tx: Tx, name: string): Promise<string> {
      const slug = slugOf(name)
      if ((await findWorkspaceByName(tx, slug)) === undefined) return slug
      return `${slug.slice(0, 50).replace(/-$/, '')}-${randomToken(6).toLowerCase()}`
    },
    async get(caller: Caller): Promise<WorkspaceRow> {
      return found(await findWorkspace(database.read, caller.scope.workspaceId))
    },
    /** By id or slug; throws `not_found`. For the operator, who may access all workspaces. */
    async find(idOrSlug: string): Promise<WorkspaceRow> {
      return found(await findWorkspaceByName(database.read, idOrSlug))
    },
    list: (): Promise<WorkspaceRow[]> => listWorkspaces(database.read),
    /** The workspaces of a person that are not deleted; at most the 100 oldest. */
    idsOf: listIdsOf,
    /** With null, `requestsPerMinute` becomes the plan's own number. */
    async setPlan(
      caller: Caller,
      { plan, requestsPerMinute }: { plan: Plan; requestsPerMinute: number | null },
    ): Promise<WorkspaceRow> {
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
    /** Throws `precondition_failed`. */
    async update(
      caller: Caller,
      { name: wantedName, monthlyCostLimitUsd }: WorkspaceChange,
      ifMatch: string | null,
    ): Promise<WorkspaceRow> {
      const name = wantedName?.trim()
      const { workspaceId } = caller.scope
      return database.write(async tx => {
        const row = found(await findWorkspace(tx, workspaceId))
        checkRevision(ifMatch, row)
        const hasNewName = name !== undefined && name !== row.name
        if (!hasNewName && monthlyCostLimitUsd === undefined) return row
        await updateWorkspace(tx, workspaceId, { name, monthlyCostLimitUsd, now: clock() })
        await audit.record(tx, caller, {
          action: 'workspace.update',
          resourceId: workspaceId,
          details: {
            name: hasNewName ? name : undefined,
            from: hasNewName ? row.name : undefined,
            monthlyCostLimitUsd,
          },
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
  deletesAt: toOptionalTimestamp(row.deletes_at),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

/** The letters and digits of the name, joined by hyphens. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? ['workspace']).join('-').slice(0, 63).replace(/-$/, '')
}
