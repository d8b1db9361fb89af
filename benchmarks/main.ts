/**
 * The benchmark: `npm run bench` measures every row and writes BENCHMARKS.md; `npm run bench -- reads runs` measures
 * these alone and only prints, and `speed` stands for those of speed and memory. `--minutes 2` holds loads for so long
 * instead of ten. Each figure stands beside its floor of the same run.
 */
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureGrowth, measureGrowthToMillion } from './rows/growth.ts'
import { measureIngestion, measurePdf } from './rows/ingestion.ts'
import { measureLargeFile } from './rows/large-file.ts'
import { measureMixedLoad } from './rows/mixed-load.ts'
import { measureJudged } from './rows/quality.ts'
import { measureReads } from './rows/reads.ts'
import { measureRuns } from './rows/runs.ts'
import { measureSearch, measureSearchMillion } from './rows/search.ts'
import { measureSearchesAtOnce } from './rows/searches-at-once.ts'
import { measureMemory, measureStart } from './rows/start.ts'
import { measureFirstWord, measureStreams } from './rows/streams.ts'
import { measureUsage } from './rows/usage.ts'
import { measureLongVectors, measureVectors } from './rows/vectors.ts'
import { printTable, type Row } from './table.ts'

type Measure = (options: { minutes: number }) => Promise<Row[]>

const measures: Record<string, Measure> = {
  start: measureStart,
  memory: measureMemory,
  'mixed-load': measureMixedLoad,
  streams: measureStreams,
  reads: measureReads,
  runs: measureRuns,
  'first-word': measureFirstWord,
  search: measureSearch,
  vectors: measureVectors,
  judged: measureJudged,
  ingestion: measureIngestion,
  pdf: measurePdf,
  'large-file': measureLargeFile,
  growth: measureGrowth,
  usage: measureUsage,
}
/** Takes minutes, so it is measured only where it is asked for. */
const byNameOnly: Record<string, Measure> = {
  'growth-million': measureGrowthToMillion,
  'search-million': measureSearchMillion,
  'vectors-1536': measureLongVectors,
  'searches-at-once': measureSearchesAtOnce,
}

const speed = ['start', 'memory', 'reads', 'runs', 'ingestion', 'streams', 'mixed-load']

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' } },
})
const minutes = Number(options.minutes)
if (!(minutes >= 1 && minutes <= 60)) {
  console.error('--minutes takes a number from 1 to 60')
  process.exit(2)
}
const asked = positionals.flatMap(name => (name === 'speed' ? speed : [name]))
const known = { ...measures, ...byNameOnly }
const unknown = asked.filter(name => known[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}`)
  process.exit(2)
}

const rows: Row[] = []
const rowsOfSpeed: Row[] = []
for (const name of asked.length > 0 ? asked : Object.keys(measures)) {
  console.error(`${new Date().toLocaleTimeString()} Measuring ${name} …`)
  const measured = (await known[name]?.({ minutes })) ?? []
  for (const { what, figure, reached } of measured) {
    console.error(`  ${what}: ${figure}${reached === false ? ' (not reached)' : ''}`)
  }
  ;(speed.includes(name) ? rowsOfSpeed : rows).push(...measured)
}
const tables = [rowsOfSpeed, rows].filter(({ length }) => length > 0).map(printTable)
console.log(tables.join('\n\n'))
if (asked.length === 0) {
  await writeFile(join(import.meta.dirname, '../BENCHMARKS.md'), describe(tables))
}

function describe([ofSpeed, ofOthers]: readonly string[]): string {
  const [first] = cpus()
  const memoryGb = Math.round(totalmem() / 1024 ** 3)
  return `# Benchmarks

\`npm run bench\` wrote this page on ${new Date().toISOString().slice(0, 10)}: Node ${process.version}, ${cpus().length} × ${first?.model.trim()}, ${memoryGb} GB, SQLite with every commit flushed to the disk.
The generator runs on the same machine as the server. A floor is measured in the same run, so compare the two rather than two machines.
Figures are medians, with the least and the most of three to five rounds behind them. Processor time is the server's own, with its threads.

## Speed and memory

${ofSpeed}

\`npm run bench -- speed --minutes 2\` measures these alone, and holds the two loads for two minutes instead of ten.

## Search, files and growth

${ofOthers}

\`npm run bench -- NAME …\` measures single rows: ${Object.keys(known).join(', ')} (the last ${Object.keys(byNameOnly).length} only so).
\`npm run eval -- FOLDER\` measures the quality of search, \`npm run manifest -- FOLDER\` what becomes of real and hostile files.
What reads ask of the database is counted by a test, without a clock: \`read-costs.sqlite.test.ts\`.
`
}
