/** The wire format of browser tokens. */

import { environments } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, metadata, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { leastUsd } from '../definitions/agent-fields.ts'
import { origins } from '../definitions/agent-frame.ts'
import { inputFields } from '../records/run-schemas.ts'

export const usualSeconds = 600
export const usualRuns = 50
export const usualPerMinute = 60

const endUserId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description:
    'Your id of the end user. The page reads and continues the conversations of this end user with the agent, whatever began them.',
  examples: ['ada'],
})

export const functions = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  uniqueItems: true,
  description:
    "Names of the agent's functions whose results the page sends; none by default. The others are hidden from it, and left to your server.",
  examples: [['show_map']],
})

export const limits = {
  maxRuns: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: `How many runs it may begin; ${usualRuns} by default.`,
  }),
  maxTokens: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Tokens that its runs may use together, input and output; not limited by default.',
  }),
  maxCostUsd: Type.Number({
    minimum: leastUsd,
    maximum: 1_000,
    description: 'What its runs may cost together in US dollars; not limited by default.',
  }),
  requestsPerMinute: Type.Integer({
    minimum: 1,
    maximum: 600,
    description: `How many requests a minute it may send; ${usualPerMinute} by default. They count for the workspace too.`,
  }),
}

const { variables, collectionIds, filter } = inputFields
/** The fields that each run of the token gets. */
const runFields = {
  variables,
  metadata: Type.Optional(
    metadata({ description: 'Your own data, which each of its runs gets. The page does not see it.' }),
  ),
  collectionIds,
  filter,
}

export const NewBrowserToken = Type.Closed('BrowserTokenInput', {
  agentId: idOf('agent', { description: 'The only agent that it runs.' }),
  endUserId,
  origins,
  expiresInSeconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      description: `How long it works, in seconds; ${usualSeconds} by default. The page asks your server for the next one.`,
    }),
  ),
  functions: Type.Optional(functions),
  maxRuns: Type.Optional(limits.maxRuns),
  maxTokens: Type.Optional(limits.maxTokens),
  maxCostUsd: Type.Optional(limits.maxCostUsd),
  requestsPerMinute: Type.Optional(limits.requestsPerMinute),
  ...runFields,
})
export type NewBrowserToken = Static<typeof NewBrowserToken>

export const BrowserToken = Type.Closed('BrowserToken', {
  id: idOf('browserToken'),
  environment: stringEnum(environments, { description: 'Environment of its runs.' }),
  keyId: idOf('key', {
    description: 'The key that made it: it ends with that one, and its usage counts there.',
  }),
  agentId: idOf('agent', { description: 'The only agent that it runs.' }),
  endUserId,
  isVisitor: Type.Boolean({
    description: 'Whether an anonymous visitor of a public chat has it, and no server of yours made it.',
  }),
  origins,
  functions,
  maxRuns: limits.maxRuns,
  maxTokens: nullable(limits.maxTokens, {
    description: 'Tokens that its runs may use together; null if not limited.',
  }),
  maxCostUsd: nullable(limits.maxCostUsd, {
    description: 'What its runs may cost together in US dollars; null if not limited.',
  }),
  requestsPerMinute: limits.requestsPerMinute,
  used: Type.Closed(
    {
      runs: Type.Integer({ minimum: 0, description: 'Runs that it began.' }),
      tokens: Type.Integer({ minimum: 0, description: 'Tokens of those that have ended.' }),
      costUsd: Type.Number({ minimum: 0, description: 'Cost of those that have ended, in US dollars.' }),
    },
    { description: 'What it has used.' },
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
  expiresAt: timestamp({ description: 'When it stops working.' }),
  revokedAt: nullable(timestamp(), { description: 'When it was revoked; null if it was not.' }),
})
export type BrowserToken = Static<typeof BrowserToken>

export const BrowserTokenWithSecret = Type.Closed('BrowserTokenWithSecret', {
  ...BrowserToken.properties,
  token: Type.Optional(
    Type.String({
      description:
        'The token for the page: `bt_…`. Only the reply that makes it has it; a replayed reply leaves it out.',
    }),
  ),
})
export type BrowserTokenWithSecret = Static<typeof BrowserTokenWithSecret>

export const BrowserTokenFilter = Type.Object({
  agentId: Type.Optional(idOf('agent', { description: 'Only tokens for this agent.' })),
  endUserId: Type.Optional(Type.String({ maxLength: 200, description: 'Only tokens for this end user.' })),
  isVisitor: Type.Optional(
    Type.Boolean({
      description:
        'Only tokens of anonymous visitors of public chats, or with `false` only those that keys made.',
    }),
  ),
})
export type BrowserTokenFilter = Static<typeof BrowserTokenFilter>

export const browserTokenExample: BrowserToken = {
  id: exampleId('browserToken'),
  environment: 'live',
  keyId: exampleId('key'),
  agentId: exampleId('agent'),
  endUserId: 'ada',
  isVisitor: false,
  origins: ['https://www.example.com'],
  functions: [],
  maxRuns: usualRuns,
  maxTokens: null,
  maxCostUsd: 0.5,
  requestsPerMinute: usualPerMinute,
  used: { runs: 0, tokens: 0, costUsd: 0 },
  createdAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2026-11-21T09:40:00.000Z',
  revokedAt: null,
}
