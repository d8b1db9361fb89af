/** One page of a list: newest first, with the exact number of all rows. */
import { type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../errors.ts'

/** As the query of every list asks for it; `after` is the id of a row, and only rows behind it are wanted. */
export type PageRequest = { page: number; pageSize: number; after?: string }

export type Page<Row> = { items: Row[]; total: number }

const maxDepth = 10_000

/**
 * The rows of `query` that the page shows, newest first by `idColumn`, and how many there are on all pages.
 * The query brings its filters and columns; it has neither an order nor a grouping.
 * Throws a 400 for a page that reaches deeper than 10,000 rows: an offset costs what it skips.
 */
export async function pageOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { page, pageSize, after }: PageRequest,
  idColumn = 'id',
): Promise<Page<Row>> {
  if (page * pageSize > maxDepth) {
    throw invalidField('page', 'Pages reach 10,000 rows deep; go on with after=<id of the last row>')
  }
  const id = sql.ref<string>(idColumn)
  const counted = await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const behind = after === undefined ? query : query.where(sql<boolean>`${id} < ${after}`)
  const items = await behind
    .orderBy(id, 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  // Kysely cannot work out the row of a selection whose tables are still open.
  return { items: items as Row[], total: (counted as { total: number }).total }
}
