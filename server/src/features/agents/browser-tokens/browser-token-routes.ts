/** The endpoints of browser tokens and public chats, and the endpoint that gives a visitor's page its token. */
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
import {
  BrowserToken,
  BrowserTokenFilter,
  BrowserTokenWithSecret,
  browserTokenExample,
  NewBrowserToken,
} from './browser-token-schemas.ts'
import { type BrowserTokenService, presentToken, revisedToken } from './browser-token-service.ts'
import {
  NewPublicChat,
  NewVisitor,
  PublicChat,
  publicChatExample,
  VisitorToken,
} from './public-chat-schemas.ts'
import { type PublicChatService, revisedChat } from './public-chat-service.ts'
import type { AdmitVisitor } from './visitors.ts'

export const browserTokenRoutes = (tokens: BrowserTokenService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/browser-tokens',
    operationId: 'createBrowserToken',
    summary: 'Create a browser token',
    description:
      'Makes a token with which a page of your own runs one agent for one end user, and reads and continues the conversations of that end user with it. Only a key makes one, which also needs `agents:read`. It works from the named origins, until it ends, is revoked or has used what it may, and no longer than the key and the agent. At most 10,000 of a key at once.',
    permission: 'agents:run',
    audit: 'browser_token.create',
    body: NewBrowserToken,
    bodyExample: {
      agentId: browserTokenExample.agentId,
      endUserId: browserTokenExample.endUserId,
      origins: browserTokenExample.origins,
      maxCostUsd: 0.5,
    },
    data: BrowserTokenWithSecret,
    example: { ...browserTokenExample, token: 'bt_…' },
    secrets: ['token'],
    success: [201],
    errors: ['limit_reached'],
    handle: async ({ caller, body }) => {
      const { row, token } = await tokens.create(caller, body)
      return created({ ...presentToken(row), token }, `/browser-tokens/${row.id}`, etagOf(revisedToken(row)))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/browser-tokens',
    operationId: 'listBrowserTokens',
    summary: 'List browser tokens',
    description:
      'Tokens for the agents that the caller can access, newest first, without their secrets. A narrowed key gets those that it made. They are listed for 30 days after their end.',
    permission: 'agents:run',
    query: BrowserTokenFilter,
    list: standardList,
    data: Type.Array(BrowserToken),
    example: [browserTokenExample],
    handle: async ({ caller, query, page }) =>
      listed(await tokens.list(caller, query, page), page, presentToken),
  }),
  defineRoute({
    method: 'GET',
    path: '/browser-tokens/:id',
    operationId: 'getBrowserToken',
    summary: 'Get a browser token',
    description: 'Returns one token with what it has used, without its secret.',
    permission: 'agents:run',
    data: BrowserToken,
    example: browserTokenExample,
    handle: async ({ caller, params }) => {
      const row = await tokens.get(caller, params.id)
      return ok(presentToken(row), etagOf(revisedToken(row)))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/browser-tokens/:id',
    operationId: 'revokeBrowserToken',
    summary: 'Revoke a browser token',
    description:
      'Ends the token and its runs in progress, within seconds on every server. Succeeds if it is revoked already.',
    permission: 'agents:run',
    audit: 'browser_token.revoke',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const isAlive = await tokens.revoke(caller, params.id, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      const ids = isAlive ? [params.id] : []
      return preview([{ effect: 'revoked', resource: 'browser_token', count: ids.length, ids }])
    },
  }),
]

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
    // Unlimited visitors would fill the log. What a visitor does with the token is logged with the token's id.
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
