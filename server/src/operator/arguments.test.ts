import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readCommands, runCommandLine } from './run.ts'

test('what is not understood is refused with a hint and exit code 2, and touches no data', async t => {
  const { run, folder } = await setUp(t)
  const refused: [string, RegExp][] = [
    ['kay list', /Did you mean key\?/],
    ['key crate', /Did you mean create\?/],
    ['key', /There are: create, list, revoke/],
    ['key create --workspce w', /--workspce is not an option .* Did you mean --workspace\?/],
    ['key create --workspace w --env prod --name n --permissions all', /--env must be one of live, test/],
    ['key create --workspace w --workspace w', /given twice/],
    ['key create --workspace --env', /--workspace needs a value/],
    ['key create --workspace=', /--workspace needs a value/],
    ['key create --workspace w --env live --name n', /--permissions all\|LIST is required/],
    ['key list -w acme', /-w is not an option/],
    ['workspace list surplus', /"surplus" is too much/],
    ['workspace list --json=yes', /--json takes no value/],
    ['workspace set-plan acme', /PLAN is missing/],
    ['restore', /FOLDER is missing/],
    ['restore a b', /"b" is too much/],
  ]
  for (const [words, message] of refused) {
    const { exitCode, printed, errors } = await run(words)
    assert.match(errors, message, words)
    assert.deepEqual([exitCode, printed], [2, ''], words)
  }
  assert.deepEqual(await readdir(folder), [])
})

test('under --json a refusal is one JSON value and nothing else', async t => {
  const { run } = await setUp(t)
  const { exitCode, printed, errors } = await run('key crate --json')
  assert.deepEqual([exitCode, errors], [2, ''])
  assert.match(JSON.parse(printed).error.message, /Did you mean create/)
})

test('a bad setting stops every command with one line a fault', async t => {
  const { run } = await setUp(t, { ATRIUM_PORT: 'many', ATRIUM_HOSST: 'x' })
  const { exitCode, errors } = await run('workspace list')
  assert.equal(exitCode, 1)
  assert.equal(errors.trim().split('\n').length, 2)
  assert.match(errors, /ATRIUM_PORT.*65535/)
})

test('help names every command, and each one has a page of its own', async t => {
  const { run } = await setUp(t)
  for (const words of ['', '--help', 'help']) {
    const { printed, exitCode } = await run(words)
    assert.equal(exitCode, 0)
    for (const { name } of await readCommands())
      assert.ok(printed.includes(`  ${name}`), `${name} in "${words}"`)
  }
  for (const { name, options } of await readCommands()) {
    const { printed, exitCode } = await run(`${name} --help`)
    assert.equal(exitCode, 0)
    assert.ok(printed.startsWith(`npm run -s atrium -- ${name}`), name)
    for (const option of Object.keys(options)) assert.ok(printed.includes(`--${option}`), `${name} ${option}`)
  }
  assert.match((await run('workspace --help')).printed, /workspace create[\s\S]*workspace set-plan/)
})

async function setUp(t: TestContext, settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-arguments-'))
  t.after(() => rm(folder, { recursive: true }))
  const run = async (words: string) => {
    let printed = ''
    let errors = ''
    const exitCode = await runCommandLine(words === '' ? [] : words.split(' '), {
      environment: { ATRIUM_DATA_DIR: folder, ...settings },
      print: text => {
        printed += `${text}\n`
      },
      printError: text => {
        errors += `${text}\n`
      },
    })
    return { exitCode, printed, errors }
  }
  return { run, folder }
}
