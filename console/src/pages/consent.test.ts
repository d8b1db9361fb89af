/** An app asks a person for access, in a real browser: what is shown, what is given, where the browser goes. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import {
  authorization,
  callerAt,
  registered,
  sendForm,
} from '../../../server/src/testing/apps/connected-app.ts'
import { addPerson, testPassword } from '../../../server/src/testing/browser.ts'
import { startConsole } from '../../testing/console-app.ts'
import { checkAccessible, checkPage, picture } from '../../testing/page-checks.ts'

/** An app on the person's computer, which waits for the browser to come back. */
async function startApp(context: TestContext): Promise<{ redirectUri: string; came: URLSearchParams[] }> {
  const came: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://app')
    // The browser asks for an icon as well, whenever it likes.
    if (pathname === '/callback') came.push(searchParams)
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title><h1>Thank you</h1>')
  }).listen(0, '127.0.0.1')
  await new Promise(done => server.once('listening', done))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, came }
}

test('a person signs in, reads who asks, narrows it to an agent, allows it, and ends it in their account', async context => {
  const started = await startConsole(context)
  const { app, open, expect, origin } = started
  const outside = await startApp(context)
  expect(/a request to http:\/\/127\.0\.0\.1:\d+\/(callback|favicon)/)
  const clientId = await registered(app, ['http://127.0.0.1/callback'])
  const { query, verifier } = authorization(clientId, { redirect_uri: outside.redirectUri })
  const helper = await app.request('POST', '/agents', { body: { name: 'Helper' } })
  await app.request('POST', '/agents', { body: { name: 'Bookkeeper' } })

  await checkPage(started, 'consent', `/oauth/authorize${query}`, {
    ready: page => page.getByRole('heading', { name: 'Connect “Assistant”?' }).waitFor(),
  })
  const page = await open(`/oauth/authorize${query}`)
  await page.getByRole('heading', { name: 'Connect “Assistant”?' }).waitFor()
  await page.getByText('Nothing proves this name').waitFor()
  await page.getByText(new URL(outside.redirectUri).host, { exact: true }).waitFor()
  await page.getByText(outside.redirectUri, { exact: true }).waitFor()
  await page.getByLabel('Search, and read collections and documents').uncheck()
  await page.getByLabel('Only some agents').check()
  assert.equal(await page.getByRole('button', { name: 'Allow' }).isDisabled(), true)
  await page.getByLabel('Helper').check()
  await checkAccessible(page)
  await picture(page, 'consent-narrowed')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()

  const answer = outside.came.find(params => params.has('code'))
  assert.equal(answer?.get('state'), 'a state')
  assert.equal(answer?.get('iss'), app.dependencies.publicUrl())
  const { body } = await sendForm(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code: answer?.get('code') ?? '',
    client_id: clientId,
    redirect_uri: outside.redirectUri,
    code_verifier: verifier,
  })
  const caller = await callerAt(app, 'mcp', body.access_token)
  assert.deepEqual([...(caller?.permissions ?? [])], ['agents:read', 'agents:run'])
  assert.deepEqual(caller?.scope.agentIds, [helper.body.data.id])

  await page.goto(`${origin}/settings/api-keys`)
  await page.getByRole('row').filter({ hasText: 'Assistant' }).getByText('App', { exact: true }).waitFor()
  await page.goto(`${origin}/account`)
  await page.getByRole('list', { name: 'Connected apps' }).waitFor()
  await picture(page, 'connected-apps')
  await page.getByRole('button', { name: 'Disconnect Assistant' }).click()
  await page.getByText('You have connected none.').waitFor()
  assert.equal(await callerAt(app, 'mcp', body.access_token), null)
})

test('a stranger signs in first and comes back to the question; a refusal tells the app, and a false request sends them nowhere', async context => {
  const started = await startConsole(context)
  const { app, open, expect, origin } = started
  const outside = await startApp(context)
  expect(/a request to http:\/\/127\.0\.0\.1:\d+\/(callback|favicon)/)
  const clientId = await registered(app, ['http://127.0.0.1/callback'])
  const { query } = authorization(clientId, { redirect_uri: outside.redirectUri })
  const person = await addPerson(app, { email: 'ada@example.com' })
  await app.dependencies.database.write(tx =>
    tx
      .insertInto('members')
      .values({
        id: app.dependencies.newId('member'),
        workspace_id: app.workspaceId,
        user_id: person.id,
        role: 'viewer',
        kind: 'person',
        joined_at: Date.now(),
        revision: 1,
      })
      .execute(),
  )
  const page = await open(`/oauth/authorize${query}`, { as: null })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Connect “Assistant”?' }).waitFor()
  assert.equal(await page.getByLabel('Ask agents, and decide their approvals').count(), 0)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  assert.equal(outside.came.find(params => params.has('error'))?.get('error'), 'access_denied')

  const asked = outside.came.length
  expect(/status of 400.*apps\/ask/)
  await page.goto(
    `${origin}/oauth/authorize${authorization(clientId, { redirect_uri: 'https://evil.example/' }).query}`,
  )
  await page.getByRole('heading', { name: 'This app cannot be connected' }).waitFor()
  await checkAccessible(page)
  await picture(page, 'consent-refused')
  const wrong = authorization(clientId, { redirect_uri: outside.redirectUri, code_challenge_method: 'plain' })
  await page.goto(`${origin}/oauth/authorize${wrong.query}`)
  await page.getByRole('button', { name: /^Go back to 127/ }).waitFor()
  assert.equal(outside.came.length, asked)
})

test('a device is signed in by its code', async context => {
  const started = await startConsole(context)
  const { app, open, expect } = started
  const { body: device } = await sendForm(app, '/oauth/device', { client_id: 'atrium-cli' })
  await checkPage(started, 'device', '/device')
  const page = await open(`/device?code=${device.user_code}`)
  expect(/status of 400.*devices\/ask/)
  await page.getByLabel('Code').fill('BBBB-BBBB')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('No device waits with this code').waitFor()
  await page.getByLabel('Code').fill(device.user_code.toLowerCase())
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Did you begin this?').waitFor()
  await checkAccessible(page)
  await picture(page, 'device-question')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'The device is signed in' }).waitFor()
  const { body } = await sendForm(app, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'atrium-cli',
    device_code: device.device_code,
  })
  assert.equal((await app.request('GET', '/me', { key: body.access_token })).status, 200)
})
