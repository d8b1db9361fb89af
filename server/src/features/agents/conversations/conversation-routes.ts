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
  NewOpening,
  Opening,
  openingExample,
} from './conversation-schemas.ts'
import type { ConversationService } from './conversation-service.ts'
import type { OpeningService } from './opening-service.ts'

export const conversationRoutes = (conversations: ConversationService, openings: OpeningService): Route[] => [
  ...conversationReads(conversations),
  ...conversationChanges(conversations),
  ...openingRoutes(openings),
]

const conversationReads = (conversations: ConversationService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/conversations',
    operationId: 'listConversations',
    summary: 'List conversations',
    description:
      'Conversations with the agents that the caller can access, newest first: those of the workspace, and for a person their own and those that are shared with them.',
    permission: 'agents:read',
    opensToPages: true,
    query: ConversationFilter,
    list: { ...standardList, sorts: ['createdAt', 'updatedAt'], dates: ['created', 'updated'] },
    data: Type.Array(Conversation),
    example: [conversationExample],
    handle: async ({ caller, query, page }) => {
      const rows = await conversations.list(caller, query, page)
      return listed({ ...rows, items: await conversations.presentAll(caller, rows.items) }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/conversations/:id',
    operationId: 'getConversation',
    summary: 'Get a conversation',
    description: 'Returns one conversation with the summary of its earlier turns.',
    permission: 'agents:read',
    opensToPages: true,
    data: Conversation,
    example: conversationExample,
    handle: async ({ caller, params }) => {
      const row = await conversations.get(caller, params.id)
      return ok(await conversations.present(caller, row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/conversations/:id/runs',
    operationId: 'listConversationRuns',
    summary: "List a conversation's runs",
    description:
      'Runs of the conversation, newest first. `expand=steps,citations` adds their steps and citations. Runs that it remembers from the conversation it branched from are listed there.',
    permission: 'agents:read',
    opensToPages: true,
    query: Expansion,
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(ListedRun),
    example: [listedRunExample],
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
    summary: 'Change a conversation',
    description:
      'Renames the conversation, or shares it: with `access` and `teamIds` its owner, a person, lets other people of the workspace read it. They cannot continue it.',
    permission: 'agents:run',
    viewersToo: true,
    audit: 'conversation.update',
    body: ConversationChange,
    bodyExample: { name: 'Leave in summer' },
    data: Conversation,
    example: { ...conversationExample, name: 'Leave in summer' },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const row = await conversations.change(caller, params.id, body, ifMatch)
      return ok(await conversations.present(caller, row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/conversations/:id/branch',
    operationId: 'branchConversation',
    summary: 'Branch a conversation',
    description:
      'Creates a conversation that remembers this one up to and including one of its runs, and continues independently. This conversation stays unchanged.',
    permission: 'agents:run',
    viewersToo: true,
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
      return created(await conversations.present(caller, row), `/conversations/${row.id}`, etagOf(row))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/conversations/:id',
    operationId: 'deleteConversation',
    summary: 'Delete a conversation',
    description:
      'Permanently erases the conversation: its runs with their steps and events, what its agent said to other agents, and stored replies to repeated requests. Conversations that branched from it stay, but no longer remember it. While one of its runs is in progress, this is a 409: cancel that run first.',
    permission: 'agents:run',
    viewersToo: true,
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

const openingRoutes = (openings: OpeningService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/conversations/:id/openings',
    operationId: 'openConversation',
    summary: "Open another person's conversation",
    description:
      'For owners and admins, with a token of the console: a key cannot do it (`permission_missing`). For an hour they may read the conversation with its runs, though nothing is shared with them, and cannot change it. Lists leave it out. The audit log keeps the reason, and the owner of the conversation sees it.',
    permission: 'audit:read',
    audit: 'conversation.open',
    body: NewOpening,
    bodyExample: { reason: openingExample.reason },
    data: Opening,
    example: openingExample,
    success: [201],
    errors: ['limit_reached'],
    handle: async ({ caller, params, body }) => {
      const opening = await openings.open(caller, params.id, body)
      return created(opening, `/conversations/${params.id}/openings`)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/conversations/:id/openings',
    operationId: 'listConversationOpenings',
    summary: "List a conversation's openings",
    description:
      'Who opened the conversation, when and why, newest first. Its owner sees all of them; others see their own.',
    permission: 'agents:read',
    list: standardList,
    data: Type.Array(Opening),
    example: [openingExample],
    handle: async ({ caller, params, page }) => listed(await openings.list(caller, params.id, page), page),
  }),
]
