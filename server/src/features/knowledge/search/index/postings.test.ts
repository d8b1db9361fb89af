/** Nothing is pruned: whatever is packed, a search reads all that the chunks have, in what it may find. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../../platform/caller.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { createTestDatabase } from '../../../../testing/database.ts'
import { createLibrary, type Library } from '../../../../testing/knowledge/indexed-documents.ts'
import { readReach } from '../ranking/reach.ts'
import { readPostings } from '../ranking/search-store.ts'
import { levelOf, placeOf, placesPerBlock, readPosting } from './postings.ts'
import { profileOf } from './statistics.ts'

const words = ['heron', 'stork', 'egret', 'ibis', 'crane', 'bittern', 'spoonbill', 'flamingo']

/** The first words are in nearly all chunks, the last in few. */
const textOf = (place: number): string =>
  words.filter((_, rank) => (place * 7 + rank) % (1 + rank * rank) === 0).join(' ') || 'nothing'

type Setting = { database: Database; library: Library; scope: Scope; collections: string[] }

/** More chunks than a common word needs, most of them in the first of two collections. */
async function createSetting(t: TestContext): Promise<Setting> {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const collections = [await library.createCollection(scope), await library.createCollection(scope)]
  for (let document = 0; document < 22; document++) {
    const chunks = Array.from({ length: 240 }, (_, place) => textOf(document * 240 + place))
    await library.add(scope, { collectionId: collections[document % 5 === 4 ? 1 : 0] ?? '', chunks })
  }
  return { database, library, scope, collections }
}

const packedTerms = async ({ read }: Database): Promise<string[]> => {
  const rows = await read.selectFrom('search_blocks').select('term').distinct().orderBy('term').execute()
  return rows.map(({ term }) => term)
}

/** For each term the chunks that have it, with their levels: as a search reads them, and as their own terms tell. */
async function readBoth(
  { database, scope }: Setting,
  collectionIds?: readonly string[],
): Promise<{ read: string[][]; own: string[][] }> {
  const { engine, read: query } = database
  const terms: string[] = []
  for (const word of words) terms.push(...(await termsOf(database, word)))
  const reach = await readReach(engine, scope, query, withoutUndefined({ collectionIds }))
  if (reach === null) return { read: [], own: [] }
  const found = await readPostings(
    query,
    engine,
    reach.index,
    terms.map(term => ({ terms: [term] })),
  )
  const read = found.map(lists =>
    lists.flatMap(({ bytes, blocks }) =>
      blocks.flatMap(({ block, start, end }) => {
        const numbered: string[] = []
        for (let at = start; at < end; at += 2) {
          const posting = readPosting(bytes, at)
          const number = block * placesPerBlock + placeOf(posting)
          if (reach.isFound(number)) numbered.push(`${number} ${levelOf(posting)}`)
        }
        return numbered
      }),
    ),
  )
  const chunks = await query.selectFrom('search_chunks').select(['number', 'terms']).execute()
  const profiles = chunks
    .filter(({ number }) => reach.isFound(number))
    .map(({ number, terms: encoded }) => ({ number, levels: profileOf(encoded).levels }))
  const own = terms.map(term =>
    profiles.flatMap(({ number, levels }) => (levels.has(term) ? `${number} ${levels.get(term)}` : [])),
  )
  return { read: read.map(list => list.sort()), own: own.map(list => list.sort()) }
}

/** The index's own terms of a word. */
async function termsOf({ read }: Database, word: string): Promise<string[]> {
  const rows = await read
    .selectFrom('search_terms')
    .select('term')
    .distinct()
    .where('term', 'like', `${word.slice(0, 4)}%`)
    .execute()
  return rows.map(({ term }) => term)
}

test('all postings of each term are read, of common and of rare ones, whatever comes and goes', async t => {
  const setting = await createSetting(t)
  const { database, library, scope, collections } = setting
  const common = await packedTerms(database)
  assert.ok(common.length > 0, 'common words are packed')
  assert.ok(common.length < words.length, 'rare words are not')

  const compare = async (): Promise<void> => {
    for (const searched of [undefined, ...collections.map(id => [id])]) {
      const { read, own } = await readBoth(setting, searched)
      assert.ok(own.some(list => list.length > 1_000 || searched !== undefined))
      assert.deepEqual(read, own)
    }
    const narrowed = { ...setting, scope: { ...scope, collectionIds: [collections[1] ?? ''] } }
    const { read, own } = await readBoth(narrowed)
    assert.deepEqual(read, own)
  }
  await compare()

  const document = await library.add(scope, {
    collectionId: collections[0] ?? '',
    chunks: Array.from({ length: 40 }, (_, place) => textOf(place)),
  })
  await compare()
  await library.addVersion(document, 2, ['heron', 'heron stork', 'crane'])
  await compare()
  await library.publish(document, 2)
  await compare()
  await library.remove(document)
  await compare()
})

test('what was packed of a term goes with the chunks that have it', async t => {
  const { database, library, scope, collections } = await createSetting(t)
  const document = await library.add(scope, { collectionId: collections[0] ?? '', chunks: ['heron'] })
  const sizeOf = async (): Promise<number> => {
    const rows = await database.read.selectFrom('search_blocks').select('postings').execute()
    return rows.reduce((sum, { postings }) => sum + postings.length, 0)
  }
  const before = await sizeOf()
  await library.remove(document)
  assert.ok((await sizeOf()) < before)
})
