/** The client against the real server. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts'
import { Atrium } from './client.ts'
import { AuthenticationError, NotFoundError, PermissionError, ValidationError } from './transport/errors.ts'

test('a list is walked to its end, however many pages it has, and counted exactly', async context => {
  const { atrium } = await start(context)
  const names = Array.from({ length: 103 }, (_, index) => `Team ${String(index).padStart(3, '0')}`)
  for (const name of names) await atrium.workspace.teams.create({ name })
  const walked = await Array.fromAsync(atrium.workspace.teams.list({ pageSize: 2 }), team => team.name)
  assert.deepEqual(walked, names.toReversed())
  const sorted = await Array.fromAsync(atrium.workspace.teams.list({ sort: 'name' }), team => team.name)
  assert.deepEqual(sorted, names.toSorted())
  const page = await atrium.workspace.teams.list({ page: 2, pageSize: 50 }).page()
  assert.deepEqual([page.page, page.pageSize, page.total, page.items.length], [2, 50, 103, 50])
})

test('a refused call is the error of its kind, with the field, the code and the request id', async context => {
  const { atrium, app, baseUrl } = await start(context)
  await assert.rejects(atrium.workspace.teams.create({ name: '' }), (error: unknown) => {
    assert.ok(error instanceof ValidationError)
    assert.deepEqual(
      error.errors.map(({ field }) => field),
      ['name'],
    )
    assert.equal(error.code, 'validation_failed')
    assert.match(error.requestId, /^req_/)
    return true
  })
  await assert.rejects(atrium.workspace.teams.get('team_01kajz4v7qf3x8m2c9t5b6n0rw'), NotFoundError)
  const viewer = await app.createKey({ role: 'viewer' })
  const theirs = new Atrium({ apiKey: viewer.key, baseUrl })
  await assert.rejects(theirs.workspace.teams.create({ name: 'Mine' }), PermissionError)
})

test('a write that is sent twice under one key happens once', async context => {
  const { atrium } = await start(context)
  const options = { idempotencyKey: 'team-of-november' }
  const first = await atrium.workspace.teams.create({ name: 'Once' }, options)
  const second = await atrium.workspace.teams.create({ name: 'Once' }, options)
  assert.equal(second.id, first.id)
  assert.equal((await atrium.workspace.teams.list().page()).total, 1)
})

test('a deletion can be previewed, is carried out, and then answers nothing', async context => {
  const { atrium } = await start(context)
  const team = await atrium.workspace.teams.create({ name: 'Short-lived' })
  const [effect] = await atrium.workspace.teams.previewDelete(team.id)
  assert.deepEqual([effect?.effect, effect?.ids.includes(team.id)], ['deleted', true])
  assert.equal((await atrium.workspace.teams.get(team.id)).name, 'Short-lived')
  assert.equal(await atrium.workspace.teams.delete(team.id), undefined)
  await assert.rejects(atrium.workspace.teams.get(team.id), NotFoundError)
})

test('any call can be made by hand, and shows its headers', async context => {
  const { atrium } = await start(context)
  const reply = await atrium.request({ method: 'GET', path: '/workspace' })
  assert.equal(reply.status, 200)
  assert.match(reply.requestId, /^req_/)
  assert.ok(Number(reply.headers.get('x-ratelimit-remaining')) > 0)
})

test('an unknown key is an AuthenticationError; what is no key or no address is refused before any call', async context => {
  const { app, baseUrl } = await start(context)
  const otherEnd = app.liveKey.key.endsWith('x') ? 'y' : 'x'
  const stranger = new Atrium({ apiKey: `${app.liveKey.key.slice(0, -1)}${otherEnd}`, baseUrl })
  await assert.rejects(stranger.workspace.get(), AuthenticationError)
  assert.throws(() => new Atrium({ apiKey: 'secret', baseUrl }), /sk_live_… or sk_test_…/)
  assert.throws(() => new Atrium({ apiKey: undefined, baseUrl }), /apiKey must be an API key/)
  assert.throws(() => new Atrium({ apiKey: 'sk_test_x', baseUrl: 'example.com' }), /baseUrl/)
  assert.throws(() => new Atrium({ apiKey: 'sk_test_x', baseUrl: undefined }), /baseUrl/)
  assert.throws(() => stranger.workspace.teams.get(''), TypeError)
})

async function start(context: TestContext): Promise<{ atrium: Atrium; app: TestApp; baseUrl: string }> {
  const app = await startTestApp()
  context.after(app.close)
  const baseUrl = await app.listen()
  return { app, baseUrl, atrium: new Atrium({ apiKey: app.liveKey.key, baseUrl }) }
}
