/** A real OAuth 2 authorization server on loopback, for tests: strict about PKCE and redirects, with the moods of real ones. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDeviceDesk, type DeviceDesk, deviceGrantType } from './oauth-device.ts'
import { bearerIn, formIn, isClient, json, textOf } from './oauth-wire.ts'

/** How the server behaves; a test may change it at any time. */
type Mood = {
  /** The error that `/authorize` sends people back with, instead of a code. */
  refuse: string | null
  /** Errors of the token endpoint have status 200 and names of their own; scopes are separated by commas. */
  githubStyle: boolean
  /** As `slack` nests a person's tokens, and as `notion` wants JSON; neither takes PKCE. */
  style: 'standard' | 'slack' | 'notion'
  rotatesRefreshTokens: boolean
  /** Null: no refresh token and no `expires_in`. */
  lifetimeSeconds: number | null
  /** What the token endpoint answers to everything, instead of tokens. */
  tokenReply: { status: number; type: string; body: string } | null
  /** What the token endpoint waits for. */
  beforeToken: () => Promise<unknown>
  /** `iss` in the answer of `/authorize`. */
  issuer: string | null
  /** What the metadata say instead of the truth. */
  metadata: Record<string, unknown>
}

export type Grant = { accessTokens: Set<string>; refreshToken: string | null; usedRefreshTokens: Set<string> }
type Code = { redirectUri: string; challenge: string | null; scope: string }

export type OAuthServer = {
  origin: string
  client: { id: string; secret: string }
  mood: Mood
  /** The only address that codes are sent to; unset until a test registers one. */
  registeredRedirect: string | null
  /** The grant types that the token endpoint was asked for, in order. */
  tokenRequests: string[]
  /** What tokens were asked for (RFC 8707), in order. */
  resources: (string | null)[]
  /** The redirect addresses of every registration. */
  registrations: string[][]
  /** Tokens that were revoked over the wire. */
  revoked: string[]
  /** Every secret that was given out. */
  issued: string[]
  /** Ends every grant, as a person does in the service's settings. */
  revokeAllGrants(): void
  /** Makes access tokens stop working while their grants live on. */
  forgetAccessTokens(): void
  /** Whether an `Authorization` header holds a token that works at present; for the peers behind this server. */
  accepts(authorization: string | undefined): boolean
  device: DeviceDesk
  /** Takes up its first mood, and empties what it has noted. */
  forgetRequests(): void
}

/** A test, or the owner of a server that tests share. */
type Owner = { after(close: () => void): void }

type Peer = OAuthServer & { codes: Map<string, Code>; grants: Set<Grant> }

/** Stops with the test. */
export async function startOAuthServer(t: Owner): Promise<OAuthServer> {
  const peer = createPeer()
  const server = createServer((request, response) => {
    handle(peer, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server that listens has an address with a port.
  peer.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return peer
}

const firstMood = (): Mood => ({
  refuse: null,
  githubStyle: false,
  style: 'standard',
  rotatesRefreshTokens: true,
  lifetimeSeconds: 3_600,
  tokenReply: null,
  beforeToken: async () => undefined,
  issuer: null,
  metadata: {},
})

function createPeer(): Peer {
  const grants = new Set<Grant>()
  const peer: Peer = {
    origin: '',
    client: { id: 'client-1', secret: `secret-${randomBytes(12).toString('hex')}` },
    mood: firstMood(),
    registeredRedirect: null,
    tokenRequests: [],
    resources: [],
    registrations: [],
    revoked: [],
    issued: [],
    device: createDeviceDesk(),
    codes: new Map(),
    grants,
    revokeAllGrants: () => grants.clear(),
    forgetAccessTokens: () => {
      for (const grant of grants) grant.accessTokens.clear()
    },
    accepts: authorization => {
      const token = bearerIn(authorization)
      return [...grants].some(grant => grant.accessTokens.has(token))
    },
    forgetRequests() {
      Object.assign(peer.mood, firstMood())
      const { tokenRequests, resources, registrations, revoked, issued } = peer
      for (const notes of [tokenRequests, resources, registrations, revoked, issued]) notes.length = 0
    },
  }
  return peer
}

async function handle(peer: Peer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', peer.origin)
  const body = await textOf(request)
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /login/oauth/authorize':
    case 'GET /o/oauth2/v2/auth':
    case 'GET /oauth/v2/authorize':
    case 'GET /v1/oauth/authorize':
      authorize(peer, url.searchParams, response)
      break
    case 'POST /login/oauth/access_token':
    case 'POST /token':
    case 'POST /api/oauth.v2.access':
    case 'POST /v1/oauth/token':
      await token(peer, request, formIn(peer.mood.style === 'notion', request, body), response)
      break
    case 'GET /.well-known/oauth-authorization-server':
      json(response, 200, { ...metadataOf(peer), ...peer.mood.metadata })
      break
    case 'POST /register':
      register(peer, body, response)
      break
    case 'POST /login/device/code':
      json(response, 200, peer.device.start())
      break
    case 'POST /revoke':
    case 'POST /v1/oauth/revoke':
      revoke(peer, formIn(peer.mood.style === 'notion', request, body).get('token') ?? '')
      response.writeHead(200).end()
      break
    case 'POST /api/auth.revoke':
      revoke(peer, bearerIn(request.headers.authorization))
      json(response, 200, { ok: true, revoked: true })
      break
    case `DELETE /applications/${peer.client.id}/token`:
      deleteGitHubToken(peer, request, body, response)
      break
    default:
      account(peer, request, response)
  }
}

/** What the server says of itself (RFC 8414). */
const metadataOf = ({ origin }: Peer) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/o/oauth2/v2/auth`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  revocation_endpoint: `${origin}/revoke`,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
})

/** Gives everyone the one client that there is (RFC 7591). */
function register(peer: Peer, body: string, response: ServerResponse): void {
  const { redirect_uris: redirectUris } = JSON.parse(body) as { redirect_uris: string[] }
  peer.registrations.push(redirectUris)
  const { id, secret } = peer.client
  json(response, 201, {
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: 'client_secret_post',
    redirect_uris: redirectUris,
  })
}

/** Sends the browser back at once, without asking a person. */
function authorize(peer: Peer, query: URLSearchParams, response: ServerResponse): void {
  const redirectUri = query.get('redirect_uri') ?? ''
  const isSound =
    query.get('client_id') === peer.client.id &&
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === (peer.mood.style === 'standard' ? 'S256' : null) &&
    redirectUri === peer.registeredRedirect
  if (!isSound) {
    response.writeHead(400).end('The request is not valid')
    return
  }
  const answer = new URL(redirectUri)
  answer.searchParams.set('state', query.get('state') ?? '')
  if (peer.mood.issuer !== null) answer.searchParams.set('iss', peer.mood.issuer)
  if (peer.mood.refuse !== null) {
    answer.searchParams.set('error', peer.mood.refuse)
    answer.searchParams.set('error_description', '<script>alert(1)</script>')
  } else {
    const code = newSecret(peer, 'code')
    const challenge = query.get('code_challenge')
    const scope = query.get('user_scope') ?? query.get('scope') ?? ''
    peer.codes.set(code, { redirectUri, challenge, scope })
    answer.searchParams.set('code', code)
  }
  response.writeHead(302, { location: answer.href }).end()
}

async function token(
  peer: Peer,
  request: IncomingMessage,
  form: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const { mood } = peer
  const grantType = form.get('grant_type') ?? ''
  peer.tokenRequests.push(grantType)
  peer.resources.push(form.get('resource'))
  await mood.beforeToken()
  if (mood.tokenReply !== null) {
    const { status, type, body } = mood.tokenReply
    response.writeHead(status, { 'content-type': type }).end(body)
  } else if (!isClient(peer, request, form)) refuse(peer, response, 'invalid_client', 401)
  else if (grantType === 'authorization_code') exchange(peer, form, response)
  else if (grantType === 'refresh_token') refresh(peer, form.get('refresh_token') ?? '', response)
  else if (grantType === deviceGrantType) grantDevice(peer, form.get('device_code') ?? '', response)
  else refuse(peer, response, 'unsupported_grant_type')
}

function exchange(peer: Peer, form: URLSearchParams, response: ServerResponse): void {
  const name = form.get('code') ?? ''
  const code = peer.codes.get(name)
  peer.codes.delete(name)
  const verifier = form.get('code_verifier')
  const challenge = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url')
  if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri')) {
    refuse(peer, response, 'invalid_grant')
    return
  }
  sendTokens(peer, newGrant(peer), response, code.scope)
}

function newGrant(peer: Peer): Grant {
  const grant: Grant = { accessTokens: new Set(), refreshToken: null, usedRefreshTokens: new Set() }
  if (peer.mood.lifetimeSeconds !== null) grant.refreshToken = newSecret(peer, 'refresh')
  peer.grants.add(grant)
  return grant
}

function grantDevice(peer: Peer, deviceCode: string, response: ServerResponse): void {
  const error = peer.device.ask(deviceCode)
  if (error === null) sendTokens(peer, newGrant(peer), response, '')
  else refuse(peer, response, error)
}

/** A refresh token that comes back after it was replaced was stolen: the whole grant ends (RFC 9700, 4.14.2). */
function refresh(peer: Peer, refreshToken: string, response: ServerResponse): void {
  const reused = [...peer.grants].find(grant => grant.usedRefreshTokens.has(refreshToken))
  if (reused !== undefined) peer.grants.delete(reused)
  const grant = [...peer.grants].find(candidate => candidate.refreshToken === refreshToken)
  if (grant === undefined) {
    refuse(peer, response, 'invalid_grant')
    return
  }
  if (peer.mood.rotatesRefreshTokens) {
    grant.usedRefreshTokens.add(refreshToken)
    grant.refreshToken = newSecret(peer, 'refresh')
  }
  sendTokens(peer, grant, response, null)
}

/** `scope` is null in the answer to a refresh, which does not repeat it. */
function sendTokens(peer: Peer, grant: Grant, response: ServerResponse, scope: string | null): void {
  const { githubStyle, lifetimeSeconds, rotatesRefreshTokens } = peer.mood
  const accessToken = newSecret(peer, 'access')
  grant.accessTokens.add(accessToken)
  const sendsRefreshToken = grant.refreshToken !== null && (scope !== null || rotatesRefreshTokens)
  const tokens = {
    access_token: accessToken,
    token_type: peer.mood.style === 'slack' ? 'user' : 'bearer',
    scope: scope === null ? undefined : githubStyle ? scope.replaceAll(' ', ',') : scope,
    refresh_token: sendsRefreshToken ? grant.refreshToken : undefined,
    expires_in: lifetimeSeconds ?? undefined,
  }
  // https://docs.slack.dev/reference/methods/oauth.v2.access: a refresh is answered at the top, a code is not.
  const isNested = peer.mood.style === 'slack' && scope !== null
  const team = { ok: true, app_id: 'A0KRD7HC3', team: { id: 'T9TK3CUKW', name: 'Slack Pickleball Team' } }
  json(response, 200, isNested ? { ...team, authed_user: { id: 'U1234', ...tokens } } : tokens)
}

function refuse(peer: Peer, response: ServerResponse, error: string, status = 400): void {
  const { githubStyle: isGitHub, style } = peer.mood
  if (style === 'slack') {
    json(response, 200, { ok: false, error: error === 'invalid_grant' ? 'invalid_refresh_token' : error })
    return
  }
  const name = isGitHub && error === 'invalid_grant' ? 'bad_refresh_token' : error
  json(response, isGitHub ? 200 : status, { error: name, error_description: 'No.' })
}

function revoke(peer: Peer, token: string): void {
  peer.revoked.push(token)
  for (const grant of peer.grants) {
    if (grant.refreshToken === token || grant.accessTokens.has(token)) peer.grants.delete(grant)
  }
}

function deleteGitHubToken(
  peer: Peer,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): void {
  if (isClient(peer, request, new URLSearchParams())) {
    const { access_token: token } = JSON.parse(body) as { access_token: string }
    revoke(peer, token)
    response.writeHead(204).end()
  } else response.writeHead(401).end()
}

/** Whose token it is, in the shapes of all the services that are tested with this server. */
function account(peer: Peer, request: IncomingMessage, response: ServerResponse): void {
  if (!peer.accepts(request.headers.authorization)) json(response, 401, { message: 'Bad credentials' })
  else json(response, 200, accounts[request.url ?? ''] ?? anyAccount)
}

const anyAccount = {
  id: 583231,
  login: 'octocat',
  user: { permissionId: '09876', emailAddress: 'ada@example.com' },
}

const accounts: Record<string, object> = {
  '/api/auth.test': { ok: true, team: 'Acme', user: 'grace', team_id: 'T12345678', user_id: 'W12345678' },
  '/v1/users/me': { object: 'user', id: 'd40e767c', type: 'bot', name: 'Atrium', bot: {} },
}

function newSecret(peer: Peer, kind: string): string {
  const secret = `${kind}-${randomBytes(16).toString('hex')}`
  peer.issued.push(secret)
  return secret
}
