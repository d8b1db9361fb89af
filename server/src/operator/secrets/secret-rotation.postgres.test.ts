import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { replaceCanary } from '../../platform/crypto/open-keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { eventually } from '../../testing/eventually.ts'
import { createInstallation } from '../../testing/operator.ts'
import { furnished, rotationSettings } from '../../testing/rotation.ts'
import { keepStartsOut } from '../session.ts'

test('a server that is started while the secret changes waits, and then refuses the old one', async t => {
  const installation = await createInstallation(t)
  await furnished(t, installation)
  const url = installation.environment.DATABASE_URL ?? ''
  const database = await openDatabase({ engine: 'postgres', url, applicationName: 'atrium-test' })
  t.after(() => database.close())
  const { start } = await database.write(async tx => {
    await keepStartsOut(tx)
    const begun = installation.startServer(rotationSettings).then(
      () => 'It has started',
      (error: Error) => error.message,
    )
    await waitForNodes(database)
    await replaceCanary(tx, createKeyring('x'.repeat(64)))
    // Wrapped: the transaction must end before the server does.
    return { start: begun }
  })
  assert.match(await start, /does not match the data/)
})

test('a server that has started since the first look keeps the secret from changing', async t => {
  const installation = await createInstallation(t)
  await furnished(t, installation)
  const url = installation.environment.DATABASE_URL ?? ''
  const database = await openDatabase({ engine: 'postgres', url, applicationName: 'atrium-test' })
  t.after(() => database.close())
  const server = await installation.startServer(rotationSettings)
  await assert.rejects(database.write(keepStartsOut), /stop it first/)
  await server.stop()
  await database.write(keepStartsOut)
})

/** Resolves once a server waits for the table in which it says that it is there. */
async function waitForNodes(database: Database): Promise<void> {
  await eventually('somebody waits for the table', async () => {
    const { rows } =
      await sql`SELECT 1 FROM pg_locks WHERE relation = 'nodes'::regclass AND NOT granted`.execute(
        database.read,
      )
    return rows.length > 0
  })
}
