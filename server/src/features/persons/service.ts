/** What a signed-in person does beside any one workspace: sees their workspaces, goes into one, makes and restores them. */
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

/** A token, and what it is good for. */
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

/** A workspace as the person behind the session sees it; `deletesAt` is set where it is deleted and can still be restored. */
type OwnWorkspace = {
  id: string
  name: string
  slug: string
  plan: Plan
  role: Role
  deletesAt: string | null
}

/** Somebody who is signed in, and the request by which they ask. */
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
    /** Puts into a new workspace what it begins with; handed in, since the features that know come later. */
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
    )
  }

  const insert = (visitor: Visitor, name: string) =>
    database.write(async tx => {
      const { userId } = visitor
      // Of two requests at once, the second counts what the first has made.
      if (!(await lockPerson(tx, userId))) throw notFound()
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
    /** Null if the person has gone meanwhile. Those workspaces that are being erased are not listed. */
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

    /** Throws a 400 for a workspace that is not the person's, and `workspace_deleted`. */
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

    /** The person owns it; throws `workspace_limit` if they own as many as one person may. */
    async createWorkspace(visitor: Visitor, { name }: NewWorkspace): Promise<OwnWorkspace> {
      const row = await insertAgain(() => insert(visitor, name.trim()))
      const { id: workspaceId, plan } = row
      await furnish({ workspaceId, userId: visitor.userId, plan }).catch(error =>
        // The workspace stands, and everything in it can be made by hand: it must not be made a second time.
        log.error('A new workspace could not be furnished', { workspaceId, error }),
      )
      return presentOwn({ ...row, role: 'owner' })
    },

    /** For owners, as long as it is not being erased; `not_found` for any other workspace. */
    async restoreWorkspace(visitor: Visitor, workspaceId: string): Promise<OwnWorkspace> {
      const scope = { workspaceId, environment: 'live' as const }
      const known = await callers.byMembership(scope, visitor.userId, originOf(visitor))
      if (known === null) throw notFound()
      const row = await workspaceLife.restore(known.caller)
      return presentOwn({ ...row, role: known.caller.role })
    },
  }
}

/** Somebody may take the slug between the look and the insert; another look finds another one. */
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

/** Without those that are being erased. By name, as people look for them. */
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

/** Makes what one person does at once take turns; false if there is no such person. */
export async function lockPerson(tx: Tx, userId: string): Promise<boolean> {
  const person = tx.selectFrom('users').select('id').where('id', '=', userId)
  return (await person.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/** Those that are deleted count until they are erased: else one person could make any number of them. */
const countOwned = (query: Query, userId: string): Promise<number> =>
  countOf(query.selectFrom('members').where('user_id', '=', userId).where('role', '=', 'owner'))
