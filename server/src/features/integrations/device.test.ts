import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allowedReturn, type IntegrationApp, startIntegrationApp } from '../../testing/integration-app.ts'

async function begin({ app }: IntegrationApp) {
  const { status, body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'github', flow: 'device' },
  })
  assert.equal(status, 201)
  return body.data
}

async function until({ app }: IntegrationApp, id: string, wanted: string) {
  for (let waits = 0; waits < 200; waits++) {
    const { data } = (await app.request('GET', `/integrations/${id}`)).body
    if (data.status === wanted) return data
    await sleep(50)
  }
  throw new Error(`The connection did not become ${wanted}`)
}

test('a person types a code at another device, and the connection becomes active; the service is asked at its own pace', async t => {
  const setting = await startIntegrationApp(t)
  const { oauth } = setting
  oauth.mood.githubStyle = true
  const begun = await begin(setting)
  assert.deepEqual(
    [begun.status, begun.userCode, begun.verificationUrl],
    ['pending', 'WDJB-MJHT', 'https://github.com/login/device'],
  )
  assert.equal('authorizationUrl' in begun, false)
  assert.ok(Date.parse(begun.expiresAt) > Date.now())
  await sleep(2_500)
  assert.ok(oauth.device.asked >= 1 && oauth.device.asked <= 3, `${oauth.device.asked} questions`)
  oauth.device.answer = 'approve'
  const { account } = await until(setting, begun.id, 'active')
  assert.equal(account.name, 'octocat')
  const tested = await setting.app.request('POST', `/integrations/${begun.id}/test`)
  assert.equal(tested.body.data.ok, true)
})

test('slow_down makes the pauses longer; a refusal fails the connection', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth } = setting
  oauth.device.slowDowns = 1
  oauth.device.answer = 'deny'
  const begun = await begin(setting)
  await sleep(3_000)
  const devices = await app.dependencies.database.read
    .selectFrom('device_authorizations')
    .select(['interval_seconds', 'device_code'])
    .execute()
  assert.deepEqual(
    devices.map(device => device.interval_seconds),
    [6],
  )
  assert.match(devices[0]?.device_code ?? '', /^v1\./)
  const { lastError } = await until(setting, begun.id, 'failed')
  assert.equal(lastError.code, 'access_denied')
})

test('a device whose connection is gone is not asked about any more', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth } = setting
  const begun = await begin(setting)
  assert.equal((await app.request('DELETE', `/integrations/${begun.id}`)).status, 204)
  await sleep(2_000)
  assert.equal(oauth.device.asked, 0)
})

test('a service without the flow, a way that is none, and a link that no browser may follow are refused by name', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth } = setting
  const connect = async (body: object) => {
    const reply = await app.request('POST', '/integrations/connect', { body })
    return [reply.status, ...(reply.body.errors ?? []).map((error: { field: string }) => error.field)]
  }
  assert.deepEqual(await connect({ integrationId: 'google-drive', flow: 'device' }), [400, 'flow'])
  assert.deepEqual(
    await connect({ integrationId: 'github', flow: 'device', credentials: { apiKey: 'ghp_1' } }),
    [400, 'flow'],
  )
  assert.deepEqual(await connect({ integrationId: 'github', flow: 'device', redirectUrl: allowedReturn }), [
    400,
    'redirectUrl',
  ])
  oauth.device.verificationUri = 'javascript:alert(1)'
  assert.deepEqual(await connect({ integrationId: 'github', flow: 'device' }), [503])
})
