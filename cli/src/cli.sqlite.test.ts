/** The command as a person and as a script meet it: a process with its own configuration, against a running server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { verifyWebhook } from '@atrium/sdk'
import { createAgentIn } from '../../server/src/testing/apps/agent-app.ts'
import { wholeGrant } from '../../server/src/testing/apps/connected-app.ts'
import { signIn } from '../../server/src/testing/apps/signed-in.ts'
import { eventually } from '../../server/src/testing/eventually.ts'
import { createCollection, uploadAndWait } from '../../server/src/testing/knowledge/knowledge.ts'
import { createLaunches, type Launched } from '../../server/src/testing/servers/launches.ts'
import { startTcpProxy } from '../../server/src/testing/servers/tcp-proxy.ts'
import { startTestApp } from '../../server/src/testing/test-app.ts'

const main = join(import.meta.dirname, 'main.ts')
const installed = join(import.meta.dirname, '../atrium.js')

test('the command that npm links is in the tree before the build, and runs what was built', async () => {
  await access(installed, constants.X_OK)
  const { stdout } = await promisify(execFile)(installed, ['--help'])
  assert.match(stdout, /^Usage: atrium COMMAND/)
  const version = await promisify(execFile)(installed, ['--version'])
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
})

test('a key is kept in a file of its user alone, and forgotten by logout', async context => {
  const { url, app, run, folder } = await start(context)
  const away = await run(['login', '--url', 'http://127.0.0.1:1'], { key: null })
  assert.deepEqual([away.code, /127\.0\.0\.1:1 cannot be reached .*--url/.test(away.err)], [1, true])
  const login = await run(['login', '--url', url, '--with-key'], { key: null, stdin: app.testKey.key })
  assert.deepEqual([login.code, login.out], [0, ''])
  const file = join(folder, 'config/profiles.json')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.match((await run(['whoami'], { key: null })).out, /test environment/)
  assert.equal((await run(['logout'], { key: null })).code, 0)
  assert.doesNotMatch(await readFile(file, 'utf8'), /sk_test/)
  const after = await run(['whoami'], { key: null })
  assert.deepEqual([after.code, /atrium login/.test(after.err)], [4, true])
})

test('a person signs in by a code that they confirm elsewhere, and logout ends the tokens', async context => {
  const { app, url, run, launch, folder } = await start(context)
  const owner = await signIn(app, app.ownerId)
  const login = launch(['login', '--url', url, '--json'], { key: null })
  await eventually('a code is shown', () => login.out().includes('userCode'))
  const { userCode } = JSON.parse(login.out().split('\n')[0] ?? '')
  const grant = wholeGrant(app, { permissions: ['agents:read', 'knowledge:read'] })
  const confirmed = await owner.request('POST', '/console/devices/decide', {
    body: { userCode, userId: owner.userId, grant },
  })
  assert.equal(confirmed.status, 204)
  const [code] = await once(login.child, 'exit')
  assert.equal(code, 0, login.err())
  const file = join(folder, 'config/profiles.json')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(join(folder, 'config')), ['profiles.json'])
  const { accessToken } = JSON.parse(await readFile(file, 'utf8')).profiles.default
  const me = JSON.parse((await run(['whoami', '--json'], { key: null })).out)
  assert.deepEqual(me.permissions, ['agents:read', 'knowledge:read'])
  assert.equal((await run(['logout'], { key: null })).code, 0)
  assert.doesNotMatch(await readFile(file, 'utf8'), /[ar]t_live/)
  assert.equal((await app.request('GET', '/me', { key: accessToken })).status, 401)
})

test('the secret of a profile goes to no other server than its own', async context => {
  const { url, app, run, stranger } = await start(context)
  await run(['login', '--url', url, '--with-key'], { key: null, stdin: app.testKey.key })
  const other = await stranger(() => ({ status: 200, body: {} }))
  const refused = await run(['whoami', '--url', other.url], { key: null })
  assert.deepEqual([refused.code, /is for http:.*is not sent to/.test(refused.err)], [4, true], refused.err)
  assert.deepEqual(other.received, [])
  assert.equal((await run(['whoami', '--url', url], { key: null })).code, 0)
})

test('a server or a document cannot command the terminal', async context => {
  const { run, stranger } = await start(context)
  const command = 'Fine\u001b]52;c;cm0gLXJm\u0007\u009b2J\u001b[2m\u202efdp.\u2066exe\u2028\rGone'
  const other = await stranger(path =>
    path === '/api/v1/me'
      ? {
          status: 200,
          body: { data: { workspace: { name: command }, environment: 'live', permissions: [] } },
        }
      : { status: 400, body: { statusCode: 400, code: 'validation_failed', message: command, errors: [] } },
  )
  for (const words of [
    ['whoami'],
    ['whoami', '--json'],
    ['search', 'ducks'],
    ['search', 'ducks', '--json'],
  ]) {
    const { out, err } = await run([...words, '--url', other.url])
    assert.match(out + err, /Fine.*Gone/, words.join(' '))
    assert.doesNotMatch(out + err, /(?!\n)[\p{Cc}\p{Zl}\u202a-\u202e\u2066-\u2069]/u, words.join(' '))
    assert.match(out + err, /\\u202efdp/, words.join(' '))
  }
})

test('an answer is streamed with its sources, or is JSON alone, and takes piped text', async context => {
  const { app, url, run } = await start(context)
  const collectionId = await createCollection(app)
  await uploadAndWait(app, {
    collectionId,
    name: 'geese.md',
    content: '# Geese\n\nGeese pay two euros a day.',
  })
  await createAgentIn(app, { name: 'Gatekeeper', model: 'extractive', collectionIds: [collectionId] })
  const answer = await run(['ask', 'gatekeeper', 'How much do geese pay a day?'])
  assert.equal(answer.code, 0, answer.err)
  assert.match(answer.out, /two euros a day/)
  assert.match(answer.err, /\[1\] Geese: “Geese pay two euros a day/)
  const [, page = ''] = /\n {4}(http\S+)\n/.exec(answer.err) ?? []
  const { origin, pathname, searchParams } = new URL(page)
  const { data } = (await app.request('GET', '/knowledge/documents')).body
  assert.deepEqual([origin, pathname], [url, `/knowledge/documents/${data[0].id}`])
  assert.deepEqual([...searchParams.keys()], ['version', 'from', 'to'])
  const json = await run(['ask', 'Gatekeeper', '--json'], { stdin: 'How much do geese pay a day?' })
  const value = JSON.parse(json.out)
  assert.deepEqual([value.status, value.citations.length, json.err], ['succeeded', 1, ''])
  const found = await run(['search', 'geese', '--json', '--limit', '1'])
  assert.match(JSON.parse(found.out).text, /two euros/)
  const unknown = await run(['ask', 'Stranger', 'Hello?'])
  assert.deepEqual(
    [unknown.code, unknown.err],
    [1, 'There is no agent named “Stranger”. There is “Gatekeeper”.\n'],
  )
})

test('a folder is mirrored: only changes are sent, deletions in number need a word, a dry run sends nothing', async context => {
  const { app, run, folder } = await start(context)
  const docs = join(folder, 'docs')
  await mkdir(join(docs, 'deep'), { recursive: true })
  await mkdir(join(docs, '.git'))
  await writeFile(join(docs, '.git/HEAD'), 'ref')
  for (let index = 0; index < 6; index++) await writeFile(join(docs, `deep/${index}.md`), `Page ${index}`)
  await writeFile(join(docs, 'skip.log'), 'A log')
  const sync = (...more: string[]) => run(['sync', docs, '--exclude', '*.log', '--json', ...more])
  const last = ({ out }: { out: string }) => JSON.parse(out.trim().split('\n').at(-1) ?? '{}')
  const unmade = await run(['sync', docs, '--exclude', '*.log', '--dry-run'])
  assert.deepEqual(
    [unmade.code, unmade.out],
    [0, '6 would be added, 0 changed, 0 deleted; 0 are unchanged\n'],
    unmade.err,
  )
  assert.match(unmade.err, /no collection named “docs” yet/)
  const none = { added: 0, changed: 0, unchanged: 0, deleted: 0, needsConfirmation: false }
  const pages = Array.from({ length: 6 }, (_, index) => `deep/${index}.md`)
  const planned = await sync('--dry-run')
  assert.deepEqual(JSON.parse(planned.out), {
    ...none,
    added: 6,
    files: { added: pages, changed: [], deleted: [] },
  })
  assert.equal((await app.request('GET', '/knowledge/collections')).body.meta.total, 0)
  assert.deepEqual(last(await sync()), { added: 6, changed: 0, unchanged: 0, deleted: 0 })
  await writeFile(join(docs, 'deep/0.md'), 'Page 0, changed')
  assert.deepEqual(JSON.parse((await sync('--dry-run')).out), {
    ...none,
    changed: 1,
    unchanged: 5,
    files: { added: [], changed: ['deep/0.md'], deleted: [] },
  })
  assert.deepEqual(last(await sync()), { added: 0, changed: 1, unchanged: 5, deleted: 0 })
  for (let index = 1; index < 5; index++) await rm(join(docs, `deep/${index}.md`))
  assert.deepEqual(JSON.parse((await sync('--dry-run')).out), {
    ...none,
    unchanged: 2,
    deleted: 4,
    needsConfirmation: true,
    files: { added: [], changed: [], deleted: pages.slice(1, 5) },
  })
  const refused = await sync()
  assert.deepEqual([refused.code, /--confirm-deletes/.test(refused.err)], [1, true])
  assert.equal((await app.request('GET', '/knowledge/documents')).body.meta.total, 6)
  assert.deepEqual(last(await sync('--confirm-deletes', '4')), {
    added: 0,
    changed: 0,
    unchanged: 2,
    deleted: 4,
  })
})

test('a file that the server cannot read has one line, and stops no sync that skips it', async context => {
  const { app, run, folder } = await start(context)
  const docs = join(folder, 'docs')
  await mkdir(docs)
  for (const name of ['a.md', 'gone.md']) await writeFile(join(docs, name), `Page ${name}`)
  assert.equal((await run(['sync', docs])).code, 0)
  await rm(join(docs, 'gone.md'))
  for (const name of ['one.bin', 'two.bin'])
    await writeFile(join(docs, name), Buffer.from('\0\u0001\0\u0002', 'latin1'))
  await writeFile(join(docs, 'empty.md'), '')
  const stopped = await run(['sync', docs])
  assert.deepEqual([stopped.code, stopped.out], [1, ''])
  const lines = stopped.err.trim().split('\n')
  assert.deepEqual(
    lines
      .map(
        line =>
          /^(?:empty\.md: |one\.bin: |two\.bin: |The server reads |2 of 2 files |The server cannot)/.exec(
            line,
          )?.[0],
      )
      .sort(),
    ['2 of 2 files ', 'The server cannot', 'The server reads ', 'empty.md: ', 'one.bin: ', 'two.bin: '],
    stopped.err,
  )
  assert.ok(
    lines.every(line => line.startsWith('The server reads') || line.length < 150),
    stopped.err,
  )
  assert.match(stopped.err, /--skip-unsupported/)
  const skipped = await run(['sync', docs, '--skip-unsupported'])
  assert.deepEqual(
    [skipped.code, skipped.out],
    [0, '0 added, 0 changed, 1 unchanged, 1 deleted\n'],
    skipped.err,
  )
  const { data } = (await app.request('GET', '/knowledge/documents')).body
  assert.deepEqual(
    data.map(({ externalId }: { externalId: string }) => externalId),
    ['a.md'],
  )
})

test('a sync that is killed goes on where it stood', async context => {
  const { app, launch, run, folder } = await start(context)
  const docs = join(folder, 'many')
  await mkdir(docs)
  for (let index = 0; index < 150; index++) await writeFile(join(docs, `${index}.md`), `Page ${index}`)
  const first = launch(['sync', docs, '--parallel', '1', '--json'])
  await eventually('some files are sent', () => first.out().split('\n').length > 10)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const there = (await app.request('GET', '/knowledge/documents')).body.meta.total
  assert.ok(there > 0 && there < 150, `${there} files were sent`)
  const second = await run(['sync', docs])
  assert.match(second.out, new RegExp(`^${150 - there} added|^${150 - there - 1} added`))
  assert.equal((await app.request('GET', '/knowledge/documents')).body.meta.total, 150)
})

test('events come to a local server, each once, signed as webhooks are', async context => {
  const { app, launch } = await start(context)
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, reply) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() })
    reply.end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  context.after(() => receiver.close())
  const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const env = { ATRIUM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }
  const listener = launch(['listen', '--forward-to', to, '--events', 'document.*', '--json'], { env })
  await eventually('it listens', () => listener.out().includes('whsec_'))
  const { secret } = JSON.parse(listener.out().split('\n')[0] ?? '')
  assert.equal(secret, env.ATRIUM_WEBHOOK_SECRET)
  await createAgentIn(app)
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId })
  await eventually('the event comes', () => received.length > 0)
  const [first] = received
  const event = await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret)
  assert.equal(event.type, 'document.ready')
  assert.ok(JSON.stringify(event.data).includes(id))
  await uploadAndWait(app, { collectionId, name: 'two.txt', content: 'Another note.' })
  await eventually('the next one comes', () => received.length > 1)
  assert.equal(new Set(received.map(({ body }) => JSON.parse(body).id)).size, received.length)
  listener.child.kill('SIGINT')
  const [code] = await once(listener.child, 'exit')
  assert.equal(code, 0)
})

test('the wait for events outlasts a server that is away as the token of a person has to be renewed', async context => {
  const { launch, stranger, folder } = await start(context)
  let isBusy = true
  const server = await stranger(path => {
    if (path !== '/oauth/token') return { status: 200, body: { data: [], meta: { page: 1, total: 0 } } }
    const tokens = { access_token: 'at_2', refresh_token: 'rt_2', expires_in: 3_600 }
    return isBusy ? { status: 503, body: {} } : { status: 200, body: tokens }
  })
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  context.after(() => proxy.close())
  const url = `http://127.0.0.1:${proxy.port}`
  const ended = { url, accessToken: 'at_1', refreshToken: 'rt_1', expiresAt: Date.now() }
  const config = join(folder, 'config')
  await mkdir(config)
  await writeFile(
    join(config, 'profiles.json'),
    JSON.stringify({ current: 'default', profiles: { default: ended } }),
  )
  await proxy.cut()
  const listener = launch(['listen', '--forward-to', 'http://127.0.0.1:1'], { key: null })
  await eventually('it tries again', () => /cannot be reached.*\w\. Trying again/.test(listener.err()))
  await proxy.restore()
  await eventually('the server has refused once', () => server.received.length > 0)
  isBusy = false
  await eventually('it goes on', () => listener.err().includes('The server is back.'))
  assert.equal(server.received.at(-1), 'Bearer at_2')
})

test('runs are shown as they happen', async context => {
  const { app, run, launch } = await start(context)
  const { id } = await createAgentIn(app, { name: 'Desk', model: 'extractive', tools: [] })
  await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'First?' } })
  const once_ = await run(['runs', 'tail', '--agent', 'desk', '--no-follow'])
  assert.match(once_.out, /succeeded run_\w+ {2}First\?/)
  const tail = launch(['runs', 'tail'])
  await eventually('the first is shown', () => tail.out().includes('First?'))
  const second = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Second?' } })
  await eventually('the second is shown', () => tail.out().includes('Second?'))
  tail.child.kill('SIGINT')
  await once(tail.child, 'exit')
  const events = await run(['runs', 'tail', second.body.data.id, '--json'])
  assert.equal(JSON.parse(events.out.trim().split('\n').at(-1) ?? '').type, 'run.succeeded')
})

test('runs that are older than those it began with are not shown later', async context => {
  const { app, launch } = await start(context)
  const { id } = await createAgentIn(app, { model: 'extractive', tools: [] })
  const answer = (prompt: string) => app.request('POST', `/agents/${id}/run`, { body: { prompt } })
  for (const prompt of ['First?', 'Second?', 'Third?']) await answer(prompt)
  const tail = launch(['runs', 'tail', '--limit', '1'])
  await eventually('the newest is shown', () => tail.out().includes('Third?'))
  await answer('Fourth?')
  await eventually('the next one is shown', () => tail.out().includes('Fourth?'))
  assert.deepEqual(tail.out().match(/\w+\?/g), ['Third?', 'Fourth?'])
})

test('the help of a command explains each of its options', async context => {
  const { run, folder } = await start(context)
  await writeFile(join(folder, 'completion.bash'), (await run(['completion', 'bash'])).out)
  const script = await readFile(join(folder, 'completion.bash'), 'utf8')
  const commands = [...script.matchAll(/^ {4}(\w+)\) words=".*" flags="(.*)" ;;$/gm)]
  assert.ok(commands.length >= 9)
  for (const [, command = '', options = ''] of commands) {
    const { code, out } = await run([command, '--help'])
    assert.equal(code, 0)
    for (const option of options.split(' '))
      assert.match(out, new RegExp(`^  ${option} .*\\w+`, 'm'), command)
  }
})

test('the script for bash completes commands, their words and options, and a wrong word is told with exit code 2', async context => {
  const { run, folder } = await start(context)
  await writeFile(join(folder, 'completion.bash'), (await run(['completion', 'bash'])).out)
  const completed = async (...words: string[]): Promise<string> => {
    const script = `source completion.bash; COMP_WORDS=(atrium "$@"); COMP_CWORD=$#; _atrium; echo "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words], { cwd: folder })
    return stdout.trim()
  }
  assert.equal(await completed('sync', '--co'), '--collection --confirm-deletes')
  assert.equal(await completed('runs', 't'), 'tail')
  assert.equal(await completed('completion', ''), 'bash zsh fish')
  assert.equal(await completed('runs', 'tail', ''), '')
  for (const words of [
    ['sing'],
    ['sync'],
    ['ask', '--wrong'],
    ['completion', 'cmd'],
    ['search', 'x', '--limit', '0'],
  ]) {
    assert.equal((await run(words)).code, 2, words.join(' '))
  }
})

type RunOptions = { stdin?: string; key?: null; env?: Record<string, string> }

async function start(context: TestContext) {
  const app = await startTestApp()
  const url = await app.listen()
  const folder = await mkdtemp(join(tmpdir(), 'atrium-cli-'))
  const launches = createLaunches()
  context.after(async () => {
    launches.endAll()
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  /** Acts with the live key, unless `key` is null. */
  const launch = (words: string[], { stdin, key, env: more }: RunOptions = {}): Launched => {
    // With the code that Node compiled for the command before this one.
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ATRIUM_CONFIG_DIR: join(folder, 'config'), ...more }
    const keyed = key === null ? env : { ...env, ATRIUM_URL: url, ATRIUM_API_KEY: app.liveKey.key }
    const command = [process.execPath, main, ...words]
    if (stdin === undefined) return launches.launch(command, { env: keyed })
    // A shell makes the pipe: what Node makes between processes is a socket.
    const piped = ['sh', '-c', 'printf %s "$TEXT" | "$0" "$@"', ...command]
    return launches.launch(piped, { env: { ...keyed, TEXT: stdin } })
  }
  /** A server that is no Atrium; `received` are the secrets that came to it. */
  const stranger = async (answer: (path: string) => { status: number; body: unknown }) => {
    const received: string[] = []
    const server = createServer((request, reply) => {
      received.push(String(request.headers.authorization))
      const { status, body } = answer((request.url ?? '').split('?')[0] ?? '')
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    context.after(() => {
      server.close()
      server.closeAllConnections()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
  }
  return {
    app,
    url,
    folder,
    launch,
    stranger,
    async run(words: string[], options?: RunOptions) {
      const { child, out, err } = launch(words, options)
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, out: out(), err: err() }
    },
  }
}
