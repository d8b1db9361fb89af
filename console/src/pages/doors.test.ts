/** Coming in, in a real browser: the first owner, signing in and out, a forgotten password, and what strangers are told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepareFirstRun } from '../../../server/src/start/first-run.ts'
import { startConsole } from '../../testing/console-app.ts'
import { checkPage } from '../../testing/page-checks.ts'

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'engine of nine wheels' }

test('the first owner names themselves by the printed link, signs out and in again, and comes to the address they wanted', async context => {
  const started = await startConsole(context)
  const { app, open, expect } = started
  const { setupToken } = (await prepareFirstRun(app.app.services, app.dependencies)) ?? {}
  await checkPage(started, 'setup', `/setup?token=${setupToken}`, { as: null })
  const page = await open('/', { as: null })
  await page.getByRole('heading', { name: 'Set this server up' }).waitFor()

  expect(/status of 400.*setup\/check/)
  await page.goto(`${started.origin}/setup?token=nonsense`)
  await page.getByRole('heading', { name: 'This link opens nothing' }).waitFor()
  assert.equal(await page.getByLabel('Name').count(), 0)

  await page.goto(`${started.origin}/setup?token=${setupToken}`)
  await page.getByLabel('Name').fill(ada.name)
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  assert.doesNotMatch(page.url(), /token/)

  await page.getByRole('button', { name: 'Account of Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${started.origin}/settings/api-keys`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(/status of 401.*auth\/sign-in\/email/)
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await page.getByText('The e-mail address or the password is wrong').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()

  await page.goto(`${started.origin}/setup?token=${setupToken}`)
  await page.getByRole('heading', { name: 'This server is set up' }).waitFor()
})

test('strangers are told what they can do, and an address of another server is no place to go on to', async context => {
  const started = await startConsole(context)
  await checkPage(started, 'sign-in', '/sign-in', { as: null })
  await checkPage(started, 'forgot-password', '/forgot-password', { as: null })
  await checkPage(started, 'reset-password', '/reset-password?token=abc', { as: null })
  await checkPage(started, 'not-found', '/no-such-page', { as: null })
  const page = await started.open('/sign-up', { as: null })
  await page.getByRole('heading', { name: 'By invitation only' }).waitFor()
  const signedIn = await started.open('/sign-in?next=//elsewhere.example/x')
  await signedIn.getByRole('heading', { name: /^Hello/ }).waitFor()
  assert.equal(new URL(signedIn.url()).origin, started.origin)
  started.expect(/status of 400.*reset-password/)
  const reset = await started.open('/reset-password?token=nonsense', { as: null })
  await reset.getByLabel('New password').fill(ada.password)
  await reset.getByRole('button', { name: 'Set the password' }).click()
  await reset.getByRole('alert').first().waitFor()
  await reset.getByRole('link', { name: 'Ask for a new link' }).click()
  await reset.getByText('This server sends no mail').waitFor()
})

test('a person who signs in to accept an invitation is sent on to its page', async context => {
  const { open, expect } = await startConsole(context)
  expect(/status of 4\d\d.*\/invitations\//)
  const page = await open('/sign-in?next=/invitations/inv_nobody_knows')
  await page.waitForURL('**/invitations/inv_nobody_knows')
  await page.getByRole('heading').first().waitFor()
})

test('a person without the permission of a page sees an explanation there, and no link to it', async context => {
  const { app, open, signIn } = await startConsole(context)
  const viewer = await app.createKey({ role: 'viewer' })
  const page = await open('/settings/api-keys', { as: await signIn(viewer.caller.userId ?? '') })
  await page.getByText('Your role does not include this page').waitFor()
  await page.getByText('keys:read').waitFor()
  assert.equal(await page.getByRole('navigation', { name: 'Rooms' }).getByText('API keys').count(), 0)
})
