/**
 * Every code block of the README and of every guide runs, against one server, in a row. Each page has a shell of its own and
 * must leave the server as it found it, so each begins where the first one began: what works in the row works alone.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../server/src/testing/eventually.ts'
import {
  createInstallation,
  type Installation,
  openInstallationDatabase,
} from '../../server/src/testing/operator.ts'
import { startModelServer } from '../../server/src/testing/servers/model-server.ts'
import { whatIsHeld } from '../../server/src/testing/what-is-held.ts'
import { readBlocks } from './blocks.ts'
import { typeFaults } from './check-types.ts'
import { playPage, type Reader, timeLimitMs } from './play.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = ['README.md', ...globSync('docs/guides/*.md', { cwd: root }).sort()].map(page => ({
  page,
  blocks: readBlocks(page, readFileSync(resolve(root, page), 'utf8')),
}))
const all = pages.flatMap(({ blocks }) => blocks)

const cleanups: (() => Promise<unknown>)[] = []
let reader: Reader
/** The README shows what the first start prints, ids included. */
let firstReader: Reader
let held: () => Promise<string[]>

before(async () => {
  const installation = await createInstallation(
    { after: work => void cleanups.unshift(work) },
    { engine: 'sqlite' },
  )
  const models = await startModelServer()
  cleanups.unshift(models.close)
  const server = await installation.startServer({ ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' })
  const words = ['key', 'create', '--workspace', 'my-workspace', '--permissions', 'all', '--name', 'Reader']
  const [live, sandbox] = [
    await installation.atriumJson([...words, '--env', 'live']),
    await installation.atriumJson([...words, '--env', 'test']),
  ]
  reader = {
    dataDir: installation.dataDir,
    replacements: new Map([
      ['http://127.0.0.1:8787', server.origin],
      ['sk_live_…', live.key],
      ['sk_test_…', sandbox.key],
      ['http://127.0.0.1:11434/v1', models.baseUrl],
      // A page of the internet that answers without the internet.
      ['https://example.com/', `${server.origin}/docs`],
      // Ports on which a page starts something by itself.
      ...(await Promise.all(['8797', '8798', '8799'].map(async port => [port, await freePort()] as const))),
    ]),
  }
  await makeAda(installation, server.origin)
  const first = async (list: string): Promise<string> => {
    const reply = await fetch(`${server.origin}/api/v1/${list}`, {
      headers: { authorization: `Bearer ${sandbox.key}` },
    })
    const { data } = (await reply.json()) as { data: { id: string }[] }
    return data[0]?.id ?? ''
  }
  const ids = [
    ['agt_…', await first('agents')],
    ['col_…', await first('knowledge/collections')],
  ] as const
  firstReader = { ...reader, replacements: new Map([...reader.replacements, ...ids]) }
  const database = await openInstallationDatabase(installation)
  cleanups.unshift(database.close)
  held = () => whatIsHeld(database)
})

after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

test('these blocks, and no others, are not run', () => {
  const notRun = all.filter(block => block.notRun !== null)
  assert.deepEqual(
    notRun.map(({ page, notRun }) => `${page}: ${notRun}`),
    [
      'README.md: their server is started already',
      'README.md: they are what it runs',
      'docs/guides/command-line.md: a person confirms a code',
      'docs/guides/mcp.md: they change the settings of programs on your machine',
      'docs/guides/own-pages.md: it serves until you stop it',
      'docs/guides/own-pages.md: it needs a page, and a server that makes tokens',
      'docs/guides/quick-start.md: their server is started already',
    ],
  )
})

test('every block of TypeScript and JavaScript is strict TypeScript', async () => {
  assert.equal(await typeFaults(all), '')
})

for (const { page, blocks } of pages.filter(({ blocks }) => blocks.length > 0)) {
  const title = `every block of ${page} works when it is pasted, and the page leaves nothing behind`
  // A page that takes too long is ended with what it printed, before the test is.
  test(title, { timeout: 2 * timeLimitMs }, async () => {
    const before = await held()
    await playPage(blocks, page === 'README.md' ? firstReader : reader)
    let difference: string[] = []
    await eventually(`the server holds what it did before ${page}`, async () => {
      const now = await held()
      difference = [...now.filter(row => !before.includes(row)), ...before.filter(row => !now.includes(row))]
      return difference.length === 0
    }).catch(cause => {
      throw new Error(`${page} changes ${difference.join(', ')}`, { cause })
    })
  })
}

const broken = (lines: string[]) => readBlocks('page.md', ['# Page', '', '```sh', ...lines, '```'].join('\n'))
const faults: [string, string[], RegExp][] = [
  ['a refusal', ['true', 'curl -s http://127.0.0.1:8787/nowhere'], /^page\.md:5: 404\n/],
  ['a refusal in a pipe', ['X=$(curl -s http://127.0.0.1:8787/nowhere | head -1)'], /^page\.md:4: 404\n/],
  ['another refusal', ['# → 409', 'curl -s http://127.0.0.1:8787/nowhere'], /^page\.md:5: 404 .*409/],
  ['a refusal that does not come', ['# → 404', 'true'], /^page\.md:4: .*404/],
  ['a command that fails', ['true', 'false'], /^page\.md:5: exit code 1\n/],
  ['a variable that is not set', ['echo "$AGENT"'], /^page\.md:4: [\s\S]*AGENT/],
  ['a placeholder', ['true', 'curl -s http://127.0.0.1:8787/api/v1/agents/agt_…'], /^page\.md:5: /],
  ['a file left behind', ['touch left.txt'], /^page\.md: .*left\.txt/],
  ['a process left behind', ['sleep 60 &'], /^page\.md: .*process/],
  ['a program that throws', ['true', '```', '', '```ts', 'throw new Error()'], /^page\.md:8: exit code 1\n/],
  ['another output', ['echo a', '```', '', '```text', 'b'], /^page\.md:8: [\s\S]*a/],
  [
    'another reply',
    ['echo \'{"a": 1}\'', '```', '', '```json', '{"a": "b"}'],
    /^page\.md:8: no reply has a string/,
  ],
  ['TypeScript on Node 20', ['echo "let a: 1" > a.ts; node a.ts'], /^page\.md:4: exit code 1/],
]
for (const [what, lines, message] of faults) {
  test(`${what} fails, by page and line`, async () => {
    await assert.rejects(playPage(broken(lines), reader), ({ message: said }) => message.test(said))
  })
}

test('what a page makes and does not remove shows in what the server holds', async () => {
  const before = await held()
  const call = `-H "Authorization: Bearer sk_test_…" -H 'Content-Type: application/json' -d '{"name": "Left"}'`
  await playPage(broken([`curl -s http://127.0.0.1:8787/api/v1/agents ${call}`]), reader)
  assert.match((await held()).filter(row => !before.includes(row)).join(), /^agents: agt_\w+ 1 1$/)
})

test('a block without a language is refused', () => {
  assert.throws(() => readBlocks('page.md', 'Text\n```\nls\n```\n'), /^Error: page\.md:2: .*no language/)
})

/** Pages on sign-in show a person's address and password, which a reader replaces with their own. */
async function makeAda(installation: Installation, origin: string): Promise<void> {
  const email = 'ada@example.com'
  await installation.atriumJson(['user', 'create', '--email', email, '--name', 'Ada'])
  const { url } = await installation.atriumJson(['user', 'reset-password', '--user', email])
  const body = { token: new URL(url).searchParams.get('token'), newPassword: 'correct horse battery staple' }
  const headers = { origin, 'content-type': 'application/json' }
  const reply = await fetch(`${origin}/auth/reset-password`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.equal(reply.status, 204)
}

test('a comment that zsh would carry out is refused', () => {
  assert.throws(() => broken(['true', '# Like `ls`']), /^Error: page\.md:5: /)
})

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return String(port)
}
