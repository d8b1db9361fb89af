/** What the routes of OpenAI's protocol have in common. */
import type { Protocol } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { describeError, openAiPrefix } from './errors.ts'
import type { Fields } from './reading.ts'

const protocol: Protocol = { prefix: openAiPrefix, describeError }

export const about = { tag: 'openai', protocol, success: [200] as const, errors: [] as const }

/** Any object: what of it is read, and how, the readers of requests say. */
export const LenientBody = Type.Unsafe<Fields>({ type: 'object', additionalProperties: true })
