/**
 * The statistics of the searched collections: their documents alone make them, and emptied places take no part.
 * So a search tells a limited caller the same with and without the documents that it can't reach.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../../platform/caller.ts'
import { createTestDatabase } from '../../../../testing/database.ts'
import { createLibrary } from '../../../../testing/knowledge/indexed-documents.ts'
import { findSearchedIndex } from './searched-index.ts'

const readable = [
  'The zorbalin project begins in May, and the harbour is closed.',
  'Zorb balls are rented at the harbour. Kubernetes is not needed.',
  'Der Urlaubsantrag wird von der Leitung genehmigt.',
  'A long report about the harbour, the harbour, and again the harbour of the town.',
  'Received mail is answered within a day.',
]
const secret = [
  'Zorbanite is the name of the takeover. The harbour is sold.',
  // More terms of a beginning than anybody could look at.
  ...Array.from({ length: 40 }, (_, i) =>
    Array.from({ length: 80 }, (_, j) => `zo${(i * 80 + j).toString(36).padStart(3, 'q')}`).join(' '),
  ),
  ...Array.from({ length: 40 }, (_, i) => `Zorba${i} harbour kubernetez received project Urlaubsantrag.`),
  'Loma-anomus hyväksytään, ja satama on suljettu. Lomalla ei tehdä töitä eikä vastata viesteihin.',
  'A very long secret text. '.repeat(40),
]
const queries = [
  ...[
    'harbour',
    'zorbalin',
    'zorb*',
    'z*',
    'zo*',
    'zorba*',
    'zorbanite',
    'zorbanit',
    'kubernets',
    'recieved',
    'harbor',
  ],
  ...[
    'the harbour of the town',
    '"the harbour"',
    'harbour -closed',
    'Urlaub',
    'Antrag Leitung',
    'satama',
    'zorbalim',
  ],
  ...['project harbour mail', 'secret', 'takeover zorba1 harbour', '"zorb*"', 'on suljettu'],
]

for (const limit of ['narrowed to a collection', 'withheld from a collection'] as const)
  test(`a search of a caller that is ${limit} tells nothing of what it can't reach`, async t => {
    const { database, close } = await createTestDatabase()
    t.after(close)
    const library = createLibrary(database)
    const scope = await library.createScope()
    const [open, other, closed] = [
      await library.createCollection(scope),
      await library.createCollection(scope),
      await library.createCollection(scope),
    ]
    const limited: Scope =
      limit === 'narrowed to a collection'
        ? { ...scope, collectionIds: [open, other] }
        : { ...scope, withheld: { userId: 'usr_1', collectionIds: [closed], agentIds: [] } }
    for (const [place, text] of readable.entries())
      await library.add(scope, { collectionId: place < 3 ? open : other, title: 'A title', chunks: [text] })

    const told = async (as: Scope, collectionIds?: string[]) => {
      const all = []
      for (const query of queries) {
        const { total, results } = await library.search(
          as,
          withoutUndefined({
            query,
            limit: 50,
            explain: true,
            collectionIds: collectionIds ? collectionIds : undefined,
          }),
        )
        all.push({ query, total, results })
      }
      return all
    }
    const before = await told(limited)
    const beforeInOne = await told(limited, [open])
    const wholeBefore = await told(scope)
    const namedBefore = await told(scope, [open, other])
    const oneBefore = await told(scope, [open])
    assert.ok(
      before.filter(({ total }) => total > 0).length > queries.length / 2,
      'the queries find something',
    )

    for (const text of secret)
      await library.add(scope, { collectionId: closed, title: 'Secret', chunks: [text] })
    assert.deepEqual(await told(limited), before)
    assert.deepEqual(await told(limited, [open]), beforeInOne)
    // Nor does a collection beside those that a search names change anything for a caller who may read all.
    assert.deepEqual(await told(scope, [open, other]), namedBefore)
    assert.deepEqual(await told(scope, [open]), oneBefore)
    // Otherwise the comparison would prove nothing.
    assert.notDeepEqual(await told(scope), wholeBefore)
  })

test('the languages and lengths of a collection are known, however many emptied places lie between its chunks', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const [often, seldom] = [await library.createCollection(scope), await library.createCollection(scope)]
  const english = 'The harbour is closed.'
  const german = 'Der Hafen ist im Winter für alle Schiffe geschlossen, und keiner der Fischer arbeitet.'
  const add = async (collectionId: string, texts: string[]) => {
    for (const text of texts) await library.add(scope, { collectionId, chunks: [text] })
  }
  // As if so many chunks had been written and removed again.
  const leaveEmpty = (collectionId: string, places: number) =>
    database.write(tx =>
      tx
        .updateTable('search_collections')
        .set(row => ({ next_place: row('next_place', '+', places) }))
        .where('collection_id', '=', collectionId)
        .execute(),
    )
  const steps: [emptied: number, thenAdded: number][] = [
    [0, 40],
    [200_000, 8],
    [1_000_000, 40],
    [500, 0],
  ]
  for (const [emptied, thenAdded] of steps) {
    await leaveEmpty(often, emptied)
    await add(
      often,
      Array.from({ length: thenAdded }, (_, i) => (i % 4 === 2 ? german : english)),
    )
    const exact = await findSearchedIndex(scope, database.read, undefined)
    const sampled = await findSearchedIndex(scope, database.read, [often])
    assert.ok(exact !== null && sampled !== null)
    assert.deepEqual(sampled.languages, exact.languages)
    const share = sampled.totals.bodyLength / exact.totals.bodyLength
    assert.ok(share > 0.9 && share < 1.1, `${share} after ${emptied} emptied places`)
  }
  // Other collections leave only a part of the sample to it.
  await add(seldom, [english])
  const both = await findSearchedIndex(scope, database.read, [often, seldom])
  assert.deepEqual(both?.languages, ['en', 'de'])
  await leaveEmpty(seldom, 1_000_000)
  await add(seldom, [english, german])
  assert.deepEqual((await findSearchedIndex(scope, database.read, [seldom]))?.languages, ['en', 'de'])
})
