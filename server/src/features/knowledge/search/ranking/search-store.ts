/** The SQL that reads an index. One search runs in one snapshot. */
import { type RawBuilder, sql } from 'kysely'
import type { Engine, Query } from '../../../../platform/database/database.ts'
import { isOneOf } from '../../../../platform/database/statement.ts'
import type { EncodedTerms } from '../index/chunk-terms.ts'
import { collectionToken, placesPerCollection } from '../index/index-store.ts'
import {
  type PostingBlock,
  type Postings,
  placesPerBlock,
  postingsOfLists,
  postingToken,
} from '../index/postings.ts'
import { impactLevels } from '../index/relevance.ts'
import type { LevelCounts } from '../index/statistics.ts'
import type { SearchedIndex } from './searched-index.ts'

/** Excluded from every search: versions not yet published, replaced versions, and collections in removal. */
export type Hidden = {
  /** In the order of their numbers, without overlaps. */
  segments: { first: number; last: number }[]
  collections: number[]
}

export async function readHidden(query: Query, index: number): Promise<Hidden> {
  const { rows } = await sql<{ first: number | null; last: number | null; collection: number | null }>`
    SELECT first_number AS first, last_number AS last, NULL AS collection FROM search_segments
      WHERE index_number = ${index} AND live = 0
    UNION ALL
    SELECT NULL, NULL, number FROM search_collections WHERE index_number = ${index} AND removed = 1
    ORDER BY first`.execute(query)
  const hidden: Hidden = { segments: [], collections: [] }
  for (const { first, last, collection } of rows) {
    if (collection !== null) hidden.collections.push(collection)
    else if (first !== null && last !== null) hidden.segments.push({ first, last })
  }
  return hidden
}

/** The terms of one word and, if they are known, the counts of each term by level. */
export type TermsOfWord = { terms: readonly string[]; counts?: readonly LevelCounts[] }

/**
 * For each word, the lists of the chunks in the searched collections that have one of its terms. The lists may
 * include chunks of other collections. A chunk may be in several of a word's lists.
 */
export async function readPostings(
  query: Query,
  engine: Engine,
  searched: SearchedIndex,
  words: readonly TermsOfWord[],
): Promise<Postings[][]> {
  const all = [...new Set(words.flatMap(({ terms }) => terms))]
  if (all.length === 0) return words.map(() => [])
  const packed = await readPacked(query, engine, searched, all)
  const tokens = words.flatMap(({ terms, counts }) =>
    impactLevels.map(level =>
      terms
        .filter((term, place) => !packed.has(term) && counts?.[place]?.[level] !== 0)
        .map(term => postingToken(searched.number, level, term)),
    ),
  )
  const lists = await readMatching(query, engine, searched, tokens)
  return words.map(({ terms }, place) => {
    const unpacked = postingsOfLists(
      lists.slice(place * impactLevels.length, (place + 1) * impactLevels.length),
    )
    const own = terms.flatMap(term => packed.get(term) ?? [])
    return unpacked.blocks.length === 0 ? own : [...own, unpacked]
  })
}

export type ReadPostings = (words: readonly TermsOfWord[]) => Promise<Postings[][]>

/** The most bytes of postings that are held at once: as much as a common word of a million chunks takes. */
export const postingBytesAtOnce = 2 * 1024 * 1024

/** The memory of a block's place: far more than the postings take, for a term in few chunks of many blocks. */
const bytesPerPlace = 56

/** For one search. Keeps the postings of words with one term, since postings that are counted are also summed. */
export function createPostingsReader(query: Query, engine: Engine, searched: SearchedIndex): ReadPostings {
  const kept = new Map<string, Postings[]>()
  let left = postingBytesAtOnce
  const keptOf = ({ terms: [term = '', ...others] }: TermsOfWord): Postings[] | undefined =>
    others.length === 0 ? kept.get(term) : undefined
  return async words => {
    const unknown = words.filter(word => keptOf(word) === undefined)
    const read = await readPostings(query, engine, searched, unknown)
    const found = new Map(unknown.map((word, place) => [word, read[place] ?? []]))
    for (const [{ terms }, own] of found) {
      const [term] = terms
      const size = own.reduce(
        (sum, { bytes, blocks }) => sum + bytes.length + blocks.length * bytesPerPlace,
        0,
      )
      if (term === undefined || terms.length > 1 || kept.has(term) || size > left) continue
      kept.set(term, own)
      left -= size
    }
    return words.map(word => found.get(word) ?? keptOf(word) ?? [])
  }
}

/** The packed postings of the terms, in the collections. */
async function readPacked(
  query: Query,
  engine: Engine,
  { number: index, collections }: SearchedIndex,
  terms: readonly string[],
): Promise<Map<string, Postings>> {
  const spans = spansOf(collections)
  const { rows } =
    engine === 'sqlite'
      ? await sql<PackedRow>`WITH
          list (place, term) AS MATERIALIZED (SELECT key, value FROM json_each(${JSON.stringify(terms)})),
          span (first, last) AS MATERIALIZED (
            SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(spans)})
          )
          SELECT (
            SELECT ${strung.sqlite} FROM span CROSS JOIN search_blocks
            WHERE index_number = ${index} AND search_blocks.term = list.term AND block BETWEEN span.first AND span.last
          ) AS postings FROM list ORDER BY place`.execute(query)
      : await sql<PackedRow>`SELECT (
            SELECT ${strung.postgres} FROM search_blocks
            JOIN unnest(${spans.map(([first]) => first)}::bigint[], ${spans.map(([, last]) => last)}::bigint[])
              AS span (first, last) ON block BETWEEN span.first AND span.last
            WHERE index_number = ${index} AND search_blocks.term = list.term
          ) AS postings FROM unnest(${terms}::text[]) WITH ORDINALITY AS list (term, place)
          ORDER BY list.place`.execute(query)
  const packed = new Map<string, Postings>()
  for (const [place, { postings }] of rows.entries())
    if (postings !== null) packed.set(terms[place] ?? '', parsePacked(postings))
  return packed
}

type PackedRow = { postings: Uint8Array | null }

/** All blocks in one value, each as `BLOCK,SIZE;POSTINGS`: hundreds of rows with buffers are far slower to read. */
const strung = {
  sqlite: sql`CAST(group_concat(block || ',' || length(postings) || ';' || postings, '') AS BLOB)`,
  postgres: sql`string_agg(convert_to(block || ',' || length(postings) || ';', 'UTF8') || postings, ''::bytea)`,
}

function parsePacked(bytes: Uint8Array): Postings {
  const blocks: PostingBlock[] = []
  let at = 0
  const readNumber = (): number => {
    let number = 0
    for (let digit = (bytes[at++] ?? 0) - zero; digit >= 0 && digit <= 9; digit = (bytes[at++] ?? 0) - zero)
      number = number * 10 + digit
    return number
  }
  while (at < bytes.length) {
    const block = readNumber()
    const size = readNumber()
    blocks.push({ block, start: at, end: at + size })
    at += size
  }
  return { bytes, blocks }
}

/** Further spans are read with the last one, with all blocks between them. */
const maxSpans = 100

/** The blocks of the collections. Neighbouring collections are one span. */
function spansOf(collections: SearchedIndex['collections']): [first: number, last: number][] {
  if (collections === null) return [[0, Number.MAX_SAFE_INTEGER]]
  const spans: [number, number][] = []
  for (const { number } of collections) {
    const first = number * blocksPerCollection
    const last = spans.at(-1)
    if (last !== undefined && (last[1] + 1 === first || spans.length === maxSpans))
      last[1] = first + blocksPerCollection - 1
    else spans.push([first, first + blocksPerCollection - 1])
  }
  return spans
}

const blocksPerCollection = placesPerCollection / placesPerBlock

/** The numbers of the chunks that have a term with this prefix, in order. */
export async function readChunksStarting(
  query: Query,
  engine: Engine,
  searched: SearchedIndex,
  prefix: string,
): Promise<number[]> {
  const tokens = impactLevels.map(level => `${postingToken(searched.number, level, prefix)}${anyEnding}`)
  const [numbers = []] = await readMatching(query, engine, searched, [tokens])
  return numbers.sort((a, b) => a - b)
}

/** Marks a token as a prefix. No term has this sign. */
const anyEnding = '*'

const quoted = (token: string, quote: '"' | "'", ending: '*' | ':*'): string =>
  token.endsWith(anyEnding) ? `${quote}${token.slice(0, -1)}${quote}${ending}` : `${quote}${token}${quote}`

/** For each list, the numbers of the chunks that have any of its tokens. */
async function readMatching(
  query: Query,
  engine: Engine,
  { collections }: SearchedIndex,
  lists: readonly (readonly string[])[],
): Promise<number[][]> {
  const found = lists.map((): number[] => [])
  const asked = lists.flatMap((tokens, place) => (tokens.length > 0 ? { tokens, place } : []))
  if (asked.length === 0) return found
  const places = collections?.map(({ number }) => number) ?? [0, maxCollections - 1]
  const first = Math.min(...places) * placesPerCollection
  const last = (Math.max(...places) + 1) * placesPerCollection - 1
  const { rows } =
    engine === 'sqlite'
      ? await sqlitePostings(asked, first, last).execute(query)
      : await postgresPostings(asked, first, collections).execute(query)
  for (const [index, { place }] of asked.entries())
    found[place] = parseNumbers(rows[index]?.numbers ?? null, first)
  return found
}

type AskedList = { tokens: readonly string[] }

/** The chunks' numbers, minus the first possible one, in digits: far quicker to read than a row for each. */
type PostingsRow = { numbers: string | null }

/** Rows of FTS5 are in the order of their numbers, so the rows of a collection are one range. */
function sqlitePostings(asked: readonly AskedList[], first: number, last: number): RawBuilder<PostingsRow> {
  const queries = asked.map(({ tokens }) => tokens.map(token => quoted(token, '"', '*')).join(' OR '))
  // FTS5 heeds the bounds of a range only if they are integers, and `node:sqlite` binds a real number.
  const [from, to] = [sql`CAST(${first} AS INTEGER)`, sql`CAST(${last} AS INTEGER)`]
  return sql`SELECT (
      SELECT group_concat(rowid - ${from}) FROM search_postings
      WHERE search_postings MATCH list.value AND rowid BETWEEN ${from} AND ${to}
    ) AS numbers FROM json_each(${JSON.stringify(queries)}) AS list ORDER BY list.key`
}

/** Chunk numbers stay below 2^53. */
const maxCollections = 2 ** 23

function postgresPostings(
  asked: readonly AskedList[],
  first: number,
  collections: SearchedIndex['collections'],
): RawBuilder<PostingsRow> {
  const within =
    collections === null
      ? ''
      : ` & (${collections.map(({ number }) => `'${collectionToken(number)}'`).join(' | ')})`
  const queries = asked.map(
    ({ tokens }) => `(${tokens.map(token => quoted(token, "'", ':*')).join(' | ')})${within}`,
  )
  return sql`SELECT (
      SELECT string_agg((rowid - ${first})::text, ',') FROM search_postings
      WHERE tokens @@ list.query::tsquery
    ) AS numbers FROM unnest(${queries}::text[]) WITH ORDINALITY AS list (query, place) ORDER BY list.place`
}

function parseNumbers(text: string | null, first: number): number[] {
  const numbers: number[] = []
  if (text === null) return numbers
  let number = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === comma) {
      numbers.push(first + number)
      number = 0
    } else number = number * 10 + unit - zero
  }
  numbers.push(first + number)
  return numbers
}

const comma = ','.charCodeAt(0)
const zero = '0'.charCodeAt(0)

export type Candidate = { number: number; chunkId: string; documentId: string; terms: EncodedTerms }

/** The chunks with these numbers, except those that are gone. */
export async function readCandidates(
  query: Query,
  engine: Engine,
  numbers: readonly number[],
): Promise<Candidate[]> {
  // One row with all values joined: hundreds of rows with a buffer each keep the garbage collector busy.
  const strung =
    engine === 'sqlite'
      ? sql`group_concat(number) AS numbers, group_concat(chunk_id) AS "chunkIds", group_concat(document_id) AS "documentIds",
          group_concat(length(terms)) AS sizes, CAST(group_concat(terms, '') AS BLOB) AS terms`
      : sql`string_agg(number::text, ',') AS numbers, string_agg(chunk_id, ',') AS "chunkIds", string_agg(document_id, ',') AS "documentIds",
          string_agg(length(terms)::text, ',') AS sizes, string_agg(terms, '') AS terms`
  const { rows } = await sql<
    { [name in 'numbers' | 'chunkIds' | 'documentIds' | 'sizes']: string | null } & {
      terms: Uint8Array | null
    }
  >`SELECT ${strung} FROM search_chunks WHERE number ${isOneOf(engine, numbers, sql`bigint`)}`.execute(query)
  const { numbers: found, chunkIds, documentIds, sizes, terms } = rows[0] ?? {}
  if (found == null || chunkIds == null || documentIds == null || sizes == null || terms == null) return []
  const numbered = parseNumbers(found, 0)
  const documents = documentIds.split(',')
  const ends = sizes.split(',')
  let at = 0
  return chunkIds.split(',').map((chunkId, place) => {
    const start = at
    at += Number(ends[place])
    return {
      number: numbered[place] ?? 0,
      chunkId,
      documentId: documents[place] ?? '',
      terms: terms.subarray(start, at),
    }
  })
}

/** The live chunks of the documents, as ranges of their numbers: at most `limit` ranges. */
export async function readSegments(
  query: Query,
  engine: Engine,
  index: number,
  documentIds: readonly string[],
  limit: number,
): Promise<{ documentId: string; first: number; last: number }[]> {
  const { rows } = await sql<{ documentId: string; first: number; last: number }>`
    SELECT document_id AS "documentId", first_number AS first, last_number AS last FROM search_segments
    WHERE document_id ${isOneOf(engine, documentIds, sql`text`)} AND index_number = ${index} AND live = 1
    ORDER BY first_number LIMIT ${limit}`.execute(query)
  return rows
}

export type CountedTerm = { term: string; counts: LevelCounts }

/** The terms that the index has. */
export const knownTerms = (
  query: Query,
  engine: Engine,
  index: number,
  terms: readonly string[],
): Promise<CountedTerm[]> =>
  engine === 'sqlite'
    ? // A slip may have hundreds of corrections: looking up each takes two thirds of the time of sorting them first.
      readTerms(
        query,
        index,
        sql`term = value`,
        sql`json_each(${JSON.stringify(terms)}) CROSS JOIN search_terms`,
      )
    : readTerms(query, index, sql`term ${isOneOf(engine, terms, sql`text`)}`)

/** The commonest terms with this prefix. */
export const termsStartingWith = (
  query: Query,
  index: number,
  prefix: string,
  limit: number,
): Promise<CountedTerm[]> =>
  readTerms(
    query,
    index,
    sql`${begins(prefix)} ORDER BY level_0 + level_1 + level_2 + level_3 DESC, term LIMIT ${limit}`,
  )

/** Terms with this prefix and of these lengths, in order. */
export const termsOfLength = async (
  query: Query,
  index: number,
  prefix: string,
  { from, to }: { from: number; to: number },
  limit: number,
): Promise<string[]> => {
  const isOfLength = sql`length(term) BETWEEN ${from} AND ${to}`
  const which = sql`${begins(prefix)} AND ${isOfLength} ORDER BY term LIMIT ${limit}`
  return (await readTerms(query, index, which)).map(({ term }) => term)
}

type Level = `level_${0 | 1 | 2 | 3}`

async function readTerms(
  query: Query,
  index: number,
  which: RawBuilder<unknown>,
  from = sql`search_terms`,
): Promise<CountedTerm[]> {
  const { rows } = await sql<{ term: string } & Record<Level, number>>`
    SELECT term, level_0, level_1, level_2, level_3 FROM ${from}
    WHERE index_number = ${index} AND ${which}`.execute(query)
  return rows.map(row => ({ term: row.term, counts: [row.level_0, row.level_1, row.level_2, row.level_3] }))
}

const begins = (prefix: string) => sql`term >= ${prefix} AND term < ${`${prefix}${last}`}`

/** Comes after every letter, in the order of the bytes in which both databases keep terms. */
const last = '\u{10ffff}'
