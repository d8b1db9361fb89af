/** A start waits for a PostgreSQL that is still coming, and for nothing that waiting does not cure. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, testPostgresUrl } from '../testing/database.ts'
import { eventually } from '../testing/eventually.ts'
import { createLaunches } from '../testing/servers/launches.ts'
import { freePort } from '../testing/servers/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-wait-'))
const launches = createLaunches()
after(() => {
  launches.endAll()
  rmSync(folder, { recursive: true, force: true })
})

const postgresUrl = testPostgresUrl() ?? assert.fail('These tests need a PostgreSQL server')

const start = (url: string) =>
  launches.launch([process.execPath, join(import.meta.dirname, '../main.js')], {
    env: {
      PATH: process.env.PATH,
      ATRIUM_PORT: '0',
      ATRIUM_LOG_LEVEL: 'error',
      ATRIUM_DATA_DIR: join(folder, 'data'),
      ATRIUM_SECRET: 'a secret that only tests have, of enough characters',
      DATABASE_URL: url,
    },
  })

const waiting =
  /^atrium: PostgreSQL at 127\.0\.0\.1:\d+ \(database \w+\) refuses connections: .*trying for another 60 s\n/

test('a start waits for a database that comes later, and says so', async t => {
  const { database, settings, close } = await createTestDatabase('postgres')
  await database.close()
  t.after(close)
  assert.ok(settings.engine === 'postgres')
  const real = new URL(settings.url)
  const port = await freePort()
  const { child, out, err } = start(Object.assign(new URL(real), { port: String(port) }).href)
  await eventually('it says that it waits', () => waiting.test(err()))
  const sockets: Socket[] = []
  const proxy = createServer(socket => {
    const server = connect(Number(real.port), real.hostname)
    socket.pipe(server).pipe(socket)
    // Either end may break the connection off.
    for (const end of [socket, server]) sockets.push(end.on('error', () => undefined))
  }).listen(port, '127.0.0.1')
  t.after(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  await eventually('it is ready', () => out().includes('Atrium is ready'))
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a signal ends the wait at once', async () => {
  const { child, err } = start(`postgres://u:p@127.0.0.1:${await freePort()}/atrium`)
  await eventually('it says that it waits', () => waiting.test(err()))
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

/** Whether the server that the tests were given asks for a password at all: one of a laptop may trust each connection. */
async function takesAnyPassword(): Promise<boolean> {
  const client = new pg.Client({ connectionString: changed(postgresUrl, { password: 'wrong' }) })
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

const changed = (url: string, changes: Partial<URL>) => Object.assign(new URL(url), changes).href

async function endsWithoutWait(url: string, message: RegExp): Promise<void> {
  const { child, err } = start(url)
  assert.deepEqual(await once(child, 'close'), [1, null])
  assert.match(err(), message)
  assert.ok(!err().includes('trying for another'), err())
}

test(
  'a wrong password ends a start without a wait',
  { skip: (await takesAnyPassword()) && 'this PostgreSQL takes any password' },
  () =>
    endsWithoutWait(
      changed(postgresUrl, { password: 'wrong' }),
      /refuses the password of \w+: correct it in DATABASE_URL\n$/,
    ),
)

test('a database that does not exist ends a start without a wait', () =>
  endsWithoutWait(
    changed(postgresUrl, { pathname: '/nowhere' }),
    /has no such database: create it \(CREATE DATABASE "nowhere"\)/,
  ))

test('a server with another protocol ends a start without a wait', async t => {
  // It greets as MySQL does.
  const other = createServer(socket => {
    socket.on('error', () => undefined).end('J\0\0\0\n8.0.36\0')
    // What the client says is not read: only its end is waited for.
    socket.resume()
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => void other.close())
  const address = other.address()
  const otherPort = typeof address === 'object' ? String(address?.port) : ''
  await endsWithoutWait(
    changed(postgresUrl, { port: otherPort }),
    /does not speak as PostgreSQL does: check host and port in DATABASE_URL\n$/,
  )
})
