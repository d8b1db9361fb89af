/** The whole query of a route: its own parameters, with those that every list and every dry run has. */

import { idPattern } from '../platform/ids.ts'
import { type TObject, type TProperties, Type } from '../platform/json-schema/type.ts'
import type { Route } from './route.ts'

/** The parameters of a route's own query, with those that every list and every destructive call has. */
export function fullQuery(route: Route): TObject {
  const { list } = route
  const properties: TProperties = { ...(route.query ?? emptyQuery).properties }
  if (list !== undefined) {
    Object.assign(properties, {
      page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The page, from 1.' })),
      pageSize: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: list.maxPageSize,
          default: list.defaultPageSize,
          description: 'Items per page.',
        }),
      ),
    })
    if (list.ranked !== true) properties.after = Type.Optional(afterParameter)
  }
  if (route.destructive || route.triesDry) {
    Object.assign(properties, {
      dryRun: Type.Optional(
        Type.Boolean({ default: false, description: 'Returns what the call would do, and changes nothing.' }),
      ),
    })
  }
  return Type.Object(properties, { additionalProperties: false })
}

const afterParameter = Type.String({
  pattern: idPattern.source,
  description: 'Lists items after the one with this id, at any depth; `page` then counts from there.',
})

const emptyQuery = Type.Object({}, { additionalProperties: false })
