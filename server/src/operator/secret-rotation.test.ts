import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { replaceCanary } from '../platform/crypto/canary.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import { openDatabase } from '../platform/database/open.ts'
import { testEngine } from '../testing/database.ts'
import { createPlace, type Place } from '../testing/operator.ts'
import { keepStartsOut } from './keep-servers-out.ts'

type Cleanup = { after: (work: () => void | Promise<void>) => void }

/** A place with a workspace, a key, and a connection whose API takes one key only. */
async function furnished(t: Cleanup, place: Place) {
  const seen: (string | undefined)[] = []
  const api = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(request.headers.authorization === 'Bearer key-of-the-api' ? 200 : 401).end('{}')
  })
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    api.close()
    api.closeAllConnections()
  })
  await place.atriumJson('workspace create Acme')
  const { key } = await place.atriumJson('key create --workspace acme --env live --name ci --permissions all')
  const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const server = await place.startServer(settings)
  const connect = await call(server.origin, key, 'POST', '/integrations/connect', {
    integrationId: 'http',
    config: { baseUrl },
    credentials: { apiKey: 'key-of-the-api' },
  })
  assert.equal(connect.status, 201, JSON.stringify(connect.body))
  await server.stop()
  return { key, connectionId: connect.body.data.id as string, seen }
}

const settings = { ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32' }

async function call(origin: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there.
  return { status: response.status, body: (await response.json()) as any }
}

test('after a rotation keys work, credentials open, and the old secret opens nothing any more', async t => {
  const place = await createPlace(t)
  const { key, connectionId, seen } = await furnished(t, place)
  const secretFile = join(place.dataDir, 'secret')
  const before = await readFile(secretFile, 'utf8')
  await place.atriumJson('secret rotate')
  const rotated = await place.atriumJson('secret rotate')
  assert.deepEqual([rotated.workspaces, rotated.wasResumed, rotated.newSecretFile], [1, false, null])
  const after = await readFile(secretFile, 'utf8')
  assert.notEqual(after, before)
  assert.equal((await stat(secretFile)).mode & 0o077, 0)
  await assert.rejects(stat(`${secretFile}.next`))
  assert.match((await place.atriumHere('doctor')).stdout, /ok +secret/)

  const server = await place.startServer(settings)
  const tested = await call(server.origin, key, 'POST', `/integrations/${connectionId}/test`)
  assert.deepEqual([tested.status, tested.body.data.ok], [200, true], 'a key of two secrets ago')
  assert.equal(seen.at(-1), 'Bearer key-of-the-api')
  await server.stop()
  const { key: fresh } = await place.atriumJson(
    'key create --workspace acme --env live --name new --permissions all',
  )
  const again = await place.startServer(settings)
  assert.equal((await call(again.origin, fresh, 'GET', '/workspace')).status, 200)
  await again.stop()

  await writeFile(secretFile, before)
  assert.match((await place.atriumHere('workspace list')).stderr, /does not match the data/)
})

test('a rotation that was interrupted is finished by the next one, whether or not the data was under way', async t => {
  const place = await createPlace(t)
  const { key } = await furnished(t, place)
  const secretFile = join(place.dataDir, 'secret')
  // It died before the database was touched.
  await writeFile(`${secretFile}.next`, `${'n'.repeat(64)}\n`)
  const first = await place.atriumJson('secret rotate')
  assert.equal(first.wasResumed, false)
  assert.equal((await readFile(secretFile, 'utf8')).trim(), 'n'.repeat(64))

  // It died between the database and the file.
  await copyFile(secretFile, `${secretFile}.next`)
  await writeFile(secretFile, `${'o'.repeat(64)}\n`)
  const second = await place.atriumJson('secret rotate')
  assert.deepEqual([second.wasResumed, second.workspaces], [true, 1])
  const server = await place.startServer(settings)
  assert.equal((await call(server.origin, key, 'GET', '/workspace')).status, 200)
  await server.stop()
})

test('with ATRIUM_SECRET the new one goes into a file that is named; foreign secrets and a running server change nothing', async t => {
  const old = 'the secret of the environment, long enough'
  const place = await createPlace(t, { environment: { ATRIUM_SECRET: old } })
  const { key } = await furnished(t, place)
  const unnamed = await place.atriumHere('secret rotate')
  assert.deepEqual([unnamed.exitCode, /--new-secret-file/.test(unnamed.stderr)], [2, true])
  const file = join(place.dataDir, 'new-secret')
  const foreign = await place.atrium(['secret', 'rotate', '--new-secret-file', file], {
    ATRIUM_SECRET: 'another secret that never was the right one',
  })
  assert.match(foreign.stderr, /Neither the present secret nor the new one/)

  const running = await place.startServer(settings)
  const refused = await place.atriumHere(['secret', 'rotate', '--new-secret-file', file])
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /stop it first/)
  assert.equal((await call(running.origin, key, 'GET', '/workspace')).status, 200)
  await running.stop()

  const rotated = await place.atriumJson(['secret', 'rotate', '--new-secret-file', file])
  assert.equal(rotated.newSecretFile, file)
  const ATRIUM_SECRET = (await readFile(file, 'utf8')).trim()
  const server = await place.startServer({ ...settings, ATRIUM_SECRET })
  assert.equal((await call(server.origin, key, 'GET', '/workspace')).status, 200)
  await server.stop()
})

test('a new secret from a file of the operator’s is copied: the file stays as it is, wherever it lies', async t => {
  const place = await createPlace(t)
  const { key } = await furnished(t, place)
  const secretFile = join(place.dataDir, 'secret')
  // Where there is another filesystem, nothing can be moved from there.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'atrium-secret-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'mine')
  const words = ['secret', 'rotate', '--new-secret-file', file]
  await writeFile(file, 'too short\n', { mode: 0o644 })
  assert.equal((await place.atriumHere(words)).exitCode, 1)
  await assert.rejects(stat(`${secretFile}.next`))

  const mine = `${'m'.repeat(40)}\n`
  await writeFile(file, mine)
  // What an interrupted rotation left may be all that opens the data: it is never written over.
  await writeFile(`${secretFile}.next`, `${'n'.repeat(64)}\n`)
  assert.match((await place.atriumHere(words)).stderr, /rotation that was interrupted/)
  assert.equal((await readFile(`${secretFile}.next`, 'utf8')).trim(), 'n'.repeat(64))
  await place.atriumJson('secret rotate')
  assert.equal((await readFile(secretFile, 'utf8')).trim(), 'n'.repeat(64))

  await place.atriumJson(words)
  assert.equal(await readFile(secretFile, 'utf8'), mine)
  assert.equal((await stat(secretFile)).mode & 0o077, 0)
  assert.deepEqual([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777], [mine, 0o644])
  assert.match((await place.atriumHere(words)).stderr, /The new secret is the present one/)
  assert.deepEqual(
    (await readdir(place.dataDir)).filter(name => name.startsWith('secret')),
    ['secret'],
  )
  const server = await place.startServer(settings)
  assert.equal((await call(server.origin, key, 'GET', '/workspace')).status, 200)
  await server.stop()
})

if (testEngine === 'postgres') {
  test('a server that is started while the secret changes waits, and then refuses the old one', async t => {
    const place = await createPlace(t)
    await furnished(t, place)
    const url = place.environment.DATABASE_URL ?? ''
    const database = await openDatabase({ engine: 'postgres', url, applicationName: 'atrium-test' })
    t.after(() => database.close())
    const { start } = await database.write(async tx => {
      await keepStartsOut(tx)
      const begun = place.startServer(settings).then(
        () => 'It has started',
        (error: Error) => error.message,
      )
      await waitForMeta(database)
      await replaceCanary(tx, createKeyring('x'.repeat(64)))
      // Wrapped: the transaction must end before the server does.
      return { start: begun }
    })
    assert.match(await start, /does not match the data/)
  })

  test('a server that has started since the first look keeps the secret from changing', async t => {
    const place = await createPlace(t)
    await furnished(t, place)
    const url = place.environment.DATABASE_URL ?? ''
    const database = await openDatabase({ engine: 'postgres', url, applicationName: 'atrium-test' })
    t.after(() => database.close())
    const server = await place.startServer(settings)
    await assert.rejects(database.write(keepStartsOut), /stop it first/)
    await server.stop()
    await database.write(keepStartsOut)
  })
}

/** Resolves once somebody waits for the table of the canary. */
async function waitForMeta(database: Database): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } =
      await sql`SELECT 1 FROM pg_locks WHERE relation = 'meta'::regclass AND NOT granted`.execute(
        database.read,
      )
    if (rows.length > 0) return
    await sleep(50)
  }
  assert.fail('Nobody has come for it')
}
