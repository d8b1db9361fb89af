/** The endpoints of browser tokens. */
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
