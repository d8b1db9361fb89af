/** The example programs in TypeScript and in plain Python, each run as its reader runs it. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../server/src/testing/test-app.ts'

const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3'
const languages = [
  { name: 'TypeScript', command: process.execPath, file: 'main.ts', skip: false },
  { name: 'Python', command: 'python3', file: 'main.py', skip: noPython },
]

type Run = (program: string, options?: { args?: string[]; input?: string; env?: object }) => Promise<string>

async function prepare(t: TestContext, command: string, file: string) {
  const app = await startTestApp({ settings: { ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  t.after(app.close)
  const folder = await mkdtemp(join(tmpdir(), 'atrium-example-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = { ATRIUM_URL: await app.listen(), ATRIUM_API_KEY: app.testKey.key }
  const run: Run = async (program, { args = [], input = '', env = {} } = {}) => {
    const child = spawn(command, [resolve(import.meta.dirname, program, file), ...args], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...server, ...env },
    })
    child.stdin.end(input)
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    assert.equal(child.exitCode, 0, errors)
    return output
  }
  return { app, folder, run }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

for (const { name, command, file, skip } of languages) {
  test(`${name}: the chat answers with what a function of the program knows, and remembers the turn before`, {
    skip,
  }, async t => {
    const { app, run } = await prepare(t, command, file)
    const input = 'sim:tool=look_up_order({"number": 7})\nsim:tool=look_up_order({"number": 9})\n'
    const output = await run('chat', { input })
    assert.match(output, /shipped/)
    assert.match(output, /There is no order 9/)
    const { body } = await app.request('GET', '/conversations', { key: app.testKey })
    assert.deepEqual(
      body.data.map((conversation: { runCount: number }) => conversation.runCount),
      [2],
    )
  })

  test(`${name}: the folder is mirrored, and a second call sends only what has changed`, {
    skip,
  }, async t => {
    const { folder, run } = await prepare(t, command, file)
    await writeFile(join(folder, 'leave.md'), '# Leave\n\n27 days.\n')
    await writeFile(join(folder, 'travel.md'), '# Travel\n\nBy train.\n')
    const sync = () => run('folder-sync', { args: [folder] })
    assert.equal(await sync(), '2 added, 0 changed, 0 unchanged, 0 deleted\n')
    await writeFile(join(folder, 'leave.md'), '# Leave\n\n28 days.\n')
    await rm(join(folder, 'travel.md'))
    assert.equal(await sync(), '0 added, 1 changed, 0 unchanged, 1 deleted\n')
  })

  test(`${name}: the connector is told by its webhook when its tickets can be found, and has one endpoint`, {
    skip,
  }, async t => {
    const { app, folder, run } = await prepare(t, command, file)
    const env = { RECEIVER_PORT: String(await freePort()), SECRET_FILE: join(folder, 'secret') }
    assert.equal(await run('tickets', { env }), 'document.ready\ndocument.ready\n')
    assert.equal(await run('tickets', { env }), '')
    const hooks = await app.request('GET', '/webhooks', { key: app.testKey })
    assert.equal(hooks.body.meta.total, 1)
  })
}
