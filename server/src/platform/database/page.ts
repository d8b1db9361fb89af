/** One page of a list: newest first, with the exact number of all rows. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { invalidField, type ServiceError } from '../errors.ts'

/** As the query of every list asks for it; `after` is the id of a row, and only rows behind it are wanted. */
export type PageRequest = { page: number; pageSize: number; after?: string | undefined }

export type Page<Row> = { items: Row[]; total: number }

const maxDepth = 10_000

/** How many of the records that a dry run counts are named. */
export const previewedIds = 100

export type PageOptions<DB, TB extends keyof DB> = {
  idColumn?: string
  /** The list without its filters: a row that `after` names may have left them while the list was walked. */
  unfiltered?: SelectQueryBuilder<DB, TB, unknown>
  /** Tells the number of all rows where it is kept somewhere: to count them takes the longer the more there are. */
  total?: () => Promise<number>
}

/**
 * The rows of `query` that the page shows, newest first by `idColumn`, and how many there are on all pages.
 * The query brings its filters and columns; it has neither an order nor a grouping.
 * Throws a 400 for a page that reaches deeper than 10,000 rows (an offset costs what it skips), and if `after` names no
 * row of the list.
 */
export async function pageOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { page, pageSize, after }: PageRequest,
  { idColumn = 'id', unfiltered, total }: PageOptions<DB, TB> = {},
): Promise<Page<Row>> {
  checkDepth(page, pageSize)
  const id = sql.ref<string>(idColumn)
  if (after !== undefined) await requireRow(unfiltered ?? query, id, after)
  const skipped = (page - 1) * pageSize
  const behind = after === undefined ? query : query.where(sql<boolean>`${id} < ${after}`)
  // One more than is shown tells whether this is the last page; then the number of all rows is known uncounted.
  const found = await behind
    .orderBy(id, 'desc')
    .limit(pageSize + 1)
    .offset(skipped)
    .execute()
  const endsHere = after === undefined && found.length <= pageSize && (found.length > 0 || page === 1)
  return {
    // Kysely cannot work out the row of a selection whose tables are still open.
    items: found.slice(0, pageSize) as Row[],
    total: endsHere ? skipped + found.length : await (total?.() ?? countAll(query)),
  }
}

/** Throws a 400 for a page that reaches deeper than 10,000 rows. */
export function checkDepth(page: number, pageSize: number): void {
  if (page * pageSize > maxDepth) {
    throw invalidField('page', 'Pages reach 10,000 rows deep; go on with after=<id of the last row>')
  }
}

/** Throws a 400 if it names none: what is behind a row that is not there would be anything. */
export async function requireRow<DB, TB extends keyof DB>(
  list: SelectQueryBuilder<DB, TB, unknown>,
  id: RawBuilder<string>,
  after: string,
): Promise<void> {
  const row = await list
    .clearSelect()
    .select(id.as('id'))
    .where(sql<boolean>`${id} = ${after}`)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw unknownAfter()
}

export const unknownAfter = (): ServiceError =>
  invalidField('after', 'names no row of this list; go on after one that is there, or begin without it')

async function countAll<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, unknown>,
): Promise<number> {
  const counted = await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return (counted as { total: number }).total
}
