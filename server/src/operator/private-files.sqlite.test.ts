/** That nothing which a server or a command writes can be read by other users of the machine, whatever the shell's umask. */
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Engine } from '../platform/database/database.ts'
import { openPaths } from '../platform/private-files.ts'
import { testEngine } from '../testing/database.ts'
import { eventually } from '../testing/eventually.ts'
import { createInstallation, type Installation } from '../testing/operator.ts'
import { createServerClient } from '../testing/servers/server-client.ts'

/** Starts processes under the most open umask there is; it is this process's only while they are spawned. */
function openly<T>(spawn: () => T): T {
  const before = process.umask(0)
  try {
    return spawn()
  } finally {
    process.umask(before)
  }
}

async function upload(origin: string, key: string, collectionId: string): Promise<void> {
  const form = new FormData()
  form.set('collectionId', collectionId)
  form.set('file', new File(['A heron stands in the shallows at dusk.'], 'heron.txt'))
  const headers = { authorization: `Bearer ${key}`, prefer: 'wait=30' }
  const reply = await fetch(`${origin}/api/v1/knowledge/documents`, { method: 'POST', headers, body: form })
  assert.equal(reply.status, 201)
}

/** Has a server write what it writes: the database, the secret, files in staging and on shelves, an upload in progress. */
async function fill(context: TestContext, engine: Engine = testEngine): Promise<Installation> {
  const environment = { OPENAI_API_KEY: 'never asked', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const installation = await createInstallation(context, { engine, environment })
  await chmod(installation.dataDir, 0o700)
  const server = await openly(() => installation.startServer())
  const { key, request } = await createServerClient(installation, server)
  const { id } = await request(server, 'POST', '/knowledge/collections', { body: { name: 'Birds' } })
  await upload(server.origin, key, id)
  const begun = await fetch(`${server.origin}/api/v1/knowledge/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${btoa('long.txt')},collectionId ${btoa(id)}`,
    },
  })
  assert.equal(begun.status, 201)
  await server.stop()
  return installation
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}

test('a server and a backup under the umask 000 leave nothing that others can read', async context => {
  // With the embedded database there is a secret among the files.
  const installation = await fill(context, 'sqlite')
  assert.ok((await readdir(installation.dataDir, { recursive: true })).length > 5)
  assert.deepEqual(await openPaths(installation.dataDir, 100), [])
  const elsewhere = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
  context.after(() => rm(elsewhere, { recursive: true }))
  const target = join(elsewhere, 'nightly', 'monday')
  // Of the secret a copy is made, which was open where this one was.
  await chmod(join(installation.dataDir, 'secret'), 0o644)
  const made = await openly(() => installation.atrium(['backup', target]))
  assert.equal(made.exitCode, 0, made.stderr)
  assert.ok((await readdir(target, { recursive: true })).includes('secret'))
  assert.deepEqual(await openPaths(join(elsewhere, 'nightly'), 100), [])
})

test('what lay open before is named by the doctor and closed at the next start', async context => {
  const installation = await fill(context)
  await openUp(installation.dataDir)
  assert.match((await installation.atriumHere('doctor')).stdout, /FAULT +disk/)
  // A data folder that was closed does not hide what lies open in it.
  await chmod(installation.dataDir, 0o700)
  assert.match((await installation.atriumHere('doctor')).stdout, /FAULT +disk .*chmod -R go=/)
  const server = await openly(() => installation.startServer())
  await eventually('nothing lies open', async () => (await openPaths(installation.dataDir, 1)).length === 0)
  await server.stop()
  assert.match((await installation.atriumHere('doctor')).stdout, /ok +disk/)
})

test('folders that a server removes while they are listed are no fault', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-listed-'))
  context.after(() => rm(folder, { recursive: true }))
  const places = Array.from({ length: 10 }, (_, index) => join(folder, `child-${index}`))
  let isOver = false
  const atWork = places.map(async place => {
    while (!isOver) {
      await mkdir(join(place, 'root', 'lib64'), { recursive: true, mode: 0o700 })
      await rm(place, { recursive: true })
    }
  })
  try {
    for (let round = 0; round < 20; round++) assert.deepEqual(await openPaths(folder, 100), [])
  } finally {
    isOver = true
    await Promise.all(atWork)
  }
  await assert.rejects(openPaths(join(folder, 'missing'), 100), { code: 'ENOENT' })
})
