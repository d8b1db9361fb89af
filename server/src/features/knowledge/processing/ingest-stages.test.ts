import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../../platform/jobs/job.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createTestJobs, testQueue } from '../../../testing/jobs.ts'
import type { IngestPayload } from '../records/document-jobs.ts'
import { createStages, type Stages, type StageTimeouts } from './ingest-stages.ts'

/** Longer than a busy machine keeps a process waiting between two lines. */
const shortMs = 500
const timeouts: StageTimeouts = { parsing: 10_000, embedding: shortMs, indexing: shortMs }

/** Stages as a job in progress has them. */
async function withStages(t: Parameters<typeof createTestJobs>[0], work: (stages: Stages) => Promise<void>) {
  const { startWorker, enqueue, find } = await createTestJobs(t)
  let fault: unknown = null
  startWorker({
    test: testQueue(async job => {
      const stages = createStages(
        job as Job<IngestPayload>,
        { clock: Date.now, timeouts },
        { isShown: false },
      )
      await work(stages).catch(error => {
        fault = error
      })
    }),
  })
  const id = await enqueue({ payload: { scope: {}, documentId: 'doc_1', version: 1 } })
  await eventually('the job ended', async () => (await find(id)).state === 'done')
  if (fault !== null) throw fault
}

test('the parts of indexing share one deadline, after which no more of them begins', t =>
  withStages(t, async stages => {
    assert.equal(await stages.index(async () => 'done'), 'done')
    await stages.index(() => sleep(shortMs + 10))
    await assert.rejects(
      stages.index(async () => 'too late'),
      { code: 'indexing_timeout' },
    )
  }))

test('embedding that takes too long is told to stop, and the document goes on without vectors', t =>
  withStages(t, async stages => {
    assert.deepEqual(await stages.embed(async () => ['vector']), ['vector'])
    let stopped = false
    const asked = stages.embed(async signal => {
      await sleep(60_000, undefined, { signal }).catch(error => {
        stopped = true
        throw error
      })
      return ['vector']
    })
    assert.deepEqual(await asked, [])
    assert.ok(stopped)
    let isAsked = false
    assert.deepEqual(
      await stages.embed(async () => {
        isAsked = true
        return ['vector']
      }),
      [],
    )
    assert.ok(!isAsked)
    assert.equal(await stages.index(async () => 'indexed'), 'indexed')
  }))

test('what goes wrong within a stage’s time is the stage’s own fault', t =>
  withStages(t, async stages => {
    const broken = async () => {
      throw new Error('broken')
    }
    await assert.rejects(stages.index(broken), /broken/)
    await assert.rejects(stages.embed(broken), /broken/)
  }))
