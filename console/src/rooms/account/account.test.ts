/** One's own account in a real browser: name, password, sessions, second factor. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { callerAt, connect, registered } from '../../../../server/src/testing/apps/connected-app.ts'
import { testPassword } from '../../../../server/src/testing/browser.ts'
import { totpCode } from '../../../../server/src/testing/totp.ts'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage, picture } from '../../../testing/page-checks.ts'

/** The console, with an owner who has a password. */
async function startWithPassword(context: TestContext) {
  const started = await startConsole(context)
  const { app, dependencies } = started.app
  const { accounts } = app.services
  const hash = await accounts.prepare(testPassword, 'owner@example.com')
  await dependencies.database.write(tx => accounts.give(tx, started.owner.userId, hash))
  return started
}

test('a person changes their name and their password, and ends another session', async context => {
  const { app, open, owner, signIn, expect } = await startWithPassword(context)
  expect(/status of 400.*change-password/)
  expect(/net::ERR_FAILED/)
  const other = await signIn(owner.userId)
  const page = await open('/account')
  await page.getByLabel('Your name').fill('Ada <b>Lovelace</b>')
  await page.getByRole('button', { name: 'Save your name' }).click()
  await page.getByRole('button', { name: 'Account of Ada <b>Lovelace</b>' }).waitFor()

  await page.getByText('This one').waitFor()
  await page.getByRole('button', { name: /^End the session of/ }).click()
  await page.getByRole('button', { name: /^End the session of/ }).waitFor({ state: 'hidden' })
  assert.equal(await app.app.services.sessions.find(other.cookie), null)

  const present = page.getByLabel('Current password', { exact: true })
  await present.fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill('seven small grey herons')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Is wrong').waitFor()
  const appOfOwner = await registered(app)
  const tokens = await connect(app, owner, appOfOwner)
  assert.notEqual(await callerAt(app, 'mcp', tokens.access_token), null)
  await present.fill(testPassword)
  const appsToo = page.getByRole('checkbox', { name: /^Disconnect all apps/ })
  await appsToo.check()
  const away = '**/console/apps/disconnect'
  await page.route(away, route => route.abort())
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed').waitFor()
  await page.getByText('Not all apps are disconnected').waitFor()
  assert.equal(await page.getByRole('alert').count(), 0, 'nothing says that the password had failed')
  assert.notEqual(await callerAt(app, 'mcp', tokens.access_token), null)
  assert.equal(await present.inputValue(), '')

  await page.unroute(away)
  await present.fill('seven small grey herons')
  await page.getByLabel('New password', { exact: true }).fill('eight small grey herons')
  await appsToo.check()
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your apps are disconnected').waitFor()
  assert.equal(await callerAt(app, 'mcp', tokens.access_token), null)
})

test('a second factor is set up by its code, with recovery codes that are shown once, renewed and turned off', async context => {
  const { open, expect } = await startWithPassword(context)
  expect(/status of 400.*two-factor/)
  const page = await open('/account')
  const password = page.getByLabel('Your password', { exact: true })
  await page.getByRole('button', { name: 'Set it up…' }).click()
  await password.fill('not the password')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Is wrong').waitFor()
  await password.fill(testPassword)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('img', { name: /Code to scan/ }).waitFor()
  await checkAccessible(page)
  await picture(page, 'second-factor')
  const secret = await page.getByLabel('Where you cannot scan it').inputValue()
  const code = page.getByLabel('Code of the app')
  await code.fill('000000')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByText('Is wrong, or was used before').waitFor()
  await code.fill(totpCode(`otpauth://totp/Atrium?secret=${secret}`))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  const codes = page.getByRole('region', { name: 'Recovery codes' })
  const first = await codes.textContent()
  assert.equal(first?.split('\n').length, 10)
  await checkAccessible(page)
  await picture(page, 'recovery-codes')
  await page.getByRole('button', { name: 'I have kept them' }).click()

  await page.getByRole('button', { name: 'New recovery codes…' }).click()
  await password.fill(testPassword)
  await page.getByRole('button', { name: 'Make new codes' }).click()
  assert.notEqual(await codes.textContent(), first)
  await page.getByRole('button', { name: 'I have kept them' }).click()

  await page.getByRole('button', { name: 'Turn it off…' }).click()
  await password.fill(testPassword)
  await page.getByRole('button', { name: 'Turn it off', exact: true }).click()
  await page.getByRole('button', { name: 'Set it up…' }).waitFor()
})

test('the page of the account holds on narrow screens, in both themes, and for axe', async context => {
  const started = await startWithPassword(context)
  await started.signIn(started.owner.userId)
  await checkPage(started, 'account', '/account', {
    ready: page => page.getByText('This one').waitFor(),
  })
})
