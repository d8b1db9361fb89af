/** A fuzzer that reads openapi.json sends its examples and every edge of each schema to a sandbox, and checks each reply. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstallation } from '../../../server/src/testing/operator.ts'
import { runCommand } from '../command.ts'
import { pythonSet } from '../packages.ts'
import type { Outcome, Part, Work } from '../part.ts'
import { createKey } from './server.ts'

type Accepted = {
  /** Of all operations where none is named. */
  failures: { type: string; operations?: string[]; reason: string }[]
  errors: { title: string; reason: string }[]
  /** Operations that are not tried. */
  excluded: Record<string, string>
}

type Report = {
  complete: boolean
  operations: { total: number; tested: number }
  test_cases: { generated: number }
  failures: { type: string; title: string; operations: string[] }[]
  errors: { title: string; count: number }[]
}

export const schemathesisPart: Part = {
  name: 'schemathesis on the sandbox',
  isMain: true,
  limitMinutes: 20,
  async run(work) {
    const bin = await pythonSet(work, 'schemathesis')
    const accepted: Accepted = JSON.parse(
      await readFile(join(work.root, 'clients/schemathesis/accepted.json'), 'utf8'),
    )
    const folder = await mkdtemp(join(tmpdir(), 'atrium-schemathesis-'))
    const cleanups: (() => Promise<void>)[] = [() => rm(folder, { recursive: true })]
    try {
      const report = await fuzz(work, join(bin, 'st'), folder, accepted, cleanup => cleanups.push(cleanup))
      return judge(work, report, accepted)
    } finally {
      for (const cleanup of cleanups.reverse()) await cleanup()
    }
  },
}

/** A server of its own: the fuzzer changes and deletes what its key reaches. */
async function fuzz(
  work: Work,
  program: string,
  folder: string,
  { excluded }: Accepted,
  after: (cleanup: () => Promise<void>) => void,
): Promise<Report> {
  // Its 13,000 requests are meant for what is behind the limits.
  const environment = { ATRIUM_ANONYMOUS_RATE: '1000000' }
  const installation = await createInstallation({ after }, { engine: 'sqlite', environment })
  const { origin } = await installation.startServer()
  const [workspace] = await installation.atriumJson('workspace list')
  await installation.atriumJson(`workspace set-plan ${workspace.id} enterprise --rate 600000`)
  const key = await createKey(installation, 'test')
  const report = join(folder, 'report.json')
  const command = [
    ...[program, '--config-file', join(work.root, 'clients/schemathesis/schemathesis.toml')],
    ...['run', join(work.root, 'openapi.json'), '--url', `${origin}/api/v1`],
    ...['--header', `Authorization: Bearer ${key}`, '--phases', 'examples,coverage'],
    ...['--seed', '1', '--generation-deterministic', '--continue-on-failure'],
    ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color'],
    ...['--report', 'json', '--report-json-path', report],
    ...Object.keys(excluded).flatMap(id => ['--exclude-operation-id', id]),
  ]
  const { output } = await runCommand(command, { cwd: folder, signal: work.signal })
  work.log(output)
  return JSON.parse(await readFile(report, 'utf8'))
}

/** Counts requests; each kind of failure of an operation that is not accepted is one that failed. */
function judge(work: Work, report: Report, { failures, errors, excluded }: Accepted): Outcome {
  const isAccepted = (type: string, operation: string): boolean =>
    failures.some(one => one.type === type && (one.operations?.includes(operation) ?? true))
  const faults = report.failures.flatMap(({ type, title, operations }) =>
    operations
      .filter(operation => !isAccepted(type, operation))
      .map(operation => `${title} (${type}): ${operation}`),
  )
  faults.push(
    ...report.errors.map(({ title }) => title).filter(title => !errors.some(one => one.title === title)),
  )
  const { tested, total } = report.operations
  if (!report.complete) faults.push('The run was broken off')
  if (tested !== total - Object.keys(excluded).length) faults.push(`Only ${tested} of ${total} were tried`)
  for (const fault of faults) work.log(`FAIL ${fault}`)
  return { passed: report.test_cases.generated - faults.length, failed: faults.length }
}
