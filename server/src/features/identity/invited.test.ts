import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addPerson, openBrowser, signIn, testPassword } from '../../testing/browser.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000' } })
})
after(() => app.close())

test('a new person gives a name and a password, is signed in, and sees the workspace in their role', async () => {
  const path = await invite('grace@example.com', 'viewer')
  const browser = openBrowser(app)
  const page = await browser.get(path)
  assert.match(page.text, /name="name" required/)
  assert.match(page.text, /type="password" required minlength="10"/)
  for (const [form, reason] of [
    [{ name: 'Grace' }, /Your password must have at least 10/],
    [{ name: 'Grace', password: 'grace@example.com' }, /must not contain the e-mail address/],
    [{ password: testPassword }, /Your name is needed/],
  ] as const) {
    const refused = await browser.submit(path, { decision: 'accept', ...form })
    assert.equal(refused.status, 400)
    assert.match(refused.text, reason)
  }
  const joined = await browser.submit(path, { decision: 'accept', name: 'Grace', password: testPassword })
  assert.deepEqual([joined.status, joined.headers.location], [303, '/'])
  const { data } = (await browser.get('/console/session')).body
  assert.equal(data.person.email, 'grace@example.com')
  assert.deepEqual(
    data.workspaces.map(({ role }: { role: string }) => role),
    ['viewer'],
  )
  assert.equal((await signIn(openBrowser(app), 'grace@example.com')).status, 200)
  assert.match((await openBrowser(app).get(path)).text, /This invitation is accepted/)
  const used = await openBrowser(app).submit(path, {
    decision: 'accept',
    name: 'Eve',
    password: 'x'.repeat(20),
  })
  assert.equal(used.status, 200)
  assert.match(used.text, /is accepted/)
  assert.equal((await signIn(openBrowser(app), 'grace@example.com', 'x'.repeat(20))).status, 401)
})

test('a person with an account has to be signed in with the very address that is invited', async () => {
  await addPerson(app, { email: 'known@example.com' })
  await addPerson(app, { email: 'other@example.com', name: 'Other' })
  const path = await invite('known@example.com', 'admin')
  const guest = openBrowser(app)
  const shown = await guest.get(path)
  assert.match(shown.text, new RegExp(`/sign-in\\?next=${encodeURIComponent(path)}`))
  const taking = { decision: 'accept', name: 'Eve', password: 'a stranger wants in' }
  assert.equal((await guest.submit(path, taking)).status, 403)
  assert.equal((await signIn(openBrowser(app), 'known@example.com', 'a stranger wants in')).status, 401)

  const other = openBrowser(app)
  await signIn(other, 'other@example.com')
  assert.match((await other.get(path)).text, /signed in as <strong>other@example\.com<\/strong>/)
  assert.equal((await other.submit(path, taking)).status, 403)
  assert.deepEqual((await other.get('/console/session')).body.data.workspaces, [])

  const invited = openBrowser(app)
  await signIn(invited, 'known@example.com')
  const joined = await invited.submit(path, { decision: 'accept' })
  assert.deepEqual([joined.status, joined.headers.location], [303, '/'])
  assert.deepEqual(
    (await invited.get('/console/session')).body.data.workspaces.map(({ role }: { role: string }) => role),
    ['admin'],
  )
})

test('another person who is signed in cannot accept an invitation for somebody new either', async () => {
  await addPerson(app, { email: 'curious@example.com' })
  const path = await invite('fresh@example.com', 'admin')
  const curious = openBrowser(app)
  await signIn(curious, 'curious@example.com')
  const taken = await curious.submit(path, { decision: 'accept', name: 'C', password: testPassword })
  assert.equal(taken.status, 403)
  assert.match(taken.text, /You are signed in as/)
  assert.match((await openBrowser(app).get(path)).text, /<button type="submit">Accept/)
})

test('an inviting person who reads the link cannot take over a person who has no password yet', async () => {
  const { database } = app.dependencies
  await database.write(tx =>
    app.app.services.identity.create(tx, { email: 'api@example.com', name: 'Api', emailVerified: true }),
  )
  const path = await invite('api@example.com', 'member')
  const page = await openBrowser(app).get(path)
  assert.match(page.text, /has no password here yet/)
  const taken = await openBrowser(app).submit(path, { decision: 'accept', password: 'a stranger wants in' })
  assert.equal(taken.status, 403)
  assert.equal((await signIn(openBrowser(app), 'api@example.com', 'a stranger wants in')).status, 401)
})

test('an expired or revoked invitation says so and makes no member; no other site can accept one for a person who is signed in', async () => {
  const path = await invite('late@example.com', 'member')
  const { database } = app.dependencies
  await database.write(tx =>
    tx.updateTable('invitations').set({ expires_at: 1 }).where('email', '=', 'late@example.com').execute(),
  )
  const form = { decision: 'accept', name: 'Late', password: testPassword }
  const expired = await openBrowser(app).submit(path, form)
  assert.deepEqual([expired.status, /is expired/.test(expired.text)], [410, true])
  assert.equal(await app.app.services.identity.findByEmail(database.read, 'late@example.com'), undefined)

  await addPerson(app, { email: 'target@example.com' })
  const wanted = await invite('target@example.com', 'member')
  const target = openBrowser(app)
  await signIn(target, 'target@example.com')
  const forged = await app.app.server.inject({
    method: 'POST',
    url: wanted,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: target.cookies(),
      origin: 'https://evil.example',
    },
    payload: 'decision=accept',
  })
  assert.equal(forged.statusCode, 403)
  assert.deepEqual((await target.get('/console/session')).body.data.workspaces, [])
})

test('script in names and messages is shown as text', async () => {
  const script = '<script>alert(1)</script>'
  const { body } = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'text@example.com', message: script },
  })
  const page = await openBrowser(app).get(new URL(body.data.acceptUrl).pathname)
  assert.ok(!page.text.includes('<script'))
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
})

/** The path of the invitation's link. */
async function invite(email: string, role: string): Promise<string> {
  const reply = await app.request('POST', '/workspace/members/invite', { body: { email, role } })
  assert.equal(reply.status, 201)
  return new URL(reply.body.data.acceptUrl).pathname
}
