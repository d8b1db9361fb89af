/** Conversations: what an agent and one of your users have said to each other. */
import { get, patch, path, post, previewRemove, remove } from './calls.ts'
import { listOf } from './list.ts'
import type { Body, Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

/** They begin with a run that names none, and go on by runs that name them: `agents.run`. */
export const createConversations = (transport: Transport) => ({
  list: (query: QueryOf<'listConversations'> = {}, options?: CallOptions) =>
    listOf<Item<'listConversations'>>(transport, '/conversations', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getConversation'>(transport, path`/conversations/${id}`, options),
  /** The latest first. */
  runs: (id: string, query: QueryOf<'listConversationRuns'> = {}, options?: CallOptions) =>
    listOf<Item<'listConversationRuns'>>(transport, path`/conversations/${id}/runs`, query, options),
  update: (id: string, change: Body<'updateConversation'>, options?: CallOptions) =>
    patch<'updateConversation'>(transport, path`/conversations/${id}`, change, options),
  /** Answers a new conversation that remembers this one up to and including a run. */
  branch: (id: string, branch: Body<'branchConversation'>, options?: CallOptions) =>
    post<'branchConversation'>(transport, path`/conversations/${id}/branch`, branch, options),
  /** Erases it with its runs for good. */
  delete: (id: string, options?: CallOptions) => remove(transport, path`/conversations/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/conversations/${id}`, options),
})
