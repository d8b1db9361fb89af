/** Many searches at once for a while: whether each has its turn, what they cost, and what they do to the event loop. */
import { createCall, createCollection } from '../call.ts'
import { createCorpus } from '../corpus.ts'
import { percentile } from '../load.ts'
import { createLoopWatch } from '../loop-delay.ts'
import { startAtrium } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'
import { grow } from './search.ts'

const chunks = 10_000
const seconds = 20
const warmUp = 200
/** The slowest search, in medians. */
const mostMedians = 4
const delayMustMs = 20

type Load = { atOnce: number; ingests: boolean }
const loads: readonly Load[] = [
  { atOnce: 8, ingests: false },
  { atOnce: 32, ingests: false },
  { atOnce: 32, ingests: true },
]

export async function measureSearchesAtOnce(): Promise<Row[]> {
  return [
    ...(await measureWith({ ATRIUM_SEARCH_THREADS: '1' }, 'one thread', loads.slice(1, 2))),
    ...(await measureWith({}, 'a thread for each processor', loads)),
  ]
}

async function measureWith(
  settings: Record<string, string>,
  threads: string,
  wanted: readonly Load[],
): Promise<Row[]> {
  const watch = createLoopWatch()
  await using atrium = await startAtrium({ ...watch, settings: { ...watch.settings, ...settings } })
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
  for (const load of wanted) {
    await watch.read(atrium.pid)
    const [serverBegan, ownBegan] = [await atrium.cpuSeconds(), process.cpuUsage()]
    const times: number[] = []
    const untilMs = performance.now() + seconds * 1_000
    const client = async (): Promise<void> => {
      while (performance.now() < untilMs) times.push(await search())
    }
    const ingestion = async (): Promise<void> => {
      while (load.ingests && performance.now() < untilMs) await grow(call, corpus, [collection], 0, 100)
    }
    await Promise.all([...Array.from({ length: load.atOnce }, client), ingestion()])
    const { p99Ms } = await watch.read(atrium.pid)
    const own = process.cpuUsage(ownBegan)
    rows.push(
      ...rowsOf(
        `${load.atOnce} searches at once${load.ingests ? ' and an ingestion' : ''}, ${threads}`,
        times,
        {
          serverSeconds: (await atrium.cpuSeconds()) - serverBegan,
          ownSeconds: (own.user + own.system) / 1e6,
          delayMs: p99Ms,
          residentMb: await atrium.residentMb(),
        },
      ),
    )
  }
  return rows
}

function rowsOf(
  what: string,
  times: readonly number[],
  cost: { serverSeconds: number; ownSeconds: number; delayMs: number; residentMb: number },
): Row[] {
  const [median, slowest] = [percentile(times, 0.5), Math.max(...times)]
  return [
    row(
      `${what}, for ${seconds} s, ${rounded(chunks)} chunks`,
      `${rounded(times.length / seconds)} a second, median ${rounded(median, 1)} ms, slowest ${rounded(slowest, 1)} ms`,
      `slowest ≤ ${mostMedians} × median`,
      slowest <= mostMedians * median,
    ),
    row(
      'What they cost',
      `${rounded(times.length / cost.serverSeconds)} a second of a processor, ${rounded(cost.residentMb)} MB of memory`,
      '',
      null,
      `the client's own time: ${rounded(cost.ownSeconds)} s of a processor`,
    ),
    row(
      'Delay of the event loop meanwhile',
      `p99 ${rounded(cost.delayMs, 1)} ms`,
      `≤ ${delayMustMs} ms`,
      cost.delayMs <= delayMustMs,
    ),
  ]
}
