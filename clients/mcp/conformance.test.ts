/** The official conformance suite, both revisions: fixtures behind Atrium's own address, and Atrium's own tools. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const fixtures = join(import.meta.dirname, '../../server/src/testing/programs/mcp-fixtures.ts')
const conformance = join(import.meta.dirname, 'node_modules/.bin/conformance')
const expected = join(import.meta.dirname, 'conformance-expected.yaml')
const run = promisify(execFile)

let program: ChildProcess
let url = ''
before(async () => {
  program = spawn(process.execPath, [fixtures], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(program.stdout as NonNullable<ChildProcess['stdout']>, 'data')
  url = String(line).trim()
})
after(() => program.stdin?.end())

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`the server passes what ${revision} requires, but for questions to a client within a session`, async () => {
    const options = ['server', '--url', url, '--requirements', revision]
    // In the newest revision nothing is expected to fail.
    if (revision === '2025-11-25') options.push('--expected-failures', expected)
    // It exits with another code where a required scenario fails that is not expected to, or passes that is.
    await run(process.execPath, [conformance, ...options], { maxBuffer: 50_000_000 })
  })
}
