import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Atrium } from '@atrium/sdk'
import { startTestApp } from '../../server/src/testing/test-app.ts'
import { startTemporaryServer } from './temporary-server.ts'

const program = resolve(import.meta.dirname, 'main.ts')

test('the demo brings the documentation in and cites it; a second run uploads nothing', async context => {
  const run = await startDemo(context)
  const first = await run()
  const added = Number(/(\d+) added, 0 changed, 0 unchanged, 0 deleted/.exec(first)?.[1])
  assert.ok(added > 20, first)
  assert.match(first, /An idempotency key has 1 to 255/)
  assert.match(first, /docs\/guides\/errors\.md \d+–\d+ \(verified\)/)
  assert.match(await run(), new RegExp(`0 added, 0 changed, ${added} unchanged, 0 deleted`))
})

test('without an address of a server, the demo starts one of its own and has a key for it', async context => {
  const { baseUrl, apiKey, stop } = await startTemporaryServer()
  context.after(stop)
  const { environment } = await new Atrium({ baseUrl, apiKey }).me()
  assert.equal(environment, 'live')
})

async function startDemo(context: TestContext): Promise<() => Promise<string>> {
  const app = await startTestApp()
  context.after(app.close)
  const env = { ...process.env, ATRIUM_URL: await app.listen(), ATRIUM_API_KEY: app.liveKey.key }
  return async () => (await promisify(execFile)(process.execPath, [program], { env })).stdout
}
