/**
 * A second, packed form of the postings of common terms. Reading them from the database's own index takes 20 times as
 * long, and a query of common words has hundreds of thousands. A row has the postings of a term in one block of
 * chunks, two bytes each. A term is packed whole or not at all: if it has rows, they are all of its postings.
 */
import { sql } from 'kysely'
import type { Engine, Tx } from '../../../../platform/database/database.ts'
import { isOneOf } from '../../../../platform/database/statement.ts'
import { type ImpactLevel, impactLevels } from './relevance.ts'
import type { ChunkProfile } from './statistics.ts'

/**
 * A block's number is the number of its first chunk divided by this, so a block is within one collection. A change
 * needs a migration.
 */
export const placesPerBlock = 1_024

/** The chunks that have a term. `blocks` tell where the postings of each block lie in `bytes`. */
export type Postings = { bytes: Uint8Array; blocks: readonly PostingBlock[] }
/** `start` and `end` count bytes. */
export type PostingBlock = { block: number; start: number; end: number }

export const bytesPerPosting = 2
/** A posting is the chunk's place in its block × 4 + its level, lowest byte first. */
const postingOf = (place: number, level: ImpactLevel): number => place * impactLevels.length + level
export const readPosting = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
export const placeOf = (posting: number): number => posting >> 2
/** The two lowest bits are a level. */
export const levelOf = (posting: number): ImpactLevel => (posting & 3) as ImpactLevel

/**
 * A term is packed if at least `chunks` chunks and one in `part` of all chunks have it. For rarer terms, packing
 * would cost each write more than it saves a search. Reading a posting takes PostgreSQL 1.4 µs, and SQLite 0.1 µs.
 */
const leastCommon = { sqlite: { chunks: 4_096, part: 16 }, postgres: { chunks: 1_024, part: 64 } } as const
/** A write packs at least one newly common term, and more up to this many postings, so that it stays short. */
const postingsAtOnce = 4_096

type NumberedProfile = { number: number; profile: ChunkProfile }

/**
 * Adds chunks to the packed terms, and packs terms that have become common. The chunks must already be in the
 * postings and the statistics.
 */
export async function packPostings(
  tx: Tx,
  engine: Engine,
  index: number,
  chunks: readonly NumberedProfile[],
): Promise<void> {
  const chunksWith = new Map<string, number>()
  for (const {
    profile: { levels },
  } of chunks)
    for (const term of levels.keys()) chunksWith.set(term, (chunksWith.get(term) ?? 0) + 1)
  const packed = await listPacked(tx, engine, index, [...chunksWith.keys()])
  for (const [block, rows] of postingsOf(chunks, packed))
    await writeBlock(tx, engine, { index, block, rows, isAdded: true })
  // Of three or more chunks, at least two must have the term. A common term in fewer has its turn later.
  const mayBeCommon = [...chunksWith].filter(
    ([term, count]) => !packed.has(term) && 2 * count >= Math.min(4, chunks.length),
  )
  const common = await listCommon(
    tx,
    engine,
    index,
    mayBeCommon.map(([term]) => term),
  )
  let postings = 0
  for (const { term, count } of common) {
    postings += count
    if (postings > postingsAtOnce && postings > count) break
    await packTerm(tx, engine, index, term)
  }
}

async function packTerm(tx: Tx, engine: Engine, index: number, term: string): Promise<void> {
  const lists: number[][] = []
  for (const level of impactLevels) lists.push(await listChunks(tx, engine, postingToken(index, level, term)))
  const { bytes, blocks } = postingsOfLists(lists)
  const packs = new Map<number, string>()
  for (const { block, start, end } of blocks) {
    const own = Buffer.from(bytes.subarray(start, end)).toString('hex')
    packs.set(block, `${packs.get(block) ?? ''}${own}`)
  }
  for (const [block, own] of packs)
    await writeBlock(tx, engine, { index, block, rows: new Map([[term, own]]), isAdded: true })
}

/** The terms that are packed. */
async function listPacked(
  tx: Tx,
  engine: Engine,
  index: number,
  terms: readonly string[],
): Promise<Set<string>> {
  const asked =
    engine === 'sqlite'
      ? sql`(SELECT value AS term FROM json_each(${JSON.stringify(terms)})) AS asked`
      : sql`unnest(${terms}::text[]) AS asked (term)`
  const { rows } = await sql<{ term: string }>`SELECT term FROM ${asked} WHERE EXISTS (
      SELECT 1 FROM search_blocks WHERE index_number = ${index} AND search_blocks.term = asked.term
    )`.execute(tx)
  return new Set(rows.map(({ term }) => term))
}

/** The terms that are to be packed, commonest first. */
async function listCommon(
  tx: Tx,
  engine: Engine,
  index: number,
  terms: readonly string[],
): Promise<{ term: string; count: number }[]> {
  const { chunk_count: chunkCount } = await tx
    .selectFrom('search_indexes')
    .select('chunk_count')
    .where('number', '=', index)
    .executeTakeFirstOrThrow()
  const { chunks, part } = leastCommon[engine]
  if (chunkCount < chunks || terms.length === 0) return []
  const least = Math.max(chunks, Math.ceil(chunkCount / part))
  const { rows } = await sql<{ term: string; count: number }>`
    SELECT term, level_0 + level_1 + level_2 + level_3 AS count FROM search_terms
    WHERE index_number = ${index} AND term ${isOneOf(engine, terms, sql`text`)}
      AND level_0 + level_1 + level_2 + level_3 >= ${least}
    ORDER BY count DESC, term LIMIT ${Math.ceil(postingsAtOnce / chunks)}`.execute(tx)
  return rows
}

/** The numbers of the chunks that have the token. */
async function listChunks(tx: Tx, engine: Engine, token: string): Promise<number[]> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ numbers: string | null }>`SELECT group_concat(rowid) AS numbers FROM search_postings
          WHERE search_postings MATCH ${`"${token}"`}`.execute(tx)
      : await sql<{
          numbers: string | null
        }>`SELECT string_agg(rowid::text, ',') AS numbers FROM search_postings
          WHERE tokens @@ ${`'${token}'`}::tsquery`.execute(tx)
  const numbers = rows[0]?.numbers
  return numbers == null ? [] : numbers.split(',').map(Number)
}

/** Packs a term's postings. `lists` has, for each level, the numbers of the chunks with the term at this level. */
export function postingsOfLists(lists: readonly (readonly number[])[]): Postings {
  const bytes = new Uint8Array(lists.reduce((size, numbers) => size + bytesPerPosting * numbers.length, 0))
  const blocks: PostingBlock[] = []
  let at = 0
  for (const level of impactLevels) {
    let last: PostingBlock | undefined
    for (const number of lists[level] ?? []) {
      const block = blockOf(number)
      const posting = postingOf(number - block * placesPerBlock, level)
      if (last?.block !== block) {
        last = { block, start: at, end: at }
        blocks.push(last)
      }
      bytes[at++] = posting & 255
      bytes[at++] = posting >> 8
      last.end = at
    }
  }
  return { bytes, blocks }
}

/** Removes the chunks from `first` to `last` from the packed postings. `terms` are all terms that the chunks have. */
export async function unpackPostings(
  tx: Tx,
  engine: Engine,
  index: number,
  { first, last }: { first: number; last: number },
  terms: readonly string[],
): Promise<void> {
  for (let block = blockOf(first); block <= blockOf(last); block++) {
    const rows = await tx
      .selectFrom('search_blocks')
      .select(['term', 'postings'])
      .where('index_number', '=', index)
      .where('block', '=', block)
      .where(sql<boolean>`term ${isOneOf(engine, terms, sql`text`)}`)
      .execute()
    const left = new Map<string, string>()
    const emptied: string[] = []
    for (const { term, postings } of rows) {
      const rest = without(postings, first - block * placesPerBlock, last - block * placesPerBlock)
      if (rest.length === 0) emptied.push(term)
      else if (rest.length < postings.length) left.set(term, rest.toString('hex'))
    }
    if (left.size > 0) await writeBlock(tx, engine, { index, block, rows: left, isAdded: false })
    if (emptied.length > 0)
      await tx
        .deleteFrom('search_blocks')
        .where('index_number', '=', index)
        .where('block', '=', block)
        .where(sql<boolean>`term ${isOneOf(engine, emptied, sql`text`)}`)
        .execute()
  }
}

/**
 * A term with its impact, in one index: `12c` + term. The index is a part of the token, which keeps workspaces apart.
 * A common word of one workspace then costs another workspace nothing.
 */
export const postingToken = (index: number, level: ImpactLevel, term: string): string =>
  `${index}${levelLetters[level]}${term}`

const levelLetters = ['a', 'b', 'c', 'd'] as const

export const blockOf = (number: number): number => Math.floor(number / placesPerBlock)

/** For each block, the postings of these terms, in hexadecimal. */
function postingsOf(
  chunks: readonly NumberedProfile[],
  terms: ReadonlySet<string>,
): Map<number, Map<string, string>> {
  const blocks = new Map<number, Map<string, string>>()
  for (const {
    number,
    profile: { levels },
  } of chunks) {
    const block = blockOf(number)
    const postings = blocks.get(block) ?? new Map<string, string>()
    const written = impactLevels.map(level => hexadecimalOf(postingOf(number % placesPerBlock, level)))
    for (const [term, level] of levels) {
      if (terms.has(term)) postings.set(term, (postings.get(term) ?? '') + written[level])
    }
    if (postings.size > 0) blocks.set(block, postings)
  }
  return blocks
}

const hexadecimalOf = (posting: number): string => Buffer.of(posting & 255, posting >> 8).toString('hex')

function without(postings: Uint8Array, firstPlace: number, lastPlace: number): Buffer {
  const rest = Buffer.alloc(postings.length)
  let size = 0
  for (let at = 0; at < postings.length; at += bytesPerPosting) {
    const place = placeOf(readPosting(postings, at))
    if (place >= firstPlace && place <= lastPlace) continue
    rest[size++] = postings[at] ?? 0
    rest[size++] = postings[at + 1] ?? 0
  }
  return rest.subarray(0, size)
}

/** `rows` are postings in hexadecimal by term. They are added to the stored postings or replace them. */
async function writeBlock(
  tx: Tx,
  engine: Engine,
  written: { index: number; block: number; rows: ReadonlyMap<string, string>; isAdded: boolean },
): Promise<void> {
  const { index, block, rows, isAdded } = written
  const source =
    engine === 'sqlite'
      ? sql`WITH alike (postings, terms) AS MATERIALIZED (
            SELECT unhex(value ->> 0), value ->> 1 FROM json_each(${JSON.stringify(alike(rows))})
          )
          SELECT ${index}, term.value, ${block}, postings FROM alike, json_each(alike.terms) AS term WHERE true`
      : sql`SELECT ${index}::bigint, term, ${block}::bigint, decode(postings, 'hex')
          FROM unnest(${[...rows.keys()]}::text[], ${[...rows.values()]}::text[]) AS added (term, postings)`
  const both = sql`search_blocks.postings || excluded.postings`
  const added = engine === 'sqlite' ? sql`CAST(${both} AS BLOB)` : both
  await sql`INSERT INTO search_blocks (index_number, term, block, postings) ${source}
    ON CONFLICT (index_number, term, block) DO UPDATE
    SET postings = ${isAdded ? added : sql`excluded.postings`}`.execute(tx)
}

/** Groups the terms with the same postings: most terms of a slice are in one chunk only. */
function alike(rows: ReadonlyMap<string, string>): [postings: string, terms: string[]][] {
  const lists = new Map<string, string[]>()
  for (const [term, postings] of rows) {
    const list = lists.get(postings)
    if (list === undefined) lists.set(postings, [term])
    else list.push(term)
  }
  return [...lists]
}
