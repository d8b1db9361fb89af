/** Non-interference: what a limited caller is told by a search is the same with and without the documents that it can't reach. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../../platform/caller.ts'
import { createTestDatabase } from '../../../../testing/database.ts'
import { createLibrary } from '../../../../testing/knowledge/indexed-documents.ts'

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
