/** What answers of a single sign-on server, and those who forge them, come to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../settings/settings.ts'
import { answerOf, passThrough, startSingleSignOn } from '../../testing/apps/single-sign-on-app.ts'
import { addPerson, openBrowser, signIn } from '../../testing/browser.ts'
import { startTestApp } from '../../testing/test-app.ts'
import { singleSignOnOf } from './feature.ts'

test('where sign-up is closed, single sign-on lets in only persons who have been added', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  oidc.person.email = 'stranger@example.com'
  const browser = openBrowser(app)
  const ended = await passThrough(browser, oidc, '/')
  assert.match(String(ended.headers.location), /^\/sign-in\?error=signup_disabled/)
  assert.equal(await app.app.services.sessions.find(browser.cookies()), null)
})

test('where sign-up is open, single sign-on makes an account', async t => {
  const { app, oidc } = await startSingleSignOn(t, { ATRIUM_SIGN_UP: 'open' })
  const browser = openBrowser(app)
  assert.equal((await passThrough(browser, oidc, '/')).headers.location, '/')
  const session = await app.app.services.sessions.find(browser.cookies())
  const { email, name, email_verified } = await app.app.services.accounts.person(session?.userId ?? '')
  assert.deepEqual([email, name, email_verified], ['ada@example.com', 'Ada Lovelace', 1])
})

test('an address that either side has not verified takes over no account', async t => {
  const { app, oidc } = await startSingleSignOn(t, { ATRIUM_SIGN_UP: 'open' })
  await addPerson(app, { email: 'ada@example.com', emailVerified: false })
  const [here, there] = [openBrowser(app), openBrowser(app)]
  assert.match(String((await passThrough(here, oidc, '/')).headers.location), /error=account_not_linked/)
  await addPerson(app, { email: 'grace@example.com' })
  Object.assign(oidc.person, { sub: 'person-2', email: 'grace@example.com', email_verified: false })
  assert.match(String((await passThrough(there, oidc, '/')).headers.location), /error=account_not_linked/)
  for (const browser of [here, there]) {
    assert.equal(await app.app.services.sessions.find(browser.cookies()), null)
  }
})

test('an id token that is forged, for another client, of another issuer or of another sign-in is refused', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  const sound = { ...oidc.mood }
  const moods = [
    { foreignKey: true },
    { audience: 'another-client' },
    { issuer: 'https://evil.example' },
    { nonce: 'another-nonce' },
    { refuse: 'access_denied' },
  ]
  for (const mood of moods) {
    Object.assign(oidc.mood, sound, mood)
    const browser = openBrowser(app)
    const ended = await passThrough(browser, oidc, '/')
    assert.match(String(ended.headers.location), /^\/sign-in\?error=/, JSON.stringify(mood))
    assert.equal(await app.app.services.sessions.find(browser.cookies()), null)
  }
})

test('an answer works once, in the browser that asked, and leads nowhere but to this server', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  const victim = openBrowser(app)
  const attacker = openBrowser(app)
  const answer = await answerOf(attacker, oidc, '/')
  const planted = await victim.get(answer)
  assert.match(String(planted.headers.location), /error=/)
  assert.equal(await app.app.services.sessions.find(victim.cookies()), null)
  for (const path of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'agents',
  ]) {
    const begun = await victim.post('/auth/sign-in/social', { provider: 'oidc', callbackURL: path })
    assert.deepEqual([begun.status, begun.body.errors[0].field], [400, 'callbackURL'], path)
  }
})

test('while the single sign-on server is down, passwords work, and it is asked again as soon as it is back', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  oidc.mood.isDown = true
  const browser = openBrowser(app)
  const refused = await browser.post('/auth/sign-in/social', { provider: 'oidc' })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.headers['retry-after']],
    [503, 'unavailable', '10'],
  )
  assert.equal((await signIn(openBrowser(app), 'ada@example.com')).status, 200)
  oidc.mood.isDown = false
  assert.equal((await passThrough(browser, oidc, '/')).headers.location, '/')
})

test('a single sign-on server that is gone when the person comes back leads to the sign-in page', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  const browser = openBrowser(app)
  const answer = await answerOf(browser, oidc, '/')
  oidc.close()
  const ended = await browser.get(answer)
  assert.deepEqual([ended.status, ended.headers.location], [302, '/sign-in?error=invalid_code'])
})

test('without a single sign-on server there is none to go to', async t => {
  const app = await startTestApp()
  t.after(() => app.close())
  assert.equal((await openBrowser(app).post('/auth/sign-in/social', { provider: 'oidc' })).status, 404)
  assert.deepEqual((await openBrowser(app).get('/console/session')).body.data.singleSignOn, [])
})

test('a half of the settings stops the start, instead of a single sign-on that silently is not there', () => {
  const half = readSettings({ ATRIUM_OIDC_ISSUER: 'https://login.example.com' })
  assert.throws(() => singleSignOnOf(half), /ATRIUM_OIDC_CLIENT_SECRET are needed together/)
  assert.equal(singleSignOnOf(readSettings({})), null)
})

test('an answer with the state of another browser does not end the visit that this one is on', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  const browser = openBrowser(app)
  const answer = await answerOf(browser, oidc, '/')
  const foreign = await browser.get('/auth/callback/oidc?state=foreign&code=x')
  assert.equal(foreign.headers.location, '/sign-in?error=state_mismatch')
  assert.equal((await browser.get(answer)).headers.location, '/')
})

test('the code of another browser’s visit is worth nothing in one’s own', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  const [attacker, victim] = [openBrowser(app), openBrowser(app)]
  const stolen = new URLSearchParams((await answerOf(victim, oidc, '/')).split('?')[1])
  const own = new URLSearchParams((await answerOf(attacker, oidc, '/')).split('?')[1])
  const mixed = new URLSearchParams({ state: own.get('state') ?? '', code: stolen.get('code') ?? '' })
  const ended = await attacker.get(`/auth/callback/oidc?${mixed}`)
  assert.equal(ended.headers.location, '/sign-in?error=invalid_code')
  assert.equal(await app.app.services.sessions.find(attacker.cookies()), null)
})

test('the token of a link is no state, and a state is no link', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  const { id } = await addPerson(app, { email: 'ada@example.com' })
  const browser = openBrowser(app)
  const state = new URLSearchParams((await answerOf(browser, oidc, '/')).split('?')[1]).get('state')
  const reset = { token: state, newPassword: 'another battery staple' }
  assert.equal((await browser.post('/auth/reset-password', reset)).status, 400)
  const link = { turnOffTwoFactor: false }
  const { token } = await app.app.services.accounts.handOverLink(id, link)
  const ended = await browser.get(`/auth/callback/oidc?state=${token}&code=x`)
  assert.equal(ended.headers.location, '/sign-in?error=state_mismatch')
})

test('an address that the server calls unverified in a text is not verified', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  Object.assign(oidc.person, { email_verified: 'false' })
  const browser = openBrowser(app)
  const ended = await passThrough(browser, oidc, '/')
  assert.equal(ended.headers.location, '/sign-in?error=account_not_linked')
})

test('a server that names itself as our passwords do opens no account by its owner’s id', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  const { id } = await addPerson(app, { email: 'ada@example.com' })
  oidc.mood.alias = 'local:credential'
  Object.assign(oidc.person, { sub: id, email: 'eve@example.com' })
  const browser = openBrowser(app)
  const ended = await passThrough(browser, oidc, '/')
  assert.equal(ended.headers.location, '/sign-in?error=signup_disabled')
  assert.equal(await app.app.services.sessions.find(browser.cookies()), null)
})

test('a service account has no single sign-on', async t => {
  const { app, oidc } = await startSingleSignOn(t, { ATRIUM_SIGN_UP: 'open' })
  const body = { name: 'Nightly', role: 'admin' }
  assert.equal((await app.request('POST', '/workspace/members', { body })).status, 201)
  const { email } = await app.dependencies.database.read
    .selectFrom('users')
    .select('email')
    .where('email', 'like', '%@service.invalid')
    .executeTakeFirstOrThrow()
  oidc.person.email = email
  const ended = await passThrough(openBrowser(app), oidc, '/')
  assert.equal(ended.headers.location, '/sign-in?error=account_not_linked')
})

test('an address that the id token leaves out is asked of the server, and without one there is no sign-in', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  const { id } = await addPerson(app, { email: 'ada@example.com' })
  oidc.mood.isTerse = true
  const browser = openBrowser(app)
  assert.equal((await passThrough(browser, oidc, '/')).headers.location, '/')
  assert.equal((await app.app.services.sessions.find(browser.cookies()))?.userId, id)
  oidc.person.email = 'no address'
  const ended = await passThrough(openBrowser(app), oidc, '/')
  assert.equal(ended.headers.location, '/sign-in?error=email_not_found')
})

test('what stands in a path or a refusal stays within its header', async t => {
  const { app, oidc } = await startSingleSignOn(t)
  await addPerson(app, { email: 'ada@example.com' })
  const place = async (callbackURL: string) => {
    const { status, headers } = await passThrough(openBrowser(app), oidc, callbackURL)
    return [status, headers.location]
  }
  assert.deepEqual(await place('/agents?q=日本#a'), [302, '/agents?q=%E6%97%A5%E6%9C%AC#a'])
  for (const callbackURL of [
    '//[',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/\n\\evil.example',
    '/agents\r\nSet-Cookie: a=b',
  ]) {
    const begun = await openBrowser(app).post('/auth/sign-in/social', { provider: 'oidc', callbackURL })
    assert.equal(begun.status, 400, callbackURL)
  }
  oidc.mood.refuse = 'denied\r\nSet-Cookie: a=b'
  assert.deepEqual(await place('/'), [302, '/sign-in?error=refused'])
})
