/** Search through HTTP as the index grows: its times, how late the event loop is meanwhile, and what the index takes. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, createCall, createCollection, uploadUntilReady } from '../call.ts'
import { type Corpus, createCorpus } from '../corpus.ts'
import { eachAtOnce, percentile } from '../load.ts'
import { createLoopWatch } from '../loop-delay.ts'
import { type AtriumUnderTest, startAtrium, startFloor } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

type Size = { chunks: number; p50MustMs: number; p99MustMs: number }

const sizes: readonly Size[] = [
  { chunks: 1_000, p50MustMs: 6, p99MustMs: 35 },
  { chunks: 10_000, p50MustMs: 6, p99MustMs: 35 },
  { chunks: 100_000, p50MustMs: 6, p99MustMs: 35 },
]
const million: Size = { chunks: 1_000_000, p50MustMs: 25, p99MustMs: Number.POSITIVE_INFINITY }
const collectionCount = 10
const chunksPerDocument = 100
const uploadsAtOnce = 4
const warmUp = 100
const searches = 1_000
const delayMustMs = 20

export const measureSearch = (): Promise<Row[]> => measureSearchAt(sizes)

export const measureSearchMillion = (): Promise<Row[]> => measureSearchAt([million])

async function measureSearchAt(wanted: readonly Size[]): Promise<Row[]> {
  const watch = createLoopWatch()
  await using atrium = await startAtrium(watch)
  await using hello = await startFloor('hello.ts')
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const corpus = createCorpus()
  const collections: string[] = []
  for (let i = 0; i < collectionCount; i++) {
    collections.push(await createCollection(call, `Collection ${i}`))
  }
  const rows: Row[] = []
  let loaded = 0
  for (const size of wanted) {
    loaded += await grow(call, corpus, collections, loaded, size.chunks)
    await searchAll(call, corpus, collections, warmUp)
    await watch.read(atrium.pid)
    const times = await searchAll(call, corpus, collections, searches)
    const delay = await watch.read(atrium.pid)
    const floor = await eachAtOnce(Array(searches).fill(0), 1, async () => {
      await (await fetch(hello.url)).text()
    })
    rows.push(...rowsOf(size, times, delay, floor), await spaceRow(size, atrium))
  }
  return rows
}

function rowsOf(
  { chunks, p50MustMs, p99MustMs }: Size,
  times: readonly number[],
  delay: { p99Ms: number; maxMs: number },
  floor: readonly number[],
): Row[] {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  return [
    row(
      `Search over ${rounded(chunks)} chunks, one collection of ten`,
      `p50 ${rounded(p50, 1)} ms, p99 ${rounded(p99, 1)} ms`,
      `p50 ≤ ${p50MustMs} ms${Number.isFinite(p99MustMs) ? `, p99 ≤ ${p99MustMs} ms` : ''}`,
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

/** What an index of this size takes, after it was filled and searched. */
async function spaceRow({ chunks }: Size, atrium: AtriumUnderTest): Promise<Row> {
  const diskMb = (await sizeOf(atrium.dataDir)) / 1024 ** 2
  return row(
    `Space for ${rounded(chunks)} chunks`,
    `${rounded(await atrium.residentMb())} MB of memory, ${rounded(diskMb)} MB on disk`,
    '',
    null,
  )
}

/** Bytes of every file in the folder and below it. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** Uploads documents until there are so many chunks; returns how many it added. */
export async function grow(
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
