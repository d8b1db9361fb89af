import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChild } from '../../testing/child.ts'
import { eventually } from '../../testing/eventually.ts'
import { createTestJobs, type TestJobs, testQueue } from '../../testing/jobs.ts'
import { ServiceError } from '../errors.ts'
import { type Job, LeaseLost, WorkerStopping } from './job.ts'

const leaseMs = 600

const startChildWorker = async ({ place }: TestJobs, childLeaseMs = leaseMs) => {
  const child = startChild('job-worker', { settings: place.settings, queue: 'test', leaseMs: childLeaseMs })
  assert.equal(await child.line(), 'ready')
  return child
}

test('two workers never run the same job', async t => {
  const { database, jobs, asOtherProcess, createWorker, startWorker } = await createTestJobs(t)
  const ran = new Map<string, number>()
  const queues = {
    test: testQueue(async job => {
      ran.set(job.id, (ran.get(job.id) ?? 0) + 1)
    }),
  }
  startWorker(queues)
  createWorker(queues, { jobs: await asOtherProcess() }).start()
  const enqueue = () =>
    database.write(tx => jobs.enqueue(tx, { queue: 'test', payload: null, workspaceId: null }))
  await Promise.all(Array.from({ length: 100 }, enqueue))
  await eventually('all of them ran', () => ran.size === 100)
  assert.ok([...ran.values()].every(times => times === 1))
})

for (const [when, isStarted] of [
  ['before the worker starts', false],
  ['while it runs', true],
] as const) {
  test(`workspaces whose jobs never end, queued ${when}, leave a place to each that comes later`, async t => {
    const { database, jobs, createWorker } = await createTestJobs(t)
    const running = new Map<string, number>()
    const hang = testQueue(
      async ({ payload, signal }) => {
        const lane = String(payload)
        running.set(lane, (running.get(lane) ?? 0) + 1)
        await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      },
      // No lease lapses, however long the queueing takes: a job that is taken up again would count twice.
      { concurrency: 16, leaseMs: 600_000 },
    )
    const worker = createWorker({ test: hang })
    const enqueue = async (workspaceId: string, count: number) => {
      for (let index = 0; index < count; index++)
        await database.write(tx => jobs.enqueue(tx, { queue: 'test', payload: workspaceId, workspaceId }))
    }
    if (isStarted) worker.start()
    await enqueue('wsp_a', 20)
    if (!isStarted) worker.start()
    await eventually('it has what it may have', () => running.get('wsp_a') === 12)
    await enqueue('wsp_b', 20)
    await eventually('the second has its share of the rest', () => running.get('wsp_b') === 3)
    await enqueue('wsp_c', 1)
    await eventually('the third runs', () => running.get('wsp_c') === 1)
    assert.deepEqual([running.get('wsp_a'), running.get('wsp_b')], [12, 3])
  })
}

test('the job of a killed worker is taken up by another', async t => {
  const engine = await createTestJobs(t)
  const child = await startChildWorker(engine)
  const jobId = await engine.enqueue()
  assert.equal(await child.line(), 'started')
  await child.kill()
  const attempts: number[] = []
  engine.startWorker({ test: testQueue(async job => void attempts.push(job.attempt), { leaseMs }) })
  await eventually('the job is done', async () => (await engine.find(jobId)).state === 'done')
  assert.deepEqual(attempts, [2])
})

test('a server that starts alone on its database takes up at once what its killed predecessor left', async t => {
  const engine = await createTestJobs(t)
  const child = await startChildWorker(engine, 3_600_000)
  const jobId = await engine.enqueue()
  assert.equal(await child.line(), 'started')
  await child.kill()
  await engine.jobs.expireLeases()
  engine.startWorker({ test: testQueue(async () => undefined) })
  await eventually('the job is done', async () => (await engine.find(jobId)).state === 'done')
  assert.equal((await engine.find(jobId)).attempts, 2)
})

test('a job whose every worker died is dead, and its record is told in the same transaction', async t => {
  const engine = await createTestJobs(t)
  const child = await startChildWorker(engine)
  const jobId = await engine.enqueue({ maxAttempts: 1 })
  assert.equal(await child.line(), 'started')
  await child.kill()
  const queue = testQueue(async () => assert.fail('It has no attempt left'), {
    leaseMs,
    onDead: async (job, error, tx) => {
      await tx.insertInto('meta').values({ name: job.id, value: error.name }).execute()
    },
  })
  engine.startWorker({ test: queue })
  await eventually('the job is dead', async () => (await engine.find(jobId)).state === 'dead')
  assert.deepEqual(await engine.database.read.selectFrom('meta').selectAll().execute(), [
    { name: jobId, value: 'WorkerDied' },
  ])
})

test('a worker that wakes up after its lease ran out has its write refused', async t => {
  const engine = await createTestJobs(t)
  const child = await startChildWorker(engine)
  t.after(() => child.kill())
  const jobId = await engine.enqueue()
  assert.equal(await child.line(), 'started')
  child.process.kill('SIGSTOP')
  engine.startWorker({
    test: testQueue(
      job =>
        job.complete(async tx => {
          await tx.insertInto('meta').values({ name: job.id, value: 'ours' }).execute()
        }),
      { leaseMs },
    ),
  })
  await eventually('the job is done', async () => (await engine.find(jobId)).state === 'done')
  child.process.kill('SIGCONT')
  child.send('go on')
  assert.equal(await child.line(), 'LeaseLost')
  assert.deepEqual(await engine.database.read.selectFrom('meta').selectAll().execute(), [
    { name: jobId, value: 'ours' },
  ])
})

test('jobs that end in one transaction end together, or go on together', async t => {
  const { database, enqueue, find, startWorker } = await createTestJobs(t)
  const held: Job[] = []
  const both = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  startWorker({
    test: testQueue(async job => {
      if (held.push(job) === 2) both.resolve()
      await over.promise
    }),
  })
  const ids = [await enqueue(), await enqueue()]
  await both.promise
  const endAll = (also: () => Promise<void>) =>
    database.write(async tx => {
      for (const job of held) await job.endIn(tx)
      await also()
    })
  await assert.rejects(
    endAll(() => Promise.reject(new Error('no'))),
    /no/,
  )
  for (const id of ids) assert.equal((await find(id)).state, 'running')
  await held[0]?.write(async () => undefined)
  await endAll(async () => undefined)
  for (const id of ids) assert.equal((await find(id)).state, 'done')
  await assert.rejects(
    endAll(async () => undefined),
    error => error instanceof LeaseLost,
  )
  over.resolve()
})

test('a drained worker ends what runs and takes up nothing more', async t => {
  const { enqueue, find, startWorker } = await createTestJobs(t)
  const started = Promise.withResolvers<void>()
  const worker = startWorker({
    test: testQueue(
      async () => {
        started.resolve()
        await new Promise(resolve => setTimeout(resolve, 100))
      },
      { concurrency: 1 },
    ),
  })
  const running = await enqueue()
  const waiting = await enqueue()
  await started.promise
  await worker.drain(5_000)
  assert.equal(worker.running(), 0)
  assert.equal((await find(running)).state, 'done')
  assert.equal((await find(waiting)).state, 'queued')
})

test('what does not end in time is put back without costing an attempt, and may write no more', async t => {
  const { database, enqueue, find, startWorker } = await createTestJobs(t)
  const started = Promise.withResolvers<void>()
  const refusal = Promise.withResolvers<unknown>()
  const worker = startWorker({
    test: testQueue(async job => {
      started.resolve()
      await new Promise(resolve => job.signal.addEventListener('abort', resolve))
      assert.ok(job.signal.reason instanceof WorkerStopping)
      await job
        .write(tx => tx.insertInto('meta').values({ name: 'late', value: '' }).execute())
        .then(refusal.resolve, refusal.resolve)
    }),
  })
  const jobId = await enqueue()
  await started.promise
  await worker.drain(30)
  const row = await find(jobId)
  assert.deepEqual([row.state, row.attempts, row.lease_token], ['queued', 0, null])
  assert.equal(String(await refusal.promise), `LeaseLost: The lease of job ${jobId} is no longer ours`)
  assert.deepEqual(await database.read.selectFrom('meta').selectAll().execute(), [])
})

test('a job of the foreground begins with the commit, is held like any other, and tells how it ended', async t => {
  const { database, find, createWorker } = await createTestJobs(t)
  const ran: unknown[] = []
  const worker = createWorker({
    test: testQueue(async job => {
      ran.push(job.payload)
      if (job.payload === 'fails') throw new Error('no')
    }),
  })
  const run = (payload: string, maxAttempts: number) =>
    database.write(async tx => {
      const started = await worker.runNow(tx, { queue: 'test', payload, workspaceId: 'wsp_a', maxAttempts })
      assert.deepEqual(ran.includes(payload), false)
      return started
    })
  const good = await run('works', 3)
  assert.equal((await find(good.jobId)).state === 'queued', false)
  assert.equal(await good.ended, 'done')
  assert.equal((await find(good.jobId)).state, 'done')
  assert.equal(await (await run('fails', 1)).ended, 'dead')
  await worker.drain(100)
  await assert.rejects(run('late', 1), error => error instanceof ServiceError && error.code === 'unavailable')
})

test('a job that cannot be given up holds up neither its queue nor the queues after it', async t => {
  const { database, enqueue, find, startWorker } = await createTestJobs(t)
  const lost: string[] = []
  for (let count = 0; count < 101; count++) lost.push(await enqueue({ queue: 'stubborn', maxAttempts: 1 }))
  const behind = await enqueue({ queue: 'stubborn' })
  const elsewhere = await enqueue({ queue: 'test' })
  await database.write(tx =>
    tx
      .updateTable('jobs')
      .set({ state: 'running', lease_token: 'gone', lease_until: 0, attempts: 1 })
      .execute(),
  )
  startWorker({
    stubborn: testQueue(async () => undefined, {
      onDead: async () => {
        throw new Error('the record is locked')
      },
    }),
    test: testQueue(async () => undefined),
  })
  for (const id of [behind, elsewhere])
    await eventually('it is done', async () => (await find(id)).state === 'done')
  assert.equal((await find(lost[0] ?? '')).state, 'running', 'it is tried again later')
})
