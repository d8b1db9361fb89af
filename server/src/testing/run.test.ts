/** The runner itself: a test that fails must fail the run, or no other test means anything. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const runner = join(import.meta.dirname, 'run.ts')

async function exitCodeOf(testSource: string): Promise<number | null> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-runner-'))
  const file = join(folder, 'one.test.mjs')
  await writeFile(file, `import { test } from 'node:test'\n${testSource}\n`)
  // A test runner inside a test runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const child = spawn(process.execPath, [runner, 'sqlite', file], { env, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  await rm(folder, { recursive: true, force: true })
  return code
}

test('a run with a test that fails exits with 1, and one that passes with 0', async () => {
  assert.equal(await exitCodeOf("test('fails', () => { throw new Error('as it should') })"), 1)
  assert.equal(await exitCodeOf("test('passes', () => {})"), 0)
})
