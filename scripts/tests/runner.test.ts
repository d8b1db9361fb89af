/** The runner itself: what goes wrong in a file must fail the run by that file's name, or no other test means anything. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lanes, readWork } from './lanes.ts'
import { processorMs, processorMsOfTree, startProcessorTimer } from './processor-time.ts'
import { runWork } from './run-work.ts'
import { printSummary } from './summary.ts'
import { longestFirst, longFiles } from './times.ts'

/** What comes of a file with this source, by the titles of its tests. */
async function outcomesOf(
  t: TestContext,
  source: string,
  options: { lane?: (typeof lanes)[number]; skips?: { browser: string }; name?: string } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-runner-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'one.test.ts'),
    `import assert from 'node:assert/strict'\nimport { after, before, beforeEach, test } from 'node:test'\n${source}\n`,
  )
  const { ATRIUM_TEST_BROWSER_URL: _url, ...env } = process.env
  const results = await runWork([{ lane: options.lane ?? 'unit', path: 'one.test.ts' }], {
    root: folder,
    env: { ...env, TMPDIR: folder },
    name: options.name,
    skips: options.skips ?? {},
    shards: 1,
    onFile: () => undefined,
  })
  const said: string[] = []
  const exitCode = printSummary(results, { wallMs: 1_000, processorMs: 2_000, idleMs: 0 }, line =>
    said.push(line),
  )
  const outcomes = results.flatMap(({ tests }) => tests.map(({ title, outcome }) => `${title}: ${outcome}`))
  const details = results.flatMap(({ tests }) => tests.flatMap(({ detail }) => detail ?? []))
  const notes = results.flatMap(({ tests }) => tests.flatMap(test => test.notes ?? []))
  return { outcomes, exitCode, details: details.join('\n'), said: said.join('\n'), notes }
}

test('a test that fails fails the run in every lane, and says how to run it alone', async t => {
  for (const lane of lanes) {
    const { outcomes, exitCode, said } = await outcomesOf(
      t,
      "test('good', () => {})\ntest('bad', () => assert.equal(1, 2))",
      { lane },
    )
    assert.deepEqual([exitCode, outcomes], [1, ['good: passed', 'bad: failed']], lane)
    assert.match(said, new RegExp(`npm run tests -- one.test.ts --lane ${lane}`))
    assert.match(
      said,
      /totals tests=2 passed=1 failed=1 skipped=0 wall_seconds=1 processor_seconds=2 idle_seconds=0$/,
    )
  }
})

test('a file whose tests pass passes, its hooks run around its own tests, and its clean-up in the order in which it was asked for', async t => {
  const { outcomes, exitCode } = await outcomesOf(
    t,
    `const seen: string[] = []
    before(() => { seen.push('before') })
    beforeEach(() => { seen.push('each') })
    after(() => assert.deepEqual(seen, ['before', 'each', 'first', 'one', 'two', 'each']))
    test('first', async t => {
      t.after(() => { seen.push('one') })
      t.after(() => { seen.push('two') })
      seen.push('first')
    })
    test('second', () => {})`,
  )
  assert.deepEqual([exitCode, outcomes], [0, ['first: passed', 'second: passed']])
})

test('a failure outside a test fails the file: while it loads, in a hook, in what its process does', async t => {
  const broken = {
    'throw new Error("while loading")': /while loading/,
    'before(() => { throw new Error("in a hook") })\ntest("one", () => {})': /in a hook/,
    // An end that fails for want of what was made ready is no cause.
    'before(() => { throw new Error("first") })\nafter(() => { throw new Error("then") })\ntest("one", () => {})':
      /^(?!.*then).*first/s,
    'after(() => { throw new Error("at the end") })\ntest("one", () => {})': /at the end/,
    'test("one", () => process.exit(0))': /process that ran the tests ended: exit code 0/,
  }
  for (const [source, expected] of Object.entries(broken)) {
    const { exitCode, outcomes, details } = await outcomesOf(t, source)
    assert.equal(exitCode, 1, source)
    assert.equal(outcomes.at(-1), 'the file as a whole: failed')
    assert.match(details, expected)
  }
})

test('an error that nothing catches, a test without an end and a clean-up that fails are failures of their test', async t => {
  const { exitCode, outcomes, details } = await outcomesOf(
    t,
    `test('uncaught', () => new Promise(done => {
      setTimeout(() => { throw new Error('out of the blue') }, 5)
      setTimeout(done, 1_000)
    }))
    test('endless', { timeout: 50 }, () => new Promise(() => undefined))
    test('unclean', t => t.after(() => { throw new Error('no clean-up') }))
    test('fine', () => {})`,
  )
  assert.equal(exitCode, 1)
  // The timer of the first one still runs when the file ends, and ends in time.
  assert.deepEqual(outcomes, ['uncaught: failed', 'endless: failed', 'unclean: failed', 'fine: passed'])
  assert.match(details, /out of the blue[\s\S]*did not end within 0.05 s[\s\S]*no clean-up/)
})

test('a file that leaves a timer, a server, a process or a temporary file behind fails by its name', async t => {
  // So long that it still runs when a busy machine gets to look for it.
  const leftChild = /child process (\d+)/
  const leaks = {
    "test('one', () => { setInterval(() => {}, 1_000) })": /Timeout/,
    "import { createServer } from 'node:http'\ntest('one', () => new Promise(done => { createServer().listen(0, () => done()) }))":
      /TCPServerWrap/,
    "import { spawn } from 'node:child_process'\ntest('one', () => { spawn('sleep', ['600'], { stdio: 'ignore' }).unref() })":
      leftChild,
    "import { mkdtempSync } from 'node:fs'\nimport { tmpdir } from 'node:os'\ntest('one', () => { mkdtempSync(`${tmpdir()}/left-`) })":
      /temporary file left-/,
  }
  const found = await Promise.all(Object.keys(leaks).map(source => outcomesOf(t, source)))
  for (const { details } of found) {
    const pid = leftChild.exec(details)?.[1]
    if (pid !== undefined) process.kill(Number(pid))
  }
  for (const [index, expected] of Object.values(leaks).entries()) {
    assert.equal(found[index]?.exitCode, 1)
    assert.match(found[index]?.details ?? '', expected)
  }
})

test('the time of a process that still runs below another one counts, also if a thread has started it, and not what it used before', {
  skip: process.platform !== 'linux' && 'only Linux tells',
}, async t => {
  const busy = 'while (process.cpuUsage().user < 300_000); console.log(); setInterval(() => {}, 1e6)'
  const thread = `require('child_process').spawn(process.execPath, ['-e', '${busy}'], { stdio: 'inherit' })`
  const program = `new (require('worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true })`
  const child = spawn(process.execPath, ['-e', program], { detached: true })
  t.after(() => process.kill(-(child.pid ?? 0), 'SIGKILL'))
  await once(child.stdout, 'data')
  const [alone, all] = [processorMs(child.pid), processorMsOfTree(child.pid)]
  assert.ok(all > alone + 100, `${all} ms, of which ${alone} of its own`)
  // It rests by now: a run that begins here is charged with nothing of that.
  assert.ok(startProcessorTimer(child.pid ?? '')() < 100)
})

test('what a test has to say by diagnostic is handed on, be it passed or failed', async t => {
  const { notes } = await outcomesOf(
    t,
    `test('one', t => t.diagnostic('first'))
    test('two', t => { t.diagnostic('second'); assert.fail() })`,
  )
  assert.deepEqual(notes, ['first', 'second'])
})

test('what cannot run is counted as skipped, with its reason; a name chooses tests', async t => {
  const source = "test('one', { skip: 'no such program' }, () => assert.fail())\ntest('two', () => {})"
  const some = await outcomesOf(t, source)
  assert.deepEqual([some.exitCode, some.outcomes], [0, ['one: skipped', 'two: passed']])
  assert.match(some.said, /one \(no such program\)[\s\S]*skipped=1/)
  const none = await outcomesOf(t, source, { lane: 'browser', skips: { browser: 'there is no Chromium' } })
  assert.deepEqual([none.exitCode, none.outcomes], [0, ['one: skipped', 'two: skipped']])
  assert.deepEqual((await outcomesOf(t, source, { name: '^two' })).outcomes, ['two: passed'])
})

test('a fresh checkout, which has no times, begins with the long files, and every one of these is there', () => {
  const work = readWork(resolve(import.meta.dirname, '../..'))
  const order = longestFirst(work, {}).map(({ path }) => path)
  assert.deepEqual([...new Set(order)].slice(0, longFiles.length), longFiles)
})

test('once one engine has nothing left to do its processor takes files of the other, and each file runs once, on its own engine', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-runner-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const source = `import { readdirSync, writeFileSync } from 'node:fs'
    import { test } from 'node:test'
    const engine = process.env.ATRIUM_TEST_ENGINE
    test('on ' + engine, { timeout: 20_000 }, async () => {
      writeFileSync(engine + '-' + process.pid, '')
      const isAlone = () => readdirSync('.').filter(name => name.startsWith('postgres-')).length < 2
      while (engine === 'postgres' && isAlone()) await new Promise(done => setTimeout(done, 10))
    })`
  const work = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const path = `file-${index}.test.ts`
      await writeFile(join(folder, path), source)
      return { lane: index === 0 ? ('sqlite' as const) : ('postgres' as const), path }
    }),
  )
  const options = { root: folder, env: { ...process.env, TMPDIR: folder }, name: undefined, skips: {} }
  const results = await runWork(work, { ...options, shards: 1, onFile: () => undefined })
  const ran = results.flatMap(({ work: { path }, tests }) =>
    tests.map(({ title, outcome }) => `${path} ${title}: ${outcome}`),
  )
  assert.deepEqual(
    ran.sort(),
    work.map(({ lane, path }) => `${path} on ${lane}: passed`),
  )
})
