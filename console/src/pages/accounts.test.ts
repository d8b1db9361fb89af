/** Accounts by their own means, in a real browser: sign-up where it is open, a new password by a link, the organisation's sign-in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailServer } from '../../../server/src/testing/servers/mail-server.ts'
import { mailTo } from '../../../server/src/testing/servers/mailbox.ts'
import { startOidcServer } from '../../../server/src/testing/servers/oidc-server.ts'
import { startConsole } from '../../testing/console-app.ts'
import { checkAccessible, checkFits, picture } from '../../testing/page-checks.ts'

const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds of wire' }

test('where sign-up is open, a person makes an account, and then a workspace of their own', async context => {
  const { open, expect } = await startConsole(context, { settings: { ATRIUM_SIGN_UP: 'open' } })
  expect(/status of 400.*sign-up/)
  const page = await open('/sign-in', { as: null, width: 360 })
  await page.getByRole('link', { name: 'Create one' }).click()
  await page.getByLabel('Name').fill(grace.name)
  await page.getByLabel('E-mail').fill(grace.email)
  await page.getByLabel('Password', { exact: true }).fill(`${grace.email}!`)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('alert').first().waitFor()
  await checkAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(grace.password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'You belong to no workspace' }).waitFor()
  await checkAccessible(page)
  await checkFits(page)
  await picture(page, 'no-workspace-light-360')
  await page.getByLabel('Name').fill('Compilers')
  await page.getByRole('button', { name: 'Create the workspace' }).click()
  await page.getByRole('heading', { name: 'Hello, Grace' }).waitFor()
})

test('a person who signs up confirms the address by signing in through the mailed link', async context => {
  const mails = await startMailServer(context)
  const settings = { ATRIUM_SIGN_UP: 'open', SMTP_URL: mails.url }
  const { open, origin, expect } = await startConsole(context, { settings })
  expect(/status of 403.*sign-in/)
  const page = await open('/sign-up', { as: null })
  await page.getByLabel('Name').fill(grace.name)
  await page.getByLabel('E-mail').fill(grace.email)
  await page.getByLabel('Password', { exact: true }).fill(grace.password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  const link = /\/sign-in\?token=\w+/.exec(await mailTo(mails.received, grace.email))?.[0]
  const signIn = async (path: string) => {
    await page.goto(`${origin}${path}`)
    await page.getByLabel('E-mail').fill(grace.email)
    await page.getByLabel('Password', { exact: true }).fill(grace.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await signIn('/sign-in?token=too-old')
  await page.getByText('Confirm your address first').waitFor()
  await checkAccessible(page)
  await signIn(link ?? '')
  await page.getByRole('heading', { name: 'You belong to no workspace' }).waitFor()
})

test('a new password is set by the operator’s link, once', async context => {
  const { app, open, origin, expect } = await startConsole(context)
  expect(/status of 400.*reset-password/)
  const { accounts } = app.app.services
  const { token } = await accounts.handOverLink(app.ownerId, { turnOffTwoFactor: false })
  const page = await open(`/reset-password?token=${token}`, { as: null })
  const set = async () => {
    await page.getByLabel('New password').fill(grace.password)
    await page.getByRole('button', { name: 'Set the password' }).click()
  }
  await set()
  await page.getByRole('heading', { name: 'The new password is set' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail').fill((await accounts.person(app.ownerId)).email)
  await page.getByLabel('Password', { exact: true }).fill(grace.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await page.goto(`${origin}/reset-password?token=${token}`)
  await set()
  await page.getByRole('link', { name: 'Ask for a new link' }).waitFor()
})

test('single sign-on leads back to the page the person wanted; a person without an account is told so', async context => {
  const oidc = await startOidcServer(context)
  const { app, open, origin, expect } = await startConsole(context, {
    settings: {
      ATRIUM_OIDC_ISSUER: oidc.issuer,
      ATRIUM_OIDC_CLIENT_ID: oidc.client.id,
      ATRIUM_OIDC_CLIENT_SECRET: oidc.client.secret,
      ATRIUM_OIDC_NAME: 'Example login',
    },
  })
  expect(new RegExp(`a request to ${oidc.issuer}`))
  const page = await open('/sign-in?next=/settings/api-keys', { as: null })
  await checkAccessible(page)
  await picture(page, 'single-sign-on-light-1280')
  oidc.person.email = 'stranger@example.com'
  await page.getByRole('button', { name: 'Continue with Example login' }).click()
  await page.getByText('You don’t have an account here').waitFor()

  oidc.person.email = (await app.app.services.accounts.person(app.ownerId)).email
  await page.goto(`${origin}/sign-in?next=/settings/api-keys`)
  await page.getByRole('button', { name: 'Continue with Example login' }).click()
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/settings/api-keys')
})
