/** The order of a list, and the cursors that continue it. Newest first, unless another order is asked for. */
import { type RawBuilder, sql } from 'kysely'
import { invalidField, type ServiceError } from '../../errors.ts'
import { idPattern } from '../../ids.ts'
import type { Query } from '../database.ts'
import { engineOf } from '../statement.ts'

/** `createdAt` and `joinedAt` are the times when records begin, so they have the order of the ids. */
export type SortField = 'createdAt' | 'joinedAt' | 'updatedAt' | 'name'

/** `text` is how a request writes the order: the field, with a `-` before it for descending order. */
export type Sort = { text: string; by: SortField; isDescending: boolean }

export const readSort = (text: string): Sort => {
  const isDescending = text.startsWith('-')
  return { text, by: (isDescending ? text.slice(1) : text) as SortField, isDescending }
}

/** The place of a row in the order: its value, then its id. The value is null if the ids alone give the order. */
export type Position = { value: string | number | null; id: string }

export type ListOrder = {
  sort: Sort
  id: RawBuilder<string>
  /** Null where ids alone give the order. */
  key: RawBuilder<string | number> | null
  direction: 'asc' | 'desc'
  isBehind(position: Position): RawBuilder<boolean>
}

export function orderOf(
  asked: Sort | undefined,
  idColumn: string,
  keys: Partial<Record<SortField, RawBuilder<string | number>>>,
): ListOrder {
  const sort = asked ?? newestFirst
  const id = sql.ref<string>(idColumn)
  const key = isOfIds(sort) ? null : (keys[sort.by] ?? null)
  const sign = sort.isDescending ? sql`<` : sql`>`
  return {
    sort,
    id,
    key,
    direction: sort.isDescending ? 'desc' : 'asc',
    isBehind: ({ value, id: last }) =>
      key === null ? sql`${id} ${sign} ${last}` : sql`(${key}, ${id}) ${sign} (${value}, ${last})`,
  }
}

/** In the usual order the cursor is the row's id. Other cursors hold order and place, since the row may move. */
export const cursorOf = (sort: Sort, { value, id }: Position): string =>
  isUsual(sort) ? id : Buffer.from(JSON.stringify([sort.text, value, id])).toString('base64url')

/** Throws a 400 if the cursor belongs to another order. */
export function readCursor(after: string, sort: Sort = newestFirst): Position {
  const [text, value, id, ...more] = partsOf(after)
  if (isUsual(sort)) {
    if (id !== undefined) throw ofAnotherOrder()
    return { value: null, id: after }
  }
  if (text !== sort.text || more.length > 0) throw ofAnotherOrder()
  const isValue = isOfIds(sort) ? value === null : isPlace(value, sort)
  if (!isValue || typeof id !== 'string' || !idPattern.test(id)) throw ofAnotherOrder()
  return { value: value as Position['value'], id }
}

const newestFirst = readSort('-createdAt')

const isOfIds = ({ by }: Sort): boolean => by === 'createdAt' || by === 'joinedAt'
const isUsual = (sort: Sort): boolean => isOfIds(sort) && sort.isDescending

function partsOf(after: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    // Not an encoded cursor: it is the id of a row, or it is refused like a cursor of another order.
    return []
  }
}

/** Anyone can write a cursor, so a value that no database accepts is refused. */
const isPlace = (value: unknown, { by }: Sort): boolean =>
  by === 'name'
    ? typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
    : Number.isSafeInteger(value)

const ofAnotherOrder = (): ServiceError =>
  invalidField(
    'after',
    'goes on in another order: ask for the same `sort` as the reply whose `meta.next` it is, or begin without it',
  )

/** SQLite itself only knows the case of ASCII letters, so each of its connections gets this function as `folded`. */
export const fold = (text: string): string => text.toLowerCase()

/** A column folded as `fold` does it, in the order of its code points. PostgreSQL's ICU has the same rules. */
export const folded = (query: Query, column: string): RawBuilder<string> =>
  engineOf(query) === 'sqlite'
    ? sql<string>`folded(${sql.ref(column)})`
    : sql<string>`(lower(${sql.ref(column)} COLLATE "und-x-icu") COLLATE "C")`

/** Whether a folded text contains these words, in any case. Neither engine reads wildcards in the words. */
export const holdsWords = (query: Query, column: string, words: string): RawBuilder<boolean> =>
  engineOf(query) === 'sqlite'
    ? sql<boolean>`coalesce(instr(${folded(query, column)}, ${fold(words)}), 0) > 0`
    : sql<boolean>`coalesce(strpos(${folded(query, column)}, ${fold(words)}), 0) > 0`
