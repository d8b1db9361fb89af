/** The page `/embed/:agentId` of an agent: the words that it begins with, and the pages that may put it in a frame. */
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { StoredFrame } from '../../../platform/database/schema/agents.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable } from '../../../platform/schemas.ts'
import { findFrame } from './agent-store.ts'

const origin = Type.String({ minLength: 1, maxLength: 300 })

/** Where pages are that hold a chat. */
export const origins = Type.Array(origin, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'Where the page is: exact origins, `https://…` or, for development, `http://localhost…`. Browsers keep other pages out by them; other programs are kept by the limits alone.',
  examples: [['https://www.example.com']],
})

const fields = {
  origins: Type.Array(origin, {
    maxItems: 20,
    uniqueItems: true,
    description:
      'Exact origins of the pages that may frame it, besides those of a public chat. Unless given, none.',
    examples: [['https://www.example.com']],
  }),
  heading: nullable(Type.String({ minLength: 1, maxLength: 100 }), {
    description: 'The title; null for the usual one.',
  }),
  welcome: nullable(Type.String({ minLength: 1, maxLength: 300 }), {
    description: 'The first words; null for none.',
  }),
}

export const AgentFrame = Type.Closed('AgentFrame', fields, {
  description:
    'The page `/embed/{id}`, for a frame or a link. Anybody may read its words. Not part of a revision: a change takes effect at once.',
})
export type AgentFrame = Static<typeof AgentFrame>

export const NewAgentFrame = Type.Closed(
  'AgentFrameInput',
  {
    origins: Type.Optional(fields.origins),
    heading: Type.Optional(fields.heading),
    welcome: Type.Optional(fields.welcome),
  },
  { description: 'The page `/embed/{id}`, for a frame or a link, as a whole. Anybody may read its words.' },
)

export const noFrame: AgentFrame = { origins: [], heading: null, welcome: null }

export const presentFrame = (stored: StoredFrame): AgentFrame => ({ ...noFrame, ...stored })

/** For the page itself, which anybody may open; null if there is no such agent. */
export async function frameOfAgent(query: Query, agentId: string): Promise<AgentFrame | null> {
  const row = await findFrame(query, agentId)
  if (row === undefined) return null
  const { origins, ...words } = presentFrame(decodeJson(row.frame))
  const ofChat = row.origins === null ? [] : decodeJson(row.origins)
  return { ...words, origins: [...new Set([...origins, ...ofChat])].filter(origin => !hasIp6(origin)) }
}

/** Throws one 400 that names each text that is not an origin as browsers write it. */
export function checkOrigins(origins: readonly string[], field = 'origins'): void {
  const errors = origins.flatMap((origin, index): FieldError[] => {
    const fault = originFault(origin) ?? (field === ofFrame && hasIp6(origin) ? ip6Fault : null)
    return fault === null ? [] : [{ field: `${field}.${index}`, message: fault }]
  })
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/** The field whose origins become a Content-Security-Policy, which cannot name the addresses of IPv6. */
const ofFrame = 'frame.origins'
const hasIp6 = (origin: string): boolean => origin.includes('[')
const ip6Fault = 'must name a host: browsers let no page at an IPv6 address frame another'

const loopback = ['localhost', '127.0.0.1', '[::1]']

function originFault(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  // A host may contain `*` and `;`, which have another meaning in a Content-Security-Policy.
  const isHost = url !== null && /^([a-z0-9.-]+|\[[0-9a-f:]+\])$/.test(url.hostname)
  if (!isHost || !['https:', 'http:'].includes(url.protocol))
    return 'must be an origin such as https://www.example.com'
  if (url.protocol === 'http:' && !loopback.includes(url.hostname)) {
    return 'must begin with https://; only localhost may have http://'
  }
  return url.origin === text ? null : `must be an exact origin as browsers send it: ${url.origin}`
}
