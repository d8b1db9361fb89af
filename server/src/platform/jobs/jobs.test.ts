import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { createTestJobs, testQueue } from '../../testing/jobs.ts'
import { JobCancelled, JobTimedOut, LeaseLost } from './job.ts'

test('a change that is rolled back leaves no job', async t => {
  const { database, jobs } = await createTestJobs(t)
  await assert.rejects(
    database.write(async tx => {
      await jobs.enqueue(tx, { queue: 'test', payload: null, workspaceId: null })
      throw new Error('changed my mind')
    }),
  )
  assert.deepEqual(await jobs.counts(), [])
})

test('a committed job is taken up at once by this process, without polling', async t => {
  const { enqueue, startWorker } = await createTestJobs(t)
  const taken: unknown[] = []
  startWorker({ test: testQueue(async job => void taken.push(job.payload)) }, { pollMs: 3_600_000 })
  // The first may be found by the look that a worker begins with.
  await enqueue({ payload: 1 })
  await eventually('the first is taken', () => taken.length === 1)
  await enqueue({ payload: { text: 'Grüße 👋' } })
  await eventually('the second is taken', () => taken.length === 2)
  assert.deepEqual(taken[1], { text: 'Grüße 👋' })
})

test('a job that another process queued is found by polling', async t => {
  const { asOtherProcess, startWorker } = await createTestJobs(t)
  const taken = Promise.withResolvers<string>()
  startWorker({ test: testQueue(async job => taken.resolve(job.id)) })
  const other = await asOtherProcess()
  const jobId = await other.internal.database.write(tx =>
    other.enqueue(tx, { queue: 'test', payload: null, workspaceId: null }),
  )
  assert.equal(await taken.promise, jobId)
})

test('a job waits for its time', async t => {
  const { enqueue, find, startWorker } = await createTestJobs(t)
  const ran: string[] = []
  startWorker({ test: testQueue(async job => void ran.push(job.id)) })
  const later = await enqueue({ runAt: Date.now() + 3_600_000 })
  const now = await enqueue()
  await eventually('the second job ran', () => ran.includes(now))
  assert.deepEqual(ran, [now])
  assert.equal((await find(later)).state, 'queued')
})

test('what a job writes is committed together with its end', async t => {
  const { database, enqueue, find, startWorker } = await createTestJobs(t)
  const refused = Promise.withResolvers<unknown>()
  startWorker({
    test: testQueue(async job => {
      await job.complete(tx => tx.insertInto('meta').values({ name: 'result', value: job.id }).execute())
      await job.write(async () => undefined).catch(refused.resolve)
    }),
  })
  const jobId = await enqueue()
  assert.ok((await refused.promise) instanceof LeaseLost)
  assert.equal((await find(jobId)).state, 'done')
  assert.deepEqual(await database.read.selectFrom('meta').select('value').execute(), [{ value: jobId }])
})

test('a failed job is tried again, and dead after its last attempt with the error kept', async t => {
  const { database, enqueue, find, startWorker } = await createTestJobs(t)
  const attempts: [number, boolean][] = []
  startWorker({
    test: testQueue(
      async job => {
        attempts.push([job.attempt, job.lastAttempt])
        throw new TypeError('the service said \0 no')
      },
      {
        onDead: async (job, error, tx) => {
          await tx.insertInto('meta').values({ name: job.id, value: error.name }).execute()
        },
      },
    ),
  })
  const jobId = await enqueue()
  await eventually('the job is dead', async () => (await find(jobId)).state === 'dead')
  assert.deepEqual(attempts, [
    [1, false],
    [2, false],
    [3, true],
  ])
  assert.equal((await find(jobId)).error, 'TypeError: the service said  no')
  assert.equal((await database.read.selectFrom('meta').selectAll().execute()).length, 1)
})

test('a dead job can be queued again, with all its attempts', async t => {
  const { database, jobs, enqueue, find, startWorker } = await createTestJobs(t)
  let works = false
  startWorker({
    test: testQueue(async () => {
      if (!works) throw new Error('not yet')
    }),
  })
  const jobId = await enqueue({ maxAttempts: 1 })
  await eventually('the job is dead', async () => (await find(jobId)).state === 'dead')
  works = true
  assert.equal(await database.write(tx => jobs.redrive(tx, jobId)), true)
  await eventually('the job is done', async () => (await find(jobId)).state === 'done')
  assert.equal(await database.write(tx => jobs.redrive(tx, jobId)), false)
})

test('where giving a job up fails, it is not given up', async t => {
  const { enqueue, find, startWorker } = await createTestJobs(t)
  let failures = 0
  startWorker({
    test: testQueue(
      async () => {
        throw new Error('no')
      },
      {
        leaseMs: 100,
        onDead: async () => {
          failures++
          if (failures === 1) throw new Error('the record is locked')
        },
      },
    ),
  })
  const jobId = await enqueue({ maxAttempts: 1 })
  await eventually('the job is dead', async () => (await find(jobId)).state === 'dead')
  assert.equal(failures, 2)
})

test('a queued job that is cancelled never runs', async t => {
  const { database, jobs, enqueue, find, startWorker } = await createTestJobs(t)
  const cancelled = await enqueue()
  assert.equal(await database.write(tx => jobs.cancel(tx, cancelled)), 'cancelled')
  const ran: string[] = []
  startWorker({ test: testQueue(async job => void ran.push(job.id)) })
  const other = await enqueue()
  await eventually('the other job ran', async () => (await find(other)).state === 'done')
  assert.deepEqual(ran, [other])
  assert.equal((await find(cancelled)).state, 'cancelled')
  assert.equal(await database.write(tx => jobs.cancel(tx, cancelled)), 'ended')
})

for (const from of ['this process', 'another process'] as const) {
  test(`a running job that is cancelled by ${from} is aborted, may tidy up, and is told of`, async t => {
    const { jobs, enqueue, find, startWorker, asOtherProcess } = await createTestJobs(t)
    const started = Promise.withResolvers<void>()
    const told = Promise.withResolvers<Error>()
    startWorker({
      test: testQueue(
        async job => {
          started.resolve()
          await new Promise(resolve => job.signal.addEventListener('abort', resolve))
          await job.write(tx => tx.insertInto('meta').values({ name: 'tidied', value: job.id }).execute())
          throw job.signal.reason
        },
        { leaseMs: 300, onDead: async (_job, error) => told.resolve(error) },
      ),
    })
    const jobId = await enqueue()
    await started.promise
    const canceller = from === 'this process' ? jobs : await asOtherProcess()
    const answer = await canceller.internal.database.write(tx => canceller.cancel(tx, jobId))
    assert.equal(answer, 'requested')
    assert.ok((await told.promise) instanceof JobCancelled)
    await eventually('the job is cancelled', async () => (await find(jobId)).state === 'cancelled')
  })
}

test('an attempt that takes too long is aborted and counts as failed', async t => {
  const { enqueue, find, startWorker } = await createTestJobs(t)
  startWorker({
    test: testQueue(
      job =>
        new Promise((_, reject) => {
          job.signal.addEventListener('abort', () => reject(job.signal.reason))
        }),
      { timeoutMs: 50, maxAttempts: 1 },
    ),
  })
  const jobId = await enqueue()
  await eventually('the job is dead', async () => (await find(jobId)).state === 'dead')
  assert.equal((await find(jobId)).error, `${JobTimedOut.name}: The job took longer than 50 ms`)
})

test('a long job keeps its lease', async t => {
  const { enqueue, find, startWorker } = await createTestJobs(t)
  let attempts = 0
  startWorker({
    test: testQueue(
      async ({ id }) => {
        attempts++
        // A third of the lease lies between two extensions: it works for longer than one lease lasts.
        const leases = new Set<number | null>()
        await eventually('the lease is extended again and again', async () => {
          leases.add((await find(id)).lease_until)
          return leases.size > 4
        })
      },
      { leaseMs: 600 },
    ),
  })
  const jobId = await enqueue()
  await eventually('the job is done', async () => (await find(jobId)).state === 'done')
  assert.equal(attempts, 1)
})

test('while a job with a key is queued or running, another one is not added', async t => {
  const { enqueue, find, startWorker } = await createTestJobs(t)
  const first = await enqueue({ uniqueKey: 'doc_1' })
  assert.equal(await enqueue({ uniqueKey: 'doc_1' }), first)
  const [second, third] = await Promise.all([
    enqueue({ uniqueKey: 'doc_2' }),
    enqueue({ uniqueKey: 'doc_2' }),
  ])
  assert.equal(second, third)
  assert.notEqual(await enqueue({ uniqueKey: 'doc_3' }), first)
  startWorker({ test: testQueue(async () => undefined) })
  await eventually('the first is done', async () => (await find(first)).state === 'done')
  assert.notEqual(await enqueue({ uniqueKey: 'doc_1' }), first)
})

test('a job that waits for later is woken for as soon as it is wanted, and never put off', async t => {
  const { database, jobs, enqueue, find, startWorker } = await createTestJobs(t)
  const wake = (uniqueKey: string, delayMs?: number) =>
    database.write(tx =>
      jobs.wake(tx, { queue: 'test', payload: null, workspaceId: null, uniqueKey, delayMs }),
    )
  const hourMs = 3_600_000
  const one = await enqueue({ uniqueKey: 'one', delayMs: hourMs })
  const two = await enqueue({ uniqueKey: 'two', delayMs: hourMs })
  assert.ok((await find(one)).run_at > Date.now() + hourMs / 2)
  startWorker({ test: testQueue(async () => undefined) })
  await wake('two', 2 * hourMs)
  assert.ok((await find(two)).run_at < Date.now() + 1.5 * hourMs)
  await wake('two', hourMs / 4)
  assert.ok((await find(two)).run_at < Date.now() + hourMs / 2)
  await wake('one')
  await eventually('the woken one is done', async () => (await find(one)).state === 'done')
  assert.equal((await find(two)).state, 'queued')
  await wake('three')
  await eventually('one that was not there is added', async () => {
    const counts = await jobs.counts()
    return counts.every(({ state, count }) => state === 'queued' && count === 1)
  })
})

test('a workspace with thousands of jobs does not starve the one job of another', async t => {
  const { database, jobs, enqueue, startWorker } = await createTestJobs(t)
  await database.write(async tx => {
    for (let i = 0; i < 300; i++) {
      await jobs.enqueue(tx, { queue: 'test', payload: null, workspaceId: 'wsp_big' })
    }
  })
  for (const workspaceId of ['wsp_a', 'wsp_z', null]) await enqueue({ workspaceId, payload: 'small' })
  const order: unknown[] = []
  startWorker({ test: testQueue(async job => void order.push(job.payload), { concurrency: 2 }) })
  await eventually('all of the small ones ran', () => order.filter(each => each === 'small').length === 3)
  assert.ok(order.lastIndexOf('small') < 12, `the last small job was number ${order.lastIndexOf('small')}`)
})

test('no more of a queue runs at once than it allows', async t => {
  const { enqueue, startWorker } = await createTestJobs(t)
  let running = 0
  let most = 0
  let ended = 0
  const full = Promise.withResolvers<void>()
  const queue = testQueue(
    async () => {
      most = Math.max(most, ++running)
      if (running === 3) full.resolve()
      await full.promise
      await new Promise(resolve => setTimeout(resolve, 5))
      running--
      ended++
    },
    { concurrency: 3 },
  )
  startWorker({ test: queue })
  await Promise.all(Array.from({ length: 20 }, () => enqueue()))
  await eventually('all have ended', () => ended === 20)
  assert.equal(most, 3)
})
