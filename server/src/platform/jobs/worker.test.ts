import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChild } from '../../testing/child.ts'
import { eventually } from '../../testing/eventually.ts'
import { createTestJobs, type TestJobs, testQueue } from '../../testing/jobs.ts'
import { minuteMs } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { type Job, LeaseLost, WorkerStopping, WorkKilled } from './job.ts'

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
  // The attempt of the killed worker does not count.
  assert.deepEqual(attempts, [1])
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
  const { attempts, kills } = await engine.find(jobId)
  assert.deepEqual([attempts, kills], [1, 1])
})

/** As if a worker that held the job had been lost. */
const lose = async (engine: TestJobs, jobId: string, alone: 'waits' | 'runs' | null): Promise<void> => {
  await engine.database.write(tx =>
    tx
      .updateTable('jobs')
      .set(({ eb }) => ({
        state: 'running',
        lease_token: `lost ${alone}`,
        lease_until: 0,
        alone,
        attempts: eb('attempts', '+', alone === 'waits' ? 0 : 1),
      }))
      .where('id', '=', jobId)
      .execute(),
  )
}

test('ten workers that are killed cost a job no attempt, and it then runs alone and is done', async t => {
  const engine = await createTestJobs(t)
  const jobId = await engine.enqueue({ maxAttempts: 1 })
  let runs = 0
  const begin = Promise.withResolvers<void>()
  const queue = testQueue(async () => {
    runs++
    await begin.promise
  })
  // Nothing takes the job up until it is lost for the last time.
  const worker = engine.createWorker({ test: queue }, { aloneTimes: { settledMs: 0 } })
  for (const alone of [
    null,
    null,
    null,
    'waits',
    'waits',
    'waits',
    'waits',
    'waits',
    'waits',
    'waits',
  ] as const) {
    await lose(engine, jobId, alone)
    await engine.reapOnce(jobId)
    assert.notEqual((await engine.find(jobId)).state, 'dead')
  }
  assert.deepEqual(
    (({ state, attempts, kills, deaths }) => [state, attempts, kills, deaths])(await engine.find(jobId)),
    ['alone', 0, 3, 0],
  )
  worker.start()
  await eventually('it runs', () => runs === 1)
  assert.equal((await engine.find(jobId)).alone, 'runs')
  const other = await engine.enqueue()
  assert.equal((await engine.find(other)).state, 'queued', 'no other job begins beside it')
  begin.resolve()
  for (const id of [jobId, other])
    await eventually('it is done', async () => (await engine.find(id)).state === 'done')
  assert.equal(runs, 2)
})

for (const [known, alone, cause] of [
  ['it blocked them', null, 'blocked'],
  ['it used up their memory', null, 'out_of_memory'],
  ['it ran alone there', 'runs', null],
] as const) {
  test(`a job that ended two servers is dead where ${known}, and its record is told in the same transaction`, async t => {
    const engine = await createTestJobs(t)
    const queue = testQueue(async () => assert.fail('It is not taken up'), {
      onDead: async (job, error, tx) => {
        await tx.insertInto('meta').values({ name: job.id, value: error.name }).execute()
      },
    })
    const jobId = await engine.enqueue()
    for (const deaths of [1, 2]) {
      await lose(engine, jobId, alone)
      if (cause !== null) await engine.jobs.judge([{ id: jobId, token: `lost ${alone}`, cause }])
      await engine.reapOnce(jobId, queue)
      assert.equal((await engine.find(jobId)).deaths, deaths)
    }
    assert.equal((await engine.find(jobId)).state, 'dead')
    assert.deepEqual(await engine.database.read.selectFrom('meta').selectAll().execute(), [
      { name: jobId, value: 'JobPoisoned' },
    ])
    assert.equal(await engine.database.write(tx => engine.jobs.redrive(tx, jobId)), true)
    const { state, deaths, kills } = await engine.find(jobId)
    assert.deepEqual([state, deaths, kills], ['queued', 0, 0])
  })
}

test('a job beside the one that ended the server counts nothing', async t => {
  const engine = await createTestJobs(t)
  const jobId = await engine.enqueue()
  await lose(engine, jobId, null)
  await engine.jobs.judge([{ id: jobId, token: 'lost null', cause: 'innocent' }])
  await engine.reapOnce(jobId)
  const { state, attempts, kills, deaths } = await engine.find(jobId)
  assert.deepEqual([state, attempts, kills, deaths], ['queued', 0, 0, 0])
})

test('a job that waits to run alone can be cancelled, and is counted as queued', async t => {
  const engine = await createTestJobs(t)
  const jobId = await engine.enqueue({ uniqueKey: 'one' })
  for (let kill = 0; kill < 3; kill++) {
    await lose(engine, jobId, null)
    await engine.reapOnce(jobId)
  }
  assert.equal((await engine.find(jobId)).state, 'alone')
  assert.deepEqual(await engine.jobs.counts(), [{ queue: 'test', state: 'queued', count: 1 }])
  assert.equal(await engine.enqueue({ uniqueKey: 'one' }), jobId)
  assert.equal(await engine.database.write(tx => engine.jobs.cancel(tx, jobId)), 'cancelled')
})

test('a job whose turn to run alone has begun waits until the others have settled, and is given back by a drain', async t => {
  const engine = await createTestJobs(t)
  const queue = testQueue(
    ({ signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
    // The young job takes the only place, so that the worker never begins the other one before it is lost.
    { concurrency: 1 },
  )
  const longer = { settledMs: 10 * minuteMs, waitMs: 10 * minuteMs }
  const worker = engine.startWorker({ test: queue }, { aloneTimes: longer })
  const running = await engine.enqueue({ payload: 'young' })
  await eventually('the young job runs', () => worker.running() === 1)
  const jobId = await engine.enqueue()
  for (let kill = 0; kill < 3; kill++) {
    await lose(engine, jobId, null)
    await engine.reapOnce(jobId)
  }
  await eventually('it waits', async () => (await engine.find(jobId)).alone === 'waits')
  assert.equal((await engine.find(running)).state, 'running')
  const later = await engine.enqueue()
  await worker.drain(100)
  assert.deepEqual(
    await Promise.all([jobId, running, later].map(async id => (await engine.find(id)).state)),
    ['alone', 'queued', 'queued'],
  )
  assert.equal((await engine.find(jobId)).attempts, 0)
})

test('a process that is killed while it works for a job costs the job no attempt, up to twenty times', async t => {
  const engine = await createTestJobs(t)
  let runs = 0
  const queue = testQueue(
    async () => {
      runs++
      throw new WorkKilled('killed')
    },
    { backoffMs: 1, maxBackoffMs: 2, maxAttempts: 1 },
  )
  engine.startWorker({ test: queue }, { aloneTimes: { settledMs: 0 } })
  const jobId = await engine.enqueue()
  await eventually('it is dead', async () => (await engine.find(jobId)).state === 'dead')
  assert.equal(runs, 21)
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
  const { database, jobs, enqueue, find, startWorker } = await createTestJobs(t)
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
  const verdicts = lost.map(id => ({ id, token: 'gone', cause: 'blocked' as const }))
  await jobs.judge(verdicts)
  await database.write(tx => tx.updateTable('jobs').set({ deaths: 1 }).where('id', 'in', lost).execute())
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
