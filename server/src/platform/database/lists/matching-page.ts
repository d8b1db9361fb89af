/** One page of a list with a condition that no index can answer: the rows are tested one by one, in slices. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { createTurns } from '../../turns.ts'
import {
  conditionsOf,
  inOrder,
  itemsOf,
  listOrder,
  type Page,
  type PageOptions,
  type PageRequest,
  positionOf,
  withPosition,
} from '../page.ts'
import type { Position } from './list-order.ts'

export type Matching<Tested> = {
  /** The part of each row that is read to tell whether the row matches. */
  tested: RawBuilder<Tested>
  /** How many rows are read at once. */
  atOnce: number
  /** Tells for each row whether it matches. Throws if it has been asked about too many rows in all. */
  tell(rows: readonly { id: string; tested: Tested }[]): Promise<boolean[]> | boolean[]
}

/**
 * Like `pageOf`, with an exact total and full pages. Reads in slices, because SQLite answers in the server's own
 * thread. One statement over all rows would block the server for as long as it takes.
 */
export async function pageOfMatching<DB, TB extends keyof DB, Row, Tested>(
  query: SelectQueryBuilder<DB, TB, Row>,
  request: PageRequest,
  { idColumn = 'id', columns = {}, unfiltered = query }: PageOptions<DB, TB>,
  { tested, atOnce, tell }: Matching<Tested>,
): Promise<Page<Row>> {
  const { page, pageSize, sort } = request
  const order = listOrder(request, idColumn, columns)
  const position = await positionOf(unfiltered, request, order)
  const rows = conditionsOf(request, columns).reduce((left, condition) => left.where(condition), query)
  const isBehind = position === null ? sql<boolean>`true` : order.isBehind(position)
  const othersTurn = createTurns()
  const shown: string[] = []
  let [total, behind] = [0, 0]
  for (let last: Position | undefined; ; ) {
    const from: Position | undefined = last
    const left = from === undefined ? rows : rows.where(order.isBehind(from))
    const slice = (await inOrder(withPosition(left.clearSelect(), order), order)
      .select([tested.as('tested'), sql<number>`CASE WHEN ${isBehind} THEN 1 ELSE 0 END`.as('is_behind')])
      .limit(atOnce)
      // Kysely cannot infer the row of a selection whose tables are still open.
      .execute()) as { sort_value: Position['value']; sort_id: string; tested: Tested; is_behind: number }[]
    const matches = await tell(slice.map(({ sort_id: id, tested }) => ({ id, tested })))
    for (const [place, { sort_id: id, is_behind: isBehind }] of slice.entries()) {
      if (matches[place] !== true) continue
      total += 1
      if (isBehind === 0) continue
      behind += 1
      // One row more than the page shows tells whether this is the last page.
      if (behind > (page - 1) * pageSize && shown.length <= pageSize) shown.push(id)
    }
    const end = slice.at(-1)
    if (slice.length < atOnce || end === undefined) break
    last = { value: end.sort_value, id: end.sort_id }
    await othersTurn()
  }
  const named = query.where(sql<boolean>`${order.id} IN (${sql.join(['', ...shown])})`)
  const found = await inOrder(sort === undefined ? named : withPosition(named, order), order).execute()
  return { ...itemsOf<Row>(found, request, order), total }
}
