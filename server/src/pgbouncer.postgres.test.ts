/** The whole program through a pooler that gives each transaction another connection. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createInstallation } from './testing/operator.ts'
import { startPgBouncer, withoutPgBouncer } from './testing/servers/pgbouncer.ts'
import { createServerClient } from './testing/servers/server-client.ts'

test('behind a pooler in transaction mode a server starts, indexes, searches and is backed up', {
  skip: withoutPgBouncer(),
}, async t => {
  const environment = { OPENAI_API_KEY: 'never asked', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const installation = await createInstallation(t, { environment })
  const databaseUrl = installation.environment.DATABASE_URL ?? ''
  const pooler = await startPgBouncer(databaseUrl, 4)
  t.after(pooler.close)
  const pooled = { DATABASE_URL: pooler.urlOf(databaseUrl) }
  const server = await installation.startServer(pooled)
  const { key, request } = await createServerClient(installation, server)
  const { id } = await request(server, 'POST', '/knowledge/collections', { body: { name: 'Birds' } })
  const form = new FormData()
  form.set('file', new File(['A heron stands in the shallows at dusk.'], 'herons.md'))
  form.set('collectionId', id)
  const headers = { authorization: `Bearer ${key}`, prefer: 'wait=20' }
  const address = `${server.origin}/api/v1/knowledge/documents`
  const uploaded = await fetch(address, { method: 'POST', headers, body: form })
  assert.equal(((await uploaded.json()) as { data: { status: string } }).data.status, 'ready')
  const found = await request(server, 'GET', '/knowledge/search?query=heron')
  assert.equal(found.length, 1)
  const backup = await installation.atrium(['backup', join(installation.dataDir, 'backup')], pooled)
  assert.deepEqual([backup.exitCode, backup.stderr.includes('error')], [0, false], backup.stderr)
  await server.stop()
})
