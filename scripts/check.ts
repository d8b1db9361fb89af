/**
 * What must hold before a commit: `npm run check` is all static checks and the tests but those on PostgreSQL and the kill
 * loop, `npm test` is everything, and `npm run check -- --changed [REV]` is what a change can reach. The change is what
 * differs from REV, which is HEAD unless given.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { changedFiles, testsOfChange } from './changed.ts'
import { lanes } from './tests/lanes.ts'

type Step = {
  name: string
  command: string[]
  /** Changed files that can make it fail. */
  concerns: RegExp
  /** It takes the files that it is to look at; a change needs no others. */
  takesFiles?: true
  /** What to do about a failure, where its output does not say it. */
  remedy?: string
}

const root = resolve(import.meta.dirname, '..')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, changed: { type: 'boolean', default: false } },
})

const code = /\.(ts|tsx|js)$/
const steps: Step[] = [
  { name: 'types', command: ['tsc', '-p', '.'], concerns: code },
  {
    name: 'format and lint',
    command: ['biome', 'check', '--error-on-warnings', '--max-diagnostics=50', '--no-errors-on-unmatched'],
    concerns: /./,
    takesFiles: true,
    remedy: 'npm run format fixes what can be fixed by itself',
  },
  {
    name: 'plain words',
    command: ['node', 'scripts/words.ts'],
    concerns: /\.(ts|tsx|md|css)$/,
    remedy: 'STYLE.md lists the words; write the sentence with a named subject',
  },
  {
    name: 'openapi.json is complete',
    command: ['node', 'scripts/lint-openapi.ts'],
    concerns: /^openapi\.json$|lint-openapi/,
  },
  { name: 'types of the console', command: ['tsc', '-p', 'console'], concerns: /^(console|sdk)\// },
  { name: 'types of the widget', command: ['tsc', '-p', 'widget'], concerns: /^(widget|sdk)\// },
  { name: 'dead code', command: ['knip'], concerns: /\.(ts|tsx|js)$|package\.json|knip\.json/ },
  {
    name: 'openapi.json is fresh',
    command: ['node', 'scripts/openapi.ts', '--check'],
    concerns: /^(server|sdk|connectors)\/src\/|^openapi\.json$/,
  },
  {
    name: 'generated guides are fresh',
    command: ['node', 'scripts/docs-pages.ts', '--check'],
    concerns: /^server\/src\/|^docs\//,
  },
  {
    name: 'the console builds and keeps its weight',
    command: ['npm', 'run', '--silent', 'check', '--workspace=console'],
    concerns: /^(console|sdk)\//,
  },
  {
    name: 'the widget builds and keeps its weight',
    command: ['npm', 'run', '--silent', 'build', '--workspace=widget'],
    concerns: /^(widget|sdk)\//,
  },
  {
    // Tests start the server and the command many hundred times: from its sources each start takes three times as long.
    name: 'the server builds',
    command: ['npm', 'run', '--silent', 'build', '--workspace=server'],
    concerns: /^(server|sdk|connectors)\/|^package-lock/,
  },
  {
    name: 'the SDK builds',
    command: ['npm', 'run', '--silent', 'build', '--workspace=sdk'],
    concerns: /^sdk\//,
  },
]

process.exitCode = await main()

async function main(): Promise<number> {
  const changed = options.changed ? changedFiles(root, positionals[0] ?? 'HEAD') : null
  if (changed?.length === 0) return refuse('Nothing has changed; name an older commit: -- --changed HEAD~1')
  const isConcerned = ({ concerns }: Step) => changed === null || changed.some(path => concerns.test(path))
  const narrow = (step: Step): Step =>
    step.takesFiles ? { ...step, command: [...step.command, ...(changed ?? [])] } : step
  if (!(await runSteps(steps.filter(isConcerned).map(narrow)))) return 1
  const tests = changed === null ? [] : testsOfChange(root, changed)
  if (changed !== null && tests.length === 0) return 0
  const skipped = ['postgres', 'kill-loop', ...(changed === null ? [] : ['browser'])]
  const chosen = lanes.filter(lane => options.all || !skipped.includes(lane))
  const laneArguments = chosen.flatMap(lane => ['--lane', lane])
  // The tests speak for themselves; nothing follows their closing line, which machines read.
  return run(['node', 'scripts/tests/main.ts', ...tests, ...laneArguments], 'inherit').then(
    ({ status }) => status,
  )
}

function refuse(reason: string): number {
  console.error(reason)
  return 2
}

/** As many at once as there are processors; after a failure none is begun. */
async function runSteps(chosen: readonly Step[]): Promise<boolean> {
  const waiting = [...chosen]
  let isFine = true
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined && isFine; step = waiting.shift()) {
      const startedAtMs = performance.now()
      const { status, output } = await run(step.command, 'pipe')
      const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1)
      if (status === 0) {
        console.log(`✔ ${step.name} (${seconds} s)`)
        continue
      }
      isFine = false
      console.error(`${output}\n✖ ${step.name} (${seconds} s): ${step.command.join(' ')}`)
      if (step.remedy !== undefined) console.error(`  ${step.remedy}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return isFine
}

function run(command: string[], stdio: 'pipe' | 'inherit'): Promise<{ status: number; output: string }> {
  const [program = '', ...words] = command
  const child = spawn(program, words, { cwd: root, stdio: ['ignore', stdio, stdio] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', piece => {
      output += piece
    })
  return new Promise(done => {
    child.once('error', error => done({ status: 1, output: error.message }))
    child.once('close', status => done({ status: status ?? 1, output }))
  })
}
