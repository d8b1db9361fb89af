/** The wire format of public chats, in which anonymous visitors of a page without a server talk to an agent. */
import { environments } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { origins } from '../definitions/agent-frame.ts'
import { functions, limits } from './browser-token-schemas.ts'

const maxTokens = nullable(limits.maxTokens, {
  description: 'Tokens that the runs may use together, input and output; null if not limited.',
})
const maxCostUsd = nullable(limits.maxCostUsd, {
  description: 'What the runs may cost together in US dollars; null if not limited.',
})
const maxRuns = Type.Integer({ minimum: 1, maximum: 100_000, description: 'How many runs may begin.' })

const allowance = (description: string) => Type.Closed({ maxRuns, maxTokens, maxCostUsd }, { description })

const wantedAllowance = (description: string) =>
  Type.Optional(
    Type.Closed(
      {
        maxRuns: Type.Optional(maxRuns),
        maxTokens: Type.Optional(maxTokens),
        maxCostUsd: Type.Optional(maxCostUsd),
      },
      { description },
    ),
  )

export const usualAllowances = {
  visitorPerHour: { maxRuns: 20, maxTokens: 200_000, maxCostUsd: null },
  addressPerHour: { maxRuns: 60, maxTokens: 600_000, maxCostUsd: null },
  perDay: { maxRuns: 500, maxTokens: 2_000_000, maxCostUsd: null },
} as const

const told = ({ maxRuns, maxTokens }: { maxRuns: number; maxTokens: number }): string =>
  `Unless given, ${maxRuns} runs and ${maxTokens} tokens.`

export const NewPublicChat = Type.Closed('PublicChatInput', {
  keyId: Type.Optional(
    idOf('key', {
      description:
        'The key that answers for the visitors: their runs reach what it reaches, count for it, and end with it. A key names itself or leaves it out; a person names one.',
    }),
  ),
  origins,
  functions: Type.Optional(functions),
  visitorPerHour: wantedAllowance(
    `What one visitor may use in an hour. ${told(usualAllowances.visitorPerHour)}`,
  ),
  addressPerHour: wantedAllowance(
    `What the visitors of one address may use in an hour; an IPv6 network of /64 is one. ${told(usualAllowances.addressPerHour)}`,
  ),
  perDay: wantedAllowance(
    `What all visitors may use in a day of UTC. Visitors and addresses can be made up, so this is what protects you. ${told(usualAllowances.perDay)}`,
  ),
})
export type NewPublicChat = Static<typeof NewPublicChat>

export const PublicChat = Type.Closed('PublicChat', {
  agentId: idOf('agent', { description: 'The agent that the visitors chat with.' }),
  environment: stringEnum(environments, { description: 'Environment of the runs.' }),
  keyId: idOf('key', { description: 'The key that answers for the visitors.' }),
  origins,
  functions,
  visitorPerHour: allowance('What one visitor may use in an hour.'),
  addressPerHour: allowance('What one address may use in an hour.'),
  perDay: allowance('What all visitors may use in a day of UTC.'),
  usedToday: Type.Closed(
    {
      runs: Type.Integer({ minimum: 0, description: 'Runs that visitors began.' }),
      tokens: Type.Integer({ minimum: 0, description: 'Tokens of those that have ended.' }),
      costUsd: Type.Number({ minimum: 0, description: 'Cost of those that have ended, in US dollars.' }),
    },
    { description: 'What all visitors have used today.' },
  ),
  createdAt: timestamp({ description: 'When it was turned on.' }),
  updatedAt: timestamp({ description: 'When it was last changed.' }),
})
export type PublicChat = Static<typeof PublicChat>

export const publicChatExample: PublicChat = {
  agentId: exampleId('agent'),
  environment: 'live',
  keyId: exampleId('key'),
  origins: ['https://www.example.com'],
  functions: [],
  ...usualAllowances,
  usedToday: { runs: 12, tokens: 48_000, costUsd: 0.31 },
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

export const NewVisitor = Type.Closed('VisitorInput', {
  visitor: Type.Optional(
    Type.String({
      minLength: 46,
      maxLength: 46,
      description: 'What an earlier reply gave this visitor, whose conversations go on by it.',
    }),
  ),
  parentOrigin: Type.Optional(
    Type.String({
      maxLength: 300,
      description: 'Where the page is framed, if it is: the chat must be open to that origin as well.',
    }),
  ),
})
export type NewVisitor = Static<typeof NewVisitor>

export const VisitorToken = Type.Closed('VisitorToken', {
  token: Type.String({ description: 'A browser token: `bt_…`.' }),
  expiresAt: timestamp({ description: 'When it stops working; ask for the next one before.' }),
  visitor: Type.String({
    description: 'A secret of this visitor, to be kept in the page and sent with the next request.',
  }),
})
export type VisitorToken = Static<typeof VisitorToken>
