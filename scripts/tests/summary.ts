/** What came of a run: each file as it ends, then the lanes with their slowest files, the skips, and one line for machines. */
import { lanes } from './lanes.ts'
import type { FileResult } from './run-work.ts'

const slowestShown = 10
const detailLinesShown = 15

export function printFile(result: FileResult): void {
  const { work, tests, wallMs, processorMs: usedMs } = result
  const failed = failedOf(result)
  const mark = failed.length > 0 ? '✖' : '✔'
  console.log(
    `${mark} ${work.lane} ${work.path} (${tests.length} tests, ${seconds(wallMs)}, ${seconds(usedMs)} of a processor)`,
  )
  for (const { title, detail = '' } of failed)
    console.log(`  ✖ ${title}\n${detail.replaceAll(/^/gm, '    ')}`)
  for (const note of tests.flatMap(({ notes = [] }) => notes)) console.log(`  ${note}`)
  if (failed.length > 0) console.log(`  ${alone(result)}`)
}

/**
 * Returns the exit code of the run. `processorMs` is what all of it has used, the browser and PostgreSQL included, which no
 * file is charged with. What was idle is of all processors of the machine: what another order might have used.
 */
export function printSummary(
  results: readonly FileResult[],
  { wallMs, processorMs, idleMs }: { wallMs: number; processorMs: number; idleMs: number },
  print: (line: string) => void = console.log,
): number {
  for (const lane of lanes) {
    const files = results.filter(({ work }) => work.lane === lane)
    if (files.length === 0) continue
    const { tests, passed, failed, skipped } = countOf(files)
    const begunAtMs = Math.min(...files.map(file => file.startedAtMs))
    const laneMs = Math.max(...files.map(file => file.startedAtMs + file.wallMs)) - begunAtMs
    const usedMs = files.reduce((total, file) => total + file.processorMs, 0)
    print(
      `\n${lane}: ${tests} tests, ${passed} passed, ${failed} failed, ${skipped} skipped; ` +
        `${files.length} files in ${seconds(laneMs)} beside other lanes, with ${seconds(usedMs)} of a processor`,
    )
    const slowest = files.toSorted((left, right) => right.wallMs - left.wallMs).slice(0, slowestShown)
    for (const { work, wallMs: fileMs, processorMs: usedMs } of slowest)
      print(`  ${seconds(fileMs).padStart(7)} ${seconds(usedMs).padStart(7)} ${work.path}`)
  }
  const skipped = results.flatMap(({ tests }) => tests.filter(({ outcome }) => outcome === 'skipped'))
  if (skipped.length > 0) print('\nSkipped:')
  for (const { title, detail } of skipped) print(`  ${title} (${detail})`)
  const failing = results.filter(result => failedOf(result).length > 0)
  if (failing.length > 0) print('\nFailed:')
  for (const result of failing) {
    for (const { title, detail = '' } of failedOf(result))
      print(`  ${result.work.lane}: ${title}\n${beginningOf(detail).replaceAll(/^/gm, '    ')}`)
    print(`    ${alone(result)}`)
  }
  const counts = Object.entries(countOf(results)).map(([name, count]) => `${name}=${count}`)
  const spent = Object.entries({ wall: wallMs, processor: processorMs, idle: idleMs })
  const times = spent.map(([name, ms]) => `${name}_seconds=${Math.round(ms / 1_000)}`)
  print(`\ntotals ${[...counts, ...times].join(' ')}`)
  return failing.length > 0 ? 1 : 0
}

const failedOf = ({ tests }: FileResult) => tests.filter(({ outcome }) => outcome === 'failed')

/** CI keeps the end of the output, so the end says why a test failed and not only which. */
const beginningOf = (detail: string): string => detail.split('\n').slice(0, detailLinesShown).join('\n')

const alone = ({ work }: FileResult): string => `Alone: npm run tests -- ${work.path} --lane ${work.lane}`

function countOf(files: readonly FileResult[]) {
  const tests = files.flatMap(file => file.tests)
  const of = (outcome: string) => tests.filter(test => test.outcome === outcome).length
  return { tests: tests.length, passed: of('passed'), failed: of('failed'), skipped: of('skipped') }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
