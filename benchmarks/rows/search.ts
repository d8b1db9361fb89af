/** Search through HTTP as the index grows, and how late the server's event loop is meanwhile. */
import { type Call, createCall, createCollection, uploadUntilReady } from '../call.ts'
import { type Corpus, createCorpus } from '../corpus.ts'
import { eachAtOnce, percentile } from '../load.ts'
import { createLoopWatch } from '../loop-delay.ts'
import { startAtrium, startFloor } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const sizes = [1_000, 10_000, 100_000]
const collectionCount = 10
const chunksPerDocument = 100
const uploadsAtOnce = 4
const warmUp = 100
const searches = 1_000
const p50MustMs = 6
const p99MustMs = 35
const delayMustMs = 20

export async function measureSearch(): Promise<Row[]> {
  const watch = createLoopWatch()
  const atrium = await startAtrium(watch)
  const hello = await startFloor('hello.ts')
  try {
    const call = createCall(atrium.url, await atrium.createKey('live'))
    const corpus = createCorpus()
    const collections: string[] = []
    for (let i = 0; i < collectionCount; i++) {
      collections.push(await createCollection(call, `Collection ${i}`))
    }
    const rows: Row[] = []
    let loaded = 0
    for (const size of sizes) {
      loaded += await grow(call, corpus, collections, loaded, size)
      await searchAll(call, corpus, collections, warmUp)
      await watch.read(atrium.pid)
      const times = await searchAll(call, corpus, collections, searches)
      const delay = await watch.read(atrium.pid)
      const floor = await eachAtOnce(Array(searches).fill(0), 1, async () => {
        await (await fetch(hello.url)).text()
      })
      rows.push(...rowsOf(loaded, times, delay, floor))
    }
    return rows
  } finally {
    await Promise.all([atrium.stop(), hello.stop()])
  }
}

function rowsOf(
  chunks: number,
  times: readonly number[],
  delay: { p99Ms: number; maxMs: number },
  floor: readonly number[],
): Row[] {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  return [
    row(
      `Search over ${rounded(chunks)} chunks, one collection of ten`,
      `p50 ${rounded(p50, 1)} ms, p99 ${rounded(p99, 1)} ms`,
      `p50 ≤ ${p50MustMs} ms, p99 ≤ ${p99MustMs} ms`,
      p50 <= p50MustMs && p99 <= p99MustMs,
      `hello p50 ${rounded(percentile(floor, 0.5), 1)} ms, p99 ${rounded(percentile(floor, 0.99), 1)} ms`,
    ),
    row(
      `Delay of the event loop meanwhile, ${rounded(chunks)} chunks`,
      `p99 ${rounded(delay.p99Ms, 1)} ms, most ${rounded(delay.maxMs, 1)} ms`,
      `≤ ${delayMustMs} ms`,
      delay.maxMs <= delayMustMs,
    ),
  ]
}

/** Uploads documents until there are so many chunks; answers how many it added. */
async function grow(
  call: Call,
  corpus: Corpus,
  collections: readonly string[],
  present: number,
  wanted: number,
): Promise<number> {
  const documents = Array.from({ length: (wanted - present) / chunksPerDocument }, (_, index) => index)
  let added = 0
  await eachAtOnce(documents, uploadsAtOnce, async index => {
    const content = corpus.text(chunksPerDocument)
    const collectionId = collections[index % collections.length] ?? ''
    const { chunkCount } = await uploadUntilReady(call, collectionId, { name: `part ${index}.txt`, content })
    added += chunkCount
  })
  return added
}

async function searchAll(
  call: Call,
  corpus: Corpus,
  collections: readonly string[],
  count: number,
): Promise<number[]> {
  let found = 0
  const times = await eachAtOnce(Array(count).fill(0), 1, async (_, index) => {
    const parameters = new URLSearchParams({
      query: corpus.query(),
      collectionId: collections[index % collections.length] ?? '',
    })
    const { data } = await call('GET', `/knowledge/search?${parameters}`)
    if ((data as unknown[]).length > 0) found++
  })
  // A small index lacks many of the words.
  if (found < count / 2) throw new Error(`Only ${found} of ${count} searches found something`)
  return times
}
