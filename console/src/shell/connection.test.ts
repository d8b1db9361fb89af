/** What people type and where they are, kept in a real browser while the server is away, a session ends, or others decide. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createAgentIn } from '../../../server/src/testing/apps/agent-app.ts'
import { startTcpProxy } from '../../../server/src/testing/servers/tcp-proxy.ts'
import { startBrowser, startConsole } from '../../testing/console-app.ts'
import { checkAccessible, checkFits, picture } from '../../testing/page-checks.ts'

const away = (page: Page) => page.getByText('The server cannot be reached.')

test('while the server is away a banner says so, pages and words stay, and all goes on by itself', async context => {
  const target = { host: '127.0.0.1', port: 0 }
  const proxy = await startTcpProxy(target)
  context.after(proxy.close)
  const origin = `http://127.0.0.1:${proxy.port}`
  const started = await startConsole(context, { settings: { ATRIUM_PUBLIC_URL: origin } })
  target.port = Number(new URL(started.origin).port)
  const { id } = await createAgentIn(started.app, { name: 'Gatekeeper' }, started.app.testKey)
  const { open, expect } = await startBrowser(context, origin)
  expect(/ERR_/)
  const page = await open(`/agents/${id}`, { cookie: started.owner.cookie, environment: 'test' })
  const message = page.getByLabel('Your message')
  await message.waitFor()

  // A message that is sent while the server is away.
  await proxy.cut()
  await message.fill('sim:output=It has come')
  await message.press('Enter')
  await page.getByText('Is sent once the server is back').waitFor()
  await away(page).waitFor()
  await picture(page, 'away-light-1280')
  await checkAccessible(page)
  // A page whose code is not there yet, and one whose data are not.
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.waitForURL('**/usage')
  assert.equal(await page.getByRole('alert').count(), 0)
  assert.equal(await away(page).count(), 1)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  await picture(page, 'away-dark-360')
  await checkFits(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  // Another environment cannot be entered now; the page stays where it is.
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.getByText('The server could not be reached').waitFor()
  await page.getByRole('complementary', { name: 'Test environment' }).waitFor()

  await proxy.restore()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  await away(page).waitFor({ state: 'hidden' })
  // It was not the server's when the page was left: it is there again, to be sent.
  await page.goBack()
  assert.equal(await message.inputValue(), 'sim:output=It has come')
  await page.context().setOffline(true)
  await message.press('Enter')
  await away(page).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('article', { name: 'Turn 1' }).getByText('It has come', { exact: true }).waitFor()
  await away(page).waitFor({ state: 'hidden' })
})

test('a draft survives the other environment and a session that ends, and an approval decided elsewhere shows', async context => {
  const started = await startConsole(context)
  const { app, open, expect, owner } = started
  expect(/status of 40[14]/)
  const { accounts } = app.app.services
  const { email } = await accounts.person(app.ownerId)
  const password = 'a long walk by the river'
  const hash = await accounts.prepare(password, email)
  await app.dependencies.database.write(tx => accounts.give(tx, app.ownerId, hash))
  const agent = { name: 'שומר הסף', tools: ['calculator'], approvalTools: ['calculator'] }
  const { id } = await createAgentIn(app, agent, app.testKey)
  const page = await open(`/agents/${id}`, { environment: 'test' })
  await page.getByRole('heading', { name: agent.name }).waitFor()
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('h1')).direction"), 'rtl')

  const message = page.getByLabel('Your message')
  await message.fill('sim:approval')
  await message.press('Enter')
  const turn = page.getByRole('article', { name: 'Turn 1' })
  await turn.getByText('The agent wants to call').waitFor()
  // In another tab, say.
  const key = await owner.token({ environment: 'test' })
  const [run] = (await app.request('GET', `/agents/${id}/runs`, { key })).body.data
  const decisions = [{ toolCallId: run.pendingApprovals[0].toolCallId, decision: 'approve' }]
  await app.request('POST', `/runs/${run.id}/approvals`, { key, body: { decisions } })
  await turn.getByText(/tokens read/).waitFor()
  assert.equal(await turn.getByText('The agent wants to call').count(), 0)

  await message.fill('Half a thought')
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.getByRole('complementary', { name: 'Test environment' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('heading', { name: agent.name }).waitFor()
  assert.equal(await message.inputValue(), 'Half a thought')

  await app.app.services.sessions.end(owner.userId, owner.sessionId)
  await message.fill('A whole thought')
  await message.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: agent.name }).waitFor()
  assert.equal(await message.inputValue(), 'A whole thought')
})
