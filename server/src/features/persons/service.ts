/** The actions of a signed-in person outside any one workspace: sees, enters, makes and restores their workspaces. */
import {
  type Caller,
  environments,
  type Permission,
  type Plan,
  type Role,
  rolePermissions,
} from '../../platform/caller.ts'
import { minuteMs, toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { signPersonToken } from '../../platform/crypto/tokens.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { countOf } from '../../platform/database/rows.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import type { Platform } from '../../platform/platform.ts'
import { idOf, stringEnum } from '../../platform/schemas.ts'
import type { AuditService } from '../audit/service.ts'
import { type Callers, type Origin, personCaller } from '../authentication/callers-service.ts'
import type { WorkspaceLifeService } from '../workspaces/life-service.ts'
import type { MemberService } from '../workspaces/members/members-service.ts'
import { type WorkspaceService, workspaceName } from '../workspaces/service.ts'

export const TokenRequest = Type.Closed({
  workspaceId: idOf('workspace'),
  environment: stringEnum(environments),
})
export type TokenRequest = Static<typeof TokenRequest>

export const NewWorkspace = Type.Closed({ name: workspaceName })
export type NewWorkspace = Static<typeof NewWorkspace>

/** A token, and its rights. */
type IssuedToken = {
  token: string
  expiresAt: string
  workspaceId: string
  environment: TokenRequest['environment']
  role: Role
  permissions: Permission[]
}

type Person = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  twoFactorEnabled: boolean
}

/** A workspace for the person behind the session; `deletesAt` is set if it is deleted but can still be restored. */
type OwnWorkspace = {
  id: string
  name: string
  slug: string
  plan: Plan
  role: Role
  deletesAt: string | null
}

/** A signed-in person, and their request. */
export type Visitor = { sessionId: string; userId: string; requestId: string; address: string }

export type PersonService = ReturnType<typeof createPersonService>

const tokenMs = 10 * minuteMs

export function createPersonService(
  dependencies: Pick<Platform, 'database' | 'keyring' | 'clock' | 'log'> & {
    audit: AuditService
    workspaces: WorkspaceService
    workspaceLife: WorkspaceLifeService
    members: MemberService
    callers: Callers
    newWorkspacePlan: Plan
    /** How many workspaces one person may own. */
    maxOwned: number
    /** Furnishes a new workspace; handed in, since the features that know its contents come later. */
    furnish: (owner: { workspaceId: string; userId: string; plan: Plan }) => Promise<unknown>
  },
) {
  const { database, keyring, clock, log, audit, workspaces, workspaceLife, members, callers, furnish } =
    dependencies

  const checkOwned = (count: number): void => {
    if (count < dependencies.maxOwned) return
    throw new ServiceError(
      'workspace_limit',
      `You own ${count} workspaces, deleted ones included until they are erased, and one person may make ${dependencies.maxOwned}. Use or restore one of them, or make someone else its owner.`,
      { details: { limit: dependencies.maxOwned } },
    )
  }

  const insert = (visitor: Visitor, name: string) =>
    database.write(async tx => {
      const { userId } = visitor
      // If there are two requests at once, the second counts the workspace of the first.
      if (!(await lockPerson(tx, userId))) {
        throw notFound(`There is no person ${userId}`, { resource: 'person', id: userId })
      }
      checkOwned(await countOwned(tx, userId))
      const plan = dependencies.newWorkspacePlan
      const slug = await workspaces.freeSlug(tx, name)
      const row = await workspaces.create(tx, { name, slug, plan })
      const caller = ownerOf(visitor, { workspaceId: row.id, plan })
      await audit.record(tx, caller, {
        action: 'workspace.create',
        resourceId: row.id,
        details: { name, slug, plan },
      })
      await members.add(tx, caller, { userId, role: 'owner' })
      return row
    })

  return {
    /** `person` is null if the person no longer exists. Workspaces that are being erased are not listed. */
    async show({
      userId,
    }: Pick<Visitor, 'userId'>): Promise<{ person: Person | null; workspaces: OwnWorkspace[] }> {
      const person = await findPerson(database.read, userId)
      if (person === undefined) return { person: null, workspaces: [] }
      const rows = await listWorkspaces(database.read, userId, clock())
      return {
        person: {
          id: person.id,
          name: person.name,
          email: person.email,
          emailVerified: person.email_verified === 1,
          twoFactorEnabled: person.two_factor_enabled === 1,
        },
        workspaces: rows.map(presentOwn),
      }
    },

    /** Throws a 400 for a workspace that the person does not belong to, and `workspace_deleted`. */
    async issueToken(visitor: Visitor, { workspaceId, environment }: TokenRequest): Promise<IssuedToken> {
      const { sessionId, userId } = visitor
      const claims = { sessionId, userId, workspaceId, environment }
      const known = await callers.bySession(claims, originOf(visitor))
      if (known === null) throw invalidField('workspaceId', 'There is no such workspace for you')
      if (known.refusal !== null) throw known.refusal
      const { role } = known.caller
      const expiresAt = clock() + tokenMs
      return {
        token: signPersonToken(keyring, { ...claims, expiresAt }),
        expiresAt: toTimestamp(expiresAt),
        workspaceId,
        environment,
        role,
        permissions: [...rolePermissions[role]],
      }
    },

    /** The person becomes its owner. Throws `workspace_limit` if they own as many workspaces as one person may. */
    async createWorkspace(visitor: Visitor, { name }: NewWorkspace): Promise<OwnWorkspace> {
      const row = await insertAgain(() => insert(visitor, name.trim()))
      const { id: workspaceId, plan } = row
      await furnish({ workspaceId, userId: visitor.userId, plan }).catch(error =>
        // The workspace exists, and its contents can be made by hand. After an error, the client would create it
        // again.
        log.error('A new workspace could not be furnished', { workspaceId, error }),
      )
      return presentOwn({ ...row, role: 'owner' })
    },

    /** For owners, while the workspace is not being erased; throws `not_found` for any other workspace. */
    async restoreWorkspace(visitor: Visitor, workspaceId: string): Promise<OwnWorkspace> {
      const scope = { workspaceId, environment: 'live' as const }
      const known = await callers.byMembership(scope, visitor.userId, originOf(visitor))
      if (known === null) {
        throw notFound(`There is no workspace ${workspaceId}`, { resource: 'workspace', id: workspaceId })
      }
      const row = await workspaceLife.restore(known.caller)
      return presentOwn({ ...row, role: known.caller.role })
    },
  }
}

/** Another request may take the slug between the search and the insert; a second attempt finds another slug. */
async function insertAgain<Row>(insert: () => Promise<Row>): Promise<Row> {
  try {
    return await insert()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'already_exists') throw error
    return insert()
  }
}

const presentOwn = ({ id, name, slug, plan, role, deletes_at }: OwnWorkspaceRow): OwnWorkspace => ({
  id,
  name,
  slug,
  plan,
  role,
  deletesAt: toOptionalTimestamp(deletes_at),
})

/** The person as the owner of a workspace that has no members yet. */
const ownerOf = (visitor: Visitor, { workspaceId, plan }: { workspaceId: string; plan: Plan }): Caller =>
  personCaller(
    { workspaceId, plan, userId: visitor.userId, role: 'owner', rateLimit: null },
    'live',
    originOf(visitor),
  )

const originOf = ({ requestId, address }: Visitor): Origin => ({ requestId, address, idempotencyId: null })

// People and the workspaces that they belong to.

const findPerson = (query: Query, userId: string) =>
  query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()

/** Workspaces that are being erased are left out. Sorted by name, because people look for names. */
const listWorkspaces = (query: Query, userId: string, now: number) =>
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

type OwnWorkspaceRow = Awaited<ReturnType<typeof listWorkspaces>>[number]

/** Makes simultaneous requests of one person take turns; false if the person does not exist. */
export async function lockPerson(tx: Tx, userId: string): Promise<boolean> {
  const person = tx.selectFrom('users').select('id').where('id', '=', userId)
  return (await person.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/** Deleted workspaces count until they are erased. Otherwise one person could make any number of them. */
const countOwned = (query: Query, userId: string): Promise<number> =>
  countOf(query.selectFrom('members').where('user_id', '=', userId).where('role', '=', 'owner'))
