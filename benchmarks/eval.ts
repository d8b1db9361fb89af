/**
 * Search quality on a test collection in BEIR form, through the public API alone:
 * `npm run eval -- FOLDER [--engine sqlite|postgres]`. PostgreSQL is the server at DATABASE_URL, or one started for this.
 */
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../server/src/testing/servers/postgres.ts'
import { loadCollection } from './beir.ts'
import { percentile } from './load.ts'
import { startAtrium } from './process.ts'
import { measureQuality, type Quality } from './quality.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'sqlite' } },
})
const [folder] = positionals
if (folder === undefined || !['sqlite', 'postgres'].includes(values.engine)) {
  console.error('Usage: npm run eval -- FOLDER [--engine sqlite|postgres]')
  process.exit(2)
}
await measure(folder, values.engine)

async function measure(folder: string, engine: string): Promise<void> {
  const collection = await loadCollection(folder)
  const postgres =
    engine === 'postgres' && process.env.DATABASE_URL === undefined ? await startTestPostgres() : null
  const databaseUrl = engine === 'postgres' ? (postgres?.url ?? process.env.DATABASE_URL) : undefined
  try {
    const atrium = await startAtrium({
      settings:
        databaseUrl === undefined
          ? {}
          : { DATABASE_URL: databaseUrl, ATRIUM_SECRET: 'a secret that protects a measurement only' },
    })
    try {
      const quality = await measureQuality(atrium.url, await atrium.createKey('live'), collection)
      print(`${folder} on ${engine}: ${collection.documents.length} documents`, quality)
    } finally {
      await atrium.stop()
    }
  } finally {
    await postgres?.stop()
  }
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
