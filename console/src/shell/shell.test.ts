/** The frame of the rooms, in a real browser: by keyboard alone, on a phone, between environments, and with a second factor. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { signIn } from '../../../server/src/testing/apps/signed-in.ts'
import { createCollection, uploadAndWait } from '../../../server/src/testing/knowledge/knowledge.ts'
import { callTool } from '../../../server/src/testing/mcp/messages.ts'
import { type ConsoleApp, startConsole } from '../../testing/console-app.ts'
import { choose, tabTo } from '../../testing/keyboard.ts'
import { checkAccessible, checkFits, picture } from '../../testing/page-checks.ts'

test('by keyboard alone: past the navigation, through the palette to the form of a key, and a key made', async context => {
  const { open } = await startConsole(context)
  const page = await open('/')
  await page.keyboard.press('Tab')
  assert.equal(await focusedText(page), 'Skip to the content')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'main')

  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Go to a page/).waitFor()
  await checkAccessible(page)
  await picture(page, 'palette-light-1280')
  await page.keyboard.type('create an api')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New API key' }).waitFor()
  await page.getByLabel('Name').focus()
  await page.keyboard.type('By hand')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '“By hand” is made' }).waitFor()
  assert.equal(await page.title(), 'New API key · Test workspace · Atrium')

  await tabTo(page, /^I have kept it/)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /By hand/ }).waitFor()
  await choose(page, /^Actions for By hand$/, /^Revoke/)
  await page.getByRole('heading', { name: 'Revoke “By hand”?' }).waitFor()
  await checkAccessible(page)
  await picture(page, 'revoke-light-1280')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for By hand' }).and(page.locator(':focus')).waitFor()
})

test('the test environment is framed and told, has keys of its own, and does not follow into a new tab', async context => {
  const { open } = await startConsole(context)
  const page = await open('/settings/api-keys')
  await page.getByText('sk_live_…').first().waitFor()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('complementary', { name: 'Test environment' }).waitFor()
  await page.getByText('You are in the test environment').waitFor({ state: 'attached' })
  await page.getByText('Keys made here reach the sandbox only.').waitFor()
  await page.getByText('sk_test_…').first().waitFor()
  assert.equal(await page.getByText('sk_live_…').count(), 0)
  await page.reload()
  await page.getByRole('complementary', { name: 'Test environment' }).waitFor()
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await tab.getByText('sk_live_…').first().waitFor()
})

test('a link to a record of the sandbox opens it there, also after a sign-in, and a person can leave for live', async context => {
  const { app, open, origin, owner, expect } = await startConsole(context)
  expect(/status of 401/)
  const key = app.testKey
  await uploadAndWait(app, { collectionId: await createCollection(app, key), content: 'Ducks swim.', key })
  const { results } = await callTool(app, 'search', { query: 'ducks' }, { key })
  const { pathname, search } = new URL(results[0].url)
  const page = await open(pathname + search, { as: null })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const [name = '', value = ''] = owner.cookie.split('=', 2)
  await page.context().addCookies([{ name, value, url: origin }])
  await page.reload()
  await page.getByText('Ducks swim.').first().waitFor()
  await page.getByRole('complementary', { name: 'Test environment' }).waitFor()
  await page.waitForURL(origin + pathname)
  await page.reload()
  await page.getByText('Ducks swim.').first().waitFor()
  expect(/status of 404/)
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await page.reload()
  await page.getByRole('alert').first().waitFor()
})

test('on a phone the navigation comes as a drawer, and goes when a room is chosen', async context => {
  const { open } = await startConsole(context)
  const page = await open('/', { width: 360 })
  await page.getByRole('button', { name: 'Navigation' }).click()
  await checkAccessible(page)
  await checkFits(page)
  await picture(page, 'drawer-light-360')
  await page.getByRole('dialog').getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('a session that has ended leads to the sign-in and back, and a chosen theme stays', async context => {
  const { app, open, owner, expect } = await startConsole(context)
  expect(/status of 401/)
  const page = await open('/settings/api-keys')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.reload()
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  await app.dependencies.database.write(tx =>
    tx.deleteFrom('sessions').where('id', '=', owner.sessionId).execute(),
  )
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.match(page.url(), /\/sign-in\?next=%2Fsettings%2Fapi-keys$/)
})

test('a person with a second factor is asked for its code, and a recovery code does as well', async context => {
  const started = await startConsole(context)
  const person = await withSecondFactor(started)
  const page = await started.open('/sign-in', { as: null })
  const enterPassword = async () => {
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  }
  await enterPassword()
  await checkAccessible(page)
  started.expect(/status of 400.*verify-totp/)
  await page.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText(/is wrong, or was used before/i).waitFor()
  await page.getByLabel('Code').fill(person.codeIn(1))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()

  await page.context().clearCookies()
  await page.goto(`${started.origin}/sign-in`)
  await enterPassword()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(person.recoveryCode)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
})

/** Gives the owner a password and a second factor, as the account page does. */
async function withSecondFactor({ app }: ConsoleApp) {
  const password = 'a long walk by the river'
  const { accounts } = app.app.services
  const { email } = await accounts.person(app.ownerId)
  const hash = await accounts.prepare(password, email)
  await app.dependencies.database.write(tx => accounts.give(tx, app.ownerId, hash))
  const session = await signIn(app, app.ownerId)
  const enabled = await session.request('POST', '/auth/two-factor/enable', { body: { password } })
  const secret = new URL(enabled.body.data.totpURI).searchParams.get('secret') ?? ''
  const codeIn = (steps: number) => totp(secret, Math.floor(Date.now() / 30_000) + steps)
  const proven = await session.request('POST', '/auth/two-factor/verify-totp', { body: { code: codeIn(0) } })
  assert.ok(proven.status < 300, JSON.stringify(proven.body))
  return { email, password, codeIn, recoveryCode: enabled.body.data.backupCodes[0] as string }
}

/** RFC 6238 over a secret in base 32, with six digits. */
function totp(secret: string, step: number): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)?.map(byte => Number.parseInt(byte, 2)) ?? [])
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const focusedText = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()`,
  )
