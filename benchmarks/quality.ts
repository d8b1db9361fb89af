/** Uploads a judged collection and asks its queries, through the public API alone. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { BeirDocument, BeirQuery, Collection } from './beir.ts'
import { type Call, createCall, createCollection, uploadUntilReady } from './call.ts'
import { eachAtOnce } from './load.ts'
import { evaluate, type Figures } from './metrics.ts'

export type Quality = {
  /** The collection that was made for it. */
  collectionId: string
  figures: Figures
  /** By what stands before the number in the ids of the queries ("typo-3"); none where they have no such ids. */
  groups: { group: string; figures: Figures }[]
  documentsPerSecond: number
  firstPageMs: number[]
}

export const uploadsAtOnce = 8
const pageSize = 50
const maxResults = 1_000
/** The longest query that the API takes. */
const maxQueryLength = 4_000
/** The longest title and external id that it takes. */
const maxTitleLength = 500

export async function measureQuality(url: string, key: string, collection: Collection): Promise<Quality> {
  const { documents, queries, judgements } = collection
  const call = createCall(url, key)
  const startedAt = performance.now()
  const collectionId = await uploadCollection(url, key, collection)
  const seconds = (performance.now() - startedAt) / 1000

  const rankings = new Map<string, readonly string[]>()
  const firstPageMs: number[] = []
  for (const query of queries) {
    const { ranking, milliseconds } = await search(call, collectionId, query)
    rankings.set(query._id, ranking)
    firstPageMs.push(milliseconds)
  }
  const groups = Map.groupBy(judgements, ([query]) => /^(.*\D)-\d+$/.exec(query)?.[1] ?? '')
  groups.delete('')
  return {
    collectionId,
    figures: evaluate(rankings, judgements),
    groups: Array.from(groups, ([group, own]) => ({ group, figures: evaluate(rankings, new Map(own)) })),
    documentsPerSecond: documents.length / seconds,
    firstPageMs,
  }
}

/** Returns the id of the collection that it makes. */
export async function uploadCollection(
  url: string,
  key: string,
  { documents }: Pick<Collection, 'documents'>,
): Promise<string> {
  const call = createCall(url, key)
  const collectionId = await createCollection(call, `eval ${new Date().toISOString()}`)
  await eachAtOnce(documents, uploadsAtOnce, document => upload(call, collectionId, document))
  return collectionId
}

const upload = (call: Call, collectionId: string, { _id, title, text }: BeirDocument) =>
  uploadUntilReady(call, collectionId, {
    name: `${_id.replaceAll('/', '_')}.txt`,
    // A file has to hold something: a document without a text is its title.
    content: text.trim() === '' ? title : text,
    fields: withoutUndefined<Record<string, string>>({
      externalId: _id,
      title: title === '' ? undefined : title.slice(0, maxTitleLength),
    }),
  })

/** The documents in the order of their best chunks, and how long the first page took. */
async function search(
  call: Call,
  collectionId: string,
  { text }: BeirQuery,
): Promise<{ ranking: string[]; milliseconds: number }> {
  const ranking = new Set<string>()
  let milliseconds = 0
  for (let page = 1; page <= maxResults / pageSize; page++) {
    const parameters = new URLSearchParams({ query: text.slice(0, maxQueryLength), collectionId })
    parameters.set('page', String(page))
    parameters.set('pageSize', String(pageSize))
    const startedAt = performance.now()
    const { data, meta } = await call('GET', `/knowledge/search?${parameters}`)
    if (page === 1) milliseconds = performance.now() - startedAt
    for (const { externalId } of data as { externalId: string }[]) ranking.add(externalId)
    if (page * pageSize >= (meta?.total ?? 0)) break
  }
  return { ranking: [...ranking], milliseconds }
}
