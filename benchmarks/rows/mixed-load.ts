/** What the server and its children hold of the memory while all sorts of requests come at once, and when they have ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCall, createCollection, uploadUntilReady } from '../call.ts'
import { residentWithChildrenMb } from '../child-memory.ts'
import { createCorpus } from '../corpus.ts'
import { startModel } from '../model.ts'
import { makePdf } from '../pdf-file.ts'
import { type AtriumUnderTest, startAtrium } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

/** Reading children and all threads but one have ended by then. */
const restSeconds = 40
const lanes = { runs: 4, texts: 4, searches: 4, reads: 4, files: 1 }
const pages = 20
const fileEveryMs = 5_000
const memoryMustMb = 250
/** How much more the second half may hold than the first: what is flat still breathes. */
const flatMb = 15

export type Held = { seconds: number; mb: number }

export async function measureMixedLoad({ minutes }: { minutes: number }): Promise<Row[]> {
  const seconds = minutes * 60
  await using model = await startModel()
  await using atrium = await startAtrium({
    settings: { OPENAI_BASE_URL: model.baseUrl, ATRIUM_DEFAULT_MODEL: 'openai/test-model' },
  })
  const startMb = await residentWithChildrenMb(atrium.pid)
  const held = await holdLoad(atrium, seconds)
  await sleep(restSeconds * 1_000)
  const afterMb = await residentWithChildrenMb(atrium.pid)
  const [half, end] = [held[Math.floor(held.length / 2)]?.mb ?? Number.NaN, held.at(-1)?.mb ?? Number.NaN]
  const most = Math.max(...held.map(({ mb }) => mb))
  const figure = `${rounded(startMb)} → ${rounded(half)} after half of it → ${rounded(end)} at its end → ${rounded(afterMb)} MB ${restSeconds} s later, most ${rounded(most)} MB`
  return [
    row(
      `Memory of the server and its children in ${seconds} s of runs, texts, PDFs, searches and reads at once`,
      figure,
      `≤ ${memoryMustMb} MB at rest, flat`,
      afterMb <= memoryMustMb && end - half <= flatMb,
    ),
  ]
}

/** Answers what was held each second. */
export async function holdLoad(atrium: AtriumUnderTest, seconds: number): Promise<Held[]> {
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const corpus = createCorpus()
  const collectionId = await createCollection(call, 'Mixed')
  const { data } = await call('POST', '/agents', { json: { name: 'Measured', instructions: 'Be brief.' } })
  const { id } = data as { id: string }
  const untilMs = performance.now() + seconds * 1_000
  let made = 0
  const upload = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
    uploadUntilReady(call, collectionId, { name: `${++made} ${name}`, content })
  const works: Record<keyof typeof lanes, () => Promise<unknown>> = {
    runs: () => call('POST', `/agents/${id}/run`, { json: { prompt: 'How many days of leave do I have?' } }),
    texts: () => upload('text.txt', corpus.text(1)),
    searches: () => call('GET', `/knowledge/search?${new URLSearchParams({ query: corpus.query() })}`),
    reads: async () => {
      for (const path of ['/agents', `/agents/${id}`, `/agents/${id}/runs`, '/knowledge/documents']) {
        await call('GET', path)
      }
    },
    files: async () => {
      await upload('report.pdf', makePdf(pages, corpus.text(pages)))
      await sleep(fileEveryMs)
    },
  }
  const lane = async (work: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < untilMs) await work()
  }
  const held: Held[] = []
  const beganMs = performance.now()
  const watch = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      await sleep(1_000)
      held.push({
        seconds: (performance.now() - beganMs) / 1_000,
        mb: await residentWithChildrenMb(atrium.pid),
      })
    }
  }
  await Promise.all([
    watch(),
    ...Object.entries(works).flatMap(([name, work]) =>
      Array.from({ length: lanes[name as keyof typeof lanes] }, () => lane(work)),
    ),
  ])
  return held
}
