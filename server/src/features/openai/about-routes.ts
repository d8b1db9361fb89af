/** The bodies and lists that the routes of OpenAI's protocol share. */

import type { Fields } from '@atrium/connectors/fields'
import { invalidField } from '../../platform/errors.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import type { Slice } from './stored-files.ts'

/** Any object: the readers of requests decide which fields are read, and how. */
export const LenientBody = Type.Unsafe<Fields>({ type: 'object', additionalProperties: true })

const usualLimit = 20
const mostListed = 100

/** For lists whose next page begins after the last row of the previous page. */
export const listQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Rows at once; 100 at most come.' })),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'Id of the last row that arrived.' })),
  before: Type.Optional(Type.String({ description: 'Not to be had.' })),
  order: Type.Optional(Type.String({ description: '`desc`, which is the order.' })),
})

/** Throws a 400 for `before`, and for an order that would change the answer. */
export function sliceAsked({ limit = usualLimit, after, before, order }: Static<typeof listQuery>): Slice {
  if (before !== undefined) throw invalidField('before', 'is not to be had: ask with `after`')
  if (order !== undefined && order !== 'desc') throw invalidField('order', 'must be desc')
  return { limit: Math.min(limit, mostListed), after }
}

/** For items, which are all read at once. */
export const itemsQuery = Type.Object({
  order: Type.Optional(Type.String({ description: '`asc` or `desc`.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostListed, description: 'Items at once.' })),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'Id of the last item that arrived.' })),
})

/** The latest first, unless `order` is `asc`. */
export function sliceOfItems<Item extends { id: string }>(
  items: readonly Item[],
  { order, limit = usualLimit, after }: Static<typeof itemsQuery>,
) {
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  return listOf(ordered.slice(from, from + limit), from + limit < ordered.length)
}

export function listOf<Item extends { id: string }>(data: readonly Item[], hasMore: boolean) {
  const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  return { object: 'list', data, ...ends, has_more: hasMore }
}
