/** Search by vectors through HTTP as the index grows: its times, and how late the event loop is meanwhile. */
import { createCall, createCollection, uploadUntilReady } from '../call.ts'
import { createCorpus } from '../corpus.ts'
import { eachAtOnce, percentile } from '../load.ts'
import { createLoopWatch } from '../loop-delay.ts'
import { startEmbeddings } from '../model.ts'
import { startAtrium } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const sizes = [10_000, 100_000]
const chunksPerDocument = 100
const uploadsAtOnce = 4
const warmUp = 20
const searches = 200
const delayMustMs = 20

export const measureVectors = (): Promise<Row[]> => measureAt(384)

export const measureLongVectors = (): Promise<Row[]> => measureAt(1_536)

async function measureAt(dimensions: number): Promise<Row[]> {
  const watch = createLoopWatch()
  await using model = await startEmbeddings(dimensions)
  await using atrium = await startAtrium({
    ...watch,
    settings: {
      ...watch.settings,
      OPENAI_BASE_URL: model.baseUrl,
      ATRIUM_EMBEDDING_MODEL: 'openai/benchmark',
    },
  })
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const corpus = createCorpus()
  const collectionId = await createCollection(call, 'Everything')
  const searchAll = (mode: string, count: number): Promise<number[]> =>
    eachAtOnce(Array(count).fill(0), 1, async () => {
      const parameters = new URLSearchParams({ query: corpus.query(), collectionId, mode })
      const { data } = await call('GET', `/knowledge/search?${parameters}`)
      if ((data as unknown[]).length < 10) throw new Error('A search by vectors found too little')
    })
  const rows: Row[] = []
  let loaded = 0
  for (const chunks of sizes) {
    const documents = Array((chunks - loaded) / chunksPerDocument).fill(0)
    await eachAtOnce(documents, uploadsAtOnce, async (_, index) => {
      const content = corpus.text(chunksPerDocument)
      await uploadUntilReady(call, collectionId, { name: `part ${loaded} ${index}.txt`, content })
    })
    loaded = chunks
    for (const mode of ['vector', 'hybrid']) {
      await searchAll(mode, warmUp)
      await watch.read(atrium.pid)
      const times = await searchAll(mode, searches)
      const delay = await watch.read(atrium.pid)
      const what = `${rounded(chunks)} chunks, mode ${mode}, ${rounded(dimensions)} numbers each`
      const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
      rows.push(
        row(`Search over ${what}`, `p50 ${rounded(p50, 1)} ms, p99 ${rounded(p99, 1)} ms`, '', null),
        row(
          `Delay of the event loop meanwhile, ${what}`,
          `p99 ${rounded(delay.p99Ms, 1)} ms, most ${rounded(delay.maxMs, 1)} ms`,
          `≤ ${delayMustMs} ms`,
          delay.maxMs <= delayMustMs,
        ),
      )
    }
  }
  return rows
}
