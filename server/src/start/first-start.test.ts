/** The first start: what it prints is lost by no crash, by no taken port, and by no terminal that was closed. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { testPassword } from '../testing/browser.ts'
import {
  createInstallation,
  type Installation,
  openInstallationDatabase,
  type RunningServer,
} from '../testing/operator.ts'
import { freePort } from '../testing/servers/postgres.ts'

type Printed = { token: string | undefined; key: string | undefined; agentId: string | undefined }

const printedBy = (server: RunningServer): Printed => ({
  token: /\/setup\?token=([0-9A-Za-z]{43})\n/.exec(server.output())?.[1],
  key: /export KEY=(sk_test_\w+)/.exec(server.output())?.[1],
  agentId: /AGENT=(agt_\w+)/.exec(server.output())?.[1],
})

const statusOf = async (server: RunningServer, { key, agentId }: Printed): Promise<number> =>
  (await fetch(`${server.origin}/api/v1/agents/${agentId}`, { headers: { authorization: `Bearer ${key}` } }))
    .status

const endedAt = async (installation: Installation, point: string): Promise<void> => {
  const settings = { NODE_ENV: 'test', ATRIUM_TEST_FAULT: point }
  const error = await installation.startServer(settings).catch((reason: Error) => reason)
  assert.ok(error instanceof Error, `the server passed ${point}`)
  assert.ok(error.message.includes(`fault point reached: ${point}`), error.message)
}

const points = ['first-start/commit.before', 'first-start/commit.after', 'start-serving/step.done']

/** The steps before the database, and those that are the same on both. */
const allPoints = [
  'start-listening/step.done',
  'start-opening/step.done',
  'first-start/blob.received',
  'first-start/blob.adopted',
  'first-start/commit.before',
  'first-start/commit.after',
  'start-making/step.done',
  'start-serving/step.done',
]

test('a first start that is killed between any two steps leaves the next one everything to print', async t => {
  const installation = await createInstallation(t)
  const engine = installation.environment.DATABASE_URL === undefined ? 'sqlite' : 'postgres'
  for (const point of engine === 'sqlite' ? allPoints : points) await endedAt(installation, point)
  const server = await installation.startServer()
  const printed = printedBy(server)
  assert.ok(printed.token !== undefined && printed.key !== undefined)
  assert.equal(await statusOf(server, printed), 200)
  const { read, close } = await openInstallationDatabase(installation)
  t.after(close)
  const count = async (table: 'workspaces' | 'collections' | 'documents' | 'api_keys') =>
    (await read.selectFrom(table).select('id').execute()).length
  assert.deepEqual(
    [
      await count('workspaces'),
      await count('collections'),
      await count('documents'),
      await count('api_keys'),
    ],
    [1, 1, 4, 1],
  )
})

test('a first start on a taken port makes nothing, and the next start prints everything', async t => {
  const holder = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(holder, 'listening')
  t.after(() => void holder.close())
  const { port } = holder.address() as AddressInfo
  const installation = await createInstallation(t, { engine: 'sqlite' })
  const refused = await installation.startServer({ ATRIUM_PORT: String(port) }).catch((error: Error) => error)
  assert.ok(refused instanceof Error)
  assert.match(
    refused.message,
    new RegExp(`atrium: Port ${port} of 127.0.0.1 is taken by .*with ATRIUM_PORT\n$`),
  )
  assert.deepEqual(await readdir(installation.dataDir), [])
  const printed = printedBy(await installation.startServer())
  assert.ok(printed.token !== undefined && printed.key !== undefined)
})

test('each start prints the same link and key until the link is used; then both are erased', async t => {
  const installation = await createInstallation(t)
  const first = await installation.startServer()
  const printed = printedBy(first)
  assert.ok(printed.token !== undefined && printed.key !== undefined)
  await first.stop()
  const second = await installation.startServer()
  assert.deepEqual(printedBy(second), printed)
  assert.equal(await statusOf(second, printed), 200)

  const setUp = await fetch(`${second.origin}/console/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: second.origin },
    body: JSON.stringify({
      token: printed.token,
      name: 'Ada',
      email: 'ada@example.com',
      password: testPassword,
    }),
  })
  assert.equal(setUp.status, 200)
  await second.stop()
  const third = await installation.startServer()
  assert.deepEqual(printedBy(third), { token: undefined, key: undefined, agentId: undefined })
  assert.equal(await statusOf(third, printed), 200)
  const { read, close } = await openInstallationDatabase(installation)
  t.after(close)
  assert.deepEqual(await read.selectFrom('verifications').select('id').execute(), [])
})

test('a key that somebody has revoked is not printed again', async t => {
  const installation = await createInstallation(t, { engine: 'sqlite' })
  const server = await installation.startServer()
  const [workspace] = await installation.atriumJson('workspace list')
  const keys = await installation.atriumJson(['key', 'list', '--workspace', workspace.slug])
  for (const { id } of keys) await installation.atriumJson(['key', 'revoke', id])
  await server.stop()
  const { token, key } = printedBy(await installation.startServer())
  assert.ok(token !== undefined)
  assert.equal(key, undefined)
})

test('a request that comes while the server starts gets a 503 that says so, which a page may read', async t => {
  const installation = await createInstallation(t, { engine: 'sqlite' })
  const port = await freePort()
  const starting = installation.startServer({ ATRIUM_PORT: String(port) })
  const origin = `http://127.0.0.1:${port}`
  const ask = async (path: string) => {
    const headers = { connection: 'close' }
    const reply = await fetch(`${origin}${path}`, { headers }).catch(() => null)
    return reply === null
      ? null
      : { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  const whileStarting = new Set<string>()
  for (let isReady = false; !isReady; ) {
    const ready = await ask('/readyz')
    isReady = ready?.status === 200
    if (ready?.body.status !== 'starting') continue
    const preflight = await fetch(`${origin}/api/v1/me`, {
      method: 'OPTIONS',
      headers: { connection: 'close', origin: 'https://example.com', 'access-control-request-method': 'GET' },
    }).catch(() => null)
    const api = await ask('/api/v1/me')
    // The start may have ended between the two requests.
    if (api?.status !== 503) continue
    const origins = preflight?.headers.get('access-control-allow-origin')
    whileStarting.add(
      `${ready.status} ${api.body.code}: ${api.body.message} (${preflight?.status} ${origins})`,
    )
  }
  assert.deepEqual(
    [...whileStarting],
    ['503 unavailable: The server is starting: try again in a moment (204 *)'],
  )
  await starting
})
