import assert from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { testEngine } from '../../testing/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { createInstallation, type Installation } from '../../testing/operator.ts'

const documents = {
  'lighthouse.md':
    '# The lighthouse\n\nThe keeper lights the lamp at dusk.\u2028It burns until the dawn of day.',
  'harbour.md': '# The harbour\n\nShips wait in the harbour until the keeper shows the lamp.',
  'storm.txt': 'A storm came up at night, and no ship dared to leave the harbour.',
  'empty-nets.txt': 'Ünïcödé nets 🌊 came back empty, and the town ate no fish for a week.',
}
const queries = ['keeper lamp', 'harbour ship', 'storm at night', 'ünïcödé nets']

test('a backup made while others write restores to the same records, files and search results, on either engine', async t => {
  const environment = { ATRIUM_SECRET: 'a secret of enough characters, kept elsewhere' }
  const installation = await createInstallation(t, { environment })
  await installation.atriumJson('workspace create Acme')
  const live = await makeKey(installation, 'live')
  const sandbox = await makeKey(installation, 'test')
  const server = await installation.startServer()
  const api = clientOf(server.origin, live)
  const collectionId = await fillCollection(api)
  const before = await everything(api, collectionId)
  assert.ok(
    before.results.every(found => found.length > 0),
    'each query finds something',
  )

  const folder = join(installation.dataDir, 'backup')
  const writer = writeMeanwhile(clientOf(server.origin, live), clientOf(server.origin, sandbox))
  const made = await installation.atrium(['backup', folder, '--json'])
  const written = await writer.stop()
  assert.deepEqual([made.exitCode, made.stderr], [0, ''], made.stdout)
  assert.ok(written > 0, 'others really wrote meanwhile')
  await api.post('/workspace/teams', { name: 'After the backup' })
  await server.stop()

  const other = testEngine === 'sqlite' ? 'postgres' : 'sqlite'
  const engines = [testEngine, other]
  for (const engine of engines) {
    const restored = await createInstallation(t, { engine: engine as 'sqlite' | 'postgres', environment })
    const report = await restored.atrium(['restore', folder, '--json'])
    assert.deepEqual([report.exitCode, report.stderr], [0, ''], report.stdout)
    assert.equal((await restored.atriumJson('doctor')).ok, true)
    const again = await restored.startServer()
    const restoredApi = clientOf(again.origin, live)
    assert.deepEqual(await everything(restoredApi, collectionId), before, `restored into ${engine}`)
    await checkOneMoment(restoredApi, written)
    // Whatever was in progress at that moment goes on.
    await untilReady(clientOf(again.origin, sandbox))
    await again.stop()
  }
})

test('a file that is gone or damaged is noticed: by the doctor, in the backup, and before it is restored', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const folder = join(installation.dataDir, 'backup')
  await installation.atriumJson(['backup', folder])
  const [file = ''] = await readdir(join(folder, 'files'))
  await writeFile(join(folder, 'files', file), 'not what was uploaded')
  const elsewhere = await createInstallation(t)
  const refused = await elsewhere.atriumHere(['restore', folder])
  assert.match(refused.stderr, /is damaged: it is not the file of the document doc_/)
  assert.deepEqual(await elsewhere.atriumJson('workspace list'), [])

  await rm(join(installation.dataDir, 'files', file.slice(-2), file))
  const { stdout, exitCode } = await installation.atriumHere('doctor')
  assert.match(stdout, /FAULT +files +1 of \d+ files are missing or have another size: doc_/)
  assert.equal(exitCode, 1)
  const second = await installation.atriumJson(['backup', `${folder}-2`])
  assert.equal(second.missingFiles.length, 1)
  const report = await elsewhere.atriumJson(['restore', `${folder}-2`])
  assert.equal(report.files, second.files)
})

test('a backup taken under ATRIUM_SECRET holds no secret, and opens under that secret only', async t => {
  const environment = { ATRIUM_SECRET: 'a secret of enough characters, kept elsewhere' }
  const installation = await createInstallation(t, { environment })
  await installation.atriumJson('workspace create Acme')
  const folder = join(installation.dataDir, 'backup')
  assert.equal((await installation.atriumJson(['backup', folder])).hasSecret, false)
  assert.ok(!(await readdir(folder)).includes('secret'))
  const without = await createInstallation(t, { engine: 'sqlite' })
  assert.match((await without.atriumHere(['restore', folder])).stderr, /set ATRIUM_SECRET/)
  const wrong = await createInstallation(t, {
    environment: { ATRIUM_SECRET: 'another secret of enough characters, really' },
  })
  assert.match((await wrong.atriumHere(['restore', folder])).stderr, /does not match the data/)
  assert.deepEqual(await wrong.atriumJson('workspace list'), [])
  const right = await createInstallation(t, { environment })
  await right.atriumJson(['restore', folder])
  assert.equal((await right.atriumJson('workspace list')).length, 1)
})

test('replace erases what was there, and reindex finds the same afterwards', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const folder = join(installation.dataDir, 'backup')
  await installation.atriumJson(['backup', folder])
  await installation.atriumJson('workspace create Later')
  await installation.atriumJson(['restore', folder, '--replace'])
  const workspaces = (await installation.atriumJson('workspace list')) as { slug: string }[]
  assert.deepEqual(
    workspaces.map(({ slug }) => slug),
    ['acme'],
  )

  const key = await makeKey(installation, 'live')
  const server = await installation.startServer()
  const api = clientOf(server.origin, key)
  const collectionId = await fillCollection(api)
  const before = await everything(api, collectionId)
  const { documents: count } = await installation.atriumJson('reindex --workspace acme')
  assert.ok(count >= 4)
  assert.deepEqual(await everything(api, collectionId), before)
  await server.stop()
})

test('a collection that is in the trash while a backup is made is found once the restored server takes it out', async t => {
  const environment = { ATRIUM_SECRET: 'a secret of enough characters, kept elsewhere' }
  const installation = await createInstallation(t, { environment })
  await installation.atriumJson('workspace create Acme')
  const key = await makeKey(installation, 'live')
  const server = await installation.startServer()
  const api = clientOf(server.origin, key)
  const collectionId = await fillCollection(api)
  const before = await everything(api, collectionId)
  await api.remove(`/knowledge/collections/${collectionId}`)
  await server.stop()
  const folder = join(installation.dataDir, 'backup')
  await installation.atriumJson(['backup', folder])

  const restored = await createInstallation(t, { environment })
  await restored.atriumJson(['restore', folder])
  const again = await restored.startServer()
  const restoredApi = clientOf(again.origin, key)
  for (const query of queries)
    assert.deepEqual(await restoredApi.get(`/knowledge/search?query=${encodeURIComponent(query)}`), [])
  await restoredApi.post(`/knowledge/collections/${collectionId}/restore`, {})
  assert.deepEqual((await everything(restoredApi, collectionId)).results, before.results)
  await again.stop()
})

type Api = {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  get(path: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  post(path: string, body: object | FormData): Promise<any>
  text(path: string): Promise<string>
  remove(path: string): Promise<void>
}

function clientOf(origin: string, key: string): Api {
  const call = async (method: string, path: string, body?: object | FormData): Promise<Response> => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: withoutUndefined<Record<string, string>>({
        authorization: `Bearer ${key}`,
        prefer: 'wait=20',
        'content-type': body === undefined || isForm ? undefined : 'application/json',
      }),
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${answer.ok ? '' : await answer.text()}`)
    return answer
  }
  const json = async (answer: Response) => ((await answer.json()) as { data: unknown }).data
  return {
    get: async path => json(await call('GET', path)),
    post: async (path, body) => json(await call('POST', path, body)),
    text: async path => (await call('GET', path)).text(),
    remove: async path => {
      await call('DELETE', path)
    },
  }
}

async function makeKey(installation: Installation, environment: 'live' | 'test'): Promise<string> {
  const { key } = await installation.atriumJson(
    `key create --workspace acme --env ${environment} --name t --permissions all`,
  )
  return key
}

async function fillCollection(api: Api): Promise<string> {
  const { id } = await api.post('/knowledge/collections', { name: 'Coast' })
  for (const [name, text] of Object.entries(documents)) {
    const document = await upload(api, id, name, text)
    assert.equal(document.status, 'ready')
  }
  return id
}

function upload(api: Api, collectionId: string, name: string, text: string) {
  const form = new FormData()
  form.set('file', new File([text], name))
  form.set('collectionId', collectionId)
  return api.post('/knowledge/documents', form)
}

/** All that can be read of a workspace that others do not write to meanwhile. */
async function everything(api: Api, collectionId: string) {
  const listed: { id: string }[] = await api.get(
    `/knowledge/documents?collectionId=${collectionId}&pageSize=100`,
  )
  const originals: string[] = []
  for (const { id } of listed) originals.push(await api.text(`/knowledge/documents/${id}/original`))
  const results: { chunkId: string }[][] = []
  for (const query of queries) {
    results.push(
      await api.get(`/knowledge/search?query=${encodeURIComponent(query)}&collectionId=${collectionId}`),
    )
  }
  return {
    workspace: await api.get('/workspace'),
    members: (await api.get('/workspace/members')).map((member: object) => ({
      ...member,
      lastActiveAt: null,
    })),
    agents: await api.get('/agents'),
    collection: await api.get(`/knowledge/collections/${collectionId}`),
    listed,
    originals,
    results,
  }
}

/** Teams in the live workspace and documents in its sandbox, one after the other, until it is stopped. */
function writeMeanwhile(live: Api, sandbox: Api): { stop(): Promise<number> } {
  let isStopped = false
  let written = 0
  const loop = async (): Promise<void> => {
    const { id } = await sandbox.post('/knowledge/collections', { name: 'Meanwhile' })
    while (!isStopped) {
      await live.post('/workspace/teams', { name: `Team ${String(written).padStart(6, '0')}` })
      written += 1
      await upload(sandbox, id, `meanwhile-${written}.txt`, `Written while the backup ran: ${written}`)
    }
  }
  const running = loop()
  return {
    async stop() {
      isStopped = true
      await running
      return written
    },
  }
}

/** The teams are a beginning of those that were made, each with its audit row: what one transaction wrote is together. */
async function checkOneMoment(api: Api, written: number): Promise<void> {
  const teams = await oldestFirst<{ id: string; name: string }>(api, '/workspace/teams?')
  assert.ok(teams.length <= written && !teams.some(({ name }) => name === 'After the backup'))
  teams.forEach(({ name }, index) => {
    assert.equal(name, `Team ${String(index).padStart(6, '0')}`)
  })
  const entries = await oldestFirst<{ id: string; resourceId: string }>(api, '/audit-log?action=team.create&')
  assert.deepEqual(
    entries.map(({ resourceId }) => resourceId),
    teams.map(({ id }) => id),
  )
}

/** All pages of a list: a fast machine writes more than one holds. */
async function oldestFirst<Item extends { id: string }>(api: Api, list: string): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const after = items.length === 0 ? '' : `&after=${items.at(-1)?.id}`
    const page: Item[] = await api.get(`${list}pageSize=100${after}`)
    items.push(...page)
    if (page.length < 100) return items.reverse()
  }
}

async function untilReady(api: Api): Promise<void> {
  await eventually('documents that were in progress are ready', async () => {
    const listed: { status: string }[] = await api.get('/knowledge/documents?pageSize=100')
    return listed.every(({ status }) => status === 'ready')
  })
}
