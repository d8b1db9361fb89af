/** Endpoints for conversations and their items. */
import { bareJson, defineRoute, type Route } from '../../http/route.ts'
import { found } from '../../platform/errors.ts'
import { about, itemsQuery, LenientBody, sliceOfItems } from './about-routes.ts'
import { type Conversations, presentConversation } from './conversations.ts'
import { listOf } from './store-reply.ts'

const itemTexts = { itemId: { description: 'Id of the item.', example: 'item_01kajz4v7qf3x8m2c9t5b6n0rw' } }

export const conversationRoutes = (conversations: Conversations): Route[] => [
  defineRoute({
    ...about,
    method: 'POST',
    path: '/conversations',
    operationId: 'createOpenAiConversation',
    summary: 'Begin a conversation',
    description: 'With items, if some are given.',
    permission: 'agents:run',
    audit: 'openai_conversation.create',
    body: LenientBody,
    handle: async ({ caller, body }) =>
      bareJson(presentConversation(await conversations.create(caller, body))),
  }),
  defineRoute({
    ...about,
    method: 'GET',
    path: '/conversations/:id',
    operationId: 'getOpenAiConversation',
    summary: 'Get a conversation',
    description: 'Without its items.',
    permission: 'agents:read',
    handle: async ({ caller, params }) =>
      bareJson(presentConversation(await conversations.get(caller, params.id))),
  }),
  defineRoute({
    ...about,
    method: 'POST',
    path: '/conversations/:id',
    operationId: 'updateOpenAiConversation',
    summary: 'Change the metadata of a conversation',
    description: 'All of it.',
    permission: 'agents:run',
    audit: 'openai_conversation.update',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(presentConversation(await conversations.update(caller, params.id, body))),
  }),
  defineRoute({
    ...about,
    method: 'DELETE',
    path: '/conversations/:id',
    operationId: 'deleteOpenAiConversation',
    summary: 'Delete a conversation',
    description: 'Its responses stay.',
    permission: 'agents:run',
    audit: 'openai_conversation.delete',
    handle: async ({ caller, params }) => {
      await conversations.remove(caller, params.id)
      return bareJson({ id: params.id, object: 'conversation.deleted', deleted: true })
    },
  }),
  ...itemRoutes(conversations),
]

const itemRoutes = (conversations: Conversations): Route[] => [
  defineRoute({
    ...about,
    method: 'GET',
    path: '/conversations/:id/items',
    operationId: 'listOpenAiConversationItems',
    summary: 'List the items of a conversation',
    description: 'The latest first, unless `order` is `asc`.',
    permission: 'agents:read',
    query: itemsQuery,
    handle: async ({ caller, params, query }) =>
      bareJson(sliceOfItems(await conversations.items(caller, params.id), query)),
  }),
  defineRoute({
    ...about,
    method: 'POST',
    path: '/conversations/:id/items',
    operationId: 'createOpenAiConversationItems',
    summary: 'Add items to a conversation',
    description: 'Behind those that are there.',
    permission: 'agents:run',
    audit: 'openai_conversation.update',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(listOf(await conversations.addItems(caller, params.id, body), false)),
  }),
  defineRoute({
    ...about,
    method: 'GET',
    path: '/conversations/:id/items/:itemId',
    operationId: 'getOpenAiConversationItem',
    summary: 'Get an item of a conversation',
    description: 'As the list shows it.',
    permission: 'agents:read',
    pathTexts: itemTexts,
    handle: async ({ caller, params }) => {
      const items = await conversations.items(caller, params.id)
      return bareJson(found(items.find(({ id }) => id === params.itemId)))
    },
  }),
  defineRoute({
    ...about,
    method: 'DELETE',
    path: '/conversations/:id/items/:itemId',
    operationId: 'deleteOpenAiConversationItem',
    summary: 'Delete an item of a conversation',
    description: 'One that was put in; those of responses go with their responses.',
    permission: 'agents:run',
    audit: 'openai_conversation.update',
    pathTexts: itemTexts,
    handle: async ({ caller, params }) =>
      bareJson(presentConversation(await conversations.removeItem(caller, params.id, params.itemId))),
  }),
]
