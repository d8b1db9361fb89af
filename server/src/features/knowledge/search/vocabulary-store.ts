/** The SQL that looks among an index's own terms for those that a query may mean. */
import { sql } from 'kysely'
import type { Query } from '../../../platform/database/database.ts'
import type { LevelCounts } from './statistics.ts'

export type CountedTerm = { term: string; counts: LevelCounts }

/** The commonest terms that begin so. */
export const termsStartingWith = (
  query: Query,
  index: number,
  prefix: string,
  limit: number,
): Promise<CountedTerm[]> =>
  readTerms(query, index, prefix, { orderBy: sql`level_0 + level_1 + level_2 + level_3 DESC, term`, limit })

/** Terms that begin so, of these lengths, in their order. */
export const termsOfLength = async (
  query: Query,
  index: number,
  prefix: string,
  lengths: { from: number; to: number },
  limit: number,
): Promise<string[]> => {
  const found = await readTerms(query, index, prefix, {
    condition: sql`length(term) BETWEEN ${lengths.from} AND ${lengths.to}`,
    orderBy: sql`term`,
    limit,
  })
  return found.map(({ term }) => term)
}

async function readTerms(
  query: Query,
  index: number,
  prefix: string,
  {
    condition = sql`1 = 1`,
    orderBy,
    limit,
  }: {
    condition?: ReturnType<typeof sql>
    orderBy: ReturnType<typeof sql>
    limit: number
  },
): Promise<CountedTerm[]> {
  const { rows } = await sql<
    { term: string } & Record<'level_0' | 'level_1' | 'level_2' | 'level_3', number>
  >`
    SELECT term, level_0, level_1, level_2, level_3 FROM search_terms
    WHERE index_number = ${index} AND term >= ${prefix} AND term < ${`${prefix}${last}`} AND ${condition}
    ORDER BY ${orderBy} LIMIT ${limit}`.execute(query)
  return rows.map(row => ({ term: row.term, counts: [row.level_0, row.level_1, row.level_2, row.level_3] }))
}

/** Behind every letter, in the order of the bytes that both databases keep terms in. */
const last = '\u{10ffff}'
