/** What cannot work: refused before anything is installed or started, with the remedy in a line. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome, Work } from '../part.ts'
import { openCases } from './cases.ts'
import { copyProject } from './copy.ts'
import type { Times } from './first-hour.ts'
import { openMachine, type Versions } from './machine.ts'

export async function tryRefusals(work: Work, versions: Versions, times: Times): Promise<Outcome> {
  const cases = openCases(work)
  const machine = await openMachine(work, versions)
  using copy = copyProject(work.root, 'atrium')
  const { folder } = copy

  for (const words of [[], ['--ignore-scripts'], ['--omit=dev']]) {
    const command = ['npm', 'ci', ...words]
    const { code, output, seconds } = await machine.run(command, { folder })
    times.seconds.set(command.join(' '), seconds)
    const remedy = /^npm (ERR!|error) notsup Required: .*"remedy":"install Node 24 /m
    cases.check(`${command.join(' ')} is refused with the remedy`, code !== 0 && remedy.test(output), output)
    cases.check('nothing was installed before', !existsSync(join(folder, 'node_modules')))
  }
  for (const command of [
    ['npm', 'start'],
    ['npm', 'test'],
    ['npm', 'run', 'build', '--workspace=console'],
  ]) {
    const { code, output, seconds } = await machine.run([...command, '--silent'], { folder })
    times.seconds.set(command.join(' '), seconds)
    const expected = 'atrium: Its dependencies are not installed, or only in part. Run: npm ci'
    cases.check(
      `${command.join(' ')} before npm ci is refused in one line`,
      code === 1 && output.trim() === expected,
      output,
    )
  }
  return cases.outcome()
}
