/**
 * What takes too long for every run of the tests: `npm run soak [-- --times 300] [--minutes 10] [--only nodes]` kills servers again
 * and again on both databases, has four servers behind PgBouncer under load while one after the other is killed, then holds many
 * streams open for ten minutes and many searches for one. Exits with 1 where anything was lost or has grown.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { measureSearchesAtOnce } from '../benchmarks/rows/searches-at-once.ts'
import { measureStreams } from '../benchmarks/rows/streams.ts'

const parts = ['kill-loop', 'nodes', 'load'] as const
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '300' },
    /** How long the servers behind PgBouncer are loaded. */
    minutes: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
})
if (values.only !== undefined && !parts.some(part => part === values.only)) {
  console.error(`--only is one of ${parts.join(', ')}, not ${values.only}`)
  process.exit(2)
}
const isWanted = (part: (typeof parts)[number]): boolean => values.only === undefined || values.only === part

const failed: string[] = []
const runProgram = (what: string, words: readonly string[]): void => {
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' })
  if (status !== 0) failed.push(what)
}
if (isWanted('kill-loop')) {
  for (const engine of ['sqlite', 'postgres']) {
    const loop = ['server/src/testing/kill-loop/main.ts', '--times', values.times, '--engine', engine]
    runProgram(`the kill loop on ${engine}`, loop)
  }
}
if (isWanted('nodes')) {
  const nodes = ['server/src/testing/kill-loop/nodes.ts', '--minutes', values.minutes]
  runProgram('the servers behind PgBouncer', nodes)
}
const rows = isWanted('load')
  ? [...(await measureStreams({ minutes: 10 })), ...(await measureSearchesAtOnce())]
  : []
for (const { what, figure, mustReach, reached } of rows) {
  console.log(`${what}: ${figure}; must be ${mustReach}`)
  if (!reached) failed.push(what)
}
console.log(failed.length === 0 ? 'All is well' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
