import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { prepareFirstRun } from '../../start/first-run.ts'
import { openBrowser, signIn, testPassword } from '../../testing/browser.ts'
import { startTestApp } from '../../testing/test-app.ts'

test('the person with the setup link names the first owner, once, and is signed in as the owner of the first workspace', async t => {
  const { app, token } = await setUp(t)
  const browser = openBrowser(app)
  assert.equal((await browser.get('/console/session')).body.data.setupRequired, true)
  const form = { token, name: ' Ada ', email: 'Ada@Example.com', password: testPassword }
  const made = await browser.post('/console/setup', form)
  assert.equal(made.status, 200, made.text)
  assert.deepEqual([made.body.data.person.name, made.body.data.person.email], ['Ada', 'ada@example.com'])
  const { data } = (await browser.get('/console/session')).body
  assert.deepEqual([data.setupRequired, data.person.email], [false, 'ada@example.com'])
  assert.deepEqual(
    data.workspaces.map(({ name, role }: { name: string; role: string }) => [name, role]),
    [['My workspace', 'owner']],
  )
  const again = await openBrowser(app).post('/console/setup', { ...form, email: 'eve@example.com' })
  assert.deepEqual([again.status, again.body.errors[0].field], [400, 'token'])
  assert.equal((await signIn(openBrowser(app), 'ada@example.com')).status, 200)
})

test('a stranger without the link sets nothing up, and of two who have it one does', async t => {
  const { app, token } = await setUp(t)
  const form = { name: 'Eve', email: 'eve@example.com', password: testPassword }
  const guessed = await openBrowser(app).post('/console/setup', { ...form, token: 'a'.repeat(43) })
  assert.deepEqual([guessed.status, guessed.body.errors[0].field], [400, 'token'])
  const faulty = await openBrowser(app).post('/console/setup', {
    token,
    name: '',
    email: 'x',
    password: 'short',
  })
  assert.deepEqual(faulty.body.errors.map(({ field }: { field: string }) => field).sort(), [
    'email',
    'name',
    'password',
  ])
  const local = await openBrowser(app).post('/console/setup', { ...form, token, email: 'owner@localhost' })
  assert.deepEqual([local.status, local.body.errors[0].field], [400, 'email'])
  const taken = await app.dependencies.database.read.selectFrom('users').select('email').execute()
  const email = taken.find(user => user.email !== 'owner@localhost')?.email ?? ''
  const stolen = await openBrowser(app).post('/console/setup', { ...form, token, email })
  assert.deepEqual([stolen.status, stolen.body.errors[0].field], [400, 'email'])
  const both = await Promise.all(
    ['eve@example.com', 'ada@example.com'].map(address =>
      openBrowser(app).post('/console/setup', { ...form, token, email: address }),
    ),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
})

test('of two setup links that are used at once, one names the first owner', async t => {
  const { app, token } = await setUp(t)
  const { identity, links } = app.app.services
  const { database } = app.dependencies
  // As an earlier version has made it.
  const other = await database.write(async tx => {
    const owner = await identity.findByEmail(tx, 'owner@localhost')
    return links.findSetup(tx, await links.makeSetup(tx, owner?.id ?? '', {}, 60_000))
  })
  const form = { name: 'Ada', email: 'ada@example.com', password: testPassword }
  const replies = await Promise.all(
    [token, other?.token ?? ''].map(link =>
      openBrowser(app).post('/console/setup', { ...form, token: link }),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
})

test('a link that opens nothing is refused before anything is asked, and one that opens is not used up by the look', async t => {
  const { app, token } = await setUp(t)
  const check = (link: string) => openBrowser(app).post('/console/setup/check', { token: link })
  const refused = await check('a'.repeat(43))
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'token'])
  assert.deepEqual([(await check(token)).status, (await check(token)).status], [204, 204])
  const form = { token, name: 'Ada', email: 'ada@example.com', password: testPassword }
  assert.equal((await openBrowser(app).post('/console/setup', form)).status, 200)
  assert.equal((await check(token)).status, 400)
})

async function setUp(t: TestContext) {
  const app = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000' } })
  t.after(() => app.close())
  const firstRun = await prepareFirstRun(app.app.services, app.dependencies)
  assert.ok(firstRun !== null)
  return { app, token: firstRun.setupToken }
}
