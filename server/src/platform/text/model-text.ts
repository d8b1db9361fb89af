/** How much JSON a model may write: in an answer by a schema, and in the arguments of a call. */
import type { Limits } from '@atrium/connectors/gate'

/** The longest answer of a model has two million characters. */
export const modelTextLimits: Limits = { maxBytes: 8 * 1024 * 1024, maxValues: 20_000, maxDepth: 100 }
