import assert from 'node:assert/strict'
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPlace, type Place } from '../testing/operator.ts'

type Cleanup = { after: (work: () => void) => void }

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
