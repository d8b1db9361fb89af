/** The endpoints of conversations. */

import {
  created,
  defineRoute,
  listed,
  noContent,
  ok,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { presentListed } from '../records/run-records.ts'
import { Expansion, ListedRun, listedRunExample, runExample } from '../records/run-schemas.ts'
import {
  Conversation,
  ConversationChange,
  ConversationFilter,
  conversationExample,
  NewBranch,
} from './conversation-schemas.ts'
import { type ConversationService, presentConversation } from './conversation-service.ts'

export const conversationRoutes = (conversations: ConversationService): Route[] => [
  ...conversationReads(conversations),
  ...conversationChanges(conversations),
]

const conversationReads = (conversations: ConversationService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/conversations',
    operationId: 'listConversations',
    tag: 'agents',
    summary: 'List conversations',
    description: 'Conversations with the agents that the key can access, newest first.',
    permission: 'agents:read',
    query: ConversationFilter,
    list: { ...standardList, sorts: ['createdAt', 'updatedAt'], dates: ['created', 'updated'] },
    data: Type.Array(Conversation),
    example: [conversationExample],
    success: [200],
    errors: [],
    handle: async ({ caller, query, page }) => {
      const rows = await conversations.list(caller, query, page)
      return listed(rows, page, row => presentConversation(row, caller.scope))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/conversations/:id',
    operationId: 'getConversation',
    tag: 'agents',
    summary: 'Get a conversation',
    description: 'Returns one conversation with the summary of its earlier turns.',
    permission: 'agents:read',
    data: Conversation,
    example: conversationExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params }) => {
      const row = await conversations.get(caller, params.id)
      return ok(presentConversation(row, caller.scope), etagOf(row))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/conversations/:id/runs',
    operationId: 'listConversationRuns',
    tag: 'agents',
    summary: "List a conversation's runs",
    description:
      'Runs of the conversation, newest first. `expand=steps,citations` adds their steps and citations. Runs that it remembers from the conversation it branched from are listed there.',
    permission: 'agents:read',
    query: Expansion,
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(ListedRun),
    example: [listedRunExample],
    success: [200],
    errors: [],
    handle: async ({ caller, params, query, page }) =>
      listed(await conversations.runs(caller, params.id, query, page), page, run =>
        presentListed(run, query, caller.scope),
      ),
  }),
]

const conversationChanges = (conversations: ConversationService): Route[] => [
  defineRoute({
    method: 'PATCH',
    path: '/conversations/:id',
    operationId: 'updateConversation',
    tag: 'agents',
    summary: 'Rename a conversation',
    description: 'Renames the conversation.',
    permission: 'agents:run',
    audit: 'conversation.update',
    body: ConversationChange,
    bodyExample: { name: 'Leave in summer' },
    data: Conversation,
    example: { ...conversationExample, name: 'Leave in summer' },
    success: [200],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const row = await conversations.rename(caller, params.id, body, ifMatch)
      return ok(presentConversation(row, caller.scope), etagOf(row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/conversations/:id/branch',
    operationId: 'branchConversation',
    tag: 'agents',
    summary: 'Branch a conversation',
    description:
      'Creates a conversation that remembers this one up to and including one of its runs, and continues independently. This conversation stays unchanged.',
    permission: 'agents:run',
    audit: 'conversation.branch',
    body: NewBranch,
    bodyExample: { runId: runExample.id },
    data: Conversation,
    example: {
      ...conversationExample,
      parentId: conversationExample.id,
      branchRunId: runExample.id,
      runCount: 0,
    },
    success: [201],
    errors: ['run_in_progress', 'limit_reached'],
    handle: async ({ caller, params, body }) => {
      const row = await conversations.branch(caller, params.id, body)
      return created(presentConversation(row, caller.scope), `/conversations/${row.id}`, etagOf(row))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/conversations/:id',
    operationId: 'deleteConversation',
    tag: 'agents',
    summary: 'Delete a conversation',
    description:
      'Permanently erases the conversation: its runs with their steps and events, what its agent said to other agents, and stored replies to repeated requests. Conversations that branched from it stay, but no longer remember it. While one of its runs is in progress, this is a 409: cancel that run first.',
    permission: 'agents:run',
    audit: 'conversation.delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed', 'conversation_busy'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const { ids, runCount, runIds, branchIds } = await conversations.remove(caller, params.id, {
        ifMatch,
        dryRun,
      })
      if (!dryRun) return noContent()
      return preview([
        { effect: 'deleted', resource: 'conversation', count: ids.length, ids },
        { effect: 'deleted', resource: 'run', count: runCount, ids: runIds },
        { effect: 'detached', resource: 'conversation', count: branchIds.length, ids: branchIds },
      ])
    },
  }),
]
