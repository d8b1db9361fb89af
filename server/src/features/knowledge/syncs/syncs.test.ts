import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs } from '../../../platform/clock.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { storeCaller } from '../../../platform/stored-caller.ts'
import { eventually } from '../../../testing/eventually.ts'
import {
  createCollection,
  put as putDocument,
  untilNoJobs,
  upload,
} from '../../../testing/knowledge/knowledge.ts'
import { createSyncs, entry, numbered, type Syncs, sha256 } from '../../../testing/knowledge/syncs.ts'
import { startTestApp, type TestApp, type TestReply } from '../../../testing/test-app.ts'
import { createSyncQueue, syncQueue } from './sync-ending.ts'
import { findSync, keepGone, updateSync } from './sync-store.ts'

let app: TestApp
let collectionOf: Syncs['collectionOf']
let post: Syncs['post']
let open: Syncs['open']
let externalIdsIn: Syncs['externalIdsIn']
let skippedMs = 0
before(async () => {
  app = await startTestApp({ clock: () => Date.now() + skippedMs })
  ;({ collectionOf, post, open, externalIdsIn } = createSyncs(app))
})
after(() => app.close())

const put = (collectionId: string, externalId: string, content: string): Promise<TestReply> =>
  putDocument(app, { collectionId, externalId, content, name: `${externalId}.txt` })

test('a session tells what to upload, and at its end the collection holds what the source holds', async () => {
  const collectionId = await collectionOf({ same: 'Same.', old: 'Old.', gone: 'Gone.' })
  await upload(app, { collectionId, content: 'By hand, without an external id.' })
  const opened = await open(collectionId, {
    entries: [entry('same', 'Same.'), entry('old', 'Renewed.'), entry('fresh', 'Fresh.')],
  })
  assert.equal(opened.status, 201)
  const { sync, upload: asked, unchanged, wouldDelete } = opened.body.data
  assert.equal(opened.headers.location, `/api/v1/knowledge/syncs/${sync.id}`)
  assert.deepEqual(asked, [
    { externalId: 'old', reason: 'changed' },
    { externalId: 'fresh', reason: 'new' },
  ])
  assert.deepEqual([unchanged, wouldDelete], [['same'], null])
  assert.deepEqual(countsOf(sync), { added: 0, changed: 0, unchanged: 1, deleted: 0, failed: 2 })

  assert.equal((await put(collectionId, 'old', 'Renewed.')).status, 200)
  assert.equal((await put(collectionId, 'fresh', 'Fresh.')).status, 201)
  const under = await app.request('GET', `/knowledge/syncs/${sync.id}`)
  assert.deepEqual(countsOf(under.body.data), { added: 1, changed: 1, unchanged: 1, deleted: 0, failed: 0 })

  const preview = await post(`/knowledge/syncs/${sync.id}/complete?dryRun=true`)
  assert.equal(preview.body.data.effects[0].count, 1)
  const completed = await post(`/knowledge/syncs/${sync.id}/complete`)
  assert.equal(completed.status, 200)
  assert.equal(completed.body.data.status, 'completed')
  assert.deepEqual(countsOf(completed.body.data), {
    added: 1,
    changed: 1,
    unchanged: 1,
    deleted: 1,
    failed: 0,
  })
  assert.deepEqual(await externalIdsIn(collectionId), ['fresh', 'old', 'same', null].sort())
})

const countsOf = ({ added, changed, unchanged, deleted, failed }: Record<string, number>) => ({
  added,
  changed,
  unchanged,
  deleted,
  failed,
})

test('what was deleted lies in the trash and can be restored', async () => {
  const collectionId = await collectionOf({ keep: 'Keep.', gone: 'Gone.' })
  const { id } = (await open(collectionId, { entries: [entry('keep', 'Keep.')] })).body.data.sync
  await post(`/knowledge/syncs/${id}/complete`)
  const trash = await app.request('GET', '/knowledge/trash', { query: { pageSize: 100 } })
  const gone = trash.body.data.find((one: { externalId: string | null }) => one.externalId === 'gone')
  assert.ok(gone, JSON.stringify(trash.body))
})

test('a dry run answers the whole plan, opens nothing, and stands beside an open session', async () => {
  const collectionId = await collectionOf(numbered(10))
  const entries = [entry('doc-0', 'Text 0.'), entry('new', 'New.')]
  for (let round = 0; round < 2; round++) {
    const plan = await open(collectionId, { entries }, '?dryRun=true')
    assert.equal(plan.status, 200)
    const { upload: asked, unchanged, wouldDelete, sync } = plan.body.data
    assert.deepEqual(asked, [{ externalId: 'new', reason: 'new' }])
    assert.deepEqual(unchanged, ['doc-0'])
    assert.deepEqual([wouldDelete.count, wouldDelete.needsConfirmation], [9, true])
    assert.equal(wouldDelete.externalIds.length, 9)
    assert.equal(sync.id, null)
    assert.equal(
      (await app.request('GET', `/knowledge/collections/${collectionId}/syncs`)).body.meta.total,
      round,
    )
    if (round === 0) assert.equal((await open(collectionId, {})).status, 201)
  }
  const listed = await app.request('GET', `/knowledge/collections/${collectionId}/syncs`)
  assert.equal(listed.body.meta.total, 1)
})

test('a collection has one session at a time; the second is told which one', async () => {
  const collectionId = await createCollection(app)
  const { id } = (await open(collectionId, {})).body.data.sync
  const second = await open(collectionId, {})
  assert.deepEqual([second.status, second.body.code], [409, 'sync_in_progress'])
  assert.deepEqual(second.body.details, { syncId: id, status: 'open' })
  const together = await createCollection(app)
  const replies = await Promise.all([1, 2, 3, 4].map(() => open(together, {})))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409])
})

test('`ifOpen: resume` goes on with the open session, whose manifest keeps its rules', async () => {
  const collectionId = await createCollection(app)
  const ifOpen = 'resume'
  const first = await open(collectionId, { ifOpen, entries: [entry('a', '1')], maxDeleteShare: 0.5 })
  assert.equal(first.status, 201)
  const { id } = first.body.data.sync
  const again = await open(collectionId, { ifOpen })
  assert.equal(again.status, 200)
  assert.deepEqual([again.body.data.sync.id, again.body.data.sync.entries], [id, 1])
  const more = await open(collectionId, { ifOpen, entries: [entry('b', '2')] })
  assert.deepEqual(more.body.data.upload, [{ externalId: 'b', reason: 'new' }])
  assert.equal(more.body.data.sync.entries, 2)
  const twice = await open(collectionId, { ifOpen, entries: [entry('a', '1')] })
  assert.deepEqual([twice.status, twice.body.errors[0].field], [400, 'entries.0.externalId'])
  const share = await open(collectionId, { ifOpen, maxDeleteShare: 1 })
  assert.deepEqual([share.status, share.body.errors[0].field], [400, 'maxDeleteShare'])
  const wrong = await open(collectionId, { ifOpen: 'wait' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'ifOpen'])
  const together = await createCollection(app)
  const replies = await Promise.all([1, 2, 3, 4].map(() => open(together, { ifOpen })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 201])
  assert.equal(new Set(replies.map(({ body }) => body.data.sync.id)).size, 1)
})

test('`ifOpen: cancel` ends the open session without a deletion, and opens another', async () => {
  const collectionId = await collectionOf({ kept: 'Kept.' })
  const { id } = (await open(collectionId, {})).body.data.sync
  const next = await open(collectionId, { ifOpen: 'cancel', entries: [entry('kept', 'Kept.')] })
  assert.equal(next.status, 201)
  assert.notEqual(next.body.data.sync.id, id)
  assert.equal((await app.request('GET', `/knowledge/syncs/${id}`)).body.data.status, 'cancelled')
  assert.deepEqual(await externalIdsIn(collectionId), ['kept'])
})

test('a session that deletes documents is neither resumed nor cancelled', async () => {
  const collectionId = await createCollection(app)
  const { id } = (await open(collectionId, {})).body.data.sync
  await app.dependencies.database.write(tx =>
    updateSync(app.liveKey.caller.scope, tx, id, { status: 'completing' }),
  )
  for (const ifOpen of ['resume', 'cancel']) {
    const reply = await open(collectionId, { ifOpen })
    assert.deepEqual([reply.status, reply.body.details], [409, { syncId: id, status: 'completing' }])
  }
  // Its job is another test's matter.
  await app.dependencies.database.write(tx =>
    updateSync(app.liveKey.caller.scope, tx, id, { status: 'cancelled' }),
  )
})

test('an id that comes twice is a 400 that names both places, in one page and across pages', async () => {
  const collectionId = await createCollection(app)
  const twice = await open(collectionId, { entries: [entry('a', '1'), entry('b', '2'), entry('a', '3')] })
  assert.equal(twice.status, 400)
  assert.deepEqual(twice.body.errors, [
    { field: 'entries.2.externalId', message: 'is the same as entries.0.externalId' },
  ])
  const { id } = (await open(collectionId, { entries: [entry('a', '1'), entry('b', '2')] })).body.data.sync
  const later = await post(`/knowledge/syncs/${id}/entries`, { entries: [entry('c', '1'), entry('b', '2')] })
  assert.equal(later.status, 400)
  assert.equal(later.body.errors[0].field, 'entries.1.externalId')
  assert.match(later.body.errors[0].message, /entry 1 of the manifest/)
  assert.equal((await app.request('GET', `/knowledge/syncs/${id}`)).body.data.entries, 2)
})

test('faulty entries are named, and a page has at most 10,000', async () => {
  const collectionId = await createCollection(app)
  const faulty = await open(collectionId, {
    entries: [
      { externalId: '', sha256: sha256('') },
      { externalId: 'a', sha256: 'ABC' },
      { externalId: 'b' },
    ],
  })
  assert.deepEqual(faulty.body.errors.map(({ field }: { field: string }) => field).sort(), [
    'entries.0.externalId',
    'entries.1.sha256',
    'entries.2.sha256',
  ])
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => entry(`x-${from + index}`, 'x'))
  const tooMany = await open(collectionId, { entries: page(0, 10_001) })
  assert.deepEqual([tooMany.status, tooMany.body.errors[0].field], [400, 'entries'])
  const full = await open(collectionId, { entries: page(0, 10_000) })
  assert.equal(full.status, 201)
  assert.equal(full.body.data.upload.length, 10_000)
  const { id } = full.body.data.sync
  const next = await post(`/knowledge/syncs/${id}/entries`, { entries: page(10_000, 10_000) })
  assert.deepEqual([next.status, next.body.data.sync.entries], [200, 20_000])
})

test('what was asked for and not uploaded is reported, and stays reported after the end', async () => {
  const collectionId = await collectionOf({ old: 'Old.' })
  const { id } = (await open(collectionId, { entries: [entry('old', 'New.'), entry('never', 'Never.')] }))
    .body.data.sync
  const missing = async () => (await app.request('GET', `/knowledge/syncs/${id}/missing`)).body
  const expected = [
    { externalId: 'old', sha256: sha256('New.'), reason: 'changed' },
    { externalId: 'never', sha256: sha256('Never.'), reason: 'new' },
  ]
  assert.deepEqual((await missing()).data, expected)
  const completed = await post(`/knowledge/syncs/${id}/complete`)
  assert.equal(completed.body.data.failed, 2)
  await put(collectionId, 'never', 'Never.')
  const after = await missing()
  assert.deepEqual([after.data, after.meta.total], [expected, 2])
})

test('what came into the collection beside the session is not deleted by it', async () => {
  const collectionId = await collectionOf({ keep: 'Keep.' })
  skippedMs += 10
  const { id } = (await open(collectionId, { entries: [entry('keep', 'Keep.')] })).body.data.sync
  skippedMs += 10
  await put(collectionId, 'beside', 'By somebody else.')
  const completed = await post(`/knowledge/syncs/${id}/complete`)
  assert.equal(completed.body.data.deleted, 0)
  assert.deepEqual(await externalIdsIn(collectionId), ['beside', 'keep'])
})

test('of a session that was cancelled or given up no row of its manifest stays', async () => {
  const rows = () => app.dependencies.database.read.selectFrom('sync_entries').select('external_id').execute()
  await untilNoJobs(app)
  const before = await rows()
  const collectionId = await collectionOf({ keep: 'Keep.' })
  const manifest = { entries: [entry('keep', 'Keep.'), entry('never', 'Never.')] }
  const cancelled = (await open(collectionId, manifest)).body.data.sync.id
  await post(`/knowledge/syncs/${cancelled}/entries`, { entries: [entry('more', 'More.')] })
  assert.equal((await rows()).length, before.length + 3)
  await post(`/knowledge/syncs/${cancelled}/cancel`)
  await untilNoJobs(app)
  assert.equal((await rows()).length, before.length)
  const overtaken = (await open(collectionId, manifest)).body.data.sync.id
  skippedMs += 2 * dayMs
  await open(collectionId, {})
  await untilNoJobs(app)
  assert.equal((await app.request('GET', `/knowledge/syncs/${overtaken}`)).body.data.status, 'expired')
  assert.equal((await rows()).length, before.length)
  const narrowed = await app.createKey({ collectionIds: [collectionId] })
  const own = await post(`/knowledge/collections/${await collectionOf({})}/syncs`, manifest)
  const theirs = (await app.request('GET', `/knowledge/collections/${collectionId}/syncs`)).body.data[0].id
  await post(`/knowledge/syncs/${theirs}/entries`, manifest, narrowed)
  await post(`/knowledge/syncs/${theirs}/cancel`, {}, narrowed)
  await post(`/knowledge/syncs/${own.body.data.sync.id}/cancel`)
  await untilNoJobs(app)
  assert.equal((await rows()).length, before.length)
})

test('a session that has ended takes nothing more', async () => {
  const collectionId = await collectionOf(numbered(1))
  const { id } = (await open(collectionId, {})).body.data.sync
  assert.equal((await post(`/knowledge/syncs/${id}/cancel`)).body.data.status, 'cancelled')
  for (const [verb, body] of [
    ['cancel', {}],
    ['complete', {}],
    ['entries', { entries: [] }],
  ] as const) {
    const reply = await post(`/knowledge/syncs/${id}/${verb}`, body)
    assert.deepEqual([reply.status, reply.body.code], [409, 'sync_ended'], verb)
    assert.match(reply.body.message, /cancelled/)
  }
  assert.equal((await externalIdsIn(collectionId)).length, 1)
})

test('a session to which nothing comes for a day expires, and makes room for the next one', async () => {
  const collectionId = await createCollection(app)
  const forgotten = (await open(collectionId, { entries: [entry('a', 'A')] })).body.data.sync
  const elsewhere = await createCollection(app)
  const swept = (await open(elsewhere, {})).body.data.sync
  skippedMs += dayMs + 1_000
  assert.equal((await post(`/knowledge/syncs/${forgotten.id}/complete`)).status, 409)
  assert.equal((await open(collectionId, {})).status, 201)
  const statusOf = async (id: string) =>
    (await app.request('GET', `/knowledge/syncs/${id}`)).body.data?.status
  assert.equal(await statusOf(forgotten.id), 'expired')
  await app.app.services.syncs.tidy()
  assert.equal(await statusOf(swept.id), 'expired')
  skippedMs += 31 * dayMs
  await app.app.services.syncs.tidy()
  assert.equal(await statusOf(forgotten.id), undefined)
})

test('a session of another workspace, environment or narrowing does not exist', async () => {
  const collectionId = await createCollection(app)
  const { id } = (await open(collectionId, {})).body.data.sync
  const { workspaceId, ownerId } = await app.createWorkspace()
  const strangers = [
    await app.createKey({ workspaceId, userId: ownerId }),
    app.testKey,
    await app.createKey({ collectionIds: [await createCollection(app)] }),
  ]
  for (const key of strangers) {
    for (const path of [
      `/knowledge/syncs/${id}`,
      `/knowledge/syncs/${id}/missing`,
      `/knowledge/collections/${collectionId}/syncs`,
    ]) {
      assert.equal((await app.request('GET', path, { key })).status, 404)
    }
    for (const verb of ['complete', 'cancel', 'complete?dryRun=true']) {
      assert.equal((await post(`/knowledge/syncs/${id}/${verb}`, {}, key)).status, 404)
    }
    assert.equal((await post(`/knowledge/collections/${collectionId}/syncs`, {}, key)).status, 404)
  }
  const reader = await app.createKey({ role: 'viewer' })
  assert.equal((await post(`/knowledge/syncs/${id}/cancel`, {}, reader)).status, 403)
})

test('many deletions go on after the reply, and are all done at last', async () => {
  const collectionId = await collectionOf(numbered(40))
  const { id } = (await open(collectionId, {})).body.data.sync
  const reply = await app.request('POST', `/knowledge/syncs/${id}/complete`, {
    body: { confirmDeletes: 40 },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(reply.status, 202)
  assert.equal(reply.headers.location, `/api/v1/knowledge/syncs/${id}`)
  let sync = reply.body.data
  await eventually('the sync ends', async () => {
    sync = (await app.request('GET', `/knowledge/syncs/${id}`)).body.data
    return sync.status !== 'completing'
  })
  assert.deepEqual([sync.status, sync.deleted], ['completed', 40])
  assert.deepEqual(await externalIdsIn(collectionId), [])
})

test('a document that is uploaded again while a session deletes stays, be its content the same', async () => {
  const collectionId = await collectionOf(numbered(40))
  const { id } = (await open(collectionId, {})).body.data.sync
  const reply = await app.request('POST', `/knowledge/syncs/${id}/complete`, {
    body: { confirmDeletes: 40 },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(reply.status, 202)
  await put(collectionId, 'doc-39', 'Text 39.')
  await eventually('the sync ends', async () => {
    const { body } = await app.request('GET', `/knowledge/syncs/${id}`)
    return body.data.status === 'completed'
  })
  assert.deepEqual(await externalIdsIn(collectionId), ['doc-39'])
})

test('a session whose job was given up is taken up again, and lets the next session in once it is complete', async () => {
  const { dependencies } = app
  const queue = createSyncQueue({
    ...dependencies,
    jobs: createJobs(dependencies),
    trash: app.app.services.trash,
  })
  const collectionId = await collectionOf({ keep: 'Keep.', gone: 'Gone.' })
  const { id } = (await open(collectionId, { entries: [entry('keep', 'Keep.')] })).body.data.sync
  const caller = app.liveKey.caller
  const payload = { syncId: id, caller: storeCaller(caller) }
  await dependencies.database.write(async tx => {
    const sync = await findSync(caller.scope, tx, id)
    assert.ok(sync)
    await keepGone(tx, sync)
    await updateSync(caller.scope, tx, id, { status: 'completing' })
    await queue.onDead?.({ id: 'job_dead', payload, attempt: 20 }, new Error('No'), tx)
  })
  assert.equal((await open(collectionId, {})).status, 409)
  const { numUpdatedRows } = await dependencies.database.write(tx =>
    tx
      .updateTable('jobs')
      .set({ run_at: 0 })
      .where('queue', '=', syncQueue)
      .where('state', '=', 'queued')
      .executeTakeFirst(),
  )
  assert.equal(Number(numUpdatedRows), 1)
  await eventually('the session is complete', async () => {
    const { status, deleted } = (await app.request('GET', `/knowledge/syncs/${id}`)).body.data
    return status === 'completed' && deleted === 1
  })
  assert.equal((await open(collectionId, {})).status, 201)
})
