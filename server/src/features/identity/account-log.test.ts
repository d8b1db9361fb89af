import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prepareFirstRun } from '../../start/first-run.ts'
import { openBrowser, signIn, testPassword } from '../../testing/browser.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { totpCode } from '../../testing/totp.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000' } })
})
after(() => app.close())

/** The owner of the first workspace, with a password. */
async function owner(): Promise<{ id: string; email: string }> {
  const { accounts } = app.app.services
  const { id, email } = await accounts.person(app.ownerId)
  const hash = await accounts.prepare(testPassword, email)
  await app.dependencies.database.write(tx => accounts.give(tx, id, hash))
  return { id, email }
}

type Entry = {
  action: string
  actor: string
  userId: string | null
  resourceId: string
  address: string
  details: object
}

/** What owners and admins read of accounts, the latest first. */
async function told(key = app.liveKey): Promise<Entry[]> {
  await app.app.services.accountLog.settled()
  const { body } = await app.request('GET', '/audit-log', { key, query: { pageSize: 100 } })
  return body.data.filter(({ action }: Entry) => action.startsWith('account.'))
}

test('signing in, what was wrong, second factors and new passwords are in the audit log of the person’s workspaces', async () => {
  const { id, email } = await owner()
  const browser = openBrowser(app, { address: '198.51.100.7' })
  await signIn(browser, email, 'a wrong password')
  // A refusal is written in the background.
  await app.app.services.accountLog.settled()
  assert.equal((await signIn(browser, email)).status, 200)
  const [signedIn, refused] = await told()
  assert.deepEqual(
    [signedIn?.action, signedIn?.actor, signedIn?.userId, signedIn?.address, signedIn?.details],
    ['account.sign_in', 'person', id, '198.51.100.7', { method: 'password' }],
  )
  // No caller has proven to be that person: the entry is about their account.
  assert.deepEqual(
    [refused?.action, refused?.actor, refused?.userId, refused?.resourceId, refused?.details],
    ['account.sign_in_refused', 'system', null, id, { wrong: 'password', tries: 1 }],
  )

  const { totpURI } = (await browser.post('/auth/two-factor/enable', { password: testPassword })).body.data
  await browser.post('/auth/two-factor/verify-totp', { code: '000000' })
  await app.app.services.accountLog.settled()
  await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  const elsewhere = openBrowser(app)
  await signIn(elsewhere, email)
  await elsewhere.post('/auth/two-factor/verify-totp', { code: '000000' })
  await app.app.services.accountLog.settled()
  await elsewhere.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI, 1) })
  const change = { currentPassword: testPassword, newPassword: 'another battery staple' }
  assert.equal((await elsewhere.post('/auth/change-password', change)).status, 204)
  await elsewhere.post('/auth/two-factor/disable', { password: change.newPassword })
  const entries = (await told()).slice(0, -2).map(({ action, details }) => [action, details])
  assert.deepEqual(entries.toReversed(), [
    ['account.sign_in_refused', { wrong: 'code', tries: 2 }],
    ['account.second_factor_on', {}],
    ['account.sign_in_refused', { wrong: 'code', tries: 3 }],
    ['account.sign_in', { method: 'totp' }],
    ['account.password_change', {}],
    ['account.second_factor_off', {}],
  ])
  const { body } = await app.request('GET', '/audit-log', {
    query: { resourceId: id, action: 'account.sign_in' },
  })
  assert.equal(body.meta.total, 2)
})

test('a second factor is on in the log once a code of the app has proven it, and not by a recovery code', async () => {
  const { email } = await owner()
  const browser = openBrowser(app)
  await signIn(browser, email)
  const { backupCodes } = (await browser.post('/auth/two-factor/enable', { password: testPassword })).body
    .data
  const before = (await told()).length
  const code = { code: backupCodes[0] }
  assert.equal((await browser.post('/auth/two-factor/verify-backup-code', code)).status, 204)
  assert.equal((await told()).length, before)
})

test('an attack leaves a bounded number of entries, and an address without an account leaves none', async () => {
  const { email } = await owner()
  const before = (await told()).length
  for (let index = 0; index < 60; index++) {
    await signIn(openBrowser(app, { address: `203.0.113.${index}` }), email, 'a wrong password')
  }
  const count = (await told()).length
  assert.ok(count > before && count - before <= 9, `${count - before} entries of 60 tries`)
  await signIn(openBrowser(app), 'stranger@example.com', 'a wrong password')
  assert.equal((await told()).length, count)
})

test('a workspace is told of its own members only', async () => {
  const other = await app.createWorkspace('enterprise')
  const key = await app.createKey({ workspaceId: other.workspaceId, userId: other.ownerId })
  await signIn(openBrowser(app), (await owner()).email)
  assert.deepEqual(await told(key), [])
})

test('the first owner’s set-up is in the log of the first workspace', async t => {
  const fresh = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000' } })
  t.after(() => fresh.close())
  const firstRun = await prepareFirstRun(fresh.app.services, fresh.dependencies)
  const browser = openBrowser(fresh)
  const form = { name: 'Ada', email: 'ada@example.com', password: testPassword }
  const made = await browser.post('/console/setup', { ...form, token: firstRun?.setupToken })
  assert.equal(made.status, 200, made.text)
  const { data } = (await browser.get('/console/session')).body
  const bought = await browser.post('/console/token', {
    workspaceId: data.workspaces[0].id,
    environment: 'live',
  })
  const log = await browser.get('/api/v1/audit-log?action=account.set_up', {
    authorization: `Bearer ${bought.body.data.token}`,
  })
  const [{ userId, details }] = log.body.data
  assert.deepEqual([userId, details], [made.body.data.person.id, { email: 'ada@example.com' }])
})
