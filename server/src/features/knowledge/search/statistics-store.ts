/** The SQL that keeps an index's statistics: its totals, its languages, and how many chunks contain each term. */
import { sql } from 'kysely'
import type { Engine, Tx } from '../../../platform/database/database.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { IndexTotals, LevelCounts, StatisticsChange } from './statistics.ts'

/** What is known of the index as a whole changes with its chunks, in the same transaction. */
export async function addStatistics(
  tx: Tx,
  engine: Engine,
  index: number,
  { totals, terms, languages }: StatisticsChange,
): Promise<void> {
  await addTotals(tx, { index, ...totals })
  await addLanguages(tx, index, languages)
  await addTermCounts(tx, engine, index, terms)
}

const addTotals = statement((tx, totals: IndexTotals & { index: number }) =>
  tx
    .updateTable('search_indexes')
    .set(row => ({
      chunk_count: row('chunk_count', '+', totals.chunkCount),
      body_length: row('body_length', '+', totals.bodyLength),
      title_length: row('title_length', '+', totals.titleLength),
      name_length: row('name_length', '+', totals.nameLength),
      headings_length: row('headings_length', '+', totals.headingsLength),
      title_count: row('title_count', '+', totals.titleCount),
      name_count: row('name_count', '+', totals.nameCount),
      headings_count: row('headings_count', '+', totals.headingsCount),
    }))
    .where('number', '=', totals.index),
)

async function addLanguages(tx: Tx, index: number, languages: StatisticsChange['languages']): Promise<void> {
  const rows = [...languages].sort(([a], [b]) => (a < b ? -1 : 1))
  await tx
    .insertInto('search_languages')
    .values(rows.map(([language, count]) => ({ index_number: index, language, chunk_count: count })))
    .onConflict(conflict =>
      conflict.columns(['index_number', 'language']).doUpdateSet({
        chunk_count: sql`search_languages.chunk_count + excluded.chunk_count`,
      }),
    )
    .execute()
}

/** Adds to the terms' counts, and forgets the terms that no chunk contains any longer. */
async function addTermCounts(
  tx: Tx,
  engine: Engine,
  index: number,
  terms: ReadonlyMap<string, LevelCounts>,
): Promise<void> {
  if (terms.size === 0) return
  const rows = [...terms].sort(([a], [b]) => (a < b ? -1 : 1))
  const changes =
    engine === 'sqlite'
      ? sql`WITH alike (level_0, level_1, level_2, level_3, terms) AS MATERIALIZED (
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
            FROM json_each(${JSON.stringify(alike(rows))})
          )
          SELECT ${index}, term.value, level_0, level_1, level_2, level_3
          FROM alike, json_each(alike.terms) AS term WHERE true`
      : sql`SELECT ${index}::bigint, * FROM unnest(${rows.map(([term]) => term)}::text[],
          ${rows.map(([, counts]) => counts[0])}::bigint[], ${rows.map(([, counts]) => counts[1])}::bigint[],
          ${rows.map(([, counts]) => counts[2])}::bigint[], ${rows.map(([, counts]) => counts[3])}::bigint[])`
  await sql`INSERT INTO search_terms (index_number, term, level_0, level_1, level_2, level_3) ${changes}
    ON CONFLICT (index_number, term) DO UPDATE SET
      level_0 = search_terms.level_0 + excluded.level_0, level_1 = search_terms.level_1 + excluded.level_1,
      level_2 = search_terms.level_2 + excluded.level_2, level_3 = search_terms.level_3 + excluded.level_3
  `.execute(tx)
  const shrunk = rows.filter(([, counts]) => counts.some(count => count < 0)).map(([term]) => term)
  if (shrunk.length === 0) return
  const gone =
    engine === 'sqlite'
      ? sql`term IN (SELECT value FROM json_each(${JSON.stringify(shrunk)}))`
      : sql`term = ANY (${shrunk}::text[])`
  await sql`DELETE FROM search_terms
    WHERE index_number = ${index} AND ${gone} AND level_0 + level_1 + level_2 + level_3 = 0
  `.execute(tx)
}

/** Terms with the same counts together: few lists, for what stands in each of them is taken apart only once. */
function alike(rows: readonly [string, LevelCounts][]): [...LevelCounts, string[]][] {
  const lists = new Map<string, [...LevelCounts, string[]]>()
  for (const [term, counts] of rows) {
    const key = counts.join()
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [...counts, [term]])
    else list[4].push(term)
  }
  return [...lists.values()]
}
