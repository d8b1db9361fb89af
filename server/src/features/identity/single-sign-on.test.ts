/** What single sign-on writes of persons: joined once, rid of what came before, each answer once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, passThrough, startSingleSignOn } from '../../testing/apps/single-sign-on-app.ts'
import { addPerson, openBrowser, signIn, testPassword } from '../../testing/browser.ts'
import { startMailServer } from '../../testing/servers/mail-server.ts'
import { linkToken, mailTo } from '../../testing/servers/mailbox.ts'

test('a person whom the single sign-on server knows is signed in where it leads, and is the same person by password', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  const { id } = await addPerson(app, { email: 'ada@example.com' })
  const entrance = await openBrowser(app).get('/console/session')
  assert.deepEqual(entrance.body.data.singleSignOn, [{ id: 'oidc', name: 'Example login' }])
  const browser = openBrowser(app)
  const ended = await passThrough(browser, oidc, '/agents?page=2')
  assert.deepEqual([ended.status, ended.headers.location], [302, '/agents?page=2'])
  assert.equal((await app.app.services.sessions.find(browser.cookies()))?.userId, id)
  // Again, now that the accounts are linked, even after the address has changed over there.
  oidc.person.email = 'ada.lovelace@example.com'
  const again = openBrowser(app)
  await passThrough(again, oidc, '/')
  assert.equal((await app.app.services.sessions.find(again.cookies()))?.userId, id)
  assert.equal((await signIn(openBrowser(app), 'ada@example.com')).status, 200)
})

test('an answer that is sent again begins no session, even with the cookie of its first time', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  const browser = openBrowser(app)
  const answer = await answerOf(browser, oidc, '/')
  const cookie = browser.cookies()
  assert.match(browser.received[0] ?? '', /^atrium\.state=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  const replies = await Promise.all([browser.get(answer, { cookie }), browser.get(answer, { cookie })])
  const locations = replies.map(({ headers }) => headers.location).sort()
  assert.deepEqual(locations, ['/', '/sign-in?error=state_mismatch'])
  assert.equal((await browser.get(answer, { cookie })).headers.location, '/sign-in?error=state_mismatch')
})

test('a person who comes back in two browsers at once is joined once, and signed in in both', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  const { id } = await addPerson(app, { email: 'ada@example.com' })
  const browsers = [openBrowser(app), openBrowser(app)]
  const answers = await Promise.all(browsers.map(browser => answerOf(browser, oidc, '/')))
  await Promise.all(browsers.map((browser, index) => browser.get(answers[index] ?? '')))
  for (const browser of browsers) {
    assert.equal((await app.app.services.sessions.find(browser.cookies()))?.userId, id)
  }
})

test('who proves an address by a mail is rid of a single sign-on that came before with the address unverified', async t => {
  const mails = await startMailServer(t)
  const { app, oidc } = await startSingleSignOn(t, { ATRIUM_SIGN_UP: 'open', SMTP_URL: mails.url })
  Object.assign(oidc.person, { email: 'victim@example.com', email_verified: false })
  assert.equal((await passThrough(openBrowser(app), oidc, '/')).headers.location, '/')
  const victim = openBrowser(app)
  await victim.post('/auth/request-password-reset', { email: 'victim@example.com' })
  const token = linkToken(await mailTo(mails.received, 'victim@example.com'))
  assert.equal((await victim.post('/auth/reset-password', { token, newPassword: testPassword })).status, 204)
  const ended = await passThrough(openBrowser(app), oidc, '/')
  assert.equal(ended.headers.location, '/sign-in?error=account_not_linked')
  assert.equal((await signIn(victim, 'victim@example.com')).status, 200)
})
