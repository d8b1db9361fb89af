import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addPerson, openBrowser, signIn, testPassword } from '../../testing/browser.ts'
import { everythingIn } from '../../testing/database-contents.ts'
import { untilNoJobs } from '../../testing/knowledge/knowledge.ts'
import { startMailServer } from '../../testing/servers/mail-server.ts'
import { linkToken, mailTo } from '../../testing/servers/mailbox.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let mails: Awaited<ReturnType<typeof startMailServer>>
const closing: (() => Promise<void>)[] = []
const newPassword = 'another battery staple'

before(async () => {
  mails = await startMailServer({ after: close => closing.push(close) })
  app = await startTestApp({
    settings: { ATRIUM_ANONYMOUS_RATE: '100000', SMTP_URL: mails.url, ATRIUM_SIGN_UP: 'open' },
  })
})
after(async () => {
  await app.close()
  for (const close of closing) await close()
})

test('sign-up is closed unless a setting opens it', async t => {
  const closed = await startTestApp()
  t.after(() => closed.close())
  const form = { name: 'Ada', email: 'ada@example.com', password: testPassword }
  const refused = await openBrowser(closed).post('/auth/sign-up/email', form)
  assert.deepEqual([refused.status, refused.body.code], [403, 'sign_up_closed'])
  const reset = await openBrowser(closed).post('/auth/request-password-reset', { email: 'ada@example.com' })
  assert.deepEqual([reset.status, reset.body.code], [409, 'mail_unavailable'])
  assert.match(reset.body.message, /user reset-password/)
})

test('a person who signs up proves the address first; a taken one gets the same reply, and its owner a mail', async () => {
  const form = { name: ' Ada ', email: 'New@example.com', password: testPassword }
  const browser = openBrowser(app)
  const made = await browser.post('/auth/sign-up/email', form)
  assert.deepEqual([made.status, made.body], [202, { data: { verificationRequired: true } }])
  assert.deepEqual(browser.received, [])
  const token = linkToken(await mailTo(mails.received, 'new@example.com'))
  const early = await signIn(browser, 'new@example.com')
  assert.deepEqual([early.status, early.body.code], [403, 'email_not_verified'])
  const second = linkToken(await mailTo(mails.received, 'new@example.com', 2))
  const wrong = await signIn(browser, 'new@example.com', 'not the password')
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'sign_in_refused'])

  const signInBy = (verificationToken: string, password = testPassword) =>
    browser.post('/auth/sign-in/email', { email: form.email, password, verificationToken })
  assert.notEqual(second, token)
  const guessed = await signInBy(token, 'not the password')
  assert.deepEqual([guessed.status, guessed.body.code], [401, 'sign_in_refused'])
  const unknown = await signInBy('nonsense')
  assert.deepEqual([unknown.status, unknown.body.code], [403, 'email_not_verified'])
  await mailTo(mails.received, 'new@example.com', 3)
  const both = await Promise.all([signInBy(token), signInBy(token)])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await signIn(browser, 'new@example.com')).status, 200)

  const taken = await openBrowser(app).post('/auth/sign-up/email', {
    ...form,
    password: 'a stranger wants in',
  })
  assert.deepEqual([taken.status, taken.body], [202, made.body])
  assert.match(await mailTo(mails.received, 'new@example.com', 4), /You have an account already/)
  assert.equal((await signIn(openBrowser(app), 'new@example.com', 'a stranger wants in')).status, 401)
  assert.equal((await signIn(openBrowser(app), 'new@example.com')).status, 200)
})

test('the name that a stranger signs up with is in no mail to the address', async () => {
  const form = { name: 'Win at evil.example', email: 'bystander@example.com', password: testPassword }
  const browser = openBrowser(app)
  assert.equal((await browser.post('/auth/sign-up/email', form)).status, 202)
  assert.equal((await browser.post('/auth/request-password-reset', { email: form.email })).status, 202)
  for (const count of [1, 2]) {
    const mail = await mailTo(mails.received, form.email, count)
    assert.match(mail, /^Hello,\r?$/m)
    assert.doesNotMatch(mail, /evil/)
  }
})

test('a forgotten password is replaced by a mailed link, once, and every session ends', async () => {
  const { id } = await addPerson(app, { email: 'forgetful@example.com', emailVerified: false })
  const thief = openBrowser(app)
  await app.dependencies.database.write(tx =>
    tx.updateTable('users').set({ email_verified: 1 }).where('id', '=', id).execute(),
  )
  assert.equal((await signIn(thief, 'forgetful@example.com')).status, 200)
  const browser = openBrowser(app)
  const ask = () => browser.post('/auth/request-password-reset', { email: ' Forgetful@example.com ' })
  const asked = await ask()
  assert.deepEqual([asked.status, asked.text], [202, ''])
  await ask()
  const newer = linkToken(await mailTo(mails.received, 'forgetful@example.com', 2))
  const first = mails.received.find(({ recipients }) => recipients.includes('forgetful@example.com'))
  const older = linkToken(first?.raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') ?? '')
  assert.notEqual(newer, older)

  const reset = (token: string, password = newPassword) =>
    browser.post('/auth/reset-password', { token, newPassword: password })
  const short = await reset(older, 'short')
  assert.deepEqual([short.status, short.body.errors[0].field], [400, 'newPassword'])
  const telling = await reset(older, 'xx-forgetful@example.com')
  assert.match(telling.body.errors[0].message, /must not contain the e-mail address/)
  assert.equal((await reset(older)).status, 204)
  for (const dead of [older, newer, 'nonsense', older.slice(1)]) {
    const refused = await reset(dead)
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'token'])
  }
  assert.equal((await thief.get('/auth/list-sessions')).status, 401)
  assert.equal((await signIn(openBrowser(app), 'forgetful@example.com')).status, 401)
  assert.equal((await signIn(openBrowser(app), 'forgetful@example.com', newPassword)).status, 200)
})

test('a reset for an unknown address is answered alike and sends no mail; no person is flooded with mails', async () => {
  await addPerson(app, { email: 'flooded@example.com' })
  const browser = openBrowser(app)
  const replies = []
  for (const email of ['flooded@example.com', 'no-one@example.com']) {
    for (let i = 0; i < 7; i++) replies.push(await browser.post('/auth/request-password-reset', { email }))
  }
  for (const { status, text } of replies) assert.deepEqual([status, text], [202, ''])
  await mailTo(mails.received, 'flooded@example.com', 5)
  await untilNoJobs(app)
  const countOf = (email: string) =>
    mails.received.filter(({ recipients }) => recipients.includes(email)).length
  assert.deepEqual([countOf('flooded@example.com'), countOf('no-one@example.com')], [5, 0])
})

test('a link that is too old opens nothing', async () => {
  await addPerson(app, { email: 'late@example.com' })
  await openBrowser(app).post('/auth/request-password-reset', { email: 'late@example.com' })
  const token = linkToken(await mailTo(mails.received, 'late@example.com'))
  const { database } = app.dependencies
  assert.ok(
    !(await everythingIn(database.read, database.engine)).includes(token),
    'no copy of the database opens it',
  )
  assert.ok(!app.logLines.join('\n').includes(token))
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('verifications')
      .set({ expires_at: Date.now() - 1 })
      .execute(),
  )
  const refused = await openBrowser(app).post('/auth/reset-password', { token, newPassword })
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'token'])
  assert.ok((await app.app.services.links.tidy()) >= 1)
})

test('a changed password ends the other sessions and keeps the one that changed it', async () => {
  await addPerson(app, { email: 'careful@example.com' })
  const [here, there] = [openBrowser(app), openBrowser(app)]
  for (const browser of [here, there]) await signIn(browser, 'careful@example.com')
  const change = (currentPassword: string, password = newPassword) =>
    here.post('/auth/change-password', { currentPassword, newPassword: password })
  const wrong = await change('not the password')
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'currentPassword'])
  assert.equal((await change(testPassword)).status, 204)
  assert.equal((await there.get('/auth/list-sessions')).status, 401)
  assert.equal((await here.get('/auth/list-sessions')).status, 200)
  assert.equal((await signIn(there, 'careful@example.com')).status, 401)
  assert.equal((await signIn(there, 'careful@example.com', newPassword)).status, 200)
  const stranger = await openBrowser(app).post('/auth/change-password', {
    currentPassword: newPassword,
    newPassword: testPassword,
  })
  assert.deepEqual([stranger.status, stranger.body.code], [401, 'sign_in_required'])
})

test('a person changes their name, and only theirs', async () => {
  const { id } = await addPerson(app, { email: 'renamed@example.com' })
  const browser = openBrowser(app)
  await signIn(browser, 'renamed@example.com')
  for (const name of ['', '  ', 'line\nbreak', 'x'.repeat(201)]) {
    assert.equal((await browser.post('/auth/update-user', { name })).status, 400, JSON.stringify(name))
  }
  assert.equal((await browser.post('/auth/update-user', { name: 'Ada', email: 'x@example.com' })).status, 400)
  assert.equal((await browser.post('/auth/update-user', { name: ' <b>Grace</b> ' })).status, 204)
  const { name, email } = await app.app.services.accounts.person(id)
  assert.deepEqual([name, email], ['<b>Grace</b>', 'renamed@example.com'])
})

test('an address that asks for many mails delays those of another by one turn', async t => {
  const { promise: opens, resolve: open } = Promise.withResolvers<void>()
  const server = await startMailServer(t, { opens })
  const busy = await startTestApp({ settings: { SMTP_URL: server.url } })
  t.after(() => busy.close())
  const ask = async (email: string, address: string) => {
    await addPerson(busy, { email })
    const reply = await openBrowser(busy, { address }).post('/auth/request-password-reset', { email })
    assert.equal(reply.status, 202)
  }
  for (let index = 0; index < 8; index++) await ask(`many-${index}@example.com`, '192.0.2.1')
  await ask('one@example.com', '192.0.2.2')
  open()
  await mailTo(server.received, 'one@example.com')
  const place = server.received.findIndex(({ recipients }) => recipients.includes('one@example.com'))
  // Two are sent at once, and another one may be on its way.
  assert.ok(place <= 3, `It was number ${place}`)
})
