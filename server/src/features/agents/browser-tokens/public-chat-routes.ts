/** The endpoints of public chats, and the one by which a visitor's page gets its token. */
import { defineRoute, noContent, ok, preview, type Route } from '../../../http/route.ts'
import { etagOf } from '../../../platform/revision.ts'
import {
  NewPublicChat,
  NewVisitor,
  PublicChat,
  publicChatExample,
  VisitorToken,
} from './public-chat-schemas.ts'
import { type PublicChatService, revisedChat } from './public-chat-service.ts'
import type { AdmitVisitor } from './visitors.ts'

const path = '/agents/:id/public-chat'

export const publicChatRoutes = (chats: PublicChatService, admit: AdmitVisitor): Route[] => [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'getPublicChat',
    summary: "Get an agent's public chat",
    description: 'Who may chat with the agent without a token of your server, and what they have used today.',
    permission: 'agents:read',
    data: PublicChat,
    example: publicChatExample,
    handle: async ({ caller, params }) => {
      const row = await chats.get(caller, params.id)
      return ok(chats.present(row), etagOf(revisedChat(row)))
    },
  }),
  defineRoute({
    method: 'PUT',
    path,
    operationId: 'setPublicChat',
    summary: 'Open an agent to anonymous visitors',
    description:
      'From now on pages of the named origins get browser tokens for visitors by themselves, by the id of the agent alone. Off unless you turn it on. Whatever else is left out gets its default. New limits hold at once; other changes for tokens from then on.',
    permission: 'agents:write',
    audit: 'public_chat.set',
    body: NewPublicChat,
    bodyExample: { origins: publicChatExample.origins, perDay: { maxRuns: 200, maxCostUsd: 5 } },
    data: PublicChat,
    example: publicChatExample,
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const row = await chats.set(caller, params.id, body, ifMatch)
      return ok(chats.present(row), etagOf(revisedChat(row)))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path,
    operationId: 'deletePublicChat',
    summary: 'Close an agent to anonymous visitors',
    description:
      'Ends the tokens of its visitors and their runs in progress, within seconds on every server. What was said stays.',
    permission: 'agents:write',
    audit: 'public_chat.delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const ids = await chats.remove(caller, params.id, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      return preview([
        { effect: 'deleted', resource: 'public_chat', count: 1, ids: [params.id] },
        { effect: 'revoked', resource: 'browser_token', count: ids.length, ids },
      ])
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/visitors`,
    operationId: 'admitVisitor',
    summary: 'Get a token as an anonymous visitor',
    description:
      'A page asks this itself, without a key: it gets a browser token of ten minutes for the agent. The request counts for its address. Visitors and addresses have limits by the hour, the agent by the day; what is used up is a 403 `token_limit`.',
    permission: 'public',
    opensToPages: true,
    // Strangers without end would fill the log. What a visitor does with the token is in it, with the token's id.
    audit: null,
    body: NewVisitor,
    bodyExample: {},
    data: VisitorToken,
    example: { token: 'bt_…', expiresAt: '2026-11-21T09:40:00.000Z', visitor: 'vs_…' },
    secrets: ['token', 'visitor'],
    errors: ['token_limit'],
    handle: async ({ params, body, origin }) => ok(await admit(params.id, body, origin())),
  }),
]
