/** Integrations in a real browser: found in the catalog, connected by the form its entry asks for, tested, disconnected. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { startWebsite } from '../../../../server/src/testing/peers/website.ts'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage, manyPages, picture } from '../../../testing/page-checks.ts'

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
  await page.getByLabel('Find a service').fill('http api')
  await page.getByText('Connect GitHub').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Connect HTTP API' }).click()
  await page.getByLabel(/^Name/).fill('Help desk')
  await page.getByLabel(/^Base URL/).fill(origin)
  await page.getByLabel(/^Header( |$|\()/).fill('x-key')
  await page.getByLabel(/^Scheme/).fill('Token')
  await page.getByLabel(/^API key/).fill('wrong-key')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await checkAccessible(page)
  await page.getByLabel(/^API key/).fill(known.key)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('“Help desk” is connected').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Help desk' }).waitFor()
  await page.getByRole('link', { name: 'Integrations', exact: true }).first().click()
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
  await row.getByText('Needs to be reconnected').waitFor()
  const { id } = (await app.request('GET', '/integrations')).body.data[0]
  await choose('Reconnect…')
  await page.getByRole('radio', { name: /^By a key/ }).check()
  await page.getByLabel(/^API key/).fill(known.key)
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('heading', { level: 1, name: 'Help desk' }).waitFor()
  assert.equal((await app.request('GET', `/integrations/${id}`)).body.data.status, 'active')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Settings…' }).click()
  assert.equal(await page.getByLabel(/^Base URL/).inputValue(), origin)
  await page.getByLabel(/^Name/).fill('Tickets')
  await page.getByLabel(/^Test path/).fill('/me')
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Tickets' }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect…' }).click()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByRole('heading', { name: 'Nothing is connected yet' }).waitFor()
  assert.deepEqual((await app.request('GET', '/integrations')).body.data, [])
})

test('a service that wants two secret headers is connected by rows of names and values', async context => {
  const asked: (string | undefined)[][] = []
  const server = createServer(({ headers }, response) => {
    asked.push([headers['x-key'], headers['x-tenant']].map(String))
    response.end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  context.after(() => new Promise(done => server.close(done)))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const { open } = await startConsole(context, { settings })
  const page = await open('/integrations/connect/http')
  await page.getByLabel(/^Base URL/).fill(`http://127.0.0.1:${address.port}`)
  await page.getByRole('radio', { name: /^By secret headers/ }).check()
  const secrets = page.getByRole('group', { name: 'Secret headers' })
  await secrets.getByLabel('Secret headers, 1: name').fill('X-Key')
  await secrets.getByLabel('Secret headers, 1: value').fill('first')
  await secrets.getByRole('button', { name: 'Add another' }).click()
  await secrets.getByLabel('Secret headers, 2: name').fill('X-Tenant')
  await secrets.getByLabel('Secret headers, 2: value').fill('second')
  assert.equal(await secrets.getByLabel('Secret headers, 2: value').getAttribute('type'), 'password')
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText(/is connected/).waitFor()
  assert.deepEqual(asked, [['first', 'second']])
})

test('a website is kept in sync: at once, with its counts and failures, on a schedule, and ended with its documents', async context => {
  const site = await startWebsite(context)
  site.put('/', '<p>Welcome to the pond.</p><a href="/ducks">Ducks</a><a href="/bad">Bad</a>')
  site.put('/ducks', '<p>Ducks may enter freely.</p>')
  site.pages.set('/bad', {
    headers: { 'content-type': 'text/html' },
    stream: response => {
      response.write('<p>A beginning')
      setTimeout(() => response.destroy(), 10)
    },
  })
  const { app, open } = await startConsole(context, { settings })
  const page = await open('/integrations/connect/website')
  await page.getByLabel('URL').fill(site.peer.origin)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Website' }).waitFor()
  await page.getByRole('heading', { name: 'It was not synchronized yet' }).waitFor()
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Sync now' }).click()
  const row = page.getByRole('row', { name: /Asked for/ })
  await row.getByText('Done', { exact: true }).waitFor()
  await row.getByText('2 new · 0 changed · 0 unchanged · 0 deleted · 1 failed').waitFor()
  await row.getByRole('button', { name: 'What failed' }).click()
  await page.getByRole('dialog').getByText('broke off', { exact: false }).waitFor()
  await checkAccessible(page)
  await page.keyboard.press('Escape')

  for (const name of ['one', 'two', 'three', 'four']) site.put(`/${name}`, `<p>Page ${name}.</p>`)
  site.put('/', '<a href="/one">1</a><a href="/two">2</a><a href="/three">3</a><a href="/four">4</a>')
  const { id } = (await app.request('GET', '/integrations')).body.data[0]
  const syncAll = () =>
    app.request('POST', `/integrations/${id}/sync`, { body: { full: true }, headers: { prefer: 'wait=30' } })
  assert.equal((await syncAll()).body.data.status, 'succeeded')
  site.put('/', '<p>Nothing is left.</p>')
  assert.equal((await syncAll()).body.data.error.code, 'delete_guard')
  await page.reload()
  await page.getByRole('button', { name: 'Confirm the deletion…' }).click()
  await page.getByRole('dialog').getByText(`${site.peer.origin}/three`).waitFor()
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Sync and delete' }).click()
  await page.getByText('4 deleted').first().waitFor()

  await page.getByLabel('How often').selectOption('Every day')
  await page.getByRole('button', { name: 'Save the sync' }).click()
  await page.getByText(/^Next at /).waitFor()
  const { body } = await app.request('GET', '/integrations')
  const [connection] = body.data
  assert.equal(connection.sync.everyMinutes, 1_440)
  await page.getByRole('link', { name: 'Open the collection' }).waitFor()
  await picture(page, 'connection')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect…' }).click()
  await page.getByLabel('Move its synced documents to the trash').check()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByRole('heading', { name: 'Nothing is connected yet' }).waitFor()
})

test('a service without an OAuth client is opened by a key, or by a client that is set up here', async context => {
  const { app, open } = await startConsole(context)
  const page = await open('/integrations')
  await page.getByLabel('Find a service').fill('google drive')
  await page.getByRole('button', { name: 'Set up Google Drive' }).click()
  await page.getByRole('textbox', { name: /^Redirect address/ }).waitFor()
  await page.getByLabel('Client ID').fill('123.apps.example.com')
  await page.getByLabel('Client secret', { exact: true }).fill('secret-of-a-test')
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Connect Google Drive' }).waitFor()
  const { body } = await app.request('GET', '/oauth-clients/google-drive')
  assert.deepEqual([body.data.source, body.data.clientId], ['workspace', '123.apps.example.com'])
  await page.goto(page.url().replace(/\/integrations.*/, '/integrations/connect/github'))
  await page.getByLabel(/^API key/).waitFor()
})

test('for OAuth the way leads to the page of the service, and the connection waits for it', async context => {
  const { open } = await startConsole(context, { settings })
  const page = await open('/integrations/connect/github')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const link = page.getByRole('link', { name: 'Continue to GitHub' })
  assert.match((await link.getAttribute('href')) ?? '', /^http:\/\/127\.0\.0\.1:\d+\/connect\//)
  await checkAccessible(page)
  await page.getByRole('link', { name: 'Back to the integrations' }).click()
  await page.getByText('Waits for the authorization').waitFor()
})

test(
  'the pages of the integrations hold on narrow screens, in both themes, and for axe',
  manyPages,
  async context => {
    const started = await startConsole(context, { settings })
    await checkPage(started, 'integrations-empty', '/integrations')
    await started.app.request('POST', '/integrations/connect', {
      key: started.app.liveKey,
      body: { integrationId: 'github', name: 'Repositories of the documentation team' },
    })
    await checkPage(started, 'integrations', '/integrations')
    await checkPage(started, 'integration-connect', '/integrations/connect/http')
    const { body } = await started.app.request('POST', '/integrations/connect', {
      key: started.app.testKey,
      body: { integrationId: 'website', config: { url: 'https://docs.example.com/' } },
    })
    const { id } = body.data
    await started.app.request('POST', `/integrations/${id}/sync`, {
      key: started.app.testKey,
      headers: { prefer: 'wait=20' },
    })
    await checkPage(started, 'connection', `/integrations/${id}`, { environment: 'test' })
    await checkPage(started, 'connection-reconnect', `/integrations/${id}/reconnect`, { environment: 'test' })
  },
)
