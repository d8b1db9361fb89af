/** A collection that is kept to a team does not exist for other members, whatever way they come. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exampleId } from '../../../platform/schemas.ts'
import { signIn } from '../../../testing/apps/signed-in.ts'
import {
  addToTeam,
  keepKnowledge,
  keepTo,
  removeFromTeam,
  type WithheldKnowledge,
} from '../../../testing/apps/team-access.ts'
import { put, search, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let known: WithheldKnowledge

before(async () => {
  // What a caller may reach is copied to the thread that searches.
  app = await startTestApp({ searchThreads: true })
  known = await keepKnowledge(app)
})

after(() => app.close())

test('a member of no such team finds it in no list, count or search, and everyone of the team and above does', async () => {
  const { insider, outsider, open, kept } = known
  const listed = async (key = app.liveKey) => {
    const { data, meta } = (await app.request('GET', '/knowledge/collections', { key })).body
    return [data.map(({ id }: { id: string }) => id).sort(), meta.total]
  }
  const both = [open.collectionId, kept.collectionId].sort()
  assert.deepEqual(await listed(outsider.key), [[open.collectionId], 1])
  assert.deepEqual(await listed(insider.key), [both, 2])
  assert.deepEqual(await listed(), [both, 2])
  const documents = (await app.request('GET', '/knowledge/documents', { key: outsider.key })).body
  assert.deepEqual(
    [documents.data.map(({ id }: { id: string }) => id), documents.meta.total],
    [[open.documentId], 1],
  )
  assert.deepEqual(await search(app, 'vault midnight xyzzy', outsider.key), [])
  assert.deepEqual(
    (await search(app, 'canteen vault', outsider.key)).map(hit => hit.documentId),
    [open.documentId],
  )
  assert.equal((await search(app, 'canteen vault', insider.key)).length, 2)
  assert.equal((await search(app, 'xyzzy', insider.key))[0].documentId, kept.documentId)
})

test('by its id it is the same 404 as what never was, to read, change, fill, export and delete', async () => {
  const { insider, outsider, kept } = known
  const { key } = outsider
  const bare = (body: object, id: string) =>
    JSON.stringify({ ...body, requestId: '' }).replaceAll(id, 'asked')
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', `/knowledge/collections/${kept.collectionId}`],
    ['PATCH', `/knowledge/collections/${kept.collectionId}`, { name: 'Mine' }],
    ['PATCH', `/knowledge/collections/${kept.collectionId}`, { access: 'workspace' }],
    ['DELETE', `/knowledge/collections/${kept.collectionId}`],
    ['GET', `/knowledge/collections/${kept.collectionId}/export`],
    ['GET', `/knowledge/collections/${kept.collectionId}/syncs`],
    ['GET', `/knowledge/documents/${kept.documentId}`],
    ['GET', `/knowledge/documents/${kept.documentId}/content`],
    ['GET', `/knowledge/documents/${kept.documentId}/original`],
    ['GET', `/knowledge/documents/${kept.documentId}/versions`],
    ['PATCH', `/knowledge/documents/${kept.documentId}`, { title: 'Mine' }],
    ['POST', `/knowledge/documents/${kept.documentId}/reprocess`],
    ['DELETE', `/knowledge/documents/${kept.documentId}`],
  ]
  for (const [method, path, body] of requests) {
    const asked = await app.request(method, path, { key, body })
    assert.equal(asked.status, 404, `${method} ${path}`)
    if (method === 'GET')
      assert.equal((await app.request(method, path, { key: insider.key })).status, 200, path)
    const [id = ''] = /(?:col|doc)_[^/]+/.exec(path) ?? []
    const otherId = exampleId(id.startsWith('col_') ? 'collection' : 'document')
    const other = path.replace(id, otherId)
    const never = await app.request(method, other, { key, body })
    assert.equal(bare(asked.body, id), bare(never.body, otherId), `${method} ${path}`)
  }
  assert.equal((await app.request('GET', `/knowledge/documents/${kept.documentId}`)).status, 200)
})

test('named in a query, a body or a form it is refused, and a citation of it is missing', async () => {
  const { outsider, insider, kept } = known
  const { key } = outsider
  const query = { query: 'vault', collectionId: kept.collectionId }
  const searched = await app.request('GET', '/knowledge/search', { key, query })
  assert.deepEqual([searched.status, searched.body.errors[0].field], [400, 'collectionId.0'])
  const listed = await app.request('GET', '/knowledge/documents', {
    key,
    query: { collectionId: kept.collectionId },
  })
  assert.ok(listed.status === 400 || listed.body.meta.total === 0)
  const form = new FormData()
  form.append('collectionId', kept.collectionId)
  form.append('file', new Blob(['mine']), 'mine.txt')
  const uploaded = await app.request('POST', '/knowledge/documents', { key, form })
  assert.deepEqual([uploaded.status, uploaded.body.errors[0].field], [400, 'collectionId'])
  const upserted = await put(app, { collectionId: kept.collectionId, externalId: 'a', key })
  assert.equal(upserted.status, 404)
  const sync = await app.request('POST', `/knowledge/collections/${kept.collectionId}/syncs`, {
    key,
    body: {},
  })
  assert.equal(sync.status, 404)
  const citations = [{ documentId: kept.documentId, quote: 'unlock the vault around midnight' }]
  const verify = async (who: typeof key) =>
    (await app.request('POST', '/knowledge/citations/verify', { key: who, body: { citations } })).body.data[0]
      .status
  assert.equal(await verify(key), 'missing')
  assert.equal(await verify(insider.key), 'verified')
})

test('a restricted document in the trash is hidden from members without access', async () => {
  const { outsider, insider } = known
  const made = await app.request('POST', '/knowledge/collections', {
    body: { name: 'Thrown away', access: 'teams', teamIds: [known.teamId] },
  })
  assert.equal((await app.request('DELETE', `/knowledge/collections/${made.body.data.id}`)).status, 204)
  const trashed = async (key: typeof app.liveKey) =>
    (await app.request('GET', '/knowledge/trash/collections', { key })).body.meta.total
  assert.equal(await trashed(outsider.key), 0)
  assert.equal(await trashed(insider.key), 1)
  const path = `/knowledge/collections/${made.body.data.id}/restore`
  assert.equal((await app.request('POST', path, { key: outsider.key })).status, 404)
  assert.equal((await app.request('POST', path, { key: insider.key })).status, 200)
})

test('who comes into the team reaches it from the next request on, and who leaves it does not', async () => {
  const { outsider, teamId, kept } = known
  const status = async () =>
    (await app.request('GET', `/knowledge/collections/${kept.collectionId}`, { key: outsider.key })).status
  assert.equal(await status(), 404)
  await addToTeam(app, teamId, outsider)
  assert.equal(await status(), 200)
  await removeFromTeam(app, teamId, outsider)
  assert.equal(await status(), 404)
  const role = (role: string) =>
    app.request('PATCH', `/workspace/members/${outsider.memberId}`, { body: { role } })
  assert.equal((await role('admin')).status, 200)
  assert.equal(await status(), 200)
  assert.equal((await role('member')).status, 200)
  assert.equal(await status(), 404)
  await app.request('PATCH', `/knowledge/collections/${kept.collectionId}`, { body: { access: 'workspace' } })
  assert.equal(await status(), 200)
  await keepTo(app, `/knowledge/collections/${kept.collectionId}`, [teamId])
  assert.equal(await status(), 404)
})

test('a person in the console reaches what their keys reach, from one request to the next', async () => {
  const { outsider, teamId, kept, open } = known
  const person = await signIn(app, outsider.key.caller.userId ?? '')
  const token = await person.token()
  const listed = async () => {
    const { data } = (await app.request('GET', '/knowledge/collections', { key: token })).body
    return [kept, open].map(({ collectionId }) => data.some((row: { id: string }) => row.id === collectionId))
  }
  assert.deepEqual(await listed(), [false, true])
  await addToTeam(app, teamId, outsider)
  assert.deepEqual(await listed(), [true, true])
  await removeFromTeam(app, teamId, outsider)
  assert.deepEqual(await listed(), [false, true])
})

test('a key that is narrowed to a kept collection reaches it only as long as its maker does', async () => {
  const { insider, teamId, kept, open } = known
  const { userId } = insider.key.caller
  assert.ok(userId !== null)
  const key = await app.createKey({ role: 'member', userId, collectionIds: [kept.collectionId] })
  const status = async () =>
    (await app.request('GET', `/knowledge/collections/${kept.collectionId}`, { key })).status
  assert.equal(await status(), 200)
  await removeFromTeam(app, teamId, insider)
  assert.equal(await status(), 404)
  assert.deepEqual(await search(app, 'canteen vault', key), [])
  assert.equal((await app.request('GET', `/knowledge/collections/${open.collectionId}`, { key })).status, 404)
  await addToTeam(app, teamId, insider)
})

test('sync sessions, resumable uploads and failed documents of a restricted collection are hidden from members without access', async () => {
  const { outsider, insider, kept } = known
  const begun = await app.request('POST', `/knowledge/collections/${kept.collectionId}/syncs`, { body: {} })
  assert.equal(begun.status, 201, JSON.stringify(begun.body))
  const sync = `/knowledge/syncs/${begun.body.data.sync.id}`
  for (const [method, path] of [
    ['GET', sync],
    ['GET', `${sync}/missing`],
    ['POST', `${sync}/cancel`],
  ] as const) {
    assert.equal((await app.request(method, path, { key: outsider.key })).status, 404, path)
  }
  assert.equal((await app.request('GET', sync, { key: insider.key })).status, 200)

  const resumable = (key: TestKey) =>
    app.app.server.inject({
      method: 'POST',
      url: '/api/v1/knowledge/uploads',
      headers: {
        authorization: `Bearer ${key.key}`,
        'tus-resumable': '1.0.0',
        'upload-length': '10',
        'upload-metadata': `collectionId ${Buffer.from(kept.collectionId).toString('base64')},filename ${Buffer.from('a.txt').toString('base64')}`,
      },
    })
  assert.equal((await resumable(outsider.key)).statusCode, 400)
  const made = await resumable(insider.key)
  assert.equal(made.statusCode, 201, made.payload)
  const uploads = async (key: TestKey) =>
    (await app.request('GET', '/knowledge/uploads', { key })).body.meta.total
  assert.deepEqual([await uploads(outsider.key), await uploads(insider.key)], [0, 1])
  const upload = String(made.headers.location)
  const ended = await app.app.server.inject({
    method: 'DELETE',
    url: upload,
    headers: { authorization: `Bearer ${outsider.key.key}`, 'tus-resumable': '1.0.0' },
  })
  assert.equal(ended.statusCode, 404)

  const broken = {
    collectionId: kept.collectionId,
    name: 'broken.pdf',
    content: '%PDF-1.7 no more',
    key: app.liveKey,
  }
  const failed = await uploadAndWait(app, broken)
  assert.equal(failed.status, 'failed')
  const retry = async (key: TestKey) =>
    (await app.request('POST', '/knowledge/documents/retry', { key, body: {}, query: { dryRun: 'true' } }))
      .body.data
  assert.match(JSON.stringify(await retry(outsider.key)), /"count":0/)
  assert.match(JSON.stringify(await retry(insider.key)), /"count":1/)
})

test('an archive can be taken in by who something is kept from, and is theirs at once', async () => {
  const { outsider, open, kept } = known
  const exported = await app.app.server.inject({
    method: 'GET',
    url: `/api/v1/knowledge/collections/${open.collectionId}/export`,
    headers: { authorization: `Bearer ${outsider.key.key}` },
  })
  assert.equal(exported.statusCode, 200)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(exported.rawPayload)]), 'canteen.tar.gz')
  const headers = { prefer: 'wait=30' }
  const taken = await app.request('POST', '/knowledge/imports', { key: outsider.key, form, headers })
  assert.equal(taken.body.data.status, 'succeeded', JSON.stringify(taken.body))
  const { collectionId } = taken.body.data
  const status = async (key: TestKey) =>
    (await app.request('GET', `/knowledge/imports/${taken.body.data.id}`, { key })).status
  assert.equal(await status(outsider.key), 200)
  assert.equal(
    (await app.request('GET', `/knowledge/collections/${collectionId}`, { key: outsider.key })).status,
    200,
  )
  await keepTo(app, `/knowledge/collections/${collectionId}`, [known.teamId])
  assert.equal(await status(outsider.key), 404)
  assert.notEqual(kept.collectionId, collectionId)
})
