/** Real clients connect to a running server: both generations of the official SDK, and the official conformance suite. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { auth as authOfClient } from '@modelcontextprotocol/client'
import { auth as authOfSdk } from '@modelcontextprotocol/sdk/client/auth.js'
import { callerAt, decide, registered, wholeGrant } from '../../server/src/testing/apps/connected-app.ts'
import { type SignedIn, signIn } from '../../server/src/testing/apps/signed-in.ts'
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

/** What an app keeps between the steps; of each SDK's own shape, which this satisfies. */
function createProvider() {
  const kept: Record<string, any> = {}
  const provider = {
    redirectUrl: 'http://127.0.0.1:33418/callback',
    clientMetadata: {
      client_name: 'An unmodified client',
      redirect_uris: ['http://127.0.0.1:33418/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (state: unknown) => void (kept.discovery = state),
    redirectToAuthorization: (address: URL) => void (kept.address = address),
    state: () => 'a state',
  }
  return { kept, provider }
}

for (const [name, auth] of [
  ['@modelcontextprotocol/sdk', authOfSdk],
  ['@modelcontextprotocol/client', authOfClient],
] as const) {
  test(`${name} finds the server, registers, is allowed, and renews its tokens`, async () => {
    const { kept, provider } = createProvider()
    const start = { serverUrl: `${origin}/mcp` }
    assert.equal(await (auth as any)(provider, start), 'REDIRECT')
    const back = await allow(kept.address)
    const answer = {
      authorizationCode: back.searchParams.get('code'),
      iss: back.searchParams.get('iss'),
    }
    assert.equal(await (auth as any)(provider, { ...start, ...answer }), 'AUTHORIZED')
    assert.notEqual(await callerAt(app, 'mcp', kept.tokens.access_token), null)
    const first = kept.tokens
    assert.equal(await (auth as any)(provider, start), 'AUTHORIZED')
    assert.notEqual(kept.tokens.refresh_token, first.refresh_token)
    assert.notEqual(await callerAt(app, 'mcp', kept.tokens.access_token), null)
  })
}

test('the official conformance suite for authorization servers passes', async () => {
  const port = 33_519
  const clientId = await registered(app, ['http://127.0.0.1/callback'])
  const options = ['authorization', '--url', origin, '--client-id', clientId]
  const program = spawn(process.execPath, [
    conformance,
    ...options,
    ...['--resource', `${origin}/mcp`, '--port', String(port)],
  ])
  let output = ''
  let isAsked = false
  const read = (chunk: Buffer): void => {
    output += String(chunk)
    const [address] = /http:\/\/\S+\/oauth\/authorize\?\S+/.exec(output) ?? []
    if (address === undefined || isAsked) return
    isAsked = true
    void allow(address).then(back => fetch(back))
  }
  program.stdout.on('data', read)
  program.stderr.on('data', read)
  const [code] = await once(program, 'close')
  console.log(output.slice(-1_500))
  assert.equal(code, 0, output)
})
