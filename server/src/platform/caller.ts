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
  /** Present if some collections or agents are kept to teams that the caller does not belong to. */
  withheld?: Withheld
  /** Present for a person. A program has no reader, so no person's conversation exists for it. */
  reader?: Reader
  /** Present for a page with a browser token: only the conversations and runs of this end user exist for it. */
  endUser?: EndUser
}

/** The end user of a page: the id in the token, and the functions of the agent that the page answers. */
export type EndUser = { id: string; functions: readonly string[] }

/** A person. For them exist their own conversations, shared ones, and ones that they have opened. */
export type Reader = {
  personId: string
  /** Conversations of others that the person opened as an owner or admin, for a time that is not over. */
  openedIds: readonly string[]
}

/** All data of an environment of a workspace, whatever part of it a caller may reach. */
export type WholeScope = Pick<Scope, 'workspaceId' | 'environment'>

/** Collections and agents that do not exist for a member, because they are kept to other teams. Never both empty. */
export type Withheld = {
  /** The member's user id. */
  userId: string
  collectionIds: readonly string[]
  agentIds: readonly string[]
}

/**
 * Whether a key reaches only some agents, collections or documents. Such a key gets no figures of the whole workspace,
 * and changes nothing that belongs to it.
 */
export const isNarrowed = ({ agentIds, collectionIds, documentFilter }: Scope): boolean =>
  agentIds !== undefined || collectionIds !== undefined || documentFilter !== undefined

/** The scope of the tools of a narrowed run. Documents outside of it do not exist for the tools. */
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
 * The documents that a key reaches, as stored text. The same collections in any order give the same text. Null means
 * all.
 */
export function narrowingOf({ collectionIds, documentFilter }: Scope): string | null {
  const collections = collectionIds === undefined ? null : [...collectionIds].sort().join(' ')
  return documentFilter === undefined ? collections : JSON.stringify([collections, documentFilter])
}

/** The only permissions that a key with a filter may have: the filter says nothing about documents to come. */
export const filteredPermissions: readonly Permission[] = ['agents:read', 'agents:run', 'knowledge:read']

/** The agents and collections of a key or an endpoint as text, to store and compare; empty if it is not narrowed. */
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

/** The permissions that each role has at most. A key can only narrow them. */
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
  /** The workspace's own number, if the operator set one; null means the plan's number. */
  requestsPerMinute: number | null
  requestId: string
  /** The address that the request came from; null if no request came, or if work goes on after it. */
  address: string | null
  /** How many runs led to the request, each called by a tool of the run before it. Absent if no run asks. */
  hops?: number
}

/** The header with `hops`, which a tool of a run sends to a server, perhaps this one. */
export const hopsHeader = 'x-atrium-hops'

/** The value of that header for a tool of a run that works for the caller. */
export const hopsBehind = ({ hops = 0 }: Pick<Caller, 'hops'>): string => String(hops + 1)

/** Fields of a caller whose request is in progress. */
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
  /** The browser token, if a page with a token of this key began the work. */
  browserTokenId?: string
  /** Present while a page's own request is in progress. */
  page?: BrowserPage
}

/** A page of another origin with a browser token. Its scope is the key's, narrowed to one agent and end user. */
export type BrowserPage = {
  agentId: string
  /** Whether anyone may use the page: its token comes from a public chat, not from the workspace's server. */
  isVisitor: boolean
  origins: readonly string[]
  expiresAt: number
  requestsPerMinute: number
  /** Null means no limit. */
  maxTokens: number | null
  maxCostUsd: number | null
  runFields: PageRunFields
  /** The agents that the key reaches, and so the page's agent when it calls others; undefined means all. */
  keyAgentIds: readonly string[] | undefined
}

/** The fields that the token sets for each of its runs. The page itself cannot set them. */
export type PageRunFields = {
  variables?: Record<string, string>
  metadata?: Record<string, unknown>
  collectionIds?: string[]
  filter?: Record<string, unknown>
}

/** The permissions that a page can get from its key: its routes and the tools of an agent need them. */
export const pagePermissions: readonly Permission[] = [
  'agents:read',
  'agents:run',
  'knowledge:read',
  'integrations:read',
]

/** A person who is signed in, with a token of the console. */
export type PersonCaller = OfRequest & { kind: 'person'; userId: string }

/** The operator's command. It acts for a member if `userId` names one. */
type OperatorCaller = AnyCaller & { kind: 'operator'; userId: string | null }

/** The server itself. It acts for a member if `userId` names one. */
export type SystemCaller = AnyCaller & { kind: 'system'; userId: string | null }

/** Who an authenticated request comes from. */
export type RequestCaller = KeyCaller | PersonCaller

/** Who acts: the author of a request, or the operator or the system. */
export type Caller = RequestCaller | OperatorCaller | SystemCaller

/** When a key's secret ends and where it works; null means no end and any address. Keys that it makes get no more. */
export type KeyBounds = {
  expiresAt: number | null
  allowedAddresses: readonly string[] | null
  /** Present if the key may come in at this door only. */
  door?: Door
}

/** Where callers come in: the REST API, or the MCP server beside it. */
export type Door = 'api' | 'mcp'

/** Where an app may use what a person granted. An app for the API may come in at every door, as keys do. */
export const appAudiences = ['mcp', 'api'] as const
export type AppAudience = (typeof appAudiences)[number]

export const noBounds: KeyBounds = { expiresAt: null, allowedAddresses: null }

/** A person whose role only reads. Some agents let such a person run them all the same. */
export const isViewer = (caller: Caller): boolean => caller.kind === 'person' && caller.role === 'viewer'

/** Null unless a page asks with a browser token. */
export const browserPageOf = (caller: Caller): BrowserPage | null =>
  (caller.kind === 'key' && caller.page) || null

/** Null unless a page with a browser token began the work. */
export const browserTokenIdOf = (caller: Caller): string | null =>
  (caller.kind === 'key' && caller.browserTokenId) || null

/** The author of a run that this caller begins. A page's run reaches all that the key reaches. */
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
 * The author of work that no request does. It holds no permission itself. Audit rows name `userId` if it acts for a
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
