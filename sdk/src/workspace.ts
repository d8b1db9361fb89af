/** The workspace: its members, invitations, teams, keys and audit log. */
import { get, patch, path, post, previewPost, previewRemove, remove } from './transport/calls.ts'
import { listOf, rankedListOf } from './transport/list.ts'
import type { Body, Data, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

export const createWorkspace = (transport: Transport) => ({
  /** The workspace that the key belongs to. */
  get: (options?: CallOptions) => get<'getWorkspace'>(transport, '/workspace', options),
  /** Gives it another name, or sets what its runs may cost in a month; needs a live key of an owner or admin. */
  update: (change: Body<'updateWorkspace'>, options?: CallOptions) =>
    patch<'updateWorkspace'>(transport, '/workspace', change, options),
  /**
   * Deletes the workspace with everything in it, for owners: from now on every key is refused with `workspace_deleted`.
   * `confirm` is its slug. Until `deletesAt` an owner can restore it in the console.
   */
  delete: async (confirm: string, options?: CallOptions): Promise<Data<'getWorkspace'>> => {
    const outgoing = { method: 'DELETE', path: '/workspace', body: { confirm } } as const
    const { data } = await transport.send(outgoing, options)
    // Only a dry run answers anything else.
    return data as Data<'getWorkspace'>
  },
  previewDelete: (options?: CallOptions) => previewRemove(transport, '/workspace', options),
  /** Takes the person behind the token out of the workspace, with the keys that they made; the last owner stays. */
  leave: async (options?: CallOptions): Promise<void> => {
    await transport.send({ method: 'POST', path: '/workspace/leave' }, options)
  },
  /** What leaving would do; nothing is changed. */
  previewLeave: (options?: CallOptions) => previewPost(transport, '/workspace/leave', undefined, options),
  /** Makes the member an owner and the caller, who was one, an admin; returns the new owner. */
  transfer: (memberId: string, options?: CallOptions) =>
    post<'transferWorkspace'>(transport, '/workspace/transfer', { memberId }, options),
  /** What the plan allows, and how much of it is used. */
  usage: (options?: CallOptions) => get<'getUsage'>(transport, '/usage', options),
  members: createMembers(transport),
  invitations: createInvitations(transport),
  teams: createTeams(transport),
})

const createMembers = (transport: Transport) => ({
  list: (query: QueryOf<'listMembers'> = {}, options?: CallOptions) =>
    listOf<Item<'listMembers'>>(transport, '/workspace/members', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getMember'>(transport, path`/workspace/members/${id}`, options),
  /** Changes the role. The last owner stays one. */
  update: (id: string, change: Body<'updateMember'>, options?: CallOptions) =>
    patch<'updateMember'>(transport, path`/workspace/members/${id}`, change, options),
  /** Takes the member out of the workspace; the keys that they made stop working. */
  delete: (id: string, options?: CallOptions) => remove(transport, path`/workspace/members/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/workspace/members/${id}`, options),
  /** A member that is no person, for keys that must outlive the people who make them: see `memberId` of `apiKeys.create`. */
  createServiceAccount: (account: Body<'createServiceAccount'>, options?: CallOptions) =>
    post<'createServiceAccount'>(transport, '/workspace/members', account, options),
  invite: (invitation: Body<'inviteMember'>, options?: CallOptions) =>
    post<'inviteMember'>(transport, '/workspace/members/invite', invitation, options),
})

const createInvitations = (transport: Transport) => ({
  list: (query: QueryOf<'listInvitations'> = {}, options?: CallOptions) =>
    listOf<Item<'listInvitations'>>(transport, '/workspace/invitations', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getInvitation'>(transport, path`/workspace/invitations/${id}`, options),
  /** Sends a new link; the earlier one stops working. */
  resend: (id: string, options?: CallOptions) =>
    post<'resendInvitation'>(transport, path`/workspace/invitations/${id}/resend`, undefined, options),
  /** For a page of your own where the invited person agreed; `token` is the last part of their link. */
  accept: (acceptance: Body<'acceptInvitation'>, options?: CallOptions) =>
    post<'acceptInvitation'>(transport, '/workspace/invitations/accept', acceptance, options),
  revoke: (id: string, options?: CallOptions) =>
    post<'revokeInvitation'>(transport, path`/workspace/invitations/${id}/revoke`, undefined, options),
})

const createTeams = (transport: Transport) => ({
  list: (query: QueryOf<'listTeams'> = {}, options?: CallOptions) =>
    listOf<Item<'listTeams'>>(transport, '/workspace/teams', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getTeam'>(transport, path`/workspace/teams/${id}`, options),
  create: (team: Body<'createTeam'>, options?: CallOptions) =>
    post<'createTeam'>(transport, '/workspace/teams', team, options),
  update: (id: string, change: Body<'updateTeam'>, options?: CallOptions) =>
    patch<'updateTeam'>(transport, path`/workspace/teams/${id}`, change, options),
  delete: (id: string, options?: CallOptions) => remove(transport, path`/workspace/teams/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/workspace/teams/${id}`, options),
  members: (id: string, query: QueryOf<'listTeamMembers'> = {}, options?: CallOptions) =>
    listOf<Item<'listTeamMembers'>>(transport, path`/workspace/teams/${id}/members`, query, options),
  /** Does nothing where the member belongs to the team already. */
  addMember: async (id: string, memberId: string, options?: CallOptions): Promise<void> => {
    const at = path`/workspace/teams/${id}/members/${memberId}`
    await transport.send({ method: 'PUT', path: at }, options)
  },
  removeMember: (id: string, memberId: string, options?: CallOptions) =>
    remove(transport, path`/workspace/teams/${id}/members/${memberId}`, options),
})

export const createApiKeys = (transport: Transport) => ({
  list: (query: QueryOf<'listApiKeys'> = {}, options?: CallOptions) =>
    listOf<Item<'listApiKeys'>>(transport, '/api-keys', query, options),
  get: (id: string, options?: CallOptions) => get<'getApiKey'>(transport, path`/api-keys/${id}`, options),
  /** The reply holds the whole key, this once. */
  create: (key: Body<'createApiKey'>, options?: CallOptions) =>
    post<'createApiKey'>(transport, '/api-keys', key, options),
  update: (id: string, change: Body<'updateApiKey'>, options?: CallOptions) =>
    patch<'updateApiKey'>(transport, path`/api-keys/${id}`, change, options),
  /** Makes a new secret; the old one lives on for the overlap that is asked for. */
  rotate: (id: string, rotation: Body<'rotateApiKey'> = {}, options?: CallOptions) =>
    post<'rotateApiKey'>(transport, path`/api-keys/${id}/rotate`, rotation, options),
  revoke: (id: string, options?: CallOptions) =>
    post<'revokeApiKey'>(transport, path`/api-keys/${id}/revoke`, undefined, options),
})

export const createBrowserTokens = (transport: Transport) => ({
  list: (query: QueryOf<'listBrowserTokens'> = {}, options?: CallOptions) =>
    listOf<Item<'listBrowserTokens'>>(transport, '/browser-tokens', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getBrowserToken'>(transport, path`/browser-tokens/${id}`, options),
  /** For a page of yours. The reply holds the token, this once: hand `token` and `expiresAt` to the page. */
  create: (token: Body<'createBrowserToken'>, options?: CallOptions) =>
    post<'createBrowserToken'>(transport, '/browser-tokens', token, options),
  /** Ends it at once, with the runs that it has in progress. */
  revoke: (id: string, options?: CallOptions) => remove(transport, path`/browser-tokens/${id}`, options),
  previewRevoke: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/browser-tokens/${id}`, options),
})

export const createAuditLog = (transport: Transport) => ({
  list: (query: QueryOf<'listAuditLog'> = {}, options?: CallOptions) =>
    listOf<Item<'listAuditLog'>>(transport, '/audit-log', query, options),
})

export const createEvents = (transport: Transport) => ({
  /** Newest first: what happened to runs, documents, connections, members, keys and limits. */
  list: (query: QueryOf<'listEvents'> = {}, options?: CallOptions) =>
    listOf<Item<'listEvents'>>(transport, '/events', query, options),
  get: (id: string, options?: CallOptions) => get<'getEvent'>(transport, path`/events/${id}`, options),
})

export const createUsage = (transport: Transport) => ({
  /** What the plan allows, and how much of it is used. */
  get: (options?: CallOptions) => get<'getUsage'>(transport, '/usage', options),
  /** Requests, runs, tokens, cost and storage by day or month; in all, or by key, agent or collection. Newest period first. */
  history: (query: QueryOf<'getUsageHistory'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'getUsageHistory'>>(transport, '/usage/history', query, options),
})

export const createModels = (transport: Transport) => ({
  /** The operator's, then those of the workspace's own providers. */
  list: (query: QueryOf<'listModels'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listModels'>>(transport, '/models', query, options),
  providers: createProviders(transport),
})

const createProviders = (transport: Transport) => ({
  list: (query: QueryOf<'listModelProviders'> = {}, options?: CallOptions) =>
    listOf<Item<'listModelProviders'>>(transport, '/model-providers', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getModelProvider'>(transport, path`/model-providers/${id}`, options),
  /** Its key goes in and is never shown again. */
  create: (provider: Body<'createModelProvider'>, options?: CallOptions) =>
    post<'createModelProvider'>(transport, '/model-providers', provider, options),
  update: (id: string, change: Body<'updateModelProvider'>, options?: CallOptions) =>
    patch<'updateModelProvider'>(transport, path`/model-providers/${id}`, change, options),
  /** Calls one model once; resolves whether or not it answered: look at `ok` and `error`. */
  test: (id: string, test: Body<'testModelProvider'> = {}, options?: CallOptions) =>
    post<'testModelProvider'>(transport, path`/model-providers/${id}/test`, test, options),
  delete: (id: string, options?: CallOptions) => remove(transport, path`/model-providers/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/model-providers/${id}`, options),
})
