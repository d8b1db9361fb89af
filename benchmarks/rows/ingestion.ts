/** From upload to searchable: many small texts, and the pages of a PDF. */
import { mkdtempDisposable, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCall, createCollection, uploadUntilReady } from '../call.ts'
import { createCorpus } from '../corpus.ts'
import { eachAtOnce, median, spread } from '../load.ts'
import { makePdf } from '../pdf-file.ts'
import { startAtrium } from '../process.ts'
import { type Row, rounded, row } from '../table.ts'

const repeats = 3
const connections = 8
const documentsPerRound = 1_000
const documentsMust = 250
const pages = 200
const pagesMust = 40

export async function measureIngestion(): Promise<Row[]> {
  await using atrium = await startAtrium()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'atrium-bench-'))
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const collectionId = await createCollection(call, 'Small texts')
  const corpus = createCorpus()
  const texts = (count: number): string[] =>
    Array.from({ length: count }, () => corpus.text(1).slice(0, 1_024))
  const upload = async (content: string, index: number): Promise<void> => {
    await uploadUntilReady(call, collectionId, { name: `text ${index}.txt`, content })
  }
  await eachAtOnce(texts(200), connections, upload)
  const rates: number[] = []
  const perCpu: number[] = []
  const floors: number[] = []
  for (let i = 0; i < repeats; i++) {
    const round = texts(documentsPerRound)
    const cpuBefore = await atrium.cpuSeconds()
    rates.push(await perSecond(round, upload))
    perCpu.push(documentsPerRound / ((await atrium.cpuSeconds()) - cpuBefore))
    floors.push(await perSecond(round, (text, index) => writeDurably(join(folder.path, `${index}`), text)))
  }
  const rate = median(rates)
  return [
    row(
      `Texts of 1 KB until searchable, ${connections} connections`,
      `${spread(rates)} documents/s, ${spread(perCpu)} per second of the server's processor time`,
      `≥ ${documentsMust} documents/s`,
      rate >= documentsMust,
      `written and flushed, no more: ${spread(floors)} files/s`,
    ),
  ]
}

export async function measurePdf(): Promise<Row[]> {
  await using atrium = await startAtrium()
  const call = createCall(atrium.url, await atrium.createKey('live'))
  const collectionId = await createCollection(call, 'PDF')
  const content = makePdf(pages, createCorpus().text(pages))
  const rates: number[] = []
  // The first one also starts the parsing child.
  for (let i = 0; i <= repeats; i++) {
    const startedAt = performance.now()
    const { pageCount } = await uploadUntilReady(call, collectionId, { name: `report ${i}.pdf`, content })
    if (pageCount !== pages) throw new Error(`${pages} pages were sent, ${pageCount} were read`)
    if (i > 0) rates.push((pages / (performance.now() - startedAt)) * 1000)
  }
  const rate = median(rates)
  const what = `A PDF of ${pages} pages until searchable`
  return [row(what, `${rounded(rate)} pages/s`, `≥ ${pagesMust} pages/s`, rate >= pagesMust)]
}

async function perSecond(
  texts: readonly string[],
  work: (text: string, index: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  await eachAtOnce(texts, connections, work)
  return (texts.length / (performance.now() - startedAt)) * 1000
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w')
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
}
