/** Chunks that are spread over their collections, also where replaced versions left most places empty. */
import { sql } from 'kysely'
import type { Query } from '../../../../platform/database/database.ts'
import { engineOf } from '../../../../platform/database/statement.ts'
import { placesPerCollection } from '../index/index-store.ts'

export type CollectionPlaces = {
  number: number
  chunkCount: number
  /** The place of the next chunk. No chunk has this place or a greater one. */
  nextPlace: number
}

/** Numbers that chunks may have. */
type Span = { first: number; last: number }

/** Each round drops most of the empty places that are left, if they are in long runs. */
const mostRounds = 6

/** The numbers of up to `most` chunks of each collection: at least one if the collection has any. */
export async function numbersSpreadOver(
  query: Query,
  collections: readonly CollectionPlaces[],
  most: number,
): Promise<number[]> {
  const numbers: number[] = []
  // Half of a sample shows a collection well. A small collection is read as a whole, for the sake of each language.
  let searched: { spans: Span[]; enough: number }[] = []
  for (const { number, chunkCount, nextPlace } of collections) {
    const first = number * placesPerCollection
    const spans = [{ first, last: first + nextPlace - 1 }]
    const hasEmptyPlaces = chunkCount < nextPlace
    if (hasEmptyPlaces) searched.push({ spans, enough: Math.min(most / 2, chunkCount) })
    else numbers.push(...cut(spans, most).map(part => part.first))
  }
  for (let round = 1; searched.length > 0; round++) {
    const asked = searched.map(({ spans, enough }) => ({ parts: cut(spans, most), enough }))
    const chunks = await readFirstChunks(
      query,
      asked.flatMap(({ parts }) => parts),
    )
    searched = []
    for (const { parts, enough } of asked) {
      const filled = parts.flatMap(({ first, last }) => {
        const chunk = chunks.get(first)
        return chunk === undefined ? [] : { first: chunk, last }
      })
      if (filled.length < enough && round < mostRounds) searched.push({ spans: filled, enough })
      else numbers.push(...filled.map(({ first }) => first))
    }
  }
  return numbers
}

/** Cuts the spans into at most `most` parts of about the same length. There are fewer spans than `most`. */
function cut(spans: readonly Span[], most: number): Span[] {
  const all = spans.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  // The border between two spans makes a further part.
  const wanted = most - spans.length + 1
  const length = Math.max(1, all / wanted)
  const parts: Span[] = []
  let before = 0
  let cuts = 1
  for (const { first, last } of spans) {
    let start = first
    for (; cuts < wanted; cuts++) {
      const next = first + Math.floor(cuts * length) - before
      if (next > last) break
      if (next > start) parts.push({ first: start, last: next - 1 })
      start = next
    }
    parts.push({ first: start, last })
    before += last - first + 1
  }
  return parts
}

/** The number of the first chunk in each part that has one, by the part's first number. */
async function readFirstChunks(query: Query, parts: readonly Span[]): Promise<Map<number, number>> {
  const listed =
    engineOf(query) === 'sqlite'
      ? sql`(SELECT value ->> 'first' AS first, value ->> 'last' AS last FROM json_each(${JSON.stringify(parts)}))`
      : sql`unnest(${parts.map(({ first }) => first)}::bigint[], ${parts.map(({ last }) => last)}::bigint[])`
  const { rows } = await sql<{ first: number; chunk: number | null }>`
    WITH parts (first, last) AS (SELECT * FROM ${listed} AS listed)
    SELECT first, (
      SELECT number FROM search_chunks WHERE number BETWEEN parts.first AND parts.last ORDER BY number LIMIT 1
    ) AS chunk FROM parts`.execute(query)
  return new Map(rows.flatMap(({ first, chunk }) => (chunk === null ? [] : [[first, chunk] as const])))
}
