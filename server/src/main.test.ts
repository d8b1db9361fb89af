/** The process as an operator meets it: started, refused, asked for help, told to end. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createLaunches, type Launched } from './testing/servers/launches.ts'

const mainFile = join(import.meta.dirname, 'main.js')
const root = join(import.meta.dirname, '../..')
let folder: string
const launches = createLaunches()
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-main-'))
})
after(async () => {
  launches.endAll()
  await rm(folder, { recursive: true, force: true })
})

type Started = { process: ChildProcess; address: string; output: () => string }

const launch = (settings: Record<string, string>, ...args: string[]) =>
  launchCommand([process.execPath, mainFile, ...args], settings)

const launchCommand = (command: readonly string[], settings: Record<string, string>): Launched =>
  launches.launch(command, {
    cwd: root,
    env: { PATH: process.env.PATH, ATRIUM_PORT: '0', ATRIUM_LOG_LEVEL: 'error', ...settings },
  })

const start = (settings: Record<string, string>): Promise<Started> => listening(launch(settings))

async function listening({ child, out: output, err: errors }: Launched): Promise<Started> {
  for (;;) {
    const address = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1]
    if (address !== undefined) return { process: child, address, output }
    assert.equal(child.exitCode, null, `the server ended: ${errors()}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function end({ process: child }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  child.kill(signal)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

test('the first start prints a test key, and the three calls that it prints answer', async () => {
  const dataDir = join(folder, 'first')
  const server = await start({ ATRIUM_DATA_DIR: dataDir })
  while (!server.output().includes('/run ')) await new Promise(resolve => setTimeout(resolve, 10))
  const key = /sk_test_[0-9A-Za-z]{49}/.exec(server.output())?.[0]
  const agentId = /agt_[0-9a-z]{26}/.exec(server.output())?.[0]
  const collectionId = /col_[0-9a-z]{26}/.exec(server.output())?.[0] ?? ''
  const prompt = /"prompt": "([^"]+)"/.exec(server.output())?.[1]
  const headers = { authorization: `Bearer ${key}`, prefer: 'wait=20' }

  const form = new FormData()
  form.set('file', new File(['# Herons\n\nA heron stands in the shallows at dusk.'], 'herons.md'))
  form.set('collectionId', collectionId)
  const upload = await fetch(`${server.address}/api/v1/knowledge/documents`, {
    method: 'POST',
    headers,
    body: form,
  })
  assert.equal(upload.status, 201)
  assert.equal(((await upload.json()) as { data: { status: string } }).data.status, 'ready')
  const search = await fetch(`${server.address}/api/v1/knowledge/search?query=heron+shallows`, { headers })
  const found = (await search.json()) as { data: { text: string }[] }
  assert.match(found.data[0]?.text ?? '', /stands in the shallows/)
  const run = await fetch(`${server.address}/api/v1/agents/${agentId}/run`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  })
  const { data } = (await run.json()) as { data: { status: string; citations: unknown[] } }
  assert.equal(data.status, 'succeeded')
  assert.ok(data.citations.length > 0)

  assert.equal((await stat(join(dataDir, 'secret'))).mode & 0o777, 0o600)
  assert.equal(await end(server), 0)
  const again = await start({ ATRIUM_DATA_DIR: dataDir })
  assert.equal((await fetch(`${again.address}/api/v1/workspace`, { headers })).status, 200)
  assert.equal(await end(again), 0)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} to the process of npm start ends the server before npm ends`, async () => {
    const command = ['npm', 'start', '--silent']
    const npm = await listening(launchCommand(command, { ATRIUM_DATA_DIR: join(folder, signal) }))
    await end(npm, signal)
    await assert.rejects(fetch(`${npm.address}/healthz`))
  })
}

test('a signal that comes while the server starts ends it in order', async () => {
  const dataDir = join(folder, 'early')
  const { child, out } = launch({ ATRIUM_DATA_DIR: dataDir })
  while (!(await readdir(folder)).includes('early')) await new Promise(resolve => setTimeout(resolve, 1))
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'close'), [0, null])
  assert.equal(out(), '', 'it ended before it listened')
})

test('a second server on the same folder is refused in one line, also after the first was killed once', async () => {
  const dataDir = join(folder, 'second')
  const killed = await start({ ATRIUM_DATA_DIR: dataDir })
  await end(killed, 'SIGKILL')
  const first = await start({ ATRIUM_DATA_DIR: dataDir })
  const { child, err } = launch({ ATRIUM_DATA_DIR: dataDir })
  const [code] = await once(child, 'exit')
  assert.equal(code, 1)
  assert.match(
    err(),
    /^atrium: Another Atrium server \(process \d+ at http:\/\/127\.0\.0\.1:\d+\) runs on the data folder .*\n$/,
  )
  assert.equal((await fetch(`${first.address}/readyz`)).status, 200)
  await end(first)
})

test('faulty settings stop the start with one line each, and nothing is made', async () => {
  const dataDir = join(folder, 'never')
  const { child, err } = launch({ ATRIUM_DATA_DIR: dataDir, ATRIUM_PORT: 'x', ATRIUM_ROLE: 'y' })
  const [code] = await once(child, 'exit')
  assert.equal(code, 1)
  assert.equal(err().trim().split('\n').length, 2)
  assert.deepEqual((await readdir(folder)).includes('never'), false)
})

test('a master secret that is not the data’s refuses to start', async () => {
  const dataDir = join(folder, 'secret')
  await end(await start({ ATRIUM_DATA_DIR: dataDir }))
  const wrong = 'another secret, which is of the right length as well'
  const { child, err } = launch({ ATRIUM_DATA_DIR: dataDir, ATRIUM_SECRET: wrong })
  const [code] = await once(child, 'exit')
  assert.equal(code, 1)
  assert.match(err(), /^atrium: ATRIUM_SECRET does not match the data/)
})

test('--help prints the settings, and an unknown argument is refused', async () => {
  const help = launch({}, '--help')
  assert.deepEqual((await once(help.child, 'exit'))[0], 0)
  assert.match(help.out(), /ATRIUM_DATA_DIR/)
  const unknown = launch({}, '--prot=80')
  assert.deepEqual((await once(unknown.child, 'exit'))[0], 1)
  assert.match(unknown.err(), /unknown argument --prot=80/)
})

test('bytes that are not HTTP and a header that never ends get the envelope with its headers, too', async () => {
  const server = await start({ ATRIUM_DATA_DIR: join(folder, 'raw') })
  const { port } = new URL(server.address)
  for (const [bytes, status, code] of [
    ['NONSENSE\r\n\r\n', 400, 'malformed_request'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ] as const) {
    const reply = await talk(Number(port), bytes)
    assert.match(reply, new RegExp(`^HTTP/1\\.1 ${status} `))
    for (const name of ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
      assert.match(reply, new RegExp(`^${name}: `, 'm'))
    }
    const body = JSON.parse(reply.split('\r\n\r\n')[1] ?? '')
    assert.equal(body.code, code)
    assert.deepEqual(
      body.errors.map(({ field }: { field: string }) => field),
      ['request'],
    )
  }
  await end(server)
})

async function talk(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  let reply = ''
  for await (const piece of socket) reply += piece
  return reply
}
