/** One page of a list: newest first or as its `sort` says, with the exact number of all rows. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Scope } from '../caller.ts'
import { invalidField, type ServiceError } from '../errors.ts'
import type { Query } from './database.ts'
import {
  cursorOf,
  fold,
  folded,
  holdsWords,
  type ListOrder,
  orderOf,
  type Position,
  readCursor,
  type Sort,
} from './lists/list-order.ts'
import { countOf } from './rows.ts'
import { statementInScope } from './statement.ts'

/** The parameters of a list: a page and its size for every list, the others for lists that have them. */
export type PageRequest = {
  page: number
  pageSize: number
  /** The id of a row, or the cursor of a sorted list: the page shows only rows behind it. */
  after?: string | undefined
  sort?: Sort | undefined
  /** Only rows with times in these ranges, `untilMs` itself excluded; left out if no range is asked for. */
  dates?: Partial<Record<'createdAt' | 'updatedAt', { fromMs?: number; untilMs?: number }>>
  /** Only rows that have this name, or these words in one of their texts. */
  words?: { name?: string; query?: string }
}

/** `next` is present if an order was asked for: the cursor behind these items, or null at the end. */
export type Page<Row> = { items: Row[]; total: number; next?: string | null }

/** How many of the records that a dry run counts are listed by id. */
export const previewedIds = 100

/** The columns of a table that the list's parameters stand for. A missing entry stands for the usual column name. */
export type ListColumns = {
  createdAt?: string
  updatedAt?: string
  /** `name` is the column for the filter `name` and for `sort=name`; `texts` are the columns that words search. */
  named?: { query: Query; name: string; texts: readonly string[] }
}

export type PageOptions<DB, TB extends keyof DB> = {
  idColumn?: string
  columns?: ListColumns
  /** The list without its filters, to find the row of `after`, which may have stopped matching meanwhile. */
  unfiltered?: SelectQueryBuilder<DB, TB, unknown>
  /** Gives the number of all rows if it is stored somewhere. Counting takes longer the more rows there are. */
  total?: () => Promise<number>
}

/**
 * The rows of `query` on the page, in the order of the request, and the number of rows on all pages.
 * The query has its filters and columns, but no order and no grouping.
 * Throws a 400 if `after` names no row of the list, or a place in another order. Requests over HTTP reach a limited
 * depth, since an offset costs what it skips.
 */
export async function pageOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  request: PageRequest,
  { idColumn = 'id', columns = {}, unfiltered = query, total }: PageOptions<DB, TB> = {},
): Promise<Page<Row>> {
  const { page, pageSize, sort } = request
  const order = listOrder(request, idColumn, columns)
  const position = await positionOf(unfiltered, request, order)
  const conditions = conditionsOf(request, columns)
  const wanted = conditions.reduce((rows, condition) => rows.where(condition), query)
  const skipped = (page - 1) * pageSize
  const behind = position === null ? wanted : wanted.where(order.isBehind(position))
  // One row more than the page shows tells whether this is the last page. The total is then known without counting.
  const found = await inOrder(sort === undefined ? behind : withPosition(behind, order), order)
    .limit(pageSize + 1)
    .offset(skipped)
    .execute()
  const endsHere = position === null && endsWith(found, request)
  const count = () => (conditions.length === 0 ? total?.() : undefined) ?? countOf(wanted)
  return {
    ...itemsOf<Row>(found, request, order),
    total: endsHere ? skipped + found.length : await count(),
  }
}

/**
 * A list like `pageOf`. The most common request, newest first from a numbered page, is a statement whose text is made
 * once for each kind of scope. `build` adds the filters and columns, as for `statementInScope`.
 */
export function listInScope<Parameters extends object, DB, TB extends keyof DB, Row>(
  build: (scope: Scope, query: Query, parameters: Parameters) => SelectQueryBuilder<DB, TB, Row>,
  optionsOf: (scope: Scope, query: Query, parameters: Parameters) => PageOptions<DB, TB> = () => ({}),
): (scope: Scope, query: Query, parameters: Parameters, request: PageRequest) => Promise<Page<Row>> {
  const usual = orderOf(undefined, 'id', {})
  const pages = statementInScope<Parameters & Part, Row>((scope, query, parameters) => {
    const { limit, offset, ...own } = parameters
    // Without `limit` and `offset`, the list's own parameters are left.
    const rows = build(scope, query, own as unknown as Parameters)
    return inOrder(rows, usual).limit(limit).offset(offset)
  })
  return async (scope, query, parameters, request) => {
    const { page, pageSize } = request
    const options = () => optionsOf(scope, query, parameters)
    if (!isUsual(request)) return pageOf(build(scope, query, parameters), request, options())
    const offset = (page - 1) * pageSize
    const { rows } = await pages(scope, query, { ...parameters, limit: pageSize + 1, offset })
    const count = () => options().total?.() ?? countOf(build(scope, query, parameters))
    return {
      items: rows.slice(0, pageSize),
      total: endsWith(rows, request) ? offset + rows.length : await count(),
    }
  }
}

type Part = { limit: number; offset: number }

const isUsual = ({ after, sort, dates, words }: PageRequest): boolean =>
  [after, sort, dates, words].every(part => part === undefined)

/** Whether the list ends with these rows. One row more than the page shows was asked for. */
const endsWith = (rows: readonly unknown[], { page, pageSize }: PageRequest): boolean =>
  rows.length <= pageSize && (rows.length > 0 || page === 1)

export function listOrder({ sort }: PageRequest, idColumn: string, columns: ListColumns): ListOrder {
  const { updatedAt = 'updated_at', named } = columns
  const name = named === undefined ? undefined : folded(named.query, named.name)
  return orderOf(sort, idColumn, withoutUndefined({ updatedAt: sql.ref(updatedAt), name }))
}

/** Null without `after`. Throws a 400 if `after` names no row of the list: any row might be behind a missing one. */
export async function positionOf<DB, TB extends keyof DB>(
  list: SelectQueryBuilder<DB, TB, unknown>,
  { after, sort }: PageRequest,
  { id }: ListOrder,
): Promise<Position | null> {
  if (after === undefined) return null
  const position = readCursor(after, sort)
  // Other cursors name a place in the order, where no row has to be.
  if (position.id !== after) return position
  const row = await list
    .clearSelect()
    .select(id.as('id'))
    .where(sql<boolean>`${id} = ${after}`)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw unknownAfter()
  return position
}

export const unknownAfter = (): ServiceError =>
  invalidField('after', 'names no row of this list; go on after one that is there, or begin without it')

/** The conditions for the dates and words of the request. */
export function conditionsOf(
  { dates = {}, words = {} }: PageRequest,
  { createdAt = 'created_at', updatedAt = 'updated_at', named }: ListColumns,
): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  for (const [column, range] of [
    [createdAt, dates.createdAt],
    [updatedAt, dates.updatedAt],
  ] as const) {
    if (range?.fromMs !== undefined) conditions.push(sql`${sql.ref(column)} >= ${range.fromMs}`)
    if (range?.untilMs !== undefined) conditions.push(sql`${sql.ref(column)} < ${range.untilMs}`)
  }
  if (named === undefined) return conditions
  const { query, name, texts } = named
  if (words.name !== undefined) conditions.push(sql`${folded(query, name)} = ${fold(words.name)}`)
  const { query: part } = words
  if (part !== undefined) {
    const each = texts.map(text => holdsWords(query, text, part))
    conditions.push(sql`(${sql.join(each, sql` OR `)})`)
  }
  return conditions
}

export const inOrder = <DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { key, id, direction }: ListOrder,
): SelectQueryBuilder<DB, TB, Row> =>
  (key === null ? rows : rows.orderBy(key, direction)).orderBy(id, direction)

export const withPosition = <DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { key, id }: ListOrder,
) => rows.select([(key ?? sql<string | number>`NULL`).as('sort_value'), id.as('sort_id')])

/**
 * The items of the page, from its rows and the row behind them. If an order was asked for, the rows hold positions
 * and the cursor is returned too.
 */
export function itemsOf<Row>(
  found: readonly unknown[],
  { pageSize, sort }: PageRequest,
  order: ListOrder,
): Omit<Page<Row>, 'total'> {
  const shown = found.slice(0, pageSize)
  // Kysely cannot infer the row of a selection whose tables are still open.
  if (sort === undefined) return { items: shown as Row[] }
  const rows = shown as (Row & Positioned)[]
  const last = rows.at(-1)
  const goesOn = last !== undefined && found.length > pageSize
  return {
    items: rows.map(({ sort_value: _, sort_id: _id, ...row }) => row as Row),
    next: goesOn ? cursorOf(order.sort, { value: last.sort_value, id: last.sort_id }) : null,
  }
}

type Positioned = { sort_value: Position['value']; sort_id: string }
