/**
 * Finds how a person authorizes for an MCP server (RFC 9728, 8414, 7591). It goes from the server's refusal over its
 * metadata to the authorization server, and to a client there. Each address on the way comes from a stranger, so it
 * is asked without credentials.
 */

import type { OAuth } from '../auth.ts'
import type { Context, Discovery, OurClient } from '../connector.ts'
import { isFields } from '../fields.ts'
import { jsonIn } from '../gate/gate.ts'
import { HttpFailure } from '../http.ts'
import { withoutTrailing } from '../trim.ts'
import type { McpConfig } from './settings.ts'

type Json = Record<string, unknown>
type Metadata = { issuer: string; json: Json }

const limits = { authorized: false, maxBytes: 65_536, timeoutMs: 10_000 } as const
const maxUrlLength = 2_000
const maxScopes = 50

export async function discover(context: Context<McpConfig>, ours: OurClient): Promise<Discovery> {
  const server = new URL(context.config.url)
  const challenge = readChallenge(ours.challenge ?? '')
  const resource = await findResource(context, server, challenge.resourceMetadata)
  // Servers of the first revision were their own authorization servers.
  const issuer = resource?.issuer ?? server.origin
  const found = { context, server, ...(await findMetadata(context, server, issuer)) }
  const { json } = found
  if (!textsIn(json.code_challenge_methods_supported).includes('S256')) {
    throw unfit(`${issuer} does not say that it takes PKCE with S256`)
  }
  const client = await findClient(found, ours)
  const [authorizationUrl, tokenUrl] = [
    address(found, 'authorization_endpoint'),
    address(found, 'token_endpoint'),
  ]
  const isBeside = (url: string): boolean => new URL(url).origin === new URL(tokenUrl).origin
  const revocationUrl = optionalAddress(found, 'revocation_endpoint')
  // Otherwise a person would agree at one service, and the code would go to another.
  if (!isBeside(authorizationUrl)) {
    throw unfit(`${found.issuer} has its authorization_endpoint and its token_endpoint at two origins`)
  }
  const terms: OAuth = {
    kind: 'oauth2',
    issuer: found.issuer,
    sendsIssuer: json.authorization_response_iss_parameter_supported === true,
    authorizationUrl,
    tokenUrl,
    clientAuthentication: client.authentication,
    scopes: scopesOf(
      [...(challenge.scope ?? resource?.scopes ?? []), ...ours.wanted],
      textsIn(json.scopes_supported),
    ),
    authorizationParameters: {},
    resource: resource?.resource ?? resourceOf(server),
    // The revocation endpoint gets the tokens and the client's secret, so it has to share the token endpoint's
    // origin.
    revocation:
      revocationUrl !== null && isBeside(revocationUrl) ? { kind: 'rfc7009', url: revocationUrl } : null,
    quirks: {},
  }
  return { terms, client: { id: client.id, secret: client.secret } }
}

type Found = { context: Context<McpConfig>; server: URL; json: Json; issuer: string }

/**
 * The further scopes that a server wants, if it refused a call because the token's scopes do not suffice (RFC 6750,
 * 3.1).
 */
export function scopesWanted({ kind, challenge }: HttpFailure): string[] {
  const isOfScope = kind === 'forbidden' && /\berror="?insufficient_scope\b/i.test(challenge ?? '')
  return isOfScope ? (readChallenge(challenge ?? '').scope ?? []).slice(0, maxScopes) : []
}

/** Reads a header such as `Bearer resource_metadata="…", scope="…"`. */
function readChallenge(header: string): { resourceMetadata: string | null; scope: string[] | null } {
  const parameter = (name: string): string | null =>
    new RegExp(`\\b${name}="([^"]{1,${maxUrlLength}})"`, 'i').exec(header.slice(0, 10_000))?.[1] ?? null
  return {
    resourceMetadata: parameter('resource_metadata'),
    scope:
      parameter('scope')
        ?.split(' ')
        .filter(scope => scope !== '') ?? null,
  }
}

/** Null if the server has no metadata, as in the first revision. */
async function findResource(
  context: Context<McpConfig>,
  server: URL,
  told: string | null,
): Promise<{ issuer: string; resource: string; scopes: string[] } | null> {
  const path = server.pathname === '/' ? '' : server.pathname
  const wellKnown = `${server.origin}/.well-known/oauth-protected-resource`
  const places = told === null ? [...new Set([`${wellKnown}${path}`, wellKnown])] : [told]
  for (const place of places) {
    const json = await readJson(context, checkedAddress(server, place, 'resource_metadata'))
    if (json === null) continue
    const resource = typeof json.resource === 'string' ? json.resource : ''
    // Otherwise one server could obtain tokens that are made for another.
    if (!covers(resource, server))
      throw unfit(`${place} is about ${shown(resource) || 'no server'}, not about this one`)
    const [issuer] = textsIn(json.authorization_servers)
    if (issuer === undefined) throw unfit(`${place} names no authorization server`)
    return { resource, issuer, scopes: textsIn(json.scopes_supported) }
  }
  return null
}

/**
 * Whether the metadata of `resource` covers the server: the same origin, and the server's path or a path above it.
 */
function covers(resource: string, server: URL): boolean {
  const url = URL.parse(resource)
  if (url === null || url.origin !== server.origin) return false
  const path = withoutTrailing(url.pathname, '/')
  return server.pathname === path || server.pathname.startsWith(`${path}/`)
}

/** The canonical name of a server that names none itself. */
const resourceOf = ({ origin, pathname }: URL): string => (pathname === '/' ? origin : `${origin}${pathname}`)

async function findMetadata(context: Context<McpConfig>, server: URL, issuer: string): Promise<Metadata> {
  const { origin, pathname } = new URL(checkedAddress(server, issuer, 'the authorization server'))
  const path = withoutTrailing(pathname, '/')
  const places = new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ])
  for (const place of places) {
    const json = await readJson(context, place)
    if (json === null) continue
    const named = typeof json.issuer === 'string' ? json.issuer : ''
    if (named.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
      throw unfit(`${place} speaks of the issuer ${shown(named) || 'of no name'}, not of ${issuer}`)
    }
    return { issuer: named, json }
  }
  throw unfit(`${issuer} has no metadata of an authorization server`)
}

type FoundClient = { id: string; secret: string | null; authentication: OAuth['clientAuthentication'] }

/**
 * The client that the person gave. Else this server's metadata address, if the service reads it. Else a client that
 * is registered there now.
 */
async function findClient(found: Found, ours: OurClient): Promise<FoundClient> {
  const { context, json, issuer } = found
  const { clientId } = context.config
  if (clientId !== undefined) return givenClient(found, clientId, ours.clientSecret)
  if (json.client_id_metadata_document_supported === true && ours.metadataUrl !== null) {
    return { id: ours.metadataUrl, secret: null, authentication: 'none' }
  }
  const registrationUrl = optionalAddress(found, 'registration_endpoint')
  if (registrationUrl === null) {
    throw unfit(
      `${issuer} registers no clients by itself: register one there with the redirect address ${ours.redirectUri}, and set clientId, with its clientSecret in credentials`,
    )
  }
  return await register(found, registrationUrl, ours)
}

/** If the service does not say how clients prove themselves, HTTP Basic applies (RFC 8414). */
function givenClient({ json, issuer }: Found, id: string, secret: string | null): FoundClient {
  if (secret === null) return { id, secret, authentication: 'none' }
  const taken = textsIn(json.token_endpoint_auth_methods_supported)
  if (taken.length === 0 || taken.includes('client_secret_basic')) {
    return { id, secret, authentication: 'basic' }
  }
  if (taken.includes('client_secret_post')) return { id, secret, authentication: 'post' }
  throw unfit(`${issuer} takes no client that proves itself by a secret: leave clientSecret out`)
}

async function register(
  { context, json, issuer }: Found,
  url: string,
  ours: OurClient,
): Promise<FoundClient> {
  const taken = textsIn(json.token_endpoint_auth_methods_supported)
  const wanted =
    methods.find(([name]) => taken.includes(name)) ?? (taken.length === 0 ? methods[2] : undefined)
  if (wanted === undefined)
    throw unfit(`${issuer} takes no client that proves itself by a secret or not at all`)
  const reply = await context.http.send(url, {
    ...limits,
    method: 'POST',
    body: {
      client_name: 'Atrium',
      // A server that people reach only by http runs on a user's own computer.
      application_type: ours.redirectUri.startsWith('https:') ? 'web' : 'native',
      redirect_uris: [ours.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: wanted[0],
    },
  })
  const made = objectIn(await reply.text())
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method = wanted[0] } = made ?? {}
  if (typeof id !== 'string' || id === '' || id.length > maxUrlLength)
    throw unfit(`${issuer} registered no client`)
  const authentication = methods.find(([name]) => name === method)?.[1]
  if (authentication === undefined)
    throw unfit(`${issuer} registered a client that proves itself by ${shown(String(method))}`)
  if (authentication === 'none') return { id, secret: null, authentication }
  if (typeof secret !== 'string' || secret === '' || secret.length > maxUrlLength) {
    throw unfit(`${issuer} registered a client without its secret`)
  }
  return { id, secret, authentication }
}

const methods = [
  ['none', 'none'],
  ['client_secret_post', 'post'],
  ['client_secret_basic', 'basic'],
] as const

/** Services give a refresh token to clients that ask for `offline_access`. */
function scopesOf(wanted: string[], supported: string[]): string[] {
  const offline = supported.includes('offline_access') && !wanted.includes('offline_access')
  return [...new Set([...wanted, ...(offline ? ['offline_access'] : [])])].slice(0, maxScopes)
}

function address({ json, server, issuer }: Found, field: string): string {
  const value = json[field]
  if (typeof value !== 'string') throw unfit(`${issuer} names no ${field}`)
  return checkedAddress(server, value, field)
}

const optionalAddress = (found: Found, field: string): string | null =>
  found.json[field] === undefined ? null : address(found, field)

/** Throws if the address is not safe. A person's browser is sent to some of these addresses, and tokens to others. */
function checkedAddress(server: URL, text: string, what: string): string {
  const url = text.length > maxUrlLength ? null : URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && server.protocol === 'http:')
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw unfit(`${what} must be an https address, and is ${shown(text)}`)
  }
  return url.href
}

/** Null if the address answers no JSON object. */
async function readJson({ http }: Context<McpConfig>, url: string): Promise<Json | null> {
  try {
    const reply = await http.send(url, limits)
    return objectIn(await reply.text())
  } catch (error) {
    const isAbsent = error instanceof HttpFailure && error.status !== null && error.status < 500
    if (isAbsent) return null
    throw error
  }
}

/** Null for anything else, most likely a page for people and no metadata. */
function objectIn(text: string): Json | null {
  const value = jsonIn(text)
  return isFields(value) ? value : null
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string').slice(0, 200) : []

/** The beginning of a stranger's text, for a message. */
const shown = (text: string): string => text.slice(0, 200).toWellFormed()

const unfit = (message: string): HttpFailure => new HttpFailure('unexpected_reply', message, { field: 'url' })
