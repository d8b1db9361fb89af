/** The whole query of a route: its own parameters and those of lists and dry runs. Also reads a list's query. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { readSort } from '../platform/database/lists/list-order.ts'
import type { PageRequest } from '../platform/database/page.ts'
import { invalidField } from '../platform/errors.ts'
import { idPattern } from '../platform/ids.ts'
import { type TObject, type TProperties, type TSchema, Type } from '../platform/json-schema/type.ts'
import { stringEnum, timestamp } from '../platform/schemas.ts'
import type { ListOptions, Route } from './route.ts'

/** The parameters of a route's own query, with those that every list and every destructive call has. */
export function fullQuery(route: Pick<Route, 'query' | 'list' | 'destructive' | 'triesDry'>): TObject {
  const { list } = route
  const properties: TProperties = { ...(route.query ?? emptyQuery).properties }
  if (list !== undefined) Object.assign(properties, listParameters(list))
  if (route.destructive || route.triesDry) {
    Object.assign(properties, {
      dryRun: Type.Optional(
        Type.Boolean({ default: false, description: 'Returns what the call would do, and changes nothing.' }),
      ),
    })
  }
  return Type.Closed(properties)
}

/**
 * Every list's query has defaults for page and size; other routes do not use the defaults here. Throws a 400, as for a
 * page that reaches deeper than 10,000 rows.
 */
export function pageRequest(query: Record<string, unknown>, list: ListOptions | undefined): PageRequest {
  const { page = 1, pageSize = 1 } = query
  const text = (name: string): string | undefined => {
    const value = query[name]
    return typeof value === 'string' ? value : undefined
  }
  const instant = (name: string): number | undefined => {
    const value = text(name)
    return value === undefined ? undefined : Date.parse(value)
  }
  const request: PageRequest = { page: Number(page), pageSize: Number(pageSize), after: text('after') }
  // The route may use a parameter of the same name for itself.
  if (list === undefined) return request
  checkDepth(request, list)
  const sort = list.sorts === undefined ? undefined : text('sort')
  if (sort !== undefined) request.sort = readSort(sort)
  const words = list.named === undefined ? {} : { name: text('name'), query: text('query') }
  if (words.name !== undefined || words.query !== undefined) request.words = withoutUndefined(words)
  for (const date of list.dates ?? []) {
    const [fromMs, untilMs] = [instant(`${date}After`), instant(`${date}Before`)]
    if (fromMs !== undefined && untilMs !== undefined && fromMs >= untilMs) {
      throw invalidField(`${date}Before`, `must be later than \`${date}After\``)
    }
    if (fromMs === undefined && untilMs === undefined) continue
    request.dates = { ...request.dates, [`${date}At`]: withoutUndefined({ fromMs, untilMs }) }
  }
  return request
}

const maxDepth = 10_000

/** An offset costs what it skips, and a number of any size would overflow the database's. */
function checkDepth({ page, pageSize }: PageRequest, { ranked }: ListOptions): void {
  if (page * pageSize <= maxDepth) return
  const way = ranked === true ? 'narrow the question' : 'go on with after=<id of the last row>'
  throw invalidField('page', `Pages reach 10,000 rows deep; ${way}`)
}

function listParameters({
  maxPageSize,
  defaultPageSize,
  ranked,
  sorts,
  dates = [],
  named,
}: ListOptions): TProperties {
  const properties: Record<string, TSchema> = {}
  if (named !== undefined) {
    properties.name = Type.String({
      ...words,
      description: 'Only those with exactly this name, in whatever case.',
    })
    properties.query = Type.String({
      ...words,
      description: `Only those that contain this text in their ${named}, in whatever case.`,
    })
  }
  for (const date of dates) {
    properties[`${date}After`] = timestamp({ description: `Only those ${date} at or after this instant.` })
    properties[`${date}Before`] = timestamp({
      description: `Only those ${date} before this instant; later than \`${date}After\`.`,
      examples: ['2026-11-22T09:30:00.000Z'],
    })
  }
  if (sorts !== undefined) {
    properties.sort = stringEnum(
      sorts.flatMap(field => [field, `-${field}`]),
      {
        description: `The order; \`-\` puts the last first, and \`-${sorts[0]}\` is the usual order. Text is sorted in whatever case. \`meta.next\` of the reply is the \`after\` that goes on.`,
      },
    )
  }
  properties.page = Type.Integer({ minimum: 1, default: 1, description: 'The page, from 1.' })
  properties.pageSize = Type.Integer({
    minimum: 1,
    maximum: maxPageSize,
    default: defaultPageSize,
    description: 'Items per page.',
  })
  if (ranked !== true) properties.after = sorts === undefined ? afterId : afterCursor
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]))
}

const words = { minLength: 1, maxLength: 200 }

const afterId = Type.String({
  pattern: idPattern.source,
  description: 'Lists items after the one with this id, at any depth; `page` then counts from there.',
})

/** Longer than the cursor of the longest possible name. */
const maxCursorLength = 2_000

const afterCursor = Type.String({
  minLength: 1,
  maxLength: maxCursorLength,
  description:
    'Lists items after the one with this id, at any depth; `page` then counts from there. With `sort`, it is `meta.next` of a reply with the same `sort`.',
})

const emptyQuery = Type.Closed({})
