/** A real OpenID Connect server on loopback, for tests: discovery, signed id tokens, PKCE, and people whom a test names. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

type Person = { sub: string; email: string; email_verified: boolean; name: string }

/** How the next sign-ins go wrong. */
type Mood = {
  refuse: string | null
  /** Signs with a key that the published set does not hold. */
  foreignKey: boolean
  /** Of the id token, where it is not the server's own. */
  issuer: string | null
  audience: string | null
  nonce: string | null
  /** The issuer that the server says it is, in its description and in id tokens. */
  alias: string | null
  /** Leaves the address out of the id token, for those who ask for it beside. */
  isTerse: boolean
  isDown: boolean
}

export type OidcServer = {
  issuer: string
  client: { id: string; secret: string }
  /** Who is signed in at this server. */
  person: Person
  mood: Mood
  close(): void
  /** What a browser does with an address of this server: the address that it is sent back to. */
  visit(address: string): Promise<URL>
}

type Grant = { redirectUri: string; challenge: string; nonce: string | null }
type Peer = Omit<OidcServer, 'visit' | 'close'> & { grants: Map<string, Grant>; keys: Keys }
type Keys = { own: KeyObject; foreign: KeyObject; jwk: object }

/** Stops with the test. */
export async function startOidcServer(t: TestContext): Promise<OidcServer> {
  const peer = createPeer()
  const server = createServer((request, response) => {
    handle(peer, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  t.after(close)
  // A TCP server that listens has an address with a port.
  peer.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const visit = async (address: string): Promise<URL> => {
    const reply = await fetch(address, { redirect: 'manual' })
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`No redirect but ${reply.status}: ${await reply.text()}`)
    return new URL(location)
  }
  return Object.assign(peer, { visit, close })
}

/** For all servers of a process: a pair takes a fifth of a second of a processor, and each test has a server. */
let keys: Keys | undefined

function makeKeys(): Keys {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'key-1', use: 'sig', alg: 'RS256' }
  return { own: own.privateKey, foreign: foreign.privateKey, jwk }
}

function createPeer(): Peer {
  keys ??= makeKeys()
  return {
    issuer: '',
    client: { id: 'atrium', secret: `secret-${randomBytes(12).toString('hex')}` },
    person: { sub: 'person-1', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
    mood: {
      refuse: null,
      foreignKey: false,
      issuer: null,
      audience: null,
      nonce: null,
      alias: null,
      isTerse: false,
      isDown: false,
    },
    grants: new Map(),
    keys,
  }
}

async function handle(peer: Peer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (peer.mood.isDown) {
    response.writeHead(503).end('down')
    return
  }
  const url = new URL(request.url ?? '/', peer.issuer)
  switch (url.pathname) {
    case '/.well-known/openid-configuration':
      return json(response, 200, metadata(peer))
    case '/jwks':
      return json(response, 200, { keys: [peer.keys.jwk] })
    case '/authorize':
      return authorize(peer, url.searchParams, response)
    case '/userinfo':
      return json(response, 200, peer.person)
    case '/token':
      return token(peer, new URLSearchParams(await textOf(request)), request, response)
    default:
      return json(response, 404, {})
  }
}

const metadata = ({ issuer, mood }: Peer) => ({
  issuer: mood.alias ?? issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
})

/** Sends the browser back at once, without asking a person. */
function authorize(peer: Peer, query: URLSearchParams, response: ServerResponse): void {
  const redirectUri = query.get('redirect_uri') ?? ''
  const isSound =
    query.get('client_id') === peer.client.id &&
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === 'S256' &&
    query.get('scope')?.split(' ').includes('openid') === true &&
    new URL(redirectUri).pathname === '/auth/callback/oidc'
  if (!isSound) {
    response.writeHead(400).end('The request is not valid')
    return
  }
  const answer = new URL(redirectUri)
  answer.searchParams.set('state', query.get('state') ?? '')
  if (peer.mood.refuse === null) {
    const code = randomBytes(16).toString('hex')
    peer.grants.set(code, {
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce'),
    })
    answer.searchParams.set('code', code)
  } else {
    answer.searchParams.set('error', peer.mood.refuse)
  }
  response.writeHead(302, { location: answer.href }).end()
}

function token(peer: Peer, form: URLSearchParams, request: IncomingMessage, response: ServerResponse): void {
  const grant = peer.grants.get(form.get('code') ?? '')
  const basic = `Basic ${Buffer.from(`${peer.client.id}:${peer.client.secret}`).toString('base64')}`
  const knowsSecret =
    request.headers.authorization === basic || form.get('client_secret') === peer.client.secret
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isSound =
    knowsSecret && grant?.redirectUri === form.get('redirect_uri') && grant?.challenge === challenge
  if (grant === undefined || !isSound) {
    json(response, 400, { error: 'invalid_grant' })
    return
  }
  peer.grants.delete(form.get('code') ?? '')
  json(response, 200, {
    access_token: randomBytes(16).toString('hex'),
    token_type: 'Bearer',
    expires_in: 300,
    id_token: idToken(peer, grant),
  })
}

function idToken({ issuer, client, person, mood, keys }: Peer, { nonce }: Grant): string {
  const now = Math.floor(Date.now() / 1000)
  const { sub } = person
  const told = mood.isTerse ? { sub } : person
  const claims = {
    ...told,
    iss: mood.issuer ?? mood.alias ?? issuer,
    aud: mood.audience ?? client.id,
    iat: now,
    exp: now + 300,
    nonce: mood.nonce ?? nonce,
  }
  const text = [{ alg: 'RS256', kid: 'key-1', typ: 'JWT' }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = mood.foreignKey ? keys.foreign : keys.own
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
