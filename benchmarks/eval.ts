/**
 * Search quality through the public API alone, on a test collection in BEIR form or on made-up annual reports:
 * `npm run eval -- FOLDER|reports [--size small|full] [--beside FOLDER|reports] [--engine sqlite|postgres]`.
 * `--beside` fills another collection of the workspace first. PostgreSQL is the server at DATABASE_URL, or one started for this.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DatabaseSettings } from '../server/src/platform/database/open.ts'
import { startTestPostgres } from '../server/src/testing/servers/postgres.ts'
import { loadCollection } from './beir.ts'
import { percentile } from './load.ts'
import { startAtrium } from './process.ts'
import { measureQuality, type Quality, uploadCollection } from './quality.ts'
import { makeReports, type Size, sizes } from './reports.ts'
import { measureReports, type ReportsQuality, uploadReports } from './reports-quality.ts'
import { compareUnpruned, type Overlap } from './unpruned.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'sqlite' },
    size: { type: 'string', default: 'full' },
    beside: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
const isSize = (size: string): size is Size => Object.hasOwn(sizes, size)
const { size } = values
if (folder === undefined || !['sqlite', 'postgres'].includes(values.engine) || !isSize(size)) {
  console.error(
    'Usage: npm run eval -- FOLDER|reports [--size small|full] [--beside FOLDER|reports] [--misses] [--engine sqlite|postgres]',
  )
  process.exit(2)
}
await measure(folder, size, values.engine)

async function measure(what: string, size: Size, engine: string): Promise<void> {
  const postgres =
    engine === 'postgres' && process.env.DATABASE_URL === undefined ? await startTestPostgres() : null
  const databaseUrl = engine === 'postgres' ? (postgres?.url ?? process.env.DATABASE_URL) : undefined
  try {
    await using atrium = await startAtrium({
      settings:
        databaseUrl === undefined
          ? {}
          : { DATABASE_URL: databaseUrl, ATRIUM_SECRET: 'a secret that protects a measurement only' },
    })
    const key = await atrium.createKey('live')
    if (values.beside !== undefined) await fill(atrium.url, key, values.beside, size)
    const heading = `${what} on ${engine}${values.beside === undefined ? '' : `, beside ${values.beside}`}`
    if (what === 'reports') {
      const reports = makeReports(size)
      const collectionId = await uploadReports(atrium.url, key, reports)
      printReports(
        `${heading}: ${reports.reports.length} reports`,
        await measureReports(atrium.url, key, collectionId, reports),
      )
      const texts = reports.questions.map(({ text }) => text)
      printOverlap(await compareUnpruned(settingsOf(atrium.dataDir, databaseUrl), collectionId, texts))
    } else {
      const collection = await loadCollection(what)
      const quality = await measureQuality(atrium.url, key, collection)
      print(`${heading}: ${collection.documents.length} documents`, quality)
      const texts = collection.queries.map(({ text }) => text)
      printOverlap(
        await compareUnpruned(settingsOf(atrium.dataDir, databaseUrl), quality.collectionId, texts),
      )
    }
  } finally {
    await postgres?.stop()
  }
}

async function fill(url: string, key: string, what: string, size: Size): Promise<void> {
  if (what === 'reports') await uploadReports(url, key, makeReports(size))
  else await uploadCollection(url, key, await loadCollection(what))
}

function settingsOf(dataDir: string, url: string | undefined): DatabaseSettings {
  return url === undefined
    ? { engine: 'sqlite', file: join(dataDir, 'atrium.db') }
    : { engine: 'postgres', url }
}

function printOverlap({ firstHundred, firstTen, queries }: Overlap): void {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`
  console.log(
    `As where every chunk is scored (${queries} queries): ${percent(firstHundred)} of the best 100, ${percent(firstTen)} of the best ten`,
  )
}

function printReports(what: string, quality: ReportsQuality): void {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`
  console.log(`${what}, ${quality.figures.queries} questions`)
  console.log(`Right report first        ${percent(quality.rightReportFirst)}`)
  console.log(`Right page first          ${percent(quality.rightPageFirst)}`)
  console.log(`Right page in first ten   ${percent(quality.rightPageInTen)}`)
  console.log(`nDCG@10                   ${quality.figures.ndcgAt10.toFixed(4)}`)
  console.log(`Recall@100                ${quality.figures.recallAt100.toFixed(4)}`)
  console.log(
    `A page of 50: p50 ${percentile(quality.pageMs, 0.5).toFixed(1)} ms, p99 ${percentile(quality.pageMs, 0.99).toFixed(1)} ms`,
  )
  if (values.misses) for (const miss of quality.misses) console.log(`  ${miss}`)
}

function print(what: string, { figures, groups, documentsPerSecond, firstPageMs }: Quality): void {
  console.log(`${what}, ${figures.queries} judged queries`)
  console.log(`nDCG@10     ${figures.ndcgAt10.toFixed(4)}`)
  console.log(`Recall@100  ${figures.recallAt100.toFixed(4)}`)
  console.log(`MAP         ${figures.meanAveragePrecision.toFixed(4)}`)
  for (const { group, figures: own } of groups) {
    console.log(`  ${group.padEnd(10)} nDCG@10 ${own.ndcgAt10.toFixed(4)} of ${own.queries} queries`)
  }
  console.log(`Uploaded and indexed ${documentsPerSecond.toFixed(0)} documents/s`)
  console.log(
    `First page: p50 ${percentile(firstPageMs, 0.5).toFixed(1)} ms, p99 ${percentile(firstPageMs, 0.99).toFixed(1)} ms`,
  )
}
