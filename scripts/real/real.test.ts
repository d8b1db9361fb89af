import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../server/src/testing/eventually.ts'
import { runCommand, startCommand } from './command.ts'
import { installed, refusalIn } from './packages.ts'
import { type Lane, type Part, Skipped, type Work } from './part.ts'
import { exitCodes, runLanes } from './run-lanes.ts'

const root = mkdtempSync(join(tmpdir(), 'atrium-real-'))
after(() => rm(root, { recursive: true }))

const passing: Part = { name: 'passing', run: async () => ({ passed: 3, failed: 0 }) }
const failing: Part = { name: 'failing', run: async () => ({ passed: 2, failed: 1 }) }
const refused: Part = {
  name: 'refused',
  run: async () => {
    throw new Skipped('the registry answers 403')
  },
}

async function run(lanes: Lane[], names: string[], options: { isLong?: boolean; partNames?: string[] } = {}) {
  const printed: string[] = []
  const code = await runLanes(lanes, {
    root,
    names,
    partNames: options.partNames ?? [],
    isLong: options.isLong ?? false,
    signal: new AbortController().signal,
    print: line => printed.push(line),
  })
  return { code, printed, last: printed.at(-1) }
}

const laneOf = (...parts: Part[]): Lane => ({ name: 'tried', budgetMinutes: { short: 1, long: 2 }, parts })

test('a lane whose main part is skipped counts as skipped, whatever else passed', async () => {
  const { code, printed, last } = await run([laneOf({ ...refused, isMain: true }, passing)], ['tried'])
  assert.equal(code, exitCodes.skipped)
  assert.equal(last, 'tried: 0 passed, 0 failed, 2 skipped')
  assert.ok(printed.some(line => /refused: skipped: the registry answers 403/.test(line)))
})

test('a part that is skipped leaves the lane passed, and its reason is printed', async () => {
  const { code, printed, last } = await run([laneOf({ ...passing, isMain: true }, refused)], ['tried'])
  assert.equal(code, exitCodes.passed)
  assert.equal(last, 'tried: 1 passed, 0 failed, 1 skipped')
  assert.ok(printed.some(line => line.includes('the registry answers 403')))
})

test('a part with a failed case fails the run', async () => {
  const { code, last } = await run([laneOf(passing, failing)], ['tried'])
  assert.equal(code, exitCodes.failed)
  assert.equal(last, 'tried: 1 passed, 1 failed, 0 skipped')
})

test('a part that throws has failed, and its error is printed', async () => {
  const broken: Part = { name: 'broken', run: () => Promise.reject(new Error('no such file')) }
  const { code, printed } = await run([laneOf(broken)], ['tried'])
  assert.equal(code, exitCodes.failed)
  assert.ok(printed.some(line => line.includes('no such file')))
})

test('a part that tries no case has failed', async () => {
  const empty: Part = { name: 'empty', run: async () => ({ passed: 0, failed: 0 }) }
  const { code, printed } = await run([laneOf(empty)], ['tried'])
  assert.equal(code, exitCodes.failed)
  assert.ok(printed.some(line => line.includes('no case was tried')))
})

test('a part that takes longer than its limit has failed', async () => {
  const slow: Part = {
    name: 'slow',
    limitMinutes: 0.001,
    run: async ({ signal }) => {
      await runCommand([process.execPath, '-e', 'setInterval(() => {}, 1_000)'], { signal })
      return { passed: 1, failed: 0 }
    },
  }
  const { code, printed } = await run([laneOf(slow)], ['tried'])
  assert.equal(code, exitCodes.failed)
  assert.ok(printed.some(line => line.includes('more than its 0.001 minutes')))
})

test('a part of the long form is left out of the short one', async () => {
  const lane = laneOf(passing, { ...failing, isLong: true })
  assert.equal((await run([lane], ['tried'])).code, exitCodes.passed)
  assert.equal((await run([lane], ['tried'], { isLong: true })).code, exitCodes.failed)
})

test('an unknown lane or part is refused with the names that there are', async () => {
  const lane = laneOf(passing)
  assert.deepEqual(await run([lane], ['modles']), {
    code: exitCodes.refused,
    printed: ['No lane is named modles. The lanes: tried'],
    last: 'No lane is named modles. The lanes: tried',
  })
  const { code, last } = await run([lane], ['tried'], { partNames: ['pasing'] })
  assert.equal(code, exitCodes.refused)
  assert.match(last ?? '', /No part is named pasing\. The parts: passing/)
})

test('what a program of a part started ends with the part', async () => {
  const ended = new AbortController()
  // Its child keeps the stream open that it inherits, until it ends as well.
  const script =
    "require('child_process').spawn('sleep', ['1000'], { stdio: 'inherit' }); console.log('started')"
  const program = startCommand([process.execPath, '-e', script], { signal: ended.signal })
  const closed = new Promise(resolve => program.once('close', resolve))
  await new Promise(resolve => program.stdout?.once('data', resolve))
  ended.abort()
  await closed
})

/** Two parts: the first starts a program that starts another one, and ends with it. */
const endless = (folder: string) => `
import { writeFileSync } from 'node:fs'
import { runCommand } from '${new URL('./command.ts', import.meta.url)}'
import { interruption, runLanes } from '${new URL('./run-lanes.ts', import.meta.url)}'
const parts = [
  {
    name: 'endless',
    run: async ({ signal }) => {
      await runCommand(['sh', '-c', 'sleep 1000 & echo $! > pid.part; mv pid.part pid; wait'], { cwd: '${folder}', signal })
      return { passed: 1, failed: 0 }
    },
  },
  {
    name: 'next',
    run: async () => {
      writeFileSync('${folder}/begun', '')
      return { passed: 1, failed: 0 }
    },
  },
]
const lane = { name: 'tried', budgetMinutes: { short: 1, long: 2 }, parts }
const options = { root: '${folder}', names: ['tried'], partNames: [], isLong: false, print: console.log }
process.exit(await runLanes([lane], { ...options, signal: interruption() }))
`

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends what the parts have started, begins no further part, and fails the run`, async t => {
    const folder = mkdtempSync(join(root, 'interrupted-'))
    writeFileSync(join(folder, 'run.ts'), endless(folder))
    const runner = spawn(process.execPath, [join(folder, 'run.ts')], { stdio: 'ignore' })
    t.after(() => runner.kill('SIGKILL'))
    const ended = once(runner, 'exit')
    await eventually('the program runs', () => existsSync(join(folder, 'pid')))
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    runner.kill(signal)
    assert.deepEqual(await ended, [exitCodes.failed, null])
    await eventually('its child has ended', () => !isAlive(pid))
    assert.ok(!existsSync(join(folder, 'begun')))
  })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // There is no such process.
    return false
  }
}

test('packages are brought once for each set that is asked for', async () => {
  const { signal } = new AbortController()
  const work: Work = { root, folder: root, isLong: false, signal, log: () => undefined }
  const filled: string[] = []
  const bring = (asked: string) =>
    installed(work, 'set', asked, async into => {
      filled.push(into)
    })
  const first = await bring('a==1')
  assert.equal(await bring('a==1'), first)
  assert.notEqual(await bring('a==2'), first)
  assert.equal(filled.length, 2)
})

for (const output of [
  'ERROR: No matching distribution found for openai==99',
  'cause: Because there is no version of openai==99 and you require openai==99, we can conclude',
  'npm error code E403\nnpm error 403 Forbidden - GET',
  '[ERROR] Could not find artifact org.example:thing:jar:9 in central',
  'go: example.com/x@v9: reading: 404 Not Found',
]) {
  test(`a registry's refusal is recognized: ${output.split('\n')[0]}`, () => {
    assert.notEqual(refusalIn(output), undefined)
  })
}

test('versions that do not fit together are no refusal', () => {
  const output = 'Because a==1 depends on b<2 and you require b==2, your requirements are unsatisfiable.'
  assert.equal(refusalIn(output), undefined)
})
