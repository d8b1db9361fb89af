import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { createKeyring } from './keyring.ts'
import { checkCanary } from './open-keyring.ts'

const keyring = createKeyring('the secret that the data was made with')

test('the master secret that the data was made with is accepted at every start, another one never', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  await checkCanary(database, keyring)
  await checkCanary(database, keyring)
  const other = createKeyring('a secret that the data was not made with')
  await assert.rejects(checkCanary(database, other), /^Error: ATRIUM_SECRET does not match the data/)
  await checkCanary(database, keyring)
})

test('two processes that start at once agree on one canary', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  await Promise.all([checkCanary(database, keyring), checkCanary(database, keyring)])
  await checkCanary(database, keyring)
})
