import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allowedReturn,
  type IntegrationApp,
  startIntegrationApp,
} from '../../../testing/apps/integration-app.ts'
import { makeDue } from '../../../testing/due-jobs.ts'
import { eventually } from '../../../testing/eventually.ts'
import { untilNoJobs } from '../../../testing/knowledge/knowledge.ts'
import { deviceQueueName } from './device.ts'

async function begin({ app }: IntegrationApp) {
  const { status, body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'github', flow: 'device' },
  })
  assert.equal(status, 201)
  return body.data
}

async function until({ app }: IntegrationApp, id: string, wanted: string) {
  const shown = async () => (await app.request('GET', `/integrations/${id}`)).body.data
  await eventually(`the connection is ${wanted}`, async () => (await shown()).status === wanted)
  return shown()
}

/** Has the service asked now; returns after how many milliseconds it would have been. */
async function askNow({ app, oauth }: IntegrationApp): Promise<number> {
  const { asked } = oauth.device
  const pauseMs = await makeDue(app, deviceQueueName)
  await eventually('the service is asked', () => oauth.device.asked > asked)
  await untilNoJobs(app)
  return pauseMs
}

test('a person types a code at another device, and the connection becomes active; the service is asked at its own pace', async t => {
  const setting = await startIntegrationApp(t)
  const { oauth } = setting
  oauth.mood.githubStyle = true
  oauth.device.intervalSeconds = 90
  const begun = await begin(setting)
  assert.deepEqual(
    [begun.status, begun.userCode, begun.verificationUrl],
    ['pending', 'WDJB-MJHT', 'https://github.com/login/device'],
  )
  assert.equal('authorizationUrl' in begun, false)
  assert.ok(Date.parse(begun.expiresAt) > Date.now())
  assert.equal(await askNow(setting), 90_000)
  assert.equal(await askNow(setting), 90_000)
  assert.equal(oauth.device.asked, 2)
  oauth.device.answer = 'approve'
  await askNow(setting)
  const { account } = await until(setting, begun.id, 'active')
  assert.equal(account.name, 'octocat')
  const tested = await setting.app.request('POST', `/integrations/${begun.id}/test`)
  assert.equal(tested.body.data.ok, true)
})

test('slow_down makes the pauses longer; a refusal fails the connection', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth } = setting
  oauth.device.slowDowns = 1
  oauth.device.intervalSeconds = 90
  oauth.device.answer = 'deny'
  const begun = await begin(setting)
  await askNow(setting)
  const devices = await app.dependencies.database.read
    .selectFrom('device_authorizations')
    .select(['interval_seconds', 'device_code'])
    .execute()
  assert.deepEqual(
    devices.map(device => device.interval_seconds),
    [95],
  )
  assert.match(devices[0]?.device_code ?? '', /^v1\./)
  assert.equal(await askNow(setting), 95_000)
  const { lastError } = await until(setting, begun.id, 'failed')
  assert.equal(lastError.code, 'access_denied')
})

test('a device whose connection is gone is not asked about any more', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth } = setting
  const begun = await begin(setting)
  assert.equal((await app.request('DELETE', `/integrations/${begun.id}`)).status, 204)
  await makeDue(app, deviceQueueName)
  await untilNoJobs(app)
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
