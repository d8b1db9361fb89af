import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApp } from '../../app.ts'
import { createKeyring, createRotation, noEarlierPeppers } from '../../platform/crypto/keyring.ts'
import { addPerson, openBrowser, signIn, type TestBrowser, testPassword } from '../../testing/browser.ts'
import { everythingIn } from '../../testing/database-contents.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { totpCode } from '../../testing/totp.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000' } })
})
after(() => app.close())

test('a second factor holds once a code has proven it, and from then on the password alone is not enough to sign in', async () => {
  await addPerson(app, { email: 'two@example.com' })
  const browser = openBrowser(app)
  await signIn(browser, 'two@example.com')
  const wrong = await browser.post('/auth/two-factor/enable', { password: 'not the password' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'password'])
  const begun = await browser.post('/auth/two-factor/enable', { password: testPassword })
  assert.equal(begun.status, 200, begun.text)
  const { totpURI, backupCodes } = begun.body.data
  assert.match(totpURI, /^otpauth:\/\/totp\/Atrium:two%40example\.com\?.*issuer=Atrium/)
  assert.equal(new Set(backupCodes).size, 10)
  // Until a code was given, none is asked for: a person who closes the page half-way is not locked out.
  assert.deepEqual((await signIn(openBrowser(app), 'two@example.com')).body.data, {
    twoFactorRequired: false,
  })
  const bad = await browser.post('/auth/two-factor/verify-totp', { code: '000000' })
  assert.deepEqual([bad.status, bad.body.errors[0].field], [400, 'code'])
  assert.equal((await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })).status, 204)
  assert.equal((await browser.get('/auth/list-sessions')).status, 200)

  const elsewhere = openBrowser(app)
  assert.deepEqual((await signIn(elsewhere, 'two@example.com')).body.data, { twoFactorRequired: true })
  assert.equal(await app.app.services.sessions.find(elsewhere.cookies()), null)
  assert.equal((await elsewhere.get('/auth/list-sessions')).status, 401)
  const code = totpCode(totpURI, 1)
  assert.equal((await elsewhere.post('/auth/two-factor/verify-totp', { code })).status, 204)
  assert.equal((await elsewhere.get('/auth/list-sessions')).status, 200)

  const watcher = openBrowser(app)
  await signIn(watcher, 'two@example.com')
  const replayed = await watcher.post('/auth/two-factor/verify-totp', { code })
  assert.deepEqual([replayed.status, replayed.body.errors[0].field], [400, 'code'])
  assert.equal((await watcher.get('/auth/list-sessions')).status, 401)
})

test('a recovery code signs in once, and new ones end the old', async () => {
  const { browser, backupCodes } = await withTwoFactor('lost@example.com')
  const [first, second] = backupCodes
  const use = async (code: string | undefined) => {
    const other = openBrowser(app)
    await signIn(other, 'lost@example.com')
    const { status } = await other.post('/auth/two-factor/verify-backup-code', { code })
    return [status, (await other.get('/auth/list-sessions')).status]
  }
  assert.deepEqual(await use(first), [204, 200])
  assert.deepEqual(await use(first), [400, 401])
  const renewed = await browser.post('/auth/two-factor/generate-backup-codes', { password: testPassword })
  assert.equal(renewed.body.data.backupCodes.length, 10)
  assert.deepEqual(await use(second), [400, 401])
  assert.deepEqual(await use(renewed.body.data.backupCodes[0]), [204, 200])
})

test('codes cannot be guessed: a challenge ends after five, and without a challenge there is nothing to guess at', async () => {
  await withTwoFactor('guess@example.com')
  const browser = openBrowser(app)
  const none = await browser.post('/auth/two-factor/verify-totp', { code: '123456' })
  assert.deepEqual([none.status, none.body.code], [401, 'sign_in_required'])
  await signIn(browser, 'guess@example.com')
  const codes = []
  for (let i = 0; i < 6; i++) {
    codes.push((await browser.post('/auth/two-factor/verify-totp', { code: `00000${i}` })).status)
  }
  assert.deepEqual(codes, [400, 400, 400, 400, 400, 429])
  assert.equal((await browser.post('/auth/two-factor/verify-totp', { code: '000009' })).status, 401)
})

test('ten wrong codes in a row lock the second factor for fifteen minutes, in a new challenge too', async () => {
  const { totpURI } = await withTwoFactor('locked@example.com')
  const challenged = async () => {
    const browser = openBrowser(app)
    await signIn(browser, 'locked@example.com')
    return (code: string) => browser.post('/auth/two-factor/verify-totp', { code })
  }
  for (let challenge = 0; challenge < 2; challenge++) {
    const verify = await challenged()
    for (let i = 0; i < 5; i++) assert.equal((await verify(`00000${i}`)).status, 400)
  }
  const verify = await challenged()
  const { status, body, headers } = await verify(totpCode(totpURI, 1))
  assert.deepEqual([status, body.code, headers['retry-after']], [429, 'rate_limited', '900'])
})

test('a second factor that is set up again replaces the proven one at once', async () => {
  const { browser, totpURI } = await withTwoFactor('renewed@example.com')
  const begun = await browser.post('/auth/two-factor/enable', { password: testPassword })
  const other = openBrowser(app)
  assert.deepEqual((await signIn(other, 'renewed@example.com')).body.data, { twoFactorRequired: true })
  const verify = (uri: string) => other.post('/auth/two-factor/verify-totp', { code: totpCode(uri, 1) })
  assert.equal((await verify(totpURI)).status, 400)
  assert.equal((await verify(begun.body.data.totpURI)).status, 204)
})

test('who knows the password begins no second step after second step, until the right person takes one', async () => {
  const { backupCodes } = await withTwoFactor('again@example.com')
  const begin = async (address: string) => {
    const browser = openBrowser(app, { address })
    return { browser, reply: await signIn(browser, 'again@example.com') }
  }
  const held = await begin('192.0.2.100')
  for (let count = 2; count <= 20; count++) {
    assert.equal((await begin(`192.0.2.${count}`)).reply.status, 200)
  }
  const { browser, reply } = await begin('192.0.2.200')
  assert.deepEqual([reply.status, reply.body.code, browser.received], [429, 'rate_limited', []])
  const code = { code: backupCodes[0] }
  assert.equal((await held.browser.post('/auth/two-factor/verify-backup-code', code)).status, 204)
  assert.equal((await begin('192.0.2.200')).reply.status, 200)
})

test('a second step that was begun with a password ends where the password is replaced', async () => {
  const { backupCodes } = await withTwoFactor('replaced@example.com')
  const thief = openBrowser(app)
  assert.equal((await signIn(thief, 'replaced@example.com')).status, 200)
  const { accounts, identity } = app.app.services
  const { database } = app.dependencies
  const person = await identity.findByEmail(database.read, 'replaced@example.com')
  const { token } = await accounts.handOverLink(person?.id ?? '', {
    turnOffTwoFactor: false,
  })
  const reset = { token, newPassword: 'another battery staple' }
  assert.equal((await openBrowser(app).post('/auth/reset-password', reset)).status, 204)
  const late = await thief.post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] })
  assert.equal(late.status, 401)
  assert.equal((await thief.get('/auth/list-sessions')).status, 401)
})

test('a second factor is turned off by the password only, and every page then asks for the password alone', async () => {
  const { browser } = await withTwoFactor('off@example.com')
  const wrong = await browser.post('/auth/two-factor/disable', { password: 'not the password' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'password'])
  const stranger = await openBrowser(app).post('/auth/two-factor/disable', { password: testPassword })
  assert.equal(stranger.status, 401)
  assert.equal((await browser.post('/auth/two-factor/disable', { password: testPassword })).status, 204)
  assert.deepEqual((await signIn(openBrowser(app), 'off@example.com')).body.data, {
    twoFactorRequired: false,
  })
})

test('no password, session, code or secret of a person is readable in the database, the log or a reply', async () => {
  const { browser, backupCodes, totpURI, replies } = await withTwoFactor('canary@example.com')
  const reset = await app.app.services.accounts.handOverLink(
    (await app.app.services.sessions.find(browser.cookies()))?.userId ?? '',
    { turnOffTwoFactor: false },
  )
  const cookie = decodeURIComponent(browser.cookies().split('=')[1] ?? '')
  const secrets = [
    testPassword,
    cookie.split('.')[0] ?? '',
    cookie.split('.')[1] ?? '',
    new URL(totpURI).searchParams.get('secret') ?? '',
    reset.token,
    ...backupCodes,
  ]
  assert.ok(secrets.every(secret => secret.length >= 11))
  const places = {
    replies: replies.join('\n'),
    log: app.logLines.join('\n'),
    database: await everythingIn(app.dependencies.database.read, app.dependencies.database.engine),
  }
  assert.ok(places.database.includes('canary@example.com'), 'the whole database was read')
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets) assert.equal(text.includes(secret), false, `${secret} in ${place}`)
  }
})

test('a second factor outlives the master secret, while sessions end with it', async () => {
  const { browser, backupCodes } = await withTwoFactor('rotated@example.com')
  const { dependencies, settings } = app
  const newSecret = 'another secret that only tests have, of enough characters'
  const { earlier } = createRotation(settings.secret ?? '', noEarlierPeppers, newSecret)
  const rotated = createApp({ ...dependencies, keyring: createKeyring(newSecret, earlier) })
  after(() => rotated.close())
  await rotated.server.ready()
  const later = { ...app, app: rotated }
  const other = openBrowser(later)
  assert.deepEqual((await signIn(other, 'rotated@example.com')).body.data, { twoFactorRequired: true })
  const { status } = await other.post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] })
  assert.deepEqual([status, (await other.get('/auth/list-sessions')).status], [204, 200])
  assert.equal(await rotated.services.sessions.find(browser.cookies()), null)
})

test('of two requests that bring the same code at once, one signs in', async () => {
  const { totpURI, backupCodes } = await withTwoFactor('twice@example.com')
  const given = [
    ['backup-code', backupCodes[0]],
    ['totp', totpCode(totpURI, 1)],
  ]
  for (const [kind, code] of given) {
    const browsers = [openBrowser(app), openBrowser(app)]
    for (const browser of browsers) await signIn(browser, 'twice@example.com')
    const replies = await Promise.all(
      browsers.map(browser => browser.post(`/auth/two-factor/verify-${kind}`, { code })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 400], kind)
  }
})

test('a second step signs in once, also for two requests at once', async () => {
  const { backupCodes } = await withTwoFactor('once@example.com')
  const browser = openBrowser(app)
  await signIn(browser, 'once@example.com')
  const cookie = browser.cookies()
  const replies = await Promise.all(
    backupCodes
      .slice(0, 2)
      .map(code => browser.post('/auth/two-factor/verify-backup-code', { code }, { cookie })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 401])
})

test('wrong codes that come at once are counted one by one', async () => {
  await withTwoFactor('crowd@example.com')
  const browser = openBrowser(app)
  await signIn(browser, 'crowd@example.com')
  const codes = Array.from({ length: 9 }, (_, index) => `00000${index}`)
  const replies = await Promise.all(codes.map(code => browser.post('/auth/two-factor/verify-totp', { code })))
  const statuses = replies.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 401, 401, 401, 429])
})

test('the second step of one person takes no code of another', async () => {
  const mallory = await withTwoFactor('mallory@example.com')
  await withTwoFactor('alice@example.com')
  const browser = openBrowser(app)
  await signIn(browser, 'alice@example.com')
  const codes = { 'backup-code': mallory.backupCodes[0], totp: totpCode(mallory.totpURI, 1) }
  for (const [kind, code] of Object.entries(codes)) {
    assert.equal((await browser.post(`/auth/two-factor/verify-${kind}`, { code })).status, 400)
  }
  assert.equal((await browser.get('/auth/list-sessions')).status, 401)
})

test('a second step is known by the cookie that we signed, and by nothing else', async () => {
  const { backupCodes } = await withTwoFactor('cookie@example.com')
  const browser = openBrowser(app)
  await signIn(browser, 'cookie@example.com')
  const [name = '', value = ''] = browser.cookies().split('=')
  const [token = '', signature = ''] = value.split('.')
  assert.match(
    browser.received.at(-1) ?? '',
    /^atrium\.two_factor=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const stranger = openBrowser(app)
  const use = (cookie: string) =>
    stranger.post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] }, { cookie })
  for (const forged of [
    token,
    `${token}.`,
    `x${token}.${signature}`,
    `${token.toLowerCase()}.${signature}`,
  ]) {
    assert.equal((await use(`${name}=${forged}`)).status, 401, forged)
  }
  // The same value is no session.
  assert.equal(await app.app.services.sessions.find(`atrium.session_token=${value}`), null)
  assert.equal((await use(`${name}=${value}`)).status, 204)
})

test('a second step ends after ten minutes', async () => {
  const { backupCodes } = await withTwoFactor('late@example.com')
  const browser = openBrowser(app)
  await signIn(browser, 'late@example.com')
  const { database } = app.dependencies
  const newest = await database.read
    .selectFrom('verifications')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(newest.expires_at - newest.created_at, 600_000)
  await database.write(tx =>
    tx.updateTable('verifications').set({ expires_at: Date.now() }).where('id', '=', newest.id).execute(),
  )
  const reply = await browser.post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] })
  assert.deepEqual([reply.status, reply.body.code], [401, 'sign_in_required'])
})

test('what is kept of a second factor opens for its person only', async () => {
  const thief = await withTwoFactor('thief@example.com')
  const owner = await withTwoFactor('owner-of-factor@example.com')
  const { database } = app.dependencies
  const idOf = async (browser: TestBrowser) =>
    (await app.app.services.sessions.find(browser.cookies()))?.userId ?? ''
  const row = await database.read
    .selectFrom('two_factors')
    .select(['secret', 'backup_codes'])
    .where('user_id', '=', await idOf(thief.browser))
    .executeTakeFirstOrThrow()
  const ownerId = await idOf(owner.browser)
  await database.write(tx => tx.updateTable('two_factors').set(row).where('user_id', '=', ownerId).execute())
  const browser = openBrowser(app)
  await signIn(browser, 'owner-of-factor@example.com')
  const planted = await browser.post('/auth/two-factor/verify-backup-code', { code: thief.backupCodes[0] })
  assert.equal(planted.status, 500)
  assert.equal((await browser.get('/auth/list-sessions')).status, 401)
})

/** A person who has turned on the second factor, signed in. `replies` are those that show no secret on purpose. */
async function withTwoFactor(email: string) {
  await addPerson(app, { email })
  const browser: TestBrowser = openBrowser(app)
  const replies = [(await signIn(browser, email)).text]
  const begun = await browser.post('/auth/two-factor/enable', { password: testPassword })
  const { totpURI, backupCodes } = begun.body.data as { totpURI: string; backupCodes: string[] }
  const proven = await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  assert.equal(proven.status, 204, proven.text)
  replies.push(proven.text, (await browser.get('/auth/list-sessions')).text)
  return { browser, totpURI, backupCodes, replies }
}
