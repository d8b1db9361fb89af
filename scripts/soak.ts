/**
 * What takes too long for every run of the tests: `npm run soak [-- --times 200]` kills servers again and again on both
 * databases, then holds many streams open for ten minutes and many searches for one. Exits with 1 where anything was lost or has grown.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { measureSearchesAtOnce } from '../benchmarks/rows/searches-at-once.ts'
import { measureStreams } from '../benchmarks/rows/streams.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '200' } } })

const failed: string[] = []
for (const engine of ['sqlite', 'postgres']) {
  const words = ['server/src/testing/kill-loop/main.ts', '--times', values.times, '--engine', engine]
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' })
  if (status !== 0) failed.push(`the kill loop on ${engine}`)
}
const rows = [...(await measureStreams()), ...(await measureSearchesAtOnce())]
for (const { what, figure, mustReach, reached } of rows) {
  console.log(`${what}: ${figure}; must be ${mustReach}`)
  if (!reached) failed.push(what)
}
console.log(failed.length === 0 ? 'All is well' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
