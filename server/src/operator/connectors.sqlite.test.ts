import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createInstallation, type Installation } from '../testing/operator.ts'
import { wikiConnector as example, startWiki } from '../testing/servers/wiki.ts'

const root = resolve(import.meta.dirname, '../../..')
const credentials = '{"apiKey":"let-me-in"}'

test('a new connector is one file that fits, whose types hold, and no file is written over', async t => {
  const installation = await createInstallation(t)
  const folder = join(await freshFolder(t), 'mine')
  const made = await installation.atriumJson(['connector', 'new', 'our-notes', '--dir', folder])
  assert.equal(made.file, join(folder, 'our-notes.ts'))
  const text = await readFile(made.file, 'utf8')
  assert.match(text, /id: 'our-notes',\n {2}name: 'Our Notes'/)
  assert.ok(!/^import (?!type)/m.test(text), 'it imports types only')
  assert.deepEqual(await runProgram([join(root, 'node_modules/.bin/tsc'), '-p', folder]), [0, ''])

  await writeFile(made.file, 'mine')
  const again = await installation.atriumHere(['connector', 'new', 'our-notes', '--dir', folder])
  assert.match(again.stderr, /our-notes\.ts is there already/)
  assert.equal(await readFile(made.file, 'utf8'), 'mine')
  const told = await installation.atriumHere(['connector', 'new', 'told', '--dir', folder])
  const [, next = ''] = /^Next: npm run -s atrium -- (.*)$/m.exec(told.stdout) ?? []
  const tried = await installation.atriumHere([
    ...next.split(' '),
    ...['--config', '{"baseUrl":"http://127.0.0.1:1"}', '--credentials', credentials],
  ])
  assert.match(tried.stdout, /^ok {5}file\n/, 'the command that is named next exists')
  const second = await installation.atriumJson(['connector', 'new', 'more', '--dir', folder])
  assert.deepEqual(second.written, [join(folder, 'more.ts')], 'what is beside it stays')
  for (const name of ['Notes', 'our notes', '../evil', '-x', 'x'.repeat(41)]) {
    const { exitCode } = await installation.atriumHere(['connector', 'new', name, '--dir', folder])
    assert.equal(exitCode, 2, name)
  }
  assert.equal((await installation.atriumHere('connector new notes')).exitCode, 2, 'where to is not known')
})

test('a test of a connector shows account, pages and an item, and tells what is wrong with a file, a config, a key', async t => {
  const installation = await createInstallation(t)
  const { origin } = await startWiki(t)
  const config = JSON.stringify({ baseUrl: origin })
  const tried = await installation.atriumJson([
    ...['connector', 'test', example, '--config', config, '--credentials', credentials],
  ])
  const steps = tried.findings.map(({ step, ok }: { step: string; ok: boolean }) => [step, ok])
  assert.deepEqual(steps, [
    ['file', true],
    ['check', true],
    ['list, first page', true],
    ['list, second page', true],
    ['fetch', true],
  ])
  assert.match(JSON.stringify(tried.findings), /Ada L\. \(ada\).*leave\.md, text\/markdown/)
  const found = await installation.atriumJson([
    ...['connector', 'test', example, '--config', config, '--credentials', credentials],
    ...['--tool', 'search_pages', '--input', '{"words":"dogs"}'],
  ])
  assert.deepEqual(found.answer, [{ slug: 'pets', title: 'Pets' }])

  const refusals: [words: string[], exitCode: number, says: RegExp][] = [
    [[], 2, /--config: baseUrl is required/],
    [['--config', '{"baseUrl":"gopher://x","colour":1}'], 2, /colour is not a known field/],
    [['--config', 'nonsense'], 2, /--config must be a JSON object, or @FILE/],
    [['--config', '@/nowhere.json'], 2, /nowhere\.json cannot be read \(ENOENT\)/],
    [['--config', config], 2, /--credentials JSON\|@FILE is required: \{"apiKey"/],
    [['--config', config, '--credentials', '{"username":"x"}'], 2, /--credentials must be \{"apiKey": "…"\}/],
    [['--config', config, '--credentials', '{"apiKey":"wrong"}'], 1, /FAULT {2}check\n.*does not accept/],
    [
      ['--config', '{"baseUrl":"http://127.0.0.1:1"}', '--credentials', credentials],
      1,
      /FAULT {2}check\n.*127\.0\.0\.1:1/,
    ],
    [
      ['--config', config, '--credentials', credentials, '--tool', 'fly'],
      1,
      /wiki has no tool fly; there is search_pages, add_comment/,
    ],
    [
      [
        '--config',
        config,
        '--credentials',
        credentials,
        '--tool',
        'search_pages',
        '--input',
        '{"word":"dogs"}',
      ],
      2,
      /--input: words is required\n.*word is not a known field/,
    ],
  ]
  for (const [words, exitCode, says] of refusals) {
    const refused = await installation.atriumHere(['connector', 'test', example, ...words])
    assert.match(refused.stdout + refused.stderr, says)
    assert.equal(refused.exitCode, exitCode, words.join(' '))
    assert.ok(!(refused.stdout + refused.stderr).includes('let-me-in'), 'a key is never shown')
  }
})

test('a listing that breaks its promises is told as what it breaks', async t => {
  const installation = await createInstallation(t)
  const folder = await freshFolder(t)
  const lists: [list: string, says: RegExp][] = [
    ['async () => ({ items: [{ id: "a" }], nextPage: null })', /items\.0\.version must be a text/],
    ['async () => [{ id: "a" }]', /it must answer \{ items/],
    ['async () => ({ items: [], nextPage: "" })', /nextPage must be null, or a text/],
    [
      'async () => ({ items: [{ id: "a", version: "1" }, { id: "a", version: "1" }], nextPage: null })',
      /a is listed twice/,
    ],
    [
      'async () => ({ items: [{ id: "a", version: "1", data: "x".repeat(5000) }], nextPage: null })',
      /data must have at most 4000/,
    ],
    ['async () => { throw new Error("no luck") }', /FAULT {2}list, first page\n.*no luck/],
    [
      'async () => ({ items: [{ id: "a", version: "1" }], nextPage: null })',
      /FAULT {2}fetch\n.*was listed, and fetch calls it gone/,
    ],
  ]
  for (const [at, [list, says]] of lists.entries()) {
    const file = join(folder, `listing-${at}.mjs`)
    await writeFile(file, smallConnector('broken', list))
    const { exitCode, stdout } = await installation.atriumHere(['connector', 'test', file])
    assert.match(stdout, says)
    assert.equal(exitCode, 1)
  }
  const endless = join(folder, 'endless.mjs')
  await writeFile(endless, smallConnector('endless', 'async () => ({ items: [], nextPage: "again" })'))
  const key = await keyOf(installation)
  const server = await installation.startServer()
  const refused = await installation.atriumHere([
    ...['connector', 'run', endless, '--collection', 'Endless', '--key', key, '--url', server.origin],
  ])
  assert.match(refused.stderr, /the same page again and again/)
  await server.stop()
})

test('files that fit join the catalog; one that does not stops the start, and is named with the reason', async t => {
  const installation = await createInstallation(t)
  const folder = await freshFolder(t)
  await mkdir(join(folder, 'deep'))
  await writeFile(join(folder, 'wiki.ts'), await readFile(example))
  await writeFile(
    join(folder, 'deep/connector.mjs'),
    smallConnector('deep', 'async () => ({ items: [], nextPage: null })').replace(
      'source:',
      'unverified: false, source:',
    ),
  )
  await writeFile(join(folder, 'notes.test.ts'), 'throw new Error("a test is no connector")')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const settings = { ATRIUM_CONNECTORS_DIR: folder }
  const key = await keyOf(installation)
  const server = await installation.startServer(settings)
  const reply = await fetch(`${server.origin}/api/v1/integrations/catalog?pageSize=100`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await reply.json()) as { data: { id: string; unverified: boolean }[] }
  const ids = data.map(({ id }) => id)
  assert.ok(ids.includes('wiki') && ids.includes('deep') && ids.includes('github'), ids.join(' '))
  const unverified = data.filter(entry => entry.unverified).map(({ id }) => id)
  assert.deepEqual(unverified, ['wiki'], 'an own connector counts as untested, unless its file says so')
  await server.stop()

  const misfits: [name: string, content: string, says: RegExp][] = [
    ['syntax.ts', 'export default {', /syntax\.ts: cannot be loaded: /],
    ['empty.mjs', 'export const connector = {}', /empty\.mjs: has no default export/],
    ['faulty.mjs', 'export default { id: "X" }', /faulty\.mjs: id must be lower-case words/],
    [
      'twin.mjs',
      smallConnector('wiki', 'async () => ({ items: [], nextPage: null })'),
      /wiki\.ts: has the id wiki, as .*twin\.mjs has/,
    ],
    [
      'builtin.mjs',
      smallConnector('github', 'async () => ({ items: [], nextPage: null })'),
      /builtin\.mjs: has the id github, as a ready-made connector has/,
    ],
    [
      'schema.mjs',
      smallConnector('schema', '', '{ type: "object", properties: { a: { type: "colour" } } }'),
      /schema\.mjs: configSchema is no JSON Schema that can be used/,
    ],
    [
      'tools.mjs',
      smallConnector('github-search', '').replace('source:', `tools: [${smallTool}], source:`),
      /tools\.mjs: a tool would be called github_search_issues, as one of another connector is/,
    ],
    ['throws.mjs', 'throw new Error("out of order")', /throws\.mjs: cannot be loaded: out of order/],
  ]
  for (const [name, content] of misfits) await writeFile(join(folder, name), content)
  const refused = await installation.atrium('workspace list', settings)
  assert.equal(refused.exitCode, 1)
  for (const [, , says] of misfits) assert.match(refused.stderr, says)
  const nowhere = await installation.atrium('workspace list', {
    ATRIUM_CONNECTORS_DIR: join(folder, 'nowhere'),
  })
  assert.match(nowhere.stderr, /ATRIUM_CONNECTORS_DIR: ".*nowhere" is no folder/)
})

test('an agent comes out of an archive without its connections, and without the tools that need them', async t => {
  const folder = await freshFolder(t)
  await writeFile(join(folder, 'wiki.ts'), await readFile(example))
  const installation = await createInstallation(t, { environment: { ATRIUM_CONNECTORS_DIR: folder } })
  const key = await keyOf(installation, 'test')
  const server = await installation.startServer()
  const send = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(`${server.origin}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    assert.equal(reply.status, 201)
    return ((await reply.json()) as { data: { id: string } }).data
  }
  const { id } = await send('/integrations/connect', {
    integrationId: 'wiki',
    name: 'Wiki',
    config: { baseUrl: 'https://wiki.example.com' },
    credentials: { apiKey: 'x' },
  })
  const tools = ['calculator', 'wiki_search_pages']
  await send('/agents', { name: 'Reader', tools, approvalTools: ['wiki_search_pages'], connectionIds: [id] })
  await server.stop()
  const file = join(installation.dataDir, 'acme.tar.gz')
  await installation.atriumJson(['workspace', 'export', 'acme', file])
  const imported = await installation.atriumHere(['workspace', 'import', file, '--name', 'Again'])
  assert.equal(imported.exitCode, 0, imported.stderr)
  assert.match(
    imported.stdout,
    /The agent Reader has no wiki_search_pages any more: connect the services here/,
  )
})

async function keyOf(installation: Installation, environment = 'live'): Promise<string> {
  await installation.atriumJson('workspace create Acme')
  const made = await installation.atriumJson(
    `key create --workspace acme --env ${environment} --name ci --permissions all`,
  )
  return made.key
}

const smallTool =
  "{ name: 'issues', description: 'x', input: { type: 'object', properties: {} }, changes: false, run: () => 1 }"

const smallConnector = (id: string, list: string, configSchema = '{ type: "object", properties: {} }') => `
export default {
  id: '${id}', name: 'Small', description: 'Small.', category: 'custom', documentationUrl: null,
  auth: [{ kind: 'none' }], configSchema: ${configSchema}, origins: () => [],
  check: async () => ({ id: '1', name: 'Nadia' }),
  source: { removals: 'absence', list: ${list === '' ? 'async () => null' : list}, fetch: async () => null },
}
`

async function freshFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-connectors-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function runProgram(words: readonly string[]): Promise<[exitCode: number | null, output: string]> {
  const child = spawn(process.execPath, words, { stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', piece => {
      output += piece
    })
  }
  return await new Promise(done => child.on('close', code => done([code, output])))
}
