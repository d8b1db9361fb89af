/** What is left of a workspace once it was erased: nothing, in no table and no file; and of its neighbour, everything. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createFeatures } from '../../features.ts'
import { backedUpTables, derivedTables } from '../../operator/backup/snapshot.ts'
import { dayMs } from '../../platform/clock.ts'
import { signIn } from '../../testing/apps/signed-in.ts'
import { eventually } from '../../testing/eventually.ts'
import { exportOf } from '../../testing/knowledge/archives.ts'
import { createCollection, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import { createTus } from '../../testing/knowledge/resumable.ts'
import { startTestApp, type TestApp, type TestKey } from '../../testing/test-app.ts'

let app: TestApp
let now = Date.now()
/** How often in a row a file cannot be removed. */
let brokenRemovals = 0

before(async () => {
  app = await startTestApp({
    clock: () => now,
    settings: { ATRIUM_NEW_WORKSPACE_PLAN: 'enterprise' },
    adapt: dependencies => {
      const remove = async (blobId: string): Promise<void> => {
        if (brokenRemovals-- > 0) throw new Error('The disk is away for now')
        await dependencies.blobs.remove(blobId)
      }
      return { ...dependencies, blobs: { ...dependencies.blobs, remove } }
    },
  })
})
after(() => app.close())

const { stringify } = JSON

/** What stays the server's own: people, how they signed in, finished work. */
const notOfWorkspaces = new Set(['users', 'sessions', 'jobs', 'meta'])
/** Their rows are numbers to SQLite, which keeps no texts in them. */
const postings = 'search_postings'

const rowsOf = async (table: string): Promise<string[]> => {
  const columns = table === postings ? sql`rowid` : sql`*`
  const { rows } = await sql`SELECT ${columns} FROM ${sql.table(table)}`.execute(
    app.dependencies.database.read,
  )
  return rows.map(row => stringify(row)).sort()
}

const everyTable = async (): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    await Promise.all(
      [...backedUpTables, ...derivedTables]
        .filter(table => !notOfWorkspaces.has(table))
        .map(async table => [table, await rowsOf(table)] as const),
    ),
  )

const files = async (): Promise<string[]> => {
  const all = await readdir(app.dependencies.blobFolder, { recursive: true, withFileTypes: true })
  return all
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** The tables that name their rows' workspace. */
const tablesOfWorkspaces = async (): Promise<string[]> => {
  const { engine, read } = app.dependencies.database
  const { rows } = await (engine === 'sqlite'
    ? sql<{ name: string }>`SELECT m.name AS name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
        WHERE m.type = 'table' AND c.name = 'workspace_id'`
    : sql<{ name: string }>`SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'workspace_id'`
  ).execute(read)
  return rows.map(({ name }) => name).sort()
}

async function fill(key: TestKey, testKey: TestKey): Promise<void> {
  const post = async (path: string, body: object, owner = key) => {
    const reply = await app.request('POST', path, { key: owner, body })
    assert.ok(reply.status < 300, `${path}: ${stringify(reply.body)}`)
    return reply.body.data
  }
  for (const owner of [key, testKey]) {
    const collectionId = await createCollection(app, owner)
    for (const name of ['herons.md', 'cormorants.md']) {
      await uploadAndWait(app, {
        collectionId,
        name,
        content: `# ${name}\n\nThe ${name} nests late.`,
        key: owner,
      })
    }
    const agent = await post('/agents', { name: 'Birder', collectionIds: [collectionId] }, owner)
    await post(`/agents/${agent.id}/run`, { prompt: 'When does the heron nest?', endUserId: 'u1' }, owner)
    await post(`/knowledge/collections/${collectionId}/syncs`, {}, owner)
    await createTus(app, collectionId).create(100, {}, owner)
    const archive = await exportOf(app, collectionId, owner)
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(archive)]), 'birds.tar.gz')
    const reply = await app.request('POST', '/knowledge/imports', { key: owner, form })
    assert.ok(reply.status < 300, stringify(reply.body))
    await settle(() => app.request('GET', `/knowledge/imports/${reply.body.data.id}`, { key: owner }))
  }
  await post('/model-providers', { name: 'ours', kind: 'openai', apiKey: 'sk-nothing' })
  await post('/workspace/teams', { name: 'Birders' })
  await post('/workspace/members/invite', { email: 'guest@example.com' })
  const account = await post('/workspace/members', { name: 'Robot', role: 'member' })
  await post('/api-keys', { name: 'Robot', permissions: ['agents:read'], memberId: account.id })
  await post('/webhooks', { url: 'https://example.com/hook' })
}

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply.
const settle = (ask: () => Promise<{ body: any }>): Promise<void> =>
  eventually('it comes to its end', async () =>
    ['succeeded', 'failed'].includes((await ask()).body.data.status),
  )

/** Until no job of the workspace is left that works now. */
const quiet = (workspaceId: string): Promise<void> =>
  eventually('the jobs have ended', async () => {
    const busy = await app.dependencies.database.read
      .selectFrom('jobs')
      .select('queue')
      .where('lane', '=', workspaceId)
      .where('finished_at', 'is', null)
      .where('run_at', '<=', Date.now())
      .execute()
    return busy.length === 0
  })

const isThere = async (workspaceId: string): Promise<boolean> =>
  (await app.dependencies.database.read
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .executeTakeFirst()) !== undefined

test('whatever a workspace had is in no table and no file once it is erased, and its neighbour has all it had', async () => {
  await fill(app.liveKey, app.testKey)
  await quiet(app.workspaceId)
  const ada = await signIn(app, app.ownerId)
  const before = await everyTable()
  const filesBefore = await files()

  const made = await ada.request('POST', '/console/workspaces', { body: { name: 'Short Life Ltd' } })
  assert.equal(made.status, 201)
  const { id: workspaceId, slug } = made.body.data
  const of = { workspaceId, userId: app.ownerId }
  const key = await app.createKey(of)
  await fill(key, await app.createKey({ ...of, environment: 'test' }))
  await quiet(workspaceId)
  const names = await tablesOfWorkspaces()
  const { read } = app.dependencies.database
  const countsOf = async () => {
    const counts: Record<string, number> = {}
    for (const name of names) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM ${sql.table(name)} WHERE workspace_id = ${workspaceId}`.execute(read)
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  }
  const filled = Object.entries(await countsOf()).flatMap(([name, count]) => (count > 0 ? name : []))
  const empty = names.filter(name => !filled.includes(name))
  assert.ok(filled.length >= 20, `the test fills too few tables; these are empty: ${empty}`)
  assert.ok((await files()).length > filesBefore.length)

  const deleted = await app.request('DELETE', '/workspace', { key, body: { confirm: slug } })
  assert.equal(deleted.status, 200)
  const { sweepWorkspaces } = app.app.services
  assert.equal(await sweepWorkspaces(), 0)
  now += 30 * dayMs - 1
  assert.equal(await sweepWorkspaces(), 0)
  now += 1
  assert.equal(await sweepWorkspaces(), 1)
  const tooLate = await ada.request('POST', `/console/workspaces/${workspaceId}/restore`)
  assert.equal(tooLate.status, 401)
  await eventually('it is gone', async () => !(await isThere(workspaceId)))

  assert.deepEqual(
    Object.entries(await countsOf()).filter(([, count]) => count > 0),
    [],
  )
  const afterwards = await everyTable()
  // Its requests are kept for a day, and that day is over for everybody's.
  const { idempotency: _, ...kept } = before
  for (const [table, rows] of Object.entries(kept)) assert.deepEqual(afterwards[table], rows, table)
  assert.deepEqual(await files(), filesBefore)
  const lanes = await read.selectFrom('jobs').select('id').where('lane', '=', workspaceId).execute()
  assert.deepEqual(lanes, [])
  const accounts = await read
    .selectFrom('users')
    .selectAll()
    .where('email', 'like', '%@service.invalid')
    .execute()
  assert.equal(accounts.length, 1)
  const line = app.logLines.find(text => text.includes('A workspace is being erased'))
  assert.ok(line?.includes(workspaceId) && line.includes(slug) && line.includes(app.ownerId))
})

test('a workspace that is restored in time is not erased, and one whose erasure has begun cannot be restored', async () => {
  const ada = await signIn(app, app.ownerId)
  const { database } = app.dependencies
  const make = async (name: string, deletesAt: number): Promise<string> => {
    const { id } = (await ada.request('POST', '/console/workspaces', { body: { name } })).body.data
    const set = { deletes_at: deletesAt }
    await database.write(tx => tx.updateTable('workspaces').set(set).where('id', '=', id).execute())
    return id
  }
  const restored = await make('Kept', now + 1_000)
  const begun = await make('Gone', 0)
  assert.equal((await ada.request('POST', `/console/workspaces/${restored}/restore`)).status, 200)
  assert.equal((await ada.request('POST', `/console/workspaces/${begun}/restore`)).status, 404)
  const session = await ada.request('GET', '/console/session')
  const ids = session.body.data.workspaces.map(({ id }: { id: string }) => id)
  assert.deepEqual([ids.includes(restored), ids.includes(begun)], [true, false])
  now += 2_000
  assert.equal(await app.app.services.sweepWorkspaces(), 1)
  await eventually('one is gone', async () => !(await isThere(begun)))
  assert.equal(await isThere(restored), true)
})

test('a round erases a bounded number of workspaces, those first that have been due for longest', async () => {
  const ada = await signIn(app, app.ownerId)
  const { database } = app.dependencies
  const made: string[] = []
  for (const days of [1, 3, 2]) {
    const { id } = (await ada.request('POST', '/console/workspaces', { body: { name: `Due ${days}` } })).body
      .data
    const set = { deletes_at: now - days * dayMs }
    await database.write(tx => tx.updateTable('workspaces').set(set).where('id', '=', id).execute())
    made.push(id)
  }
  const areThere = () => Promise.all(made.map(isThere))
  assert.equal(await app.app.services.sweepWorkspaces(2), 2)
  await eventually('two are gone', async () => (await areThere()).filter(Boolean).length === 1)
  assert.deepEqual(await areThere(), [true, false, false])
  assert.equal(await app.app.services.sweepWorkspaces(2), 1)
  await eventually('the third is gone', async () => !(await areThere()).includes(true))
})

test('an erasure that is interrupted goes on where it stood', async () => {
  const ada = await signIn(app, app.ownerId)
  const made = await ada.request('POST', '/console/workspaces', { body: { name: 'Interrupted' } })
  const { id: workspaceId } = made.body.data
  await quiet(workspaceId)
  const filesBefore = await files()
  const set = { deletes_at: now }
  const { database } = app.dependencies
  await database.write(tx => tx.updateTable('workspaces').set(set).where('id', '=', workspaceId).execute())
  brokenRemovals = 1
  assert.equal(await app.app.services.sweepWorkspaces(), 1)
  await eventually('it is gone', async () => !(await isThere(workspaceId)))
  assert.ok(brokenRemovals < 0)
  assert.ok((await files()).length < filesBefore.length)
})

test('every table that names a workspace is known to the erasure', async () => {
  const { workspaceData } = createFeatures(app.dependencies)
  const cut = workspaceData.flatMap(({ slices }) => slices.map(({ table }) => table as string))
  const withDocuments = ['collections', 'documents', 'document_fields', 'chunks', 'chunk_vectors', 'syncs']
  const withTheirParents = [
    'agent_revisions',
    'oauth_states',
    'connect_links',
    'device_authorizations',
    'conversation_openings',
  ]
  const named = ['workspaces', 'members', 'uploads', 'imports']
  const known = new Set([...cut, ...withDocuments, ...withTheirParents, ...named])
  const unknown = (await tablesOfWorkspaces()).filter(table => !known.has(table))
  assert.deepEqual(unknown, [], 'say in the workspaceData of their feature how these are erased')
})
