/** Files and vector stores through HTTP, as OpenAI's clients read them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { eventually } from '../../testing/eventually.ts'
import type { TestKey } from '../../testing/test-app.ts'

let openAi: OpenAiApp

before(async () => {
  openAi = await startOpenAiApp()
})
after(() => openAi.close())

const post = (path: string, body: object, key?: TestKey | string) =>
  openAi.ask('POST', path, key === undefined ? { body } : { body, key })
const get = (path: string, key?: TestKey | string) =>
  openAi.ask('GET', path, key === undefined ? {} : { key })

async function upload(text: string, fields: Record<string, string> = {}, key = openAi.app.testKey) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ purpose: 'assistants', ...fields })) form.append(name, value)
  form.append('file', new Blob([text]), 'harbour.md')
  return await openAi.ask('POST', '/files', { body: form, key })
}

async function newStore(body: object = {}) {
  const reply = await post('/vector_stores', body)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.id as string
}

const isCompleted = (path: string) =>
  eventually(`${path} is completed`, async () => {
    const { status, body } = await get(path)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(['in_progress', 'completed'].includes(body.status))
    return body.status === 'completed'
  })

test('a file is put into stores by its id, found there, and taken out without being lost', async () => {
  const file = (await upload('# Harbour\n\nThe ferry leaves at noon.')).body
  assert.deepEqual([file.object, file.filename, file.purpose], ['file', 'harbour.md', 'assistants'])
  const store = await newStore({ name: 'Ships' })
  const attributes = { town: 'Bergen', year: 2026, open: true }
  const added = await post(`/vector_stores/${store}/files`, { file_id: file.id, attributes })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  assert.deepEqual([added.body.id, added.body.vector_store_id], [file.id, store])
  await isCompleted(`/vector_stores/${store}/files/${file.id}`)
  const again = await post(`/vector_stores/${store}/files`, { file_id: file.id })
  assert.deepEqual(again.body.attributes, attributes)

  const shown = (await get(`/vector_stores/${store}`)).body
  assert.deepEqual(shown.file_counts, { in_progress: 0, completed: 1, failed: 0, cancelled: 0, total: 1 })
  const filters = { type: 'and', filters: [{ type: 'eq', key: 'town', value: 'Bergen' }] }
  const found = await post(`/vector_stores/${store}/search`, {
    query: ['When does the ferry leave?'],
    filters,
  })
  const [hit] = found.body.data
  assert.deepEqual([hit.file_id, hit.filename, hit.attributes], [file.id, 'harbour.md', attributes])
  assert.match(hit.content[0].text, /ferry leaves at noon/)
  const nin = { type: 'nin', key: 'town', value: ['Bergen'] }
  const other = await post(`/vector_stores/${store}/search`, { query: 'ferry', filters: nin })
  assert.deepEqual(other.body.data, [])

  const path = `/vector_stores/${store}/files/${file.id}`
  const changed = await post(path, { attributes: { town: 'Oslo' } })
  assert.deepEqual([changed.status, changed.body.attributes], [200, { town: 'Oslo' }])
  assert.equal((await post(path, {})).status, 400)
  assert.deepEqual((await post(path, { attributes: null })).body.attributes, {})

  const removed = await openAi.ask('DELETE', path)
  assert.deepEqual(removed.body, { id: file.id, object: 'vector_store.file.deleted', deleted: true })
  assert.equal((await get(path)).status, 404)
  assert.equal((await get(`/files/${file.id}`)).status, 200)
  const content = await openAi.send('GET', `/files/${file.id}/content`)
  assert.equal(content.headers.get('content-disposition'), 'attachment')
  assert.equal(await content.text(), '# Harbour\n\nThe ferry leaves at noon.')
})

test('a store is shown while its files are in progress, renamed, and deleted with them', async () => {
  const store = await newStore({ name: null })
  assert.equal((await get(`/vector_stores/${store}`)).body.name, 'Vector store')
  await upload('# Gulls', { vector_store_id: store })
  const { file_counts: counts, status } = (await get(`/vector_stores/${store}`)).body
  assert.equal(counts.total, 1)
  assert.equal(counts.in_progress + counts.completed, 1)
  assert.equal(status, counts.in_progress > 0 ? 'in_progress' : 'completed')
  const renamed = await post(`/vector_stores/${store}`, { name: 'Birds' })
  assert.deepEqual(
    [renamed.body.name, (await post(`/vector_stores/${store}`, {})).body.name],
    ['Birds', 'Birds'],
  )
  const listed = (await get('/vector_stores?limit=100')).body.data
  assert.ok(listed.some(({ id, name }: { id: string; name: string }) => id === store && name === 'Birds'))
  assert.equal((await openAi.ask('DELETE', `/vector_stores/${store}`)).body.object, 'vector_store.deleted')
  assert.equal((await get(`/vector_stores/${store}`)).status, 404)
})

test('a deleted file is in no store any more', async () => {
  const file = (await upload('Gulls are loud.')).body
  const stores = [await newStore({ file_ids: [file.id] }), await newStore({ file_ids: [file.id] })]
  const gone = await openAi.ask('DELETE', `/files/${file.id}`)
  assert.deepEqual(gone.body, { id: file.id, object: 'file', deleted: true })
  for (const store of stores) {
    assert.deepEqual((await get(`/vector_stores/${store}/files`)).body.data, [])
  }
  assert.equal((await get(`/files/${file.id}`)).status, 404)
})

test('a batch ends when each of its files has, and tells how many came through', async () => {
  const texts = ['One ship.', 'Two ships.']
  const ids: string[] = []
  for (const text of texts) ids.push((await upload(text)).body.id)
  ids.push((await upload('%PDF-1.7 broken')).body.id)
  const store = await newStore()
  const made = await post(`/vector_stores/${store}/file_batches`, {
    file_ids: ids,
    attributes: { kind: 'ship' },
  })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const path = `/vector_stores/${store}/file_batches/${made.body.id}`
  await isCompleted(path)
  const { file_counts: counts } = (await get(path)).body
  assert.deepEqual(counts, { in_progress: 0, completed: 2, failed: 1, cancelled: 0, total: 3 })
  const files = (await get(`${path}/files`)).body.data
  assert.deepEqual(files.map(({ id }: { id: string }) => id).toSorted(), ids.toSorted())
  for (const { status, last_error: error, attributes } of files) {
    assert.deepEqual(attributes, { kind: 'ship' })
    assert.equal(error?.code, status === 'failed' ? 'invalid_file' : undefined)
  }
  const failed = (await get(`/vector_stores/${store}/files?filter=failed`)).body.data
  assert.deepEqual([failed.length, failed[0].id], [1, ids[2]])
  assert.equal((await get(path.replace(/.{4}$/, '0000'))).status, 404)
})

test('each list goes on behind its last row until nothing is left', async () => {
  const store = await newStore()
  for (const text of ['a', 'b', 'c']) await upload(`Ship ${text}.`, { vector_store_id: store })
  for (const path of [`/vector_stores/${store}/files`, '/files', '/vector_stores']) {
    const whole = (await get(`${path}?limit=100`)).body.data.map(({ id }: { id: string }) => id)
    assert.ok(new Set(whole).size === whole.length && whole.length >= 3)
    const walked: string[] = []
    for (let after = '', more = true; more; ) {
      const { body } = await get(`${path}?limit=2${after}`)
      walked.push(...body.data.map(({ id }: { id: string }) => id))
      assert.equal(body.last_id, walked.at(-1))
      after = `&after=${body.last_id}`
      more = body.has_more
    }
    assert.deepEqual(walked, whole)
    for (const query of ['order=asc', 'before=x', 'after=x']) {
      const { status, body } = await get(`${path}?${query}`)
      assert.deepEqual([status, body.error.param], [400, query.split('=')[0]], `${path}?${query}`)
    }
  }
})

test('what would change the answer, or is wrong, is a 400 that names the parameter', async () => {
  const store = await newStore()
  const filter = (filters: unknown) => ({ query: 'x', filters })
  const cases: [string, object, string][] = [
    ['', { name: ' ' }, 'name'],
    ['', { metadata: { a: 'b' } }, 'metadata'],
    ['', { expires_after: { anchor: 'last_active_at', days: 1 } }, 'expires_after'],
    ['', { file_ids: ['doc_1'] }, 'file_ids[0]'],
    [`/${store}/files`, {}, 'file_id'],
    [`/${store}/files`, { file_id: 'file-1' }, 'file_id'],
    [`/${store}/files`, { file_id: 'x', attributes: { $id: 'x' } }, 'attributes.$id'],
    [`/${store}/files`, { file_id: 'x', attributes: { a: null } }, 'attributes.a'],
    [`/${store}/file_batches`, { file_ids: [] }, 'file_ids'],
    [`/${store}/search`, {}, 'query'],
    [`/${store}/search`, { query: ['a', 'b'] }, 'query'],
    [`/${store}/search`, { query: 'x', max_num_results: 51 }, 'max_num_results'],
    [`/${store}/search`, { query: 'x', ranking_options: { score_threshold: 0.5 } }, 'ranking_options'],
    [`/${store}/search`, filter([]), 'filters'],
    [`/${store}/search`, filter({ type: 'like', key: 'a', value: 'b' }), 'filters.type'],
    [`/${store}/search`, filter({ type: 'eq', key: '$nope', value: 'b' }), 'filters'],
    [`/${store}/search`, filter({ type: 'or', filters: [] }), 'filters'],
  ]
  for (const [path, body, param] of cases) {
    const reply = await post(`/vector_stores${path}`, body)
    assert.equal(reply.status, 400, `${path} ${JSON.stringify(body)} ${JSON.stringify(reply.body)}`)
    assert.ok(String(reply.body.error.param).startsWith(param), JSON.stringify(reply.body.error))
  }
  for (const [fields, param] of [
    [{ purpose: 'batch' }, 'purpose'],
    [{ 'expires_after[seconds]': '3600' }, 'expires_after[seconds]'],
    [{ vector_store_id: store.replace(/.{4}$/, '0000') }, 'vector_store_id'],
  ] as [Record<string, string>, string][]) {
    const { status, body } = await upload('x', fields)
    assert.deepEqual([status, body.error.param], [400, param])
  }
})

test('a store or a file of another workspace, environment or narrowing is not there', async () => {
  const { app } = openAi
  const file = (await upload('A secret.')).body.id
  const store = await newStore({ file_ids: [file] })
  const own = await newStore()
  const { workspaceId } = await app.createWorkspace()
  const narrowed = await app.createKey({ environment: 'test', collectionIds: [own] })
  for (const key of [await app.createKey({ workspaceId }), app.liveKey, narrowed]) {
    for (const path of [
      `/files/${file}`,
      `/vector_stores/${store}`,
      `/vector_stores/${store}/files`,
      `/vector_stores/${store}/files/${file}`,
    ]) {
      assert.equal((await get(path, key)).status, 404, path)
    }
    for (const [path, body] of [
      ['search', { query: 'secret' }],
      ['files', { file_id: file }],
      ['file_batches', { file_ids: [file] }],
    ] as const) {
      assert.equal((await post(`/vector_stores/${store}/${path}`, body, key)).status, 404, path)
    }
    const { status } = await openAi.ask('DELETE', `/vector_stores/${store}`, { key })
    assert.equal(status, 404)
  }
  // Nor is it copied into a store that is there, and a file without a store has no place.
  const copied = await post(`/vector_stores/${own}/files`, { file_id: file }, narrowed)
  assert.deepEqual([copied.status, copied.body.error.param], [400, 'file_id'])
  assert.equal((await upload('Mine.', {}, narrowed)).status, 403)
  assert.equal((await upload('Mine.', { vector_store_id: own }, narrowed)).status, 200)
  assert.equal((await get(`/vector_stores/${store}/files/${file}`)).status, 200)
})

test('a key that is narrowed to a filter finds and lists only the files that match', async () => {
  const { app } = openAi
  const store = await newStore()
  const files = [(await upload('Red ship.')).body.id, (await upload('Blue ship.')).body.id]
  const batch = {
    files: files.map((file_id, at) => ({ file_id, attributes: { colour: ['red', 'blue'][at] } })),
  }
  const made = await post(`/vector_stores/${store}/file_batches`, batch)
  await isCompleted(`/vector_stores/${store}/file_batches/${made.body.id}`)
  const filter = { field: 'colour', op: 'eq', value: 'red' }
  const permissions = ['knowledge:read']
  const wanted = { name: 'Red', permissions, filter, environment: 'test' }
  const created = await app.request('POST', '/api-keys', { body: wanted })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const { key } = created.body.data
  const listed = await get(`/vector_stores/${store}/files`, key)
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: string }) => id),
    [files[0]],
  )
  assert.equal((await get(`/vector_stores/${store}/files/${files[1]}`, key)).status, 404)
  const hits = await post(`/vector_stores/${store}/search`, { query: 'ship' }, key)
  assert.deepEqual(
    hits.body.data.map(({ file_id: id }: { file_id: string }) => id),
    [files[0]],
  )
  // Counts would tell of the others.
  assert.equal((await get(`/vector_stores/${store}`, key)).status, 403)
})
