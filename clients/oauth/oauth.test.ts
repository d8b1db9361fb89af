/** Real clients connect to a running server: both generations of the official SDK, and the official conformance suite. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auth as authOfClient } from '@modelcontextprotocol/client'
import { auth as authOfSdk } from '@modelcontextprotocol/sdk/client/auth.js'
import { callerAt, decide, registered, wholeGrant } from '../../server/src/testing/apps/connected-app.ts'
import { type SignedIn, signIn } from '../../server/src/testing/apps/signed-in.ts'
import { isListening } from '../../server/src/testing/servers/ports.ts'
import { freePort } from '../../server/src/testing/servers/postgres.ts'
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts'

const conformance = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

let app: TestApp
let owner: SignedIn
let origin: string
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '1000' } })
  origin = await app.listen()
  owner = await signIn(app, app.ownerId)
})
after(() => app.close())

/** The person's browser: follows the app's address to the question, and allows it; returns where it is sent. */
async function allow(address: URL | string): Promise<URL> {
  const answer = await fetch(address, { redirect: 'manual' })
  assert.equal(answer.status, 303)
  const question = new URL(answer.headers.get('location') ?? '', origin)
  const reply = await decide(owner, question.search, wholeGrant(app))
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return new URL(reply.body.data.redirectTo)
}

type Kept = {
  client?: unknown
  tokens?: { access_token: string; refresh_token: string }
  verifier?: string
  discovery?: unknown
  address?: URL
}
/** Both SDKs call it the same; each has types of its own for what an app keeps. */
type Auth = (
  provider: ReturnType<typeof createProvider>,
  options: { serverUrl: string; authorizationCode?: string; iss?: string },
) => Promise<'AUTHORIZED' | 'REDIRECT'>

/** An app that keeps what it gets in `kept`. */
function createProvider(kept: Kept) {
  return {
    redirectUrl: 'http://127.0.0.1:33418/callback',
    clientMetadata: {
      client_name: 'An unmodified client',
      redirect_uris: ['http://127.0.0.1:33418/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => Object.assign(kept, { tokens }),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier: string) => Object.assign(kept, { verifier }),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery: unknown) => Object.assign(kept, { discovery }),
    redirectToAuthorization: (address: URL) => Object.assign(kept, { address }),
    state: () => 'a state',
  }
}

for (const [name, given] of [
  ['@modelcontextprotocol/sdk', authOfSdk],
  ['@modelcontextprotocol/client', authOfClient],
] as const) {
  const auth = given as unknown as Auth
  test(`${name} finds the server, registers, is allowed, and renews its tokens`, async () => {
    const kept: Kept = {}
    const provider = createProvider(kept)
    const start = { serverUrl: `${origin}/mcp` }
    assert.equal(await auth(provider, start), 'REDIRECT')
    const { searchParams } = await allow(kept.address ?? '')
    const answer = { authorizationCode: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? '' }
    assert.equal(await auth(provider, { ...start, ...answer }), 'AUTHORIZED')
    const first = kept.tokens
    assert.notEqual(await callerAt(app, 'mcp', first?.access_token ?? ''), null)
    assert.equal(await auth(provider, start), 'AUTHORIZED')
    assert.notEqual(kept.tokens?.refresh_token, first?.refresh_token)
    assert.notEqual(await callerAt(app, 'mcp', kept.tokens?.access_token ?? ''), null)
  })
}

test('the official conformance suite for authorization servers passes', async () => {
  const port = await freePort()
  const clientId = await registered(app, ['http://127.0.0.1/callback'])
  const options = ['authorization', '--url', origin, '--client-id', clientId]
  const program = spawn(process.execPath, [
    conformance,
    ...options,
    ...['--resource', `${origin}/mcp`, '--port', String(port)],
  ])
  let output = ''
  let person: Promise<void> | undefined
  const read = (chunk: Buffer): void => {
    output += String(chunk)
    const [address] = /http:\/\/\S+\/oauth\/authorize\?\S+/.exec(output) ?? []
    if (address === undefined || person !== undefined) return
    person = answer(address, port).catch((error: unknown) => {
      output += `\nThe person's browser: ${error}`
      program.kill()
    })
  }
  program.stdout.on('data', read)
  program.stderr.on('data', read)
  const [code] = await once(program, 'close')
  await person
  assert.equal(code, 0, output)
  assert.match(output, /Total: 3 passed, 0 failed/)
})

/** Allows the app, and takes the code to it once it listens: the suite prints its address before it does. */
async function answer(address: string, port: number): Promise<void> {
  const back = await allow(address)
  for (let left = 500; !(await isListening(port)); left--) {
    if (left === 0) throw new Error(`The suite does not listen at port ${port}`)
    await sleep(20)
  }
  await fetch(back)
}
