import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Passwords } from '../../platform/crypto/passwords.ts'
import { addPerson, openBrowser, signIn, testPassword } from '../../testing/browser.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { totpCode } from '../../testing/totp.ts'
import { createAttempts } from './attempts.ts'
import { turnOnTwoFactor } from './store.ts'

let app: TestApp
/** Derivations of a key from a password, which are nearly all that a sign-in costs. */
let derived = 0
before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_ANONYMOUS_RATE: '100000' },
    adapt: dependencies => ({ ...dependencies, passwords: counted(dependencies.passwords) }),
  })
})
after(() => app.close())

const counted = (passwords: Passwords): Passwords => ({
  hash(password) {
    derived += 1
    return passwords.hash(password)
  },
  verify(password, hash) {
    derived += 1
    return passwords.verify(password, hash)
  },
})

/** Over the same counters as the server's. */
const attempts = () =>
  createAttempts({ counters: app.dependencies.counters.counters, keyring: app.dependencies.keyring })

test('a person signs in by e-mail and password, is known by the cookie alone, and signs out', async () => {
  await addPerson(app, { email: 'ada@example.com' })
  const browser = openBrowser(app)
  const reply = await signIn(browser, ' Ada@Example.com ')
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(reply.body, { data: { twoFactorRequired: false } })
  const [cookie = ''] = browser.received
  assert.match(cookie, /^atrium\.session_token=/)
  for (const attribute of [/HttpOnly/i, /SameSite=Lax/i, /Path=\//i, /Max-Age=2592000/]) {
    assert.match(cookie, attribute)
  }
  const listed = await browser.get('/auth/list-sessions')
  assert.equal(listed.status, 200, listed.text)
  assert.equal(listed.body.data.length, 1)
  const { current, ipAddress, userAgent } = listed.body.data[0]
  assert.deepEqual([current, ipAddress, userAgent], [true, '127.0.0.1', 'Test browser'])
  const kept = browser.cookies()
  assert.equal((await browser.post('/auth/sign-out', {})).status, 204)
  assert.equal(await app.app.services.sessions.find(kept), null)
  assert.equal((await browser.get('/auth/list-sessions')).body.code, 'sign_in_required')
})

test('a wrong password, an unknown address and a person without a password get the very same reply', async () => {
  await addPerson(app, { email: 'known@example.com' })
  await app.dependencies.database.write(tx =>
    app.app.services.identity.create(tx, { email: 'keyless@example.com', name: 'K', emailVerified: true }),
  )
  const browser = openBrowser(app)
  const replies = []
  for (const email of ['known@example.com', 'unknown@example.com', 'keyless@example.com']) {
    const { status, body, headers } = await signIn(browser, email, 'a wrong password')
    replies.push({ status, body: { ...body, requestId: '' }, cookies: headers['set-cookie'] })
  }
  assert.deepEqual([replies[0]?.status, replies[0]?.body.code], [401, 'sign_in_refused'])
  assert.deepEqual(replies[1], replies[0])
  assert.deepEqual(replies[2], replies[0])
  assert.deepEqual(browser.received, [])
})

test('an unknown address costs as much work as a wrong password', async () => {
  await addPerson(app, { email: 'timed@example.com' })
  const derivedFor = async (email: string) => {
    const before = derived
    await signIn(openBrowser(app, { address: '198.51.100.1' }), email, 'a wrong password')
    return derived - before
  }
  assert.equal(await derivedFor('timed@example.com'), 1)
  assert.equal(await derivedFor('unknown2@example.com'), 1)
})

test('the addresses of one IPv6 subscriber are one place', async () => {
  for (let i = 1; i < 10; i++) await attempts().signIn('six@example.com', `2001:db8:1:2::${i}`)
  const guess = (address: string) => signIn(openBrowser(app, { address }), 'six@example.com', 'a wrong guess')
  assert.equal((await guess('2001:db8:1:2:ffff::1')).status, 401)
  assert.equal((await guess('2001:db8:1:2:ffff::2')).status, 429)
  assert.equal((await guess('2001:db8:1:3::1')).status, 401)
})

test('wrong passwords are limited for each address, whether anybody has it, and another place is not locked out', async () => {
  await addPerson(app, { email: 'guessed@example.com' })
  const address = '203.0.113.5'
  const guesser = openBrowser(app, { address })
  for (const email of ['guessed@example.com', 'unknown3@example.com']) {
    // Nine guesses are counted without being made: each would cost its hash.
    for (let i = 0; i < 9; i++) await attempts().signIn(email, address)
    assert.equal((await signIn(guesser, email, 'a wrong guess')).status, 401)
    const limited = await signIn(guesser, email)
    assert.deepEqual([limited.status, limited.body.code], [429, 'rate_limited'])
    assert.ok(Number(limited.headers['retry-after']) > 800)
  }
  assert.equal((await signIn(openBrowser(app), 'guessed@example.com')).status, 200)
})

test('guesses from ever new addresses end too, and a right password resets the count of its address', async () => {
  await addPerson(app, { email: 'hunted@example.com' })
  await addPerson(app, { email: 'clumsy@example.com' })
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 8; i++) await attempts().signIn('clumsy@example.com', '127.0.0.1')
    assert.equal((await signIn(openBrowser(app), 'clumsy@example.com')).status, 200)
  }
  for (let i = 0; i < 100; i++) await attempts().signIn('hunted@example.com', `192.0.2.${i}`)
  const limited = await signIn(openBrowser(app, { address: '192.0.2.200' }), 'hunted@example.com')
  assert.equal(limited.status, 429)
})

test('no other site can sign anybody in or out, or ask for anything in their name', async () => {
  await addPerson(app, { email: 'victim@example.com' })
  const browser = openBrowser(app)
  await signIn(browser, 'victim@example.com')
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:9999' },
    { origin: 'http://127.0.0.1.evil.example:8787' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ]
  const paths = ['/auth/sign-out', '/auth/sign-in/email', '/auth/revoke-other-sessions', '/console/setup']
  for (const headers of foreign) {
    for (const path of paths) {
      const reply = await browser.post(path, {}, headers)
      assert.deepEqual(
        [reply.status, reply.body.code],
        [403, 'origin_forbidden'],
        `${path} ${headers.origin}`,
      )
    }
  }
  const bare = await app.app.server.inject({ method: 'POST', url: '/auth/sign-out', payload: {} })
  assert.equal(bare.statusCode, 403)
  assert.equal((await browser.get('/auth/list-sessions')).status, 200)
  const alias = { origin: 'http://localhost:8787' }
  assert.equal((await browser.post('/auth/revoke-other-sessions', {}, alias)).status, 204)
  const own = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  assert.equal((await browser.post('/auth/sign-out', {}, own)).status, 204)
})

test('a cookie that we did not sign, or that names a row of the database, is no session', async () => {
  const { id } = await addPerson(app, { email: 'forged@example.com' })
  const browser = openBrowser(app)
  await signIn(browser, 'forged@example.com')
  const good = browser.cookies()
  const { sessions } = app.app.services
  assert.equal((await sessions.find(good))?.userId, id)
  const row = await app.dependencies.database.read
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  const [, signature = ''] = decodeURIComponent(good.split('=')[1] ?? '').split('.')
  const token = decodeURIComponent(good.split('=')[1] ?? '').split('.')[0]
  const forged = [
    `atrium.session_token=${token}`,
    `atrium.session_token=${row.token_hash}.${signature}`,
    `atrium.session_token=${row.id}.${signature}`,
    `atrium.session_token=x${token}.${encodeURIComponent(signature)}`,
    'atrium.session_token=%E0%A4%A',
    `atrium.session_token=${'a'.repeat(5000)}`,
    `better-auth.session_token=${good.split('=')[1]}`,
    good.replace('atrium.', '__Secure-atrium.'),
  ]
  for (const cookie of forged) assert.equal(await sessions.find(cookie), null, cookie.slice(0, 80))
  assert.equal(row.token_hash.length, 64)
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('sessions')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', row.id)
      .execute(),
  )
  assert.equal(await sessions.find(good), null)
  assert.equal(await sessions.isAlive(row.id), false)
  assert.ok((await sessions.tidy()) >= 1)
})

test('where people use https, the cookie travels over nothing else', async t => {
  const secure = await startTestApp({ settings: { ATRIUM_PUBLIC_URL: 'https://atrium.example.com' } })
  t.after(() => secure.close())
  await addPerson(secure, { email: 'ada@example.com' })
  const browser = openBrowser(secure)
  assert.equal((await signIn(browser, 'ada@example.com')).status, 200)
  assert.match(browser.received[0] ?? '', /^__Secure-atrium\.session_token=.*; Secure/)
  assert.equal((await browser.get('/auth/list-sessions')).status, 200)
  const plain = await browser.post('/auth/sign-out', {}, { origin: 'http://atrium.example.com' })
  assert.equal(plain.status, 403)
})

test('whatever is wrong with a request is told by field, and nothing but JSON of a sane size is read', async () => {
  const browser = openBrowser(app)
  const faulty = await browser.post('/auth/sign-in/email', { email: 1, passwort: testPassword })
  assert.equal(faulty.status, 400)
  assert.deepEqual(faulty.body.errors.map(({ field }: { field: string }) => field).sort(), [
    'email',
    'password',
    'passwort',
  ])
  const noAddress = await signIn(browser, 'not an address')
  assert.deepEqual(noAddress.body.errors[0].field, 'email')
  const huge = await browser.post('/auth/sign-in/email', {
    email: 'a@example.com',
    password: 'x'.repeat(30_000),
  })
  assert.equal(huge.status, 413)
  assert.equal((await browser.submit('/auth/sign-in/email', { email: 'a@example.com' })).status, 415)
  const outside = [
    '/auth/get-session',
    '/auth/ok',
    '/auth/update-session',
    '/auth/delete-user',
    '/auth/list-accounts',
  ]
  for (const path of outside) assert.equal((await browser.get(path)).status, 404, path)
})

test('one person cannot see or end the sessions of another; one of their own ends at once', async () => {
  await addPerson(app, { email: 'one@example.com' })
  await addPerson(app, { email: 'two@example.com' })
  const [one, elsewhere, two] = [openBrowser(app), openBrowser(app), openBrowser(app)]
  for (const browser of [one, elsewhere]) await signIn(browser, 'one@example.com')
  await signIn(two, 'two@example.com')
  const sessions = (await one.get('/auth/list-sessions')).body.data as { id: string; current: boolean }[]
  assert.equal(sessions.length, 2)
  const other = sessions.find(({ current }) => !current)?.id
  assert.equal((await two.post('/auth/revoke-session', { id: other })).status, 404)
  const ended: string[] = []
  app.app.services.sessions.onEnd(ids => ended.push(...ids))
  assert.equal((await one.post('/auth/revoke-session', { id: other })).status, 204)
  assert.deepEqual(ended, [other])
  assert.equal((await elsewhere.get('/auth/list-sessions')).status, 401)
  await signIn(elsewhere, 'one@example.com')
  assert.equal((await one.post('/auth/revoke-other-sessions', {})).status, 204)
  assert.equal((await elsewhere.get('/auth/list-sessions')).status, 401)
  assert.equal((await one.get('/auth/list-sessions')).status, 200)
  assert.equal((await two.get('/auth/list-sessions')).status, 200)
})

test('a sign-in that is not to be remembered ends with the browser, and after a day; the next one is remembered', async () => {
  await addPerson(app, { email: 'library@example.com' })
  const browser = openBrowser(app)
  const form = { email: 'library@example.com', password: testPassword, rememberMe: false }
  const lasts = async () => {
    const { createdAt, expiresAt } = (await browser.get('/auth/list-sessions')).body.data[0]
    return Date.parse(expiresAt) - Date.parse(createdAt)
  }
  assert.equal((await browser.post('/auth/sign-in/email', form)).status, 200)
  assert.match(
    browser.received.at(-1) ?? '',
    /^atrium\.session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(await lasts(), 86_400_000)

  const { totpURI, backupCodes } = (await browser.post('/auth/two-factor/enable', { password: testPassword }))
    .body.data
  await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
  assert.deepEqual((await browser.post('/auth/sign-in/email', form)).body.data, { twoFactorRequired: true })
  await browser.post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] })
  const isSession = (cookie: string) => cookie.startsWith('atrium.session_token=')
  const begun = browser.received.findLast(isSession) ?? ''
  assert.doesNotMatch(begun, /Max-Age/)
  assert.equal(await lasts(), 86_400_000)

  await signIn(browser, 'library@example.com')
  await browser.post('/auth/two-factor/verify-backup-code', { code: backupCodes[1] })
  assert.match(browser.received.findLast(isSession) ?? '', /Max-Age=2592000/)
})

test('a sign-in begins a session of its own, whatever cookie the browser brings', async () => {
  await addPerson(app, { email: 'planted@example.com' })
  await addPerson(app, { email: 'fixed@example.com' })
  const attacker = openBrowser(app)
  await signIn(attacker, 'planted@example.com')
  const planted = attacker.cookies()
  const victim = openBrowser(app)
  const form = { email: 'fixed@example.com', password: testPassword }
  assert.equal((await victim.post('/auth/sign-in/email', form, { cookie: planted })).status, 200)
  const [one, other] = await Promise.all(
    [planted, victim.cookies()].map(cookies => app.app.services.sessions.find(cookies)),
  )
  assert.notEqual(victim.cookies(), planted)
  assert.notEqual(one?.userId, other?.userId)
})

test('a sign-in begins no session where its password is replaced or a second factor is turned on meanwhile', async t => {
  let whileChecked = (): Promise<void> => Promise.resolve()
  const busy = await startTestApp({
    adapt: dependencies => ({
      ...dependencies,
      passwords: {
        hash: dependencies.passwords.hash,
        async verify(password, hash) {
          const isRight = await dependencies.passwords.verify(password, hash)
          await whileChecked()
          return isRight
        },
      },
    }),
  })
  t.after(() => busy.close())
  const { id } = await addPerson(busy, { email: 'race@example.com' })
  const careful = await addPerson(busy, { email: 'careful@example.com' })
  whileChecked = () => busy.dependencies.database.write(tx => turnOnTwoFactor(tx, careful.id))
  assert.equal((await signIn(openBrowser(busy), 'careful@example.com')).body.code, 'sign_in_refused')
  assert.deepEqual(await busy.app.services.sessions.list(careful.id), [])
  whileChecked = async () => {
    const { accounts } = busy.app.services
    const { token } = await accounts.handOverLink(id, { turnOffTwoFactor: false })
    await accounts.resetPassword({ address: '127.0.0.1', requestId: 'req' }, token, 'another battery staple')
  }
  const browser = openBrowser(busy)
  assert.equal((await signIn(browser, 'race@example.com')).body.code, 'sign_in_refused')
  assert.deepEqual([browser.received, await busy.app.services.sessions.list(id)], [[], []])
})
