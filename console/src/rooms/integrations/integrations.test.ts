/** Integrations in a real browser: found in the catalog, connected by the form its entry asks for, tested, disconnected. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage } from '../../../testing/page-checks.ts'

const slow = { timeout: 30_000 }
const settings = {
  ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
  ATRIUM_GITHUB_CLIENT_ID: 'Iv1.of-a-test',
  ATRIUM_GITHUB_CLIENT_SECRET: 'secret-of-a-test',
}

/** An API that knows one key, until it forgets it. */
async function startService(context: TestContext) {
  const known = { key: 'right-key' }
  const server = createServer((request, response) => {
    response.writeHead(request.headers['x-key'] === `Token ${known.key}` ? 200 : 401).end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  context.after(() => new Promise(done => server.close(done)))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { origin: `http://127.0.0.1:${address.port}`, known }
}

test('a service is found, connected with its own settings and key, tested, and disconnected; a wrong key is refused', async context => {
  const { origin, known } = await startService(context)
  const { app, open, expect } = await startConsole(context, { settings })
  expect(/status of 4\d\d.*integrations\/connect/)
  const page = await open('/integrations')
  page.setDefaultTimeout(slow.timeout)
  await page.getByLabel('Find a service').fill('http api')
  await page.getByText('Connect GitHub').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Connect HTTP API' }).click()
  await page.getByLabel('Name').fill('Help desk')
  await page.getByLabel('Base URL').fill(origin)
  await page.getByLabel('Header').fill('x-key')
  await page.getByLabel('Scheme').fill('Token')
  await page.getByLabel(/^API key/).fill('wrong-key')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await checkAccessible(page)
  await page.getByLabel(/^API key/).fill(known.key)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('“Help desk” is connected').waitFor()
  const row = page.getByRole('row', { name: /Help desk/ })
  await row.getByText('Connected', { exact: true }).waitFor()

  const choose = async (name: string) => {
    await row.getByRole('button', { name: 'Actions for Help desk' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Test')
  await page.getByText('“Help desk” works').waitFor()
  known.key = 'another-key'
  await choose('Test')
  await page.getByText('“Help desk” does not work').waitFor()
  await row.getByText('Needs to be connected anew').waitFor()
  await choose('Connect anew…')
  await page.getByText('The old connection stays').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Help desk')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await choose('Disconnect…')
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByRole('heading', { name: 'Nothing is connected yet' }).waitFor()
  assert.deepEqual((await app.request('GET', '/integrations')).body.data, [])
})

test('for OAuth the way leads to the page of the service, and the connection waits for it', async context => {
  const { open } = await startConsole(context, { settings })
  const page = await open('/integrations/connect/github')
  page.setDefaultTimeout(slow.timeout)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const link = page.getByRole('link', { name: 'Continue to GitHub' })
  assert.match((await link.getAttribute('href')) ?? '', /^https:\/\/github\.com\/login\/oauth\/authorize\?/)
  await checkAccessible(page)
  await page.getByRole('link', { name: 'Back to the integrations' }).click()
  await page.getByText('Waits for the authorization').waitFor()
})

test('the pages of the integrations hold on narrow screens, in both themes, and for axe', async context => {
  const started = await startConsole(context, { settings })
  await checkPage(started, 'integrations-empty', '/integrations')
  await started.app.request('POST', '/integrations/connect', {
    key: started.app.liveKey,
    body: { integrationId: 'github', name: 'Repositories of the documentation team' },
  })
  await checkPage(started, 'integrations', '/integrations')
  await checkPage(started, 'integration-connect', '/integrations/connect/http')
})
