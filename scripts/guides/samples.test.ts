/** The samples of the reference: valid in their languages, and each calls the operation that it stands beside. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { Atrium } from '@atrium/sdk'
import { type OpenApi, operationsOf } from '../../server/src/http/reference/model/open-api.ts'
import { callOf } from '../../server/src/http/reference/samples/call.ts'
import { samplesOf } from '../../server/src/http/reference/samples/samples.ts'
import { sdkCalls } from '../../server/src/http/reference/samples/sdk-calls.ts'
import type { Block } from './blocks.ts'
import { typeFaults } from './check-types.ts'

const file = resolve(import.meta.dirname, '../../openapi.json')
const openApi: OpenApi = JSON.parse(readFileSync(file, 'utf8'))
const operations = operationsOf(openApi)

const sampleOf = (operation: (typeof operations)[number], language: string): string =>
  samplesOf(callOf(openApi, operation)).find(sample => sample.language === language)?.text ?? ''

test('every sample in TypeScript is strict TypeScript', async () => {
  const blocks = operations.map(
    (operation): Block => ({
      page: operation.operationId,
      line: 1,
      language: 'ts',
      code: sampleOf(operation, 'typescript'),
      file: null,
      notRun: null,
    }),
  )
  assert.equal(await typeFaults(blocks), '')
})

test('every sample in TypeScript calls its operation, by the SDK where that has a method', async () => {
  const byFetch: string[] = []
  for (const operation of operations) {
    const { operationId, method, path } = operation
    const sample = sampleOf(operation, 'typescript')
    if (!sample.includes('@atrium/sdk')) byFetch.push(operationId)
    const called = await callsOf(sample)
    const pattern = new RegExp(`^${method} /api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    assert.ok(
      called.some(call => pattern.test(call)),
      `${operationId} calls ${called}`,
    )
  }
  assert.deepEqual(byFetch, ['getOpenApi'])
  const known = new Set(operations.map(({ operationId }) => operationId))
  assert.deepEqual(
    Object.keys(sdkCalls).filter(id => !known.has(id)),
    [],
    'operations that are gone',
  )
})

/** Runs a sample, which has no types of its own, with a client that notes what it would send. */
async function callsOf(sample: string): Promise<string[]> {
  const called: string[] = []
  const fetch = async (address: string | URL | Request, init?: RequestInit) => {
    const { pathname } = new URL(String(address))
    called.push(`${init?.method ?? 'GET'} ${pathname}`)
    if (pathname.endsWith('/events') && pathname.includes('/runs/'))
      return new Response(null, { status: 204 })
    return Response.json({ data: [], meta: { page: 1, pageSize: 1, total: 0 } })
  }
  class Client extends Atrium {
    constructor(options: ConstructorParameters<typeof Atrium>[0]) {
      super({ ...options, fetch })
    }
  }
  const body = sample.replaceAll(/^import .*$/gm, '')
  const process = { env: { KEY: 'sk_test_x', ATRIUM: 'http://atrium.invalid/api/v1' } }
  const run = new Function(
    ...['Atrium', 'process', 'fetch', 'readFile', 'console'],
    `return (async () => {${body}})()`,
  )
  // A run is followed to its end, which the empty reply does not have; the call has been noted by then.
  await run(Client, process, fetch, async () => new Uint8Array(1), { log: () => undefined }).catch(
    (error: unknown) => {
      if (called.length === 0) throw error
    },
  )
  return called
}

const python = spawnSync('python3', ['--version']).status === 0

test('every sample in Python is Python', { skip: python ? false : 'python3 is not installed' }, () => {
  const samples = operations.map(operation => [operation.operationId, sampleOf(operation, 'python')])
  const program = 'import json, sys\nfor name, text in json.load(sys.stdin): compile(text, name, "exec")'
  const { status, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(samples),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})
