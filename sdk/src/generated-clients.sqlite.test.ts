/** Clients that other generators make of openapi.json compile under strict TypeScript, and work against the real server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import openapiTs, { astToString } from 'openapi-typescript'
import { startTestApp } from '../../server/src/testing/test-app.ts'

const root = resolve(import.meta.dirname, '../..')
const openApi = join(root, 'openapi.json')
const run = promisify(execFile)

test('a client of openapi-typescript and openapi-fetch compiles, and carries a story to its end', async context => {
  const folder = await makeFolder(context)
  const nodes = await openapiTs(JSON.parse(await readFile(openApi, 'utf8')))
  await writeFile(join(folder, 'api.ts'), astToString(nodes))
  checkStory(await tellStory(context, folder, 'openapi-fetch.ts'))
})

test('a client of @hey-api/openapi-ts compiles, and carries a story to its end', async context => {
  const folder = await makeFolder(context)
  await createClient({
    input: openApi,
    output: { path: join(folder, 'api'), importFileExtension: '.ts' },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false },
  })
  const told = await tellStory(context, folder, 'hey-api.ts')
  checkStory(told)
  assert.equal(told.lastEvent, 'run.succeeded')
})

type Told = {
  status: string
  found: string[]
  output: string
  tools: (string | null)[]
  runs: string[]
  total: number
  lastEvent?: string
  file: string
  duplicateOf: unknown
  documentId: string
  runId: string
}

function checkStory(told: Told): void {
  assert.equal(told.status, 'ready')
  assert.deepEqual(told.found, [told.documentId])
  assert.match(told.output, /27 days/)
  assert.ok(told.tools.some(callId => callId !== null))
  assert.deepEqual([told.runs, told.total], [[told.runId], 1])
  assert.equal(told.file, 'otters.txt')
  assert.equal(told.duplicateOf, told.documentId)
}

async function makeFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-client-'))
  context.after(() => rm(folder, { recursive: true }))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'ES2024',
    lib: ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'NodeNext',
    types: ['node'],
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
    noEmit: true,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

/** Compiles the story beside its client, and runs it against a server of its own. */
async function tellStory(context: TestContext, folder: string, story: string): Promise<Told> {
  await copyFile(join(root, 'sdk/stories', story), join(folder, 'story.ts'))
  const compiler = join(root, 'node_modules/typescript/lib/tsc.js')
  await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }) => assert.fail(String(stdout)))
  const app = await startTestApp()
  context.after(() => app.close())
  const { stdout } = await run(process.execPath, [join(folder, 'story.ts')], {
    env: { ...process.env, ATRIUM: `${await app.listen()}/api/v1`, KEY: app.testKey.key },
  })
  return JSON.parse(stdout)
}
