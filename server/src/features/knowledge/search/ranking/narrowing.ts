/** Narrows a search by a filter: takes all chunks if few documents match, otherwise checks the best chunks. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../../../platform/caller.ts'
import type { Engine, Query } from '../../../../platform/database/database.ts'
import { isOneOf } from '../../../../platform/database/statement.ts'
import type { Filter } from '../../../../platform/narrowing.ts'
import { createTurns } from '../../../../platform/turns.ts'
import { documentsAtOnce, readCondition } from '../../filter/cost.ts'
import type { SearchedIndex } from './searched-index.ts'

export type Narrowing = Few | Many

/** `ranges` has the chunk numbers: first and last of each range in turn. The ranges are in order and do not touch. */
export type Few = { kind: 'few'; chunkCount: number; ranges: Float64Array }

export type Many = {
  kind: 'many'
  /** Returns the chunk numbers whose document matches. */
  matching(numbers: readonly number[]): Promise<Set<number>>
  /** The chunks of all documents that match. */
  all(): Promise<Few>
}

/** For one search in one snapshot. Listing all that a broad filter lets through would cost more than the search. */
export async function readNarrowing(
  scope: Scope,
  query: Query,
  engine: Engine,
  index: SearchedIndex,
  filter: Filter,
): Promise<Narrowing> {
  const { few, matches } = await readCondition(scope, query, filter)
  const atOnce = documentsAtOnce(filter)
  // SQLite answers without waiting. Without these turns, all parts would be one turn of the event loop.
  const othersTurn = createTurns()
  const rangesOf = async (ids: readonly string[]): Promise<Range[]> => {
    const ranges = await readRanges(query, engine, index, ids, matches)
    await othersTurn()
    return ranges
  }
  if (few !== null) {
    const parts: Range[][] = []
    for (let start = 0; start < few.length; start += atOnce)
      parts.push(await rangesOf(few.slice(start, start + atOnce)))
    return fewOf(parts)
  }
  let all: Promise<Few> | null = null
  // The best chunks are tested several times, with more chunks each time.
  const known = new Map<number, boolean>()
  return {
    kind: 'many',
    all: () => {
      all ??= readAll(scope, query, atOnce, rangesOf)
      return all
    },
    async matching(numbers) {
      const unknown = numbers.filter(number => !known.has(number))
      for (const number of unknown) known.set(number, false)
      for (let start = 0; start < unknown.length; start += atOnce) {
        const slice = unknown.slice(start, start + atOnce)
        const { rows } = await sql<{ number: number }>`SELECT search_chunks.number AS number
          FROM search_chunks JOIN documents ON documents.id = search_chunks.document_id
          WHERE search_chunks.number ${isOneOf(engine, slice, sql`bigint`)} AND ${matches}`.execute(query)
        for (const { number } of rows) known.set(number, true)
        await othersTurn()
      }
      return new Set(numbers.filter(number => known.get(number) === true))
    },
  }
}

type Range = { first: number; last: number }

/** The ranges of the matching documents, of published versions in the searched collections only. */
async function readRanges(
  query: Query,
  engine: Engine,
  index: SearchedIndex,
  ids: readonly string[],
  matches: RawBuilder<boolean>,
): Promise<Range[]> {
  const collections =
    index.collections === null
      ? sql`(SELECT number FROM search_collections WHERE index_number = ${index.number} AND removed = 0)`
      : sql`(${sql.join([-1, ...index.collections.map(({ number }) => number)])})`
  const { rows } = await sql<Range>`
    SELECT segments.first_number AS first, segments.last_number AS last
    FROM documents JOIN search_segments AS segments ON segments.document_id = documents.id
    WHERE documents.id ${isOneOf(engine, ids, sql`text`)} AND documents.deleted_at IS NULL
      AND segments.index_number = ${index.number} AND segments.live = 1
      AND segments.collection_number IN ${collections} AND ${matches}`.execute(query)
  return rows
}

function fewOf(parts: readonly Range[][]): Few {
  const ranges = parts.flat().sort((a, b) => a.first - b.first)
  return {
    kind: 'few',
    chunkCount: ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0),
    ranges: Float64Array.from(ranges.flatMap(({ first, last }) => [first, last])),
  }
}

/** Reads in parts, in the order of the documents' ids. Each part takes no longer than a check of chunks. */
async function readAll(
  scope: Scope,
  query: Query,
  atOnce: number,
  rangesOf: (ids: readonly string[]) => Promise<Range[]>,
): Promise<Few> {
  const parts: Range[][] = []
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string }>`SELECT id FROM documents
      WHERE workspace_id = ${scope.workspaceId} AND environment = ${scope.environment} AND id > ${after}
      ORDER BY id LIMIT ${atOnce}`.execute(query)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) parts.push(await rangesOf(ids))
    if (ids.length < atOnce) return fewOf(parts)
    after = ids.at(-1) ?? after
  }
}

export function isAllowed({ ranges }: Few, number: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  // An odd place has a range's last number, an even place its first.
  return low % 2 === 1 || ranges[low] === number
}

export function numbersOf({ ranges }: Few): number[] {
  const numbers: number[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const last = ranges[i + 1] ?? 0
    for (let number = ranges[i] ?? 0; number <= last; number++) numbers.push(number)
  }
  return numbers
}

/** Returns the best `limit` wanted chunks, the same chunks at each call. */
export type Best = (
  isWanted: (number: number) => boolean,
  limit: number,
) => readonly number[] | Promise<readonly number[]>

/** The most chunks that are checked if hardly any of them match. Then all documents are tested. */
const maxChecked = 5_000

/** The best `limit` matching chunks. Checks more and more of the best chunks, until enough match or none are left. */
export async function bestMatching(
  narrowing: Narrowing | null,
  limit: number,
  best: Best,
): Promise<readonly number[]> {
  if (narrowing === null) return best(() => true, limit)
  if (narrowing.kind === 'few') return best(number => isAllowed(narrowing, number), limit)
  const checked = new Set<number>()
  const matching = new Set<number>()
  for (let wanted = limit; ; ) {
    const looked = await best(() => true, wanted)
    const unknown = looked.filter(number => !checked.has(number))
    for (const number of unknown) checked.add(number)
    for (const number of await narrowing.matching(unknown)) matching.add(number)
    if (matching.size >= limit || looked.length < wanted) return best(number => matching.has(number), limit)
    if (wanted === maxChecked) {
      const all = await narrowing.all()
      return best(number => isAllowed(all, number), limit)
    }
    // A little more than should suffice, by the share that has matched so far.
    const expected = (limit * checked.size) / Math.max(1, matching.size)
    wanted = Math.min(maxChecked, Math.ceil(1.2 * Math.max(wanted, expected)))
  }
}
