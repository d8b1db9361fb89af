/** The rotation of a secret that lies in the data folder, as that of an embedded database does. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createInstallation } from '../../testing/operator.ts'
import { call, furnished, rotationSettings } from '../../testing/rotation.ts'

test('after a rotation keys work, credentials open, and the old secret opens nothing any more', async t => {
  const installation = await createInstallation(t)
  const { key, connectionId, seen } = await furnished(t, installation)
  const secretFile = join(installation.dataDir, 'secret')
  const before = await readFile(secretFile, 'utf8')
  await installation.atriumJson('secret rotate')
  const rotated = await installation.atriumJson('secret rotate')
  assert.deepEqual([rotated.workspaces, rotated.wasResumed, rotated.newSecretFile], [1, false, null])
  const after = await readFile(secretFile, 'utf8')
  assert.notEqual(after, before)
  assert.equal((await stat(secretFile)).mode & 0o077, 0)
  await assert.rejects(stat(`${secretFile}.next`))
  assert.match((await installation.atriumHere('doctor')).stdout, /ok +secret/)

  const server = await installation.startServer(rotationSettings)
  const tested = await call(server.origin, key, 'POST', `/integrations/${connectionId}/test`)
  assert.deepEqual([tested.status, tested.body.data.ok], [200, true], 'a key of two secrets ago')
  assert.equal(seen.at(-1), 'Bearer key-of-the-api')
  await server.stop()
  const { key: fresh } = await installation.atriumJson(
    'key create --workspace acme --env live --name new --permissions all',
  )
  const again = await installation.startServer(rotationSettings)
  assert.equal((await call(again.origin, fresh, 'GET', '/workspace')).status, 200)
  await again.stop()

  await writeFile(secretFile, before)
  assert.match((await installation.atriumHere('workspace list')).stderr, /does not match the data/)
})

test('a rotation that was interrupted is finished by the next one, whether or not the data was in progress', async t => {
  const installation = await createInstallation(t)
  const { key } = await furnished(t, installation)
  const secretFile = join(installation.dataDir, 'secret')
  // It died before the database was touched.
  await writeFile(`${secretFile}.next`, `${'n'.repeat(64)}\n`)
  const first = await installation.atriumJson('secret rotate')
  assert.equal(first.wasResumed, false)
  assert.equal((await readFile(secretFile, 'utf8')).trim(), 'n'.repeat(64))

  // It died between the database and the file.
  await copyFile(secretFile, `${secretFile}.next`)
  await writeFile(secretFile, `${'o'.repeat(64)}\n`)
  const second = await installation.atriumJson('secret rotate')
  assert.deepEqual([second.wasResumed, second.workspaces], [true, 1])
  const server = await installation.startServer(rotationSettings)
  assert.equal((await call(server.origin, key, 'GET', '/workspace')).status, 200)
  await server.stop()
})

test('a new secret from a file of the operator’s is copied: the file stays as it is, wherever it lies', async t => {
  const installation = await createInstallation(t)
  const { key } = await furnished(t, installation)
  const secretFile = join(installation.dataDir, 'secret')
  // Where there is another filesystem, nothing can be moved from there.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'atrium-secret-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'mine')
  const words = ['secret', 'rotate', '--new-secret-file', file]
  await writeFile(file, 'too short\n', { mode: 0o644 })
  assert.equal((await installation.atriumHere(words)).exitCode, 1)
  await assert.rejects(stat(`${secretFile}.next`))

  const mine = `${'m'.repeat(40)}\n`
  await writeFile(file, mine)
  // What an interrupted rotation left may be all that opens the data: it is never written over.
  await writeFile(`${secretFile}.next`, `${'n'.repeat(64)}\n`)
  assert.match((await installation.atriumHere(words)).stderr, /rotation that was interrupted/)
  assert.equal((await readFile(`${secretFile}.next`, 'utf8')).trim(), 'n'.repeat(64))
  await installation.atriumJson('secret rotate')
  assert.equal((await readFile(secretFile, 'utf8')).trim(), 'n'.repeat(64))

  await installation.atriumJson(words)
  assert.equal(await readFile(secretFile, 'utf8'), mine)
  assert.equal((await stat(secretFile)).mode & 0o077, 0)
  assert.deepEqual([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777], [mine, 0o644])
  assert.match((await installation.atriumHere(words)).stderr, /The new secret is the present one/)
  assert.deepEqual(
    (await readdir(installation.dataDir)).filter(name => name.startsWith('secret')),
    ['secret'],
  )
  const server = await installation.startServer(rotationSettings)
  assert.equal((await call(server.origin, key, 'GET', '/workspace')).status, 200)
  await server.stop()
})
