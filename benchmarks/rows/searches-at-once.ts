/** Many searches at once for a while: whether each has its turn, or some wait until all others are done. */
import { createCall, createCollection } from '../call.ts'
import { createCorpus } from '../corpus.ts'
import { percentile } from '../load.ts'
import { startAtrium } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'
import { grow } from './search.ts'

const chunks = 10_000
const atOnce = [8, 32]
const seconds = 30
const warmUp = 200
/** The slowest search, in medians. */
const mostMedians = 4

export async function measureSearchesAtOnce(): Promise<Row[]> {
  const atrium = await startAtrium()
  try {
    const call = createCall(atrium.url, await atrium.createKey('live'))
    const corpus = createCorpus()
    const collection = await createCollection(call, 'Searched')
    await grow(call, corpus, [collection], 0, chunks)
    const search = async (): Promise<number> => {
      const beganMs = performance.now()
      await call('GET', `/knowledge/search?${new URLSearchParams({ query: corpus.query() })}`)
      return performance.now() - beganMs
    }
    for (let i = 0; i < warmUp; i++) await search()
    const rows: Row[] = []
    for (const count of atOnce) {
      const times: number[] = []
      const untilMs = performance.now() + seconds * 1_000
      const client = async (): Promise<void> => {
        while (performance.now() < untilMs) times.push(await search())
      }
      await Promise.all(Array.from({ length: count }, client))
      rows.push(rowOf(count, times))
    }
    return rows
  } finally {
    await atrium.stop()
  }
}

function rowOf(count: number, times: readonly number[]): Row {
  const [median, slowest] = [percentile(times, 0.5), Math.max(...times)]
  return row(
    `${count} searches at once for ${seconds} s, ${rounded(chunks)} chunks`,
    `${rounded(times.length / seconds)} a second, median ${rounded(median, 1)} ms, slowest ${rounded(slowest, 1)} ms`,
    `slowest ≤ ${mostMedians} × median`,
    slowest <= mostMedians * median,
  )
}
