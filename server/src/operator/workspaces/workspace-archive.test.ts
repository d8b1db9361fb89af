import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { sql } from 'kysely'
import { functionExample } from '../../features/agents/definitions/functions.ts'
import { dayMs } from '../../platform/clock.ts'
import type { Engine } from '../../platform/database/database.ts'
import { testEngine } from '../../testing/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { createInstallation, type Installation, openInstallationDatabase } from '../../testing/operator.ts'

const texts = {
  'lighthouse.md': '# The lighthouse\n\nThe keeper lights the lamp at dusk.',
  'harbour.md': '# The harbour\n\nShips wait in the harbour until the keeper shows the lamp.',
  'storm.txt': 'A storm came up at night, and no ship dared to leave the harbour.',
}
const queries = ['keeper lamp', 'harbour', 'storm ship', 'rainy day']

const cleanups: (() => Promise<void>)[] = []
let installation: Installation
/** What there is to read of the workspace, and where its archive lies. */
let all: Awaited<ReturnType<typeof everything>>
let file: string
/** How much the export says that it has written. */
let report: { collections: number; documents: number }

before(async () => {
  installation = await createInstallation({ after: work => cleanups.push(work) })
  await installation.atriumJson('workspace create Acme')
  const here = await open(installation, 'acme')
  const { id: collectionId } = await here.live('POST', '/knowledge/collections', { name: 'Coast' })
  for (const [name, text] of Object.entries(texts)) await upload(here, collectionId, name, text)
  const { id: deskId } = await here.live('POST', '/agents', { name: 'Desk' })
  const { id: guideId } = await here.live('POST', '/agents', {
    name: 'Guide',
    collectionIds: [collectionId],
    instructions: 'Be brief.',
    variables: { language: 'English' },
    functions: [functionExample],
    limits: { maxSteps: 4 },
    modelParameters: { temperature: 0.2, stop: ['END'], lenient: true },
    httpHosts: ['tides.example.com'],
    agentIds: [deskId],
    viewersMayRun: true,
    frame: { origins: ['https://www.example.com'], heading: 'Ask the guide', welcome: 'Hello.' },
  })
  await here.live('PATCH', `/agents/${deskId}`, { agentIds: [guideId] })
  const team = { name: 'Pilots', description: 'Who know the way.' }
  const { id: teamId } = await here.live('POST', '/workspace/teams', team)
  await here.live('PATCH', `/knowledge/collections/${collectionId}`, { access: 'teams', teamIds: [teamId] })
  await here.live('PATCH', `/agents/${deskId}`, { access: 'teams' })
  all = await everything(here)
  await here.stop()
  file = join(installation.dataDir, 'acme.tar.gz')
  report = await installation.atriumJson(['workspace', 'export', 'acme', file])
})
after(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

test('a workspace that is exported and imported elsewhere, into either database, searches alike and has its agents', async t => {
  assert.ok(all.live.searches.flat().length > 0 && all.test.searches.flat().length > 0)
  assert.deepEqual([report.collections, report.documents], [2, 3 + all.test.documents.length])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.match(
    (await installation.atriumHere(['workspace', 'export', 'acme', file])).stderr,
    /is there already/,
  )

  const other: Engine = testEngine === 'sqlite' ? 'postgres' : 'sqlite'
  for (const engine of [testEngine, other]) {
    const elsewhere = await createInstallation(t, { engine })
    await elsewhere.atriumJson('workspace create First')
    const made = await elsewhere.atriumJson([
      'workspace',
      'import',
      file,
      '--name',
      'Acme again',
      '--plan',
      'enterprise',
    ])
    assert.deepEqual([made.slug, made.documents, made.notes], ['acme-again', report.documents, []])
    const there = await open(elsewhere, 'acme-again')
    assert.deepEqual(await everything(there), all, engine)
    await there.stop()
  }
})

test('an agent whose writer reached some collections alone reaches these alone after an export and an import too', async t => {
  const here = await createInstallation(t)
  await here.atriumJson('workspace create Acme')
  const acme = await open(here, 'acme')
  const { id: openId } = await acme.live('POST', '/knowledge/collections', { name: 'Open' })
  const { id: keptId } = await acme.live('POST', '/knowledge/collections', { name: 'Kept' })
  for (const id of [openId, keptId]) await upload(acme, id, `tides-${id}`, 'The tide is high at noon.')
  const narrowed = await acme.live('POST', '/api-keys', {
    name: 'Narrowed',
    permissions: ['agents:read', 'agents:write', 'agents:run', 'knowledge:read'],
    collectionIds: [openId],
  })
  const byKey = acme.as(narrowed.key)
  const { id: calledId } = await byKey('POST', '/agents', { name: 'Called' })
  await byKey('POST', '/agents', { name: 'Calling', agentIds: [calledId] })
  const collectionsOf = async ({ live }: Awaited<ReturnType<typeof open>>): Promise<string[][]> => {
    const names: string[][] = []
    for (const { id } of await live('GET', '/agents?query=call')) {
      const { collectionIds } = await live('POST', `/agents/${id}/run`, { prompt: 'When is the tide high?' })
      const found = await Promise.all(
        (collectionIds ?? []).map((one: string) => live('GET', `/knowledge/collections/${one}`)),
      )
      names.push(found.map(({ name }) => name))
    }
    return names
  }
  const before = await collectionsOf(acme)
  assert.deepEqual(before, [['Open'], ['Open']])
  await acme.stop()
  const archive = join(here.dataDir, 'narrowed.tar.gz')
  await here.atriumJson(['workspace', 'export', 'acme', archive])
  const elsewhere = await createInstallation(t)
  await elsewhere.atriumJson('workspace create First')
  await elsewhere.atriumJson(['workspace', 'import', archive, '--name', 'Again', '--plan', 'enterprise'])
  const there = await open(elsewhere, 'again')
  assert.deepEqual(await collectionsOf(there), before)
  await there.stop()
})

test('an archive that is damaged, or of another kind, leaves no workspace behind', async t => {
  const elsewhere = await createInstallation(t)
  await elsewhere.atriumJson('workspace create First')
  const archive = await readFile(file)
  const cut = join(elsewhere.dataDir, 'cut.tar.gz')
  for (const share of [0.2, 0.6, 0.95, 0.999]) {
    await writeFile(cut, archive.subarray(0, Math.floor(share * archive.length)))
    const { exitCode, stderr } = await elsewhere.atriumHere(['workspace', 'import', cut, '--name', 'Half'])
    assert.equal(exitCode, 1)
    assert.match(stderr, /damaged|cut off/)
  }
  assert.match(
    (await elsewhere.atriumHere(['workspace', 'import', '/no/such/file'])).stderr,
    /There is no file/,
  )
  const known = (await elsewhere.atriumJson('workspace list')) as { slug: string }[]
  assert.deepEqual(
    known.map(({ slug }) => slug),
    ['first'],
  )
  assert.equal((await elsewhere.atriumJson('doctor')).ok, true)
  const whole = await elsewhere.atriumJson(['workspace', 'import', file, '--name', 'Half'])
  assert.equal(whole.slug, 'half')
})

test('what a killed import has made stays hidden and is erased after a day; a whole import stays', async t => {
  const elsewhere = await createInstallation(t)
  await elsewhere.atriumJson('workspace create First')
  const words = ['workspace', 'import', file, '--plan', 'enterprise', '--name']
  const fault = { ATRIUM_TEST_FAULT: 'workspace import/commit.after:4', NODE_ENV: 'test' }
  assert.match((await elsewhere.atrium([...words, 'Half'], fault)).stderr, /fault point reached/)
  const whole = await elsewhere.atriumJson([...words, 'Whole'])

  const database = await openInstallationDatabase(elsewhere)
  t.after(() => database.close())
  const hidden = () =>
    database.read.selectFrom('collections').select('id').where('deleted_at', 'is not', null).execute()
  assert.ok((await hidden()).length > 0)
  const overDay = sql<number>`run_at - ${dayMs}`
  await database.write(tx =>
    tx.updateTable('jobs').set({ run_at: overDay }).where('state', '=', 'queued').execute(),
  )
  const server = await open(elsewhere, whole.slug)
  await eventually('what was hidden is erased', async () => (await hidden()).length === 0)
  assert.equal((await server.live('GET', '/knowledge/documents')).length, 3)
  assert.equal((await server.live('GET', '/knowledge/search?query=harbour')).length, 2)
  await server.stop()
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Call = (method: string, path: string, body?: object | FormData) => Promise<any>
type Api = { live: Call; test: Call; as(key: string): Call; stop(): Promise<void> }

async function open(installation: Installation, workspace: string): Promise<Api> {
  const { origin, stop } = await installation.startServer()
  const keyOf = async (environment: string): Promise<string> => {
    const words = `key create --workspace ${workspace} --env ${environment} --name t --permissions all`
    return (await installation.atriumJson(words)).key
  }
  const as =
    (key: string): Call =>
    async (method, path, body) => {
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
      return ((await answer.json()) as { data: unknown }).data
    }
  return { live: as(await keyOf('live')), test: as(await keyOf('test')), as, stop }
}

async function upload({ live }: Api, collectionId: string, name: string, text: string): Promise<void> {
  const form = new FormData()
  form.append('collectionId', collectionId)
  form.append('metadata', JSON.stringify({ letters: name.length }))
  form.append('file', new Blob([text]), name)
  assert.equal((await live('POST', '/knowledge/documents', form)).status, 'ready')
}

/** All of a workspace that an archive holds, but for ids and times, which the import makes itself. */
async function everything({ live, test }: Api) {
  const teams: { name: string; description: string }[] = await live('GET', '/workspace/teams')
  return {
    live: await half(live),
    test: await half(test),
    teams: teams.map(({ name, description }) => ({ name, description })),
  }
}

type Access = { access: string; teamIds: string[] }

async function half(call: Call) {
  type Listed = { id: string; name: string; documentCount: number; chunkCount: number } & Access
  const collections: Listed[] = await call('GET', '/knowledge/collections')
  const teams: { id: string; name: string }[] = await call('GET', '/workspace/teams')
  const accessOf = ({ access, teamIds }: Access) => ({
    access,
    teams: teamIds.map(teamId => teams.find(({ id }) => id === teamId)?.name),
  })
  const names = new Map(collections.map(({ id, name }) => [id, name]))
  const documents = await call('GET', '/knowledge/documents?pageSize=100')
  const agents = await call('GET', '/agents')
  const searches = []
  for (const query of queries) {
    const hits = await call('GET', `/knowledge/search?query=${encodeURIComponent(query)}`)
    searches.push(hits.map(({ chunkId, documentId, collectionId, ...hit }: Record<string, unknown>) => hit))
  }
  return {
    collections: collections.map(({ name, documentCount, chunkCount, ...access }) => ({
      name,
      documentCount,
      chunkCount,
      ...accessOf(access),
    })),
    documents: documents.map(({ id, collectionId, ...document }: Record<string, unknown>) => document),
    agents: agents.map(
      ({
        id,
        collectionIds,
        agentIds,
        createdAt,
        updatedAt,
        ...agent
      }: Access & Record<string, unknown>) => ({
        ...agent,
        teamIds: null,
        ...accessOf(agent),
        revision: null,
        publishedRevision: null,
        callees: (agentIds as string[]).map(
          callee => agents.find(({ id }: { id: string }) => id === callee).name,
        ),
        collections: (collectionIds as string[]).map(one => names.get(one)),
      }),
    ),
    searches,
  }
}
