/** Who acts, where, and what they may do: the vocabulary that every feature shares. */

export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]

/** The part of the data that a caller can reach. Every store function takes it first. */
export type Scope = {
  workspaceId: string
  environment: Environment
  /** Present where the key is narrowed: only these collections exist for it. */
  collectionIds?: readonly string[]
  /** Present where the key is narrowed: only these agents exist for it. */
  agentIds?: readonly string[]
  /** Present where something is kept to teams that the caller is in none of. */
  withheld?: Withheld
}

/** What does not exist for a member, since it is kept to teams of others. Never both empty. */
export type Withheld = {
  /** The member. */
  userId: string
  collectionIds: readonly string[]
  agentIds: readonly string[]
}

/** Whether a key reaches some agents or collections only: then it is told no figure of the whole workspace. */
export const isNarrowed = ({ agentIds, collectionIds }: Scope): boolean =>
  agentIds !== undefined || collectionIds !== undefined

/** Who reaches a collection or an agent: everybody in the workspace, or some teams besides owners and admins. */
export const accesses = ['workspace', 'teams'] as const
export type Access = (typeof accesses)[number]

/** How far a key's collections reach, as it is stored: the same for the same ones, in whatever order it names them. */
export const narrowingOf = ({ collectionIds }: Scope): string | null =>
  collectionIds === undefined ? null : [...collectionIds].sort().join(' ')

/** The whole narrowing of a key or an endpoint, as it is stored and compared: no text where there is none. */
export function narrowingText({
  agentIds,
  collectionIds,
}: Pick<Scope, 'agentIds' | 'collectionIds'>): string {
  if (agentIds === undefined && collectionIds === undefined) return ''
  return JSON.stringify([agentIds?.toSorted() ?? null, collectionIds?.toSorted() ?? null])
}

export const permissions = [
  'agents:read',
  'agents:run',
  'agents:write',
  'knowledge:read',
  'knowledge:write',
  'integrations:read',
  'integrations:write',
  'workspace:write',
  'members:read',
  'members:write',
  'teams:write',
  'webhooks:read',
  'webhooks:write',
  'keys:read',
  'keys:write',
  'usage:read',
  'audit:read',
] as const
export type Permission = (typeof permissions)[number]

export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

const readPermissions = ['agents:read', 'knowledge:read', 'integrations:read', 'members:read'] as const

/** What each role may do at the most; a key can only narrow it. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: permissions,
  admin: permissions,
  member: [...readPermissions, 'agents:run', 'knowledge:write'],
  viewer: readPermissions,
}

/** An authenticated request's author, or the operator or the system acting for one. */
export type Caller = {
  /** `person`: somebody who is signed in, by a token of the console. */
  kind: 'key' | 'person' | 'operator' | 'system'
  userId: string | null
  keyId: string | null
  role: Role
  permissions: ReadonlySet<Permission>
  scope: Scope
  plan: Plan
  /** Where the operator gave the workspace a number of its own; null means the plan's. */
  requestsPerMinute: number | null
  requestId: string
  /** The address that the request came from; null for the operator and the system. */
  address: string | null
  /** The record of the Idempotency-Key that the request carries; null without one. */
  idempotencyId: string | null
  /** Present where the caller is a key. */
  keyBounds?: KeyBounds
}

/** Until when a key's secret works and from where, null for ever and from anywhere: so it is with what it makes, at the most. */
export type KeyBounds = { expiresAt: number | null; allowedAddresses: readonly string[] | null }

/**
 * The author of what no request with a key does. It holds no permission of its own; audit rows name `userId`, where it acts
 * for somebody.
 */
export const systemCaller = (scope: Scope, requestId: string, userId: string | null = null): Caller => ({
  kind: 'system',
  userId,
  keyId: null,
  role: 'viewer',
  permissions: new Set(),
  scope,
  plan: 'free',
  requestsPerMinute: null,
  requestId,
  address: null,
  idempotencyId: null,
})

export const plans = ['free', 'starter', 'professional', 'enterprise'] as const
export type Plan = (typeof plans)[number]
