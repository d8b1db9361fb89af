/**
 * What must hold before a commit, in the order in which it fails fastest; stops at the first failure.
 * `npm run check` tests on SQLite; `npm test` (`--with-postgres`) repeats the tests on PostgreSQL.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

type Step = {
  name: string
  command: string[]
  /** Tests speak for themselves while they run; of the others only a failure is worth reading. */
  talks?: boolean
  /** What to do about a failure, where its output does not say it. */
  remedy?: string
}

const root = resolve(import.meta.dirname, '..')
const { values: options } = parseArgs({ options: { 'with-postgres': { type: 'boolean', default: false } } })

const steps: Step[] = [
  {
    name: 'format and lint',
    command: ['biome', 'check', '--error-on-warnings', '--max-diagnostics=50'],
    remedy: 'npm run format mends what can be mended by itself',
  },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types of the console', command: ['tsc', '-p', 'console'] },
  { name: 'floors', command: ['node', '--test', 'server/src/architecture.test.ts'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'openapi.json is fresh', command: ['node', 'scripts/openapi.ts', '--check'] },
  { name: 'generated guides are fresh', command: ['node', 'scripts/docs-pages.ts', '--check'] },
  { name: 'openapi.json is complete', command: ['npm', 'run', '--silent', 'lint:openapi'] },
  {
    name: 'the console builds and keeps its weight',
    command: ['npm', 'run', '--silent', 'check', '--workspace=console'],
  },
  { name: 'the SDK builds', command: ['npm', 'run', '--silent', 'build', '--workspace=sdk'] },
  { name: 'tests on SQLite', command: ['node', 'server/src/testing/run.ts', 'sqlite'], talks: true },
]
if (options['with-postgres']) {
  steps.push({
    name: 'tests on PostgreSQL',
    command: ['node', 'server/src/testing/run.ts', 'postgres'],
    talks: true,
  })
}

for (const step of steps) run(step)

function run({ name, command, talks = false, remedy }: Step): void {
  const [program = '', ...args] = command
  if (talks) console.log(`\n▶ ${name}`)
  const startedAt = performance.now()
  const result = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: talks ? 'inherit' : 'pipe',
    maxBuffer: 64 * 1024 * 1024,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  if (result.status === 0) {
    // Nothing follows the summary of the tests, which is what a reader of the output's end looks for.
    if (!talks) console.log(`✔ ${name} (${seconds} s)`)
    return
  }
  if (!talks) console.error(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  console.error(`✖ ${name} (${seconds} s): ${result.error?.message ?? command.join(' ')}`)
  if (remedy !== undefined) console.error(`  ${remedy}`)
  process.exit(1)
}
