/** What the operator's command says of a data folder, its secret and its schema, whatever the database. */
import assert from 'node:assert/strict'
import { chmod, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createInstallation } from '../testing/operator.ts'

test('a data folder that other users of the machine can read is closed at the start, and the doctor finds one that was opened since', async t => {
  const installation = await createInstallation(t)
  await chmod(installation.dataDir, 0o755)
  await installation.atriumJson('workspace create Acme')
  assert.equal((await stat(installation.dataDir)).mode & 0o777, 0o700)
  await chmod(installation.dataDir, 0o755)
  assert.match((await installation.atriumHere('doctor')).stdout, /FAULT +disk .*chmod 700/)
})

test('the doctor names what is wrong: no database, a readable, another or no secret, a newer schema', async t => {
  const installation = await createInstallation(t)
  assert.match((await installation.atriumHere('doctor')).stdout, /FAULT +database +There is no database/)
  await installation.atriumJson('workspace create Acme')
  const secret = join(installation.dataDir, 'secret')
  await chmod(secret, 0o644)
  assert.match((await installation.atriumHere('doctor')).stdout, /FAULT +secret .*chmod 600/)
  await chmod(secret, 0o600)
  const database = new DatabaseSync(join(installation.dataDir, 'atrium.db'))
  database.exec("INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, 'to come', 0)")
  assert.match(
    (await installation.atriumHere('doctor')).stdout,
    /FAULT +schema .*9999, newer than this version's/,
  )
  assert.match((await installation.atriumHere('workspace list')).stderr, / is at schema 9999, but/)
  database.exec('DELETE FROM schema_migrations WHERE number = 9999')
  database.close()
  await writeFile(secret, 'another secret that is long enough for a keyring')
  const wrong = await installation.atriumHere('doctor')
  assert.match(wrong.stdout, /FAULT +secret .*does not match the data/)
  assert.equal(wrong.exitCode, 1)
  const locked = await installation.atriumHere('workspace list')
  assert.match(locked.stderr, /ATRIUM_SECRET does not match the data/)
  await rm(secret)
  const without = await installation.atriumHere('doctor')
  assert.match(without.stdout, /FAULT +secret .*secret, the master secret of the database, is missing: put/)
})
