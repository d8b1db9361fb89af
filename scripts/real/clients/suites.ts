/** The suites of `clients/openai`, `clients/readers`, `clients/mcp` and `clients/oauth`: packages of npm, unmodified, each with tests of its own. */
import { join } from 'node:path'
import { runCommand } from '../command.ts'
import { fetched } from '../packages.ts'
import type { Outcome, Part, Work } from '../part.ts'

export const suiteParts: Part[] = ['openai', 'readers', 'mcp', 'oauth'].map(name => ({
  name: `npm ${name}`,
  isMain: name !== 'readers',
  run: work => runSuite(work, name),
}))

async function runSuite(work: Work, name: string): Promise<Outcome> {
  const folder = join(work.root, 'clients', name)
  await fetched(work, ['npm', 'ci', '--no-audit', '--no-fund'], folder)
  const { status, output } = await runCommand(['npm', 'test'], { cwd: folder, signal: work.signal })
  work.log(output)
  const count = (word: string) => Number(new RegExp(`^[ℹ#] ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  const failed = count('fail') + count('cancelled')
  // Types that do not fit, or a file that cannot be read, end the suite without a failed test.
  return { passed: count('pass'), failed: status !== 0 && failed === 0 ? 1 : failed }
}
