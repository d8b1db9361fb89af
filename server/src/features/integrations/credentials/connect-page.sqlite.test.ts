import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { minuteMs } from '../../../platform/clock.ts'
import {
  allowedReturn,
  type IntegrationApp,
  startIntegrationApp,
} from '../../../testing/apps/integration-app.ts'

type Begun = { id: string; connectUrl: string; authorizationUrl: string }

async function begin({ app }: IntegrationApp, integrationId = 'github', more: object = {}): Promise<Begun> {
  const { status, body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId, ...more },
  })
  assert.equal(status, 201)
  return body.data
}

const statusOf = async ({ app }: IntegrationApp, id: string): Promise<string> =>
  (await app.request('GET', `/integrations/${id}`)).body.data.status

test('the page says what will be connected to what, without script, and leads through the service to the end', async t => {
  const setting = await startIntegrationApp(t)
  const browser = setting.newBrowser()
  const { id, connectUrl } = await begin(setting, 'github', { name: '<b>Ours</b>' })
  const page = await browser.open(connectUrl)
  assert.equal(page.status, 200)
  assert.match(page.text, /Connect GitHub to /)
  assert.match(page.text, /<li>repo<\/li>/)
  assert.match(page.text, /github\.com/)
  assert.doesNotMatch(page.text, /<script|<b>/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /form-action 'self' https:\/\/github\.com;/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.equal(browser.cookies.size, 0)

  const end = await browser.send(connectUrl, { decision: 'continue' })
  assert.deepEqual([end.status, await statusOf(setting, id)], [200, 'active'])
  assert.match(end.text, /GitHub is connected/)
  assert.match((await browser.open(connectUrl)).text, /no longer valid/)
})

test('a person who is sent on from the page of another one connects nothing', async t => {
  const setting = await startIntegrationApp(t)
  const { id, connectUrl } = await begin(setting)
  const attacker = setting.newBrowser()
  const response = await fetch(connectUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(connectUrl).origin },
    body: new URLSearchParams({ decision: 'continue' }),
  })
  const wayOn = response.headers.get('location') ?? ''
  assert.match(response.headers.get('set-cookie') ?? '', /HttpOnly; SameSite=Lax/)
  const victim = await setting.newBrowser().open(wayOn)
  assert.equal(victim.status, 400)
  assert.match(victim.text, /another browser/)
  assert.deepEqual(setting.oauth.tokenRequests, [])
  assert.equal(await statusOf(setting, id), 'pending')
  // A cookie of another browser's own is another one.
  const other = await begin(setting)
  await attacker.send(other.connectUrl, { decision: 'continue' })
  assert.match((await attacker.open(wayOn)).text, /no longer valid|another browser/)
  assert.equal(await statusOf(setting, id), 'pending')
})

test('a page of another site cannot press the button', async t => {
  const setting = await startIntegrationApp(t)
  const { id, connectUrl } = await begin(setting)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    {} as Record<string, string>,
  ]) {
    const refused = await setting.newBrowser().send(connectUrl, { decision: 'continue' }, headers)
    assert.equal(refused.status, 403)
  }
  assert.equal(await statusOf(setting, id), 'pending')
})

test('cancelling and a refusal end the connection as failed and return with the reason; going on works again until then', async t => {
  const setting = await startIntegrationApp(t)
  const { oauth, newBrowser } = setting
  const redirectUrl = `${allowedReturn}/done`
  const first = await begin(setting, 'github', { redirectUrl })
  // Browsers hold the form's policy against the redirect that follows it.
  const policy = (await newBrowser().open(first.connectUrl)).headers.get('content-security-policy') ?? ''
  assert.ok(policy.includes(`form-action 'self' https://github.com ${allowedReturn};`), policy)
  const cancelled = new URL((await newBrowser().send(first.connectUrl, { decision: 'cancel' })).url)
  assert.deepEqual(Object.fromEntries(cancelled.searchParams), {
    connectionId: first.id,
    status: 'failed',
    error: 'cancelled',
  })
  assert.match((await newBrowser().open(first.authorizationUrl)).text, /no longer valid/)

  const second = await begin(setting, 'github', { redirectUrl })
  oauth.mood.refuse = 'access_denied'
  const refused = new URL((await newBrowser().send(second.connectUrl, { decision: 'continue' })).url)
  assert.equal(refused.searchParams.get('error'), 'access_denied')
  assert.equal(await statusOf(setting, second.id), 'failed')

  oauth.mood.refuse = null
  const third = await begin(setting)
  const browser = newBrowser()
  assert.equal((await browser.send(third.connectUrl, { decision: 'dance' })).status, 400)
  // The person goes back and presses the button once more.
  const { headers } = await fetch(third.connectUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(third.connectUrl).origin },
    body: new URLSearchParams({ decision: 'continue' }),
  })
  assert.ok(headers.get('location'))
  assert.equal((await browser.send(third.connectUrl, { decision: 'continue' })).status, 200)
  assert.equal(await statusOf(setting, third.id), 'active')
})

test('a link that is expired, forged or of a connection that is gone says so and does nothing', async t => {
  const setting = await startIntegrationApp(t)
  const { app, pass, newBrowser } = setting
  const gone = await begin(setting)
  await app.request('DELETE', `/integrations/${gone.id}`)
  const late = await begin(setting)
  const forged = new URL(`/connect/${'A'.repeat(43)}`, late.connectUrl).href
  const huge = new URL(`/connect/${'A'.repeat(3_000)}`, late.connectUrl).href
  pass(10 * minuteMs)
  for (const url of [gone.connectUrl, late.connectUrl, forged, huge]) {
    for (const page of [
      await newBrowser().open(url),
      await newBrowser().send(url, { decision: 'continue' }),
    ]) {
      assert.ok(page.status >= 400 && page.status < 500, `${page.status} ${url.slice(0, 60)}`)
    }
  }
  assert.equal(await statusOf(setting, late.id), 'expired')
})

test('several connections can be in progress in one browser', async t => {
  const setting = await startIntegrationApp(t)
  const browser = setting.newBrowser()
  const begun = [await begin(setting), await begin(setting, 'google-drive')]
  const ways: string[] = []
  for (const { connectUrl } of begun) {
    const cookie = browser.cookies.get(new URL(connectUrl).origin)
    const response = await fetch(connectUrl, {
      method: 'POST',
      redirect: 'manual',
      headers: withoutUndefined<Record<string, string>>({ origin: new URL(connectUrl).origin, cookie }),
      body: new URLSearchParams({ decision: 'continue' }),
    })
    browser.cookies.set(new URL(connectUrl).origin, response.headers.get('set-cookie')?.split(';')[0] ?? '')
    ways.push(response.headers.get('location') ?? '')
  }
  for (const way of ways) assert.equal((await browser.open(way)).status, 200)
  for (const { id } of begun) assert.equal(await statusOf(setting, id), 'active')
})
