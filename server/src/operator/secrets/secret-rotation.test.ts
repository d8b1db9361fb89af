import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createInstallation } from '../../testing/operator.ts'
import { call, furnished, rotationSettings } from '../../testing/rotation.ts'

test('with ATRIUM_SECRET the new one goes into a file that is named; foreign secrets and a running server change nothing', async t => {
  const old = 'the secret of the environment, long enough'
  const installation = await createInstallation(t, { environment: { ATRIUM_SECRET: old } })
  const { key, connectionId, seen } = await furnished(t, installation)
  const unnamed = await installation.atriumHere('secret rotate')
  assert.deepEqual([unnamed.exitCode, /--new-secret-file/.test(unnamed.stderr)], [2, true])
  const file = join(installation.dataDir, 'new-secret')
  const foreign = await installation.atrium(['secret', 'rotate', '--new-secret-file', file], {
    ATRIUM_SECRET: 'another secret that never was the right one',
  })
  assert.match(foreign.stderr, /Neither the present secret nor the new one/)

  const running = await installation.startServer(rotationSettings)
  const refused = await installation.atriumHere(['secret', 'rotate', '--new-secret-file', file])
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /stop it first/)
  assert.equal((await call(running.origin, key, 'GET', '/workspace')).status, 200)
  await running.stop()

  const rotated = await installation.atriumJson(['secret', 'rotate', '--new-secret-file', file])
  assert.equal(rotated.newSecretFile, file)
  const ATRIUM_SECRET = (await readFile(file, 'utf8')).trim()
  const server = await installation.startServer({ ...rotationSettings, ATRIUM_SECRET })
  const tested = await call(server.origin, key, 'POST', `/integrations/${connectionId}/test`)
  assert.deepEqual([tested.status, tested.body.data.ok], [200, true])
  assert.equal(seen.at(-1), 'Bearer key-of-the-api')
  await server.stop()
})
