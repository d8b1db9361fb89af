/** Who acts, where, and what they may do: the vocabulary that every feature shares. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { bothFilters, bothLists, type Filter, type RunNarrowing } from './narrowing.ts'

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
  /** Present where the key or the run is narrowed to a filter: only documents that match exist for it. */
  documentFilter?: Filter
  /** Present where something is kept to teams that the caller is in none of. */
  withheld?: Withheld
  /** Present for a person: no person's conversation exists for a program. */
  reader?: Reader
  /** Present for a page with a browser token: only the conversations and runs of this end user exist for it. */
  endUser?: EndUser
}

/** Who sits before a page: the server's own id of them, and the functions of the agent that the page answers. */
export type EndUser = { id: string; functions: readonly string[] }

/** A person, for whom their own conversations exist, those that are shared with them, and those that they have opened. */
export type Reader = {
  personId: string
  /** Conversations of others that they have opened as an owner or admin, for a time that is not over. */
  openedIds: readonly string[]
}

/** All that an environment of a workspace holds, whatever a caller may reach of it. */
export type WholeScope = Pick<Scope, 'workspaceId' | 'environment'>

/** What does not exist for a member, since it is kept to teams of others. Never both empty. */
export type Withheld = {
  /** The member. */
  userId: string
  collectionIds: readonly string[]
  agentIds: readonly string[]
}

/** Whether a key reaches some agents or collections only: then it gets no figure of the whole workspace. */
export const isNarrowed = ({ agentIds, collectionIds }: Scope): boolean =>
  agentIds !== undefined || collectionIds !== undefined

/** The part of a scope in which the tools of a narrowed run work: what lies outside does not exist for them. */
export const scopeWithin = (scope: Scope, { collectionIds, filter }: RunNarrowing): Scope =>
  withoutUndefined({
    ...scope,
    collectionIds: bothLists(scope.collectionIds ?? null, collectionIds) ?? undefined,
    documentFilter: bothFilters(scope.documentFilter, filter) ?? undefined,
  })

/** Who reaches a collection or an agent: everybody in the workspace, or some teams besides owners and admins. */
export const accesses = ['workspace', 'teams'] as const
export type Access = (typeof accesses)[number]

/** Who reads a person's conversation besides that person. */
export const conversationAccesses = ['private', 'teams', 'workspace'] as const
export type ConversationAccess = (typeof conversationAccesses)[number]

/**
 * The documents that a key reaches, as they are stored: the same text for the same collections, in whatever order it names
 * them. Null for all.
 */
export function narrowingOf({ collectionIds, documentFilter }: Scope): string | null {
  const collections = collectionIds === undefined ? null : [...collectionIds].sort().join(' ')
  return documentFilter === undefined ? collections : JSON.stringify([collections, documentFilter])
}

/** What a key that is narrowed to a filter may have: the filter says nothing of documents to come. */
export const filteredPermissions: readonly Permission[] = ['agents:read', 'agents:run', 'knowledge:read']

/** The whole narrowing of a key or an endpoint, as it is stored and compared: no text where there is none. */
export function narrowingText({ agentIds, collectionIds }: Pick<Scope, 'agentIds' | 'collectionIds'>) {
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

/** What every caller has. */
type AnyCaller = {
  role: Role
  permissions: ReadonlySet<Permission>
  scope: Scope
  plan: Plan
  /** Where the operator gave the workspace a number of its own; null means the plan's. */
  requestsPerMinute: number | null
  requestId: string
  /** The address that the request came from; null if no request came, or if work goes on after it. */
  address: string | null
  /** How many runs stand behind the request, each asked by the tool of another one; absent where a run does not ask. */
  hops?: number
}

/** Says it where a tool of a run asks a server, which may be this one. */
export const hopsHeader = 'x-atrium-hops'

/** What a tool of a run that works for the caller says. */
export const hopsBehind = ({ hops = 0 }: Pick<Caller, 'hops'>): string => String(hops + 1)

/** What a caller has whose request is in progress. */
type OfRequest = AnyCaller & {
  /** The record of the Idempotency-Key that the request carries; null without one. */
  idempotencyId: string | null
}

/** A program. It acts for the member that made its key. */
export type KeyCaller = OfRequest & {
  kind: 'key'
  keyId: string
  userId: string
  keyBounds: KeyBounds
  /** Present where the key has given a page a token, and the page began this. */
  browserTokenId?: string
  /** Present while such a page asks. */
  page?: BrowserPage
}

/** A page of another origin that asks with a browser token. Its scope is that of the key, narrowed to one agent and end user. */
export type BrowserPage = {
  agentId: string
  /** Whether anybody may be before it: it has its token from a public chat, and not from the workspace's server. */
  isVisitor: boolean
  origins: readonly string[]
  expiresAt: number
  requestsPerMinute: number
  /** Null is not limited. */
  maxTokens: number | null
  maxCostUsd: number | null
  runFields: PageRunFields
  /** Those that the key reaches, and so the agent where it calls others; undefined for all. */
  keyAgentIds: readonly string[] | undefined
}

/** What the token gives each of its runs: the page itself cannot set it. */
export type PageRunFields = {
  variables?: Record<string, string>
  metadata?: Record<string, unknown>
  collectionIds?: string[]
  filter?: Record<string, unknown>
}

/** What of the key's permissions a page has: those that its routes and an agent's tools need. */
export const pagePermissions: readonly Permission[] = [
  'agents:read',
  'agents:run',
  'knowledge:read',
  'integrations:read',
]

/** A person who is signed in, by a token of the console. */
export type PersonCaller = OfRequest & { kind: 'person'; userId: string }

/** The operator's command, on behalf of a member where one is named. */
type OperatorCaller = AnyCaller & { kind: 'operator'; userId: string | null }

/** The server itself, on behalf of a member where one is named. */
export type SystemCaller = AnyCaller & { kind: 'system'; userId: string | null }

/** Who an authenticated request comes from. */
export type RequestCaller = KeyCaller | PersonCaller

/** Who acts: the author of a request, or the operator or the system. */
export type Caller = RequestCaller | OperatorCaller | SystemCaller

/** When a key's secret ends and from where it works; null is no end and any address. A key that it makes gets no more. */
export type KeyBounds = {
  expiresAt: number | null
  allowedAddresses: readonly string[] | null
  /** Present where it is let in at this door alone. */
  door?: Door
}

/** Where callers come in: the REST API, or the MCP server beside it. */
export type Door = 'api' | 'mcp'

/** Where an app may use what a person gave it; one for the API may come in at every door, as keys do. */
export const appAudiences = ['mcp', 'api'] as const
export type AppAudience = (typeof appAudiences)[number]

export const noBounds: KeyBounds = { expiresAt: null, allowedAddresses: null }

/** A person whose role only reads: some agents let them ask all the same. */
export const isViewer = (caller: Caller): boolean => caller.kind === 'person' && caller.role === 'viewer'

/** Null unless a page asks with a browser token. */
export const browserPageOf = (caller: Caller): BrowserPage | null =>
  (caller.kind === 'key' && caller.page) || null

/** Null unless a page began this with a browser token. */
export const browserTokenIdOf = (caller: Caller): string | null =>
  (caller.kind === 'key' && caller.browserTokenId) || null

/** The caller for whom a run works that it begins: a page's run reaches what the key reaches, its other agents too. */
export function authorFor(caller: Caller): Caller {
  if (caller.kind !== 'key' || caller.page === undefined) return caller
  const { page, ...author } = caller
  const { endUser: _, agentIds: _only, ...scope } = caller.scope
  const agentIds = page.keyAgentIds
  return { ...author, scope: agentIds === undefined ? scope : { ...scope, agentIds } }
}

/** Null for any caller but a key. */
export const keyIdOf = (caller: Caller): string | null => (caller.kind === 'key' ? caller.keyId : null)

/**
 * The author of what no request does. It holds no permission of its own; audit rows name `userId`, where it acts for a
 * member.
 */
export const systemCaller = (
  scope: Scope,
  requestId: string,
  userId: string | null = null,
): SystemCaller => ({
  kind: 'system',
  userId,
  role: 'viewer',
  permissions: new Set(),
  scope,
  plan: 'free',
  requestsPerMinute: null,
  requestId,
  address: null,
})

export const plans = ['free', 'starter', 'professional', 'enterprise'] as const
export type Plan = (typeof plans)[number]
