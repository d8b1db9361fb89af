import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Log } from '../../../../platform/log.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { pdfOf } from '../../../../testing/knowledge/sample-files.ts'
import { createParser } from '../parser.ts'
import { attack } from './attacks.ts'
import type { Outcomes } from './child-process.ts'
import { lacks, type Stage, type Stages, stagesHere } from './container.ts'
import { findContainer } from './find-container.ts'

const skip = process.platform !== 'linux' && 'only Linux has what containers are made of'

function folderFor(t: TestContext, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, 'atrium-container-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What code in machine language could not do, which does not ask Node. */
function assertHeld(outcomes: Outcomes, has: Stages): void {
  const held = (name: keyof typeof outcomes): void => assert.notEqual(outcomes[name], null, name)
  if (has.has('writing') || has.has('files')) {
    held('write a file')
    held('load a library that it wrote')
  }
  if (has.has('namespaces')) {
    held('connect to the server')
    held('signal the server')
  }
  if (has.has('files') || has.has('user')) {
    held('read the secret')
    held('list the data folder')
    held("read another process's environment")
  }
  if (has.has('files')) held('load the document as a library')
}

test('a file that takes over its reader gets out by none of nine ways', { skip }, async t => {
  const dataDir = folderFor(t)
  const folder = join(dataDir, 'parsing')
  const { has, missing } = await findContainer(folder, { mode: 'auto', log: null })
  for (const { stage, cause } of missing) console.log(`this machine offers no ${stage}: ${cause}`)
  const { outcomes: both, isCompiled } = await attack(folder, dataDir, has, true)
  assert.equal(isCompiled, has.has('files'))
  const held = Object.entries(both).filter(([, error]) => error !== null)
  if (missing.length === 0) assert.equal(held.length, 9, JSON.stringify(both))
  assertHeld(both, has)
  assertHeld((await attack(folder, dataDir, has, false)).outcomes, has)
  assert.deepEqual(
    readdirSync(folder).filter(name => name.startsWith('atrium-attack')),
    [],
  )
})

/** A log that only remembers warnings. */
function listening(): { log: Log; warnings: string[] } {
  const warnings: string[] = []
  const ignore = (): void => undefined
  return {
    log: { debug: ignore, info: ignore, error: ignore, warn: message => void warnings.push(message) },
    warnings,
  }
}

/** The stages that a machine lacks together. */
const lacking: readonly (readonly Stage[])[] = [
  ...stagesHere.map(stage => [stage]),
  ['namespaces', 'privileges'],
  [...stagesHere],
]

for (const without of skip === false ? lacking : []) {
  test(`a machine without ${without.join(', ')} reads files within the other stages, and says so`, async t => {
    const dataDir = folderFor(t)
    const folder = join(dataDir, 'parsing')
    const { log, warnings } = listening()
    const { has, missing } = await findContainer(folder, { mode: 'auto', without, log })
    assert.equal(has.size + missing.length, stagesHere.length)
    for (const stage of without) {
      assert.ok(!has.has(stage))
      assert.ok(warnings.some(warning => warning.includes(lacks[stage].remedy)))
    }
    assert.equal(await read(t, folder, without), 'A page.')
    assertHeld((await attack(folder, dataDir, has, false)).outcomes, has)
  })
}

async function read(t: TestContext, folder: string, without: readonly Stage[]): Promise<string> {
  const parser = createParser({ folder, container: { mode: 'auto', without, log: null } })
  t.after(() => parser.close())
  const path = join(folder, '..', 'a.pdf')
  writeFileSync(path, pdfOf('A page.'))
  return parser.parse({
    path,
    name: 'a.pdf',
    environment: 'live',
    owner: 'workspace',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    use: async ({ chunks }) =>
      (await Array.fromAsync(chunks))
        .flat()
        .map(({ text }) => text)
        .join(''),
  })
}

test('off leaves Node’s own permissions, which let a reader write nothing and start nothing', async t => {
  const dataDir = folderFor(t)
  const folder = join(dataDir, 'parsing')
  const { has, missing } = await findContainer(folder, { mode: 'off', log: null })
  assert.deepEqual([has.size, missing.length], [0, 0])
  if (skip !== false) return
  const { outcomes } = await attack(folder, dataDir, has, true)
  const walled = ['write a file', 'read the secret', 'list the data folder', 'start a program'] as const
  for (const name of walled) assert.equal(outcomes[name], 'ERR_ACCESS_DENIED', name)
  assert.equal(outcomes['load the document as a library'], 'ERR_DLOPEN_DISABLED')
})

const parserUrl = new URL('../parser.ts', import.meta.url).href
const attacksUrl = new URL('./attacks.ts', import.meta.url).href
const findUrl = new URL('./find-container.ts', import.meta.url).href

const skipUser = skip || (process.getuid?.() !== 0 && 'the other tests do not run as root')

test('a server that does not run as root has the container too', { skip: skipUser }, async t => {
  const other = 61_000
  const asOther = [`--reuid=${other}`, `--regid=${other}`, '--clear-groups']
  const program = `const { findContainer } = await import(${JSON.stringify(findUrl)})
    const { has, missing } = await findContainer(process.argv[1], { mode: 'auto', log: null })
    const { attack } = await import(${JSON.stringify(attacksUrl)})
    const { outcomes, isCompiled } = await attack(process.argv[1], process.argv[1], has, true)
    console.log(JSON.stringify({ has: [...has], missing, outcomes, isCompiled })); process.exit()`
  // The folder for temporary files may be closed to others.
  const dataDir = folderFor(t, '/tmp')
  chownSync(dataDir, other, other)
  const { stdout, stderr } = spawnSync(
    'setpriv',
    [...asOther, process.execPath, '--input-type=module', '-e', program, join(dataDir, 'parsing')],
    { encoding: 'utf8', timeout: 60_000 },
  )
  if (/EACCES|Permission denied/.test(stderr)) return console.log('other users cannot read this code')
  const { has, missing, outcomes, isCompiled } = JSON.parse(stdout)
  assertHeld(outcomes, new Set(has))
  // The compiled code may lie in a folder that is another user's.
  assert.ok(!isCompiled || has.includes('files'))
  for (const { stage, cause } of missing) console.log(`this machine offers no ${stage}: ${cause}`)
  assert.ok(has.includes('writing') && has.includes('privileges'), stdout)
  const apart = ['unshare', '--user', '--map-root-user', '--pid', '--net', '--ipc', '--uts', '--fork', 'true']
  const isOffered = spawnSync('setpriv', [...asOther, ...apart]).status === 0
  if (isOffered) assert.ok(has.includes('namespaces'), stdout)
})

test('a container ends with its server, also with one that is killed in the middle of a document', {
  skip,
}, async t => {
  const dataDir = folderFor(t)
  const path = join(dataDir, 'a.pdf')
  writeFileSync(path, pdfOf('A page.'))
  const program = `const { createParser } = await import(${JSON.stringify(parserUrl)})
    const parser = createParser({ folder: process.argv[1] })
    await parser.parse({ path: process.argv[2], name: 'a.pdf', environment: 'live', owner: 'w',
      signal: new AbortController().signal, onProgress: () => undefined,
      use: () => { console.log('reading'); return new Promise(() => setInterval(() => undefined, 1000)) } })`
  const words = ['--input-type=module', '-e', program, join(dataDir, 'parsing'), path]
  const server = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(server.stdout, 'data')
  const pids = descendants(server.pid ?? 0)
  assert.ok(pids.length > 0)
  server.kill('SIGKILL')
  await eventually('the container has ended', async () => !pids.some(isAtWork))
})

const descendants = (of: number): number[] =>
  readFileSync(`/proc/${of}/task/${of}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .flatMap(pid => [pid, ...descendants(pid)])

/** A process that has ended may wait for its parent. */
const isAtWork = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
