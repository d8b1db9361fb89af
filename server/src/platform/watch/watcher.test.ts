import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from '../../testing/child.ts'
import { eventually } from '../../testing/eventually.ts'
import { createTestJobs } from '../../testing/jobs.ts'
import { readBlocks } from './watch-files.ts'

const watchTimes = { tickMs: 40, saysAfterMs: 200, endsAfterMs: 800 }
const aloneTimes = { settledMs: 100, waitMs: 5_000, aloneMs: 60_000, phaseMs: 60_000 }

type KeepOptions = {
  innocentMs?: number
  flags?: string[]
  endsAfterMs?: number
  /** The address at which the watcher looks for the database, if it is another one. */
  watchUrl?: string
}

/** A worker that is started again whenever it has ended, as a service manager does it. */
async function keepWorker(
  t: TestContext,
  { innocentMs = 300, flags = [], endsAfterMs = watchTimes.endsAfterMs, watchUrl }: KeepOptions = {},
) {
  const engine = await createTestJobs(t)
  const { settings } = engine.place
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-watch-'))
  const times = { ...watchTimes, endsAfterMs }
  const input = { settings, dataDir, watchTimes: times, aloneTimes, leaseMs: 60_000, innocentMs, watchUrl }
  let isOver = false
  const children: Child[] = []
  let log = ''
  const keep = async (): Promise<void> => {
    while (!isOver) {
      const child = startChild('watched-worker', input, flags)
      children.push(child)
      child.process.stdout?.on('data', piece => {
        log += piece
      })
      log += await child.ended()
    }
  }
  const kept = keep()
  t.after(async () => {
    isOver = true
    await children.at(-1)?.kill()
    await kept
    await rm(dataDir, { recursive: true })
  })
  return {
    ...engine,
    dataDir,
    signal: (signal: NodeJS.Signals) => children.at(-1)?.process.kill(signal),
    starts: () => children.length,
    log: () => log,
    ended: (id: string) =>
      eventually('the job has ended', async () => ['dead', 'done'].includes((await engine.find(id)).state)),
  }
}

for (const payload of ['blocks', 'sorts'] as const) {
  test(`a job that ${payload} for ever ends two servers and is dead, and the job beside it is done`, async t => {
    const worker = await keepWorker(t)
    const bad = await worker.enqueue({ payload })
    const innocent = await worker.enqueue({ payload: 'innocent' })
    await worker.ended(bad)
    await worker.ended(innocent)
    const { state, deaths, kills, error } = await worker.find(bad)
    assert.deepEqual([state, deaths, kills], ['dead', 2, 0])
    assert.match(error ?? '', /^JobPoisoned/)
    const other = await worker.find(innocent)
    assert.deepEqual([other.state, other.deaths], ['done', 0])
    assert.equal(worker.starts(), 3)
    const ends = readBlocks(worker.dataDir).filter(({ isEnd }) => isEnd)
    assert.equal(ends.length, 2, worker.log())
    for (const { work, among } of ends) {
      const named = work === null ? among : [work]
      assert.ok(named.some(({ id }) => id === bad))
    }
    if (payload === 'blocks') assert.match(ends[0]?.calls[0] ?? '', /watched-worker\.ts:\d+/)
    assert.match(worker.log(), /"The main thread is blocked"/)
  })
}

test('where the watcher does not reach the database, a file tells the next start which job blocked the server', async t => {
  const gone = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(gone, 'listening')
  t.after(() => gone.close())
  const { port } = gone.address() as AddressInfo
  const worker = await keepWorker(t, { watchUrl: `postgres://atrium@127.0.0.1:${port}/atrium` })
  const bad = await worker.enqueue({ payload: 'blocks' })
  const innocent = await worker.enqueue({ payload: 'innocent' })
  await worker.ended(bad)
  await worker.ended(innocent)
  const { state, deaths, kills } = await worker.find(bad)
  assert.deepEqual([state, deaths, kills], ['dead', 2, 0])
  assert.equal((await worker.find(innocent)).deaths, 0)
  assert.match(worker.log(), /"Why the server ends could not be written into the database"/)
  // What is taken over is removed.
  const left = await readdir(join(worker.dataDir, 'watch'))
  assert.deepEqual(
    left.filter(name => name.endsWith('.verdicts.json')),
    [],
  )
})

test('a job that ends its servers without a trace runs alone after three of them, and two more are counted', async t => {
  const worker = await keepWorker(t)
  const bad = await worker.enqueue({ payload: 'ends' })
  const innocent = await worker.enqueue({ payload: 'innocent' })
  await worker.ended(bad)
  await worker.ended(innocent)
  const { state, deaths, kills } = await worker.find(bad)
  assert.deepEqual([state, deaths, kills], ['dead', 2, 3])
  const other = await worker.find(innocent)
  assert.deepEqual([other.state, other.deaths], ['done', 0])
})

test('a job that uses up the memory ends few servers and is dead', async t => {
  // The collections of garbage before the end block the server, too.
  const worker = await keepWorker(t, { flags: ['--max-old-space-size=160'], endsAfterMs: 60_000 })
  const bad = await worker.enqueue({ payload: 'fills' })
  await worker.ended(bad)
  const { state, deaths, kills } = await worker.find(bad)
  assert.deepEqual([state, deaths], ['dead', 2])
  // On a busy machine the memory may be gone before the thread has looked at it.
  assert.ok(kills <= 2, `${kills} deaths had no known cause`)
  assert.match(worker.log(), /"cause":"out_of_memory"/)
})

test('a server that is suspended for longer than it may be blocked goes on with its job', async t => {
  const worker = await keepWorker(t, { innocentMs: 1_000 })
  const id = await worker.enqueue({ payload: 'innocent' })
  await eventually('it has begun', () => worker.log().includes('began innocent'))
  worker.signal('SIGSTOP')
  await sleep(5_000)
  worker.signal('SIGCONT')
  await worker.ended(id)
  assert.equal(worker.starts(), 1)
  assert.deepEqual(readBlocks(worker.dataDir), [])
})
