/** What a stranger does in the first hour with one Node and its npm: installs, starts, pastes, stops, runs a test. */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome, Work } from '../part.ts'
import { openCases } from './cases.ts'
import { copyProject } from './copy.ts'
import { openMachine, type Versions } from './machine.ts'
import { startServer } from './server.ts'

export type Way = Versions & {
  /** Of the folder of the copy. */
  folderName?: string
  /** Of `npm ci`. */
  words?: readonly string[]
  environment?: NodeJS.ProcessEnv
  /** False where `npm ci` was asked to leave out what builds. */
  isBuilt?: boolean
  /** Also the static checks and one file of tests, as `npm run check` runs them. */
  checks?: boolean
}

/** A line of the table: seconds of each command, where it was run. */
export type Times = { name: string; seconds: Map<string, number> }

export async function tryFirstHour(work: Work, way: Way, times: Times): Promise<Outcome> {
  const { isBuilt = true } = way
  const cases = openCases(work)
  const opened = await openMachine(work, way)
  const machine = { ...opened, environment: { ...opened.environment, ...way.environment } }
  using copy = copyProject(work.root, way.folderName ?? 'atrium')
  const timed = async (...command: string[]) => {
    const { folder } = copy
    const ended = await opened.run(command, { folder, environment: machine.environment })
    times.seconds.set(command.slice(0, 3).join(' '), ended.seconds)
    return ended
  }

  const installed = await timed('npm', 'ci', ...(way.words ?? []))
  cases.check('npm ci succeeds', installed.code === 0, installed.output)
  cases.check('npm ci warns of no engine', !installed.output.includes('EBADENGINE'), installed.output)
  if (installed.code !== 0) return cases.outcome()
  const built = ['console', 'widget', 'cli', 'server'].map(name =>
    existsSync(join(copy.folder, name, 'dist')),
  )
  cases.check(
    isBuilt ? 'all four parts are built' : 'nothing is built',
    built.every(is => is === isBuilt),
  )

  const startedAtMs = performance.now()
  const server = await startServer(work, machine, copy)
  times.seconds.set('npm start', (performance.now() - startedAtMs) / 1_000)
  cases.check('npm start answers', server.address !== null, server.output())
  if (server.address === null) return cases.outcome()
  const code = isBuilt ? 'built' : 'sources'
  cases.check(`it runs the ${code}`, server.output().includes(`"code":"${code}"`), server.output())
  const pasted = await opened.run(['bash', '-c', server.linesToPaste()], { folder: copy.folder })
  cases.check(
    'the printed lines work as they are',
    pasted.code === 0 && pasted.output.includes('"status":"succeeded"'),
    pasted.output,
  )
  const page = await fetch(server.address, { headers: { accept: 'text/html' } })
  cases.check(
    `the console is ${isBuilt ? 'there' : 'missing, and says so'}`,
    page.status === (isBuilt ? 200 : 503),
  )
  const { leftBehind, answersStill } = await server.stop('SIGTERM')
  cases.check('SIGTERM to npm ends the server before npm ends', !leftBehind && !answersStill, server.output())

  const again = await startServer(work, machine, copy)
  cases.check('it starts again on its data', again.address !== null, again.output())
  const stopped = await again.stop('SIGINT')
  cases.check('SIGINT ends it, too', !stopped.leftBehind && !stopped.answersStill, again.output())

  const operator = await timed('npm', 'run', '--silent', 'atrium', '--', '--help')
  cases.check('the operator’s command runs', operator.code === 0, operator.output)
  const cli = await opened.run(['node', 'cli/atrium.js', '--help'], { folder: copy.folder })
  cases.check('the command line runs with the machine’s Node', (cli.code === 0) === isBuilt, cli.output)
  if (isBuilt) {
    const tests = await timed('npm', 'run', 'tests', '--', 'scripts/words.test.ts')
    cases.check('tests run', tests.code === 0 && / failed=0 /.test(tests.output), tests.output)
  }
  if (way.checks) {
    appendFileSync(join(copy.folder, 'scripts/words.ts'), '// Changed\n')
    const checked = await timed('npm', 'run', 'check', '--', '--changed')
    cases.check('static checks and tests of a change run', checked.code === 0, checked.output)
  }
  return cases.outcome()
}
