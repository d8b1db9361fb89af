/**
 * Data that an earlier version left is served by this one. The archives `schema-35` are made by a server at schema 35, and
 * `better-auth` by the last version that signed people in by better-auth; its sessions end in 2100.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Insertable, sql } from 'kysely'
import pg from 'pg'
import { createApp } from './app.ts'
import { createKeyring, createRotation, noEarlierPeppers } from './platform/crypto/keyring.ts'
import { migrations } from './platform/database/migrations.ts'
import { openDatabase } from './platform/database/open.ts'
import type { Tables } from './platform/database/tables.ts'
import { openBrowser, signIn } from './testing/browser.ts'
import {
  createEmptyDatabase,
  createTestDatabase,
  type EmptyDatabase,
  testEngine,
} from './testing/database.ts'
import { readSchema } from './testing/schema.ts'
import { startOidcServer } from './testing/servers/oidc-server.ts'
import { startTestApp, type TestApp } from './testing/test-app.ts'
import { totpCode } from './testing/totp.ts'

type Known = Record<
  'key' | 'agentId' | 'collectionId' | 'conversationId' | 'runId' | 'documentId' | 'trashedId',
  string
>

type KnownPeople = Record<
  'passwordUserId' | 'sessionCookie' | 'totpURI' | 'singleSignOnUserId' | 'issuer' | 'subject',
  string
> & { backupCodes: string[] }

test('an archived data folder opens with its schema, keys, documents, runs and conversations', async t => {
  const { app, known } = await openArchive<Known>(t, 'schema-35')
  const fresh = await createTestDatabase()
  t.after(fresh.close)
  // The rate limiter makes its own table when it is first asked, so an archive of a used server has one.
  const upgraded = Object.entries(await readSchema(app.dependencies.database)).filter(
    ([table]) => table !== 'rate_limits',
  )
  assert.deepEqual(Object.fromEntries(upgraded), await readSchema(fresh.database))

  const { key, agentId, conversationId } = known
  const get = async (path: string, query = {}) => {
    const reply = await app.request('GET', path, { key, query })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data
  }
  const run = await get(`/runs/${known.runId}`)
  assert.match(run.output, /27 days of paid annual leave/)
  const [match] = await get('/knowledge/search', { query: 'okapi' })
  assert.deepEqual([match.documentId, match.documentVersion], [known.documentId, 2])
  const original = await app.request('GET', `/knowledge/documents/${known.documentId}/original`, { key })
  assert.equal(original.status, 200)
  const restored = await app.request('POST', `/knowledge/documents/${known.trashedId}/restore`, { key })
  assert.equal(restored.status, 200, JSON.stringify(restored.body))
  const next = await app.request('POST', `/agents/${agentId}/run`, {
    key,
    body: { prompt: 'What does the second version say about an okapi?', conversationId },
    headers: { prefer: 'wait=30' },
  })
  assert.equal(next.body.data.status, 'succeeded', JSON.stringify(next.body))
  assert.equal((await get(`/conversations/${conversationId}`)).runCount, 3)
})

test('conversations that persons began before these had owners are theirs with their branches, the rest is the workspace’s', async t => {
  const branchId = `cnv_${'0'.repeat(26)}`
  const beganByPerson = async (file: EmptyDatabase, { conversationId }: Known): Promise<void> => {
    const known = migrations.filter(({ number }) => number <= 40)
    const before = await openDatabase({ ...file.settings, migrations: known })
    await before.write(async tx => {
      await sql`UPDATE runs SET caller = replace(caller, '"kind":"key"', '"kind":"person"')
        WHERE conversation_id = ${conversationId} AND turn = 1`.execute(tx)
      const { rows } = await sql<Insertable<Tables['conversations']>>`
        SELECT * FROM conversations WHERE id = ${conversationId}`.execute(tx)
      const branch = { id: branchId, parent_id: conversationId, run_count: 0, ended_count: 0 }
      await tx
        .insertInto('conversations')
        .values(rows.map(row => ({ ...row, ...branch })))
        .execute()
    })
    await before.close()
  }
  const { app, known } = await openArchive<Known>(t, 'schema-35', {}, beganByPerson)
  const { read } = app.dependencies.database
  const begun = await read
    .selectFrom('runs')
    .select('author_id')
    .where('conversation_id', '=', known.conversationId)
    .where('turn', '=', 1)
    .executeTakeFirstOrThrow()
  assert.match(String(begun.author_id), /^usr_/)
  const conversations = await read.selectFrom('conversations').select(['id', 'owner_id']).execute()
  for (const { id, owner_id: owner } of conversations) {
    const isPersons = id === branchId || id === known.conversationId
    assert.equal(owner, isPersons ? begun.author_id : null)
  }
  for (const run of await read.selectFrom('runs').select(['conversation_id', 'owner_id']).execute()) {
    assert.equal(run.owner_id, run.conversation_id === known.conversationId ? begun.author_id : null)
  }
  const reply = await app.request('GET', `/conversations/${known.conversationId}`, { key: known.key })
  assert.equal(reply.status, 404)
})

test('people whom better-auth signed in stay signed in, and sign in by their passwords', async t => {
  const { app, known } = await openArchive<KnownPeople>(t, 'better-auth')
  const session = await app.app.services.sessions.find(known.sessionCookie)
  assert.equal(session?.userId, known.passwordUserId)
  const reply = await signIn(openBrowser(app), 'ada@example.com')
  assert.deepEqual([reply.status, reply.body.data], [200, { twoFactorRequired: false }])
  assert.equal((await signIn(openBrowser(app), 'ada@example.com', 'a wrong password')).status, 401)
})

test('a second factor that better-auth encrypted takes codes, and each of its recovery codes once', async t => {
  const { app, known } = await openArchive<KnownPeople>(t, 'better-auth')
  const use = async (kind: string, code: string | undefined) => {
    const browser = openBrowser(app)
    assert.deepEqual((await signIn(browser, 'grace@example.com')).body.data, { twoFactorRequired: true })
    const { status } = await browser.post(`/auth/two-factor/verify-${kind}`, { code })
    return [status, (await browser.get('/auth/list-sessions')).status]
  }
  const [first, second] = known.backupCodes
  assert.deepEqual(await use('totp', '000000'), [400, 401])
  assert.deepEqual(await use('totp', totpCode(known.totpURI)), [204, 200])
  assert.deepEqual(await use('backup-code', first), [204, 200])
  assert.deepEqual(await use('backup-code', first), [400, 401])
  assert.deepEqual(await use('backup-code', second), [204, 200])
  assert.deepEqual(await use('totp', totpCode(known.totpURI, 1)), [204, 200])
  const row = await app.dependencies.database.read
    .selectFrom('two_factors')
    .select(['secret', 'backup_codes'])
    .executeTakeFirstOrThrow()
  assert.doesNotMatch(row.secret + row.backup_codes, /\$ba\$/)
})

test('a second factor that better-auth encrypted outlives the master secret', async t => {
  const { app, known } = await openArchive<KnownPeople>(t, 'better-auth')
  const newSecret = 'another secret that only tests have, of enough characters'
  const { earlier } = createRotation(app.settings.secret ?? '', noEarlierPeppers, newSecret)
  const rotated = createApp({ ...app.dependencies, keyring: createKeyring(newSecret, earlier) })
  t.after(() => rotated.close())
  await rotated.server.ready()
  for (const [kind, code] of [
    ['backup-code', known.backupCodes[0]],
    ['totp', totpCode(known.totpURI)],
    ['backup-code', known.backupCodes[1]],
  ]) {
    const browser = openBrowser({ ...app, app: rotated })
    await signIn(browser, 'grace@example.com')
    assert.equal((await browser.post(`/auth/two-factor/verify-${kind}`, { code })).status, 204)
    assert.equal((await browser.get('/auth/list-sessions')).status, 200)
  }
})

test('a person whose account better-auth linked to a single sign-on server is found by that account', async t => {
  const oidc = await startOidcServer(t)
  const { app, known } = await openArchive<KnownPeople>(t, 'better-auth', {
    ATRIUM_OIDC_ISSUER: oidc.issuer,
    ATRIUM_OIDC_CLIENT_ID: oidc.client.id,
    ATRIUM_OIDC_CLIENT_SECRET: oidc.client.secret,
  })
  // The server of each test listens on another port, and its address is its name.
  await app.dependencies.database.write(tx =>
    tx.updateTable('accounts').set({ issuer: oidc.issuer }).where('issuer', '=', known.issuer).execute(),
  )
  Object.assign(oidc.person, { sub: known.subject, email: 'another.address@example.com' })
  const browser = openBrowser(app)
  const begun = await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL: '/agents' })
  const { pathname, search } = await oidc.visit(begun.body.data.url)
  assert.equal((await browser.get(pathname + search)).headers.location, '/agents')
  const session = await app.app.services.sessions.find(browser.cookies())
  assert.equal(session?.userId, known.singleSignOnUserId)
})

/** Starts this version on a copy of archived data of the engine under test; it stops with the test. */
async function openArchive<KnownOfArchive>(
  t: TestContext,
  name: 'schema-35' | 'better-auth',
  settings: Record<string, string> = {},
  prepare: (database: EmptyDatabase, known: KnownOfArchive) => Promise<void> = async () => undefined,
): Promise<{ app: TestApp; known: KnownOfArchive }> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-archived-'))
  const archive = join(import.meta.dirname, `testing/archived/${name}-${testEngine}.tar.gz`)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  const known: KnownOfArchive = JSON.parse(await readFile(join(folder, 'known.json'), 'utf8'))
  const database = await createEmptyDatabase()
  await fill(database, folder)
  await prepare(database, known)
  const app = await startTestApp({ settings, data: { folder: join(folder, 'data'), database } })
  t.after(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  return { app, known }
}

async function fill({ settings }: EmptyDatabase, folder: string): Promise<void> {
  if (settings.engine === 'sqlite') return copyFile(join(folder, 'data/atrium.db'), settings.file)
  const client = new pg.Client({ connectionString: settings.url })
  await client.connect()
  try {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await client.query(await readFile(join(folder, 'atrium.sql'), 'utf8'))
  } finally {
    await client.end()
  }
}
