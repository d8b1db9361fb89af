/** An outside app for tests: it registers itself, sends a person to the consent, and fetches and renews its tokens. */
import { createHash } from 'node:crypto'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { TestApp, TestReply } from '../test-app.ts'
import type { SignedIn } from './signed-in.ts'

export const redirectUri = 'https://assistant.example/callback'

export type Grant = {
  workspaceId: string
  environment: 'live' | 'test'
  permissions: string[]
  agentIds: string[] | null
  collectionIds: string[] | null
}

export type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string }

/** What an app sends: no cookie, no origin. */
export async function sendForm(
  { app }: Pick<TestApp, 'app'>,
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<TestReply> {
  const reply = await app.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
  return { status: reply.statusCode, headers: reply.headers, body: JSON.parse(reply.payload) }
}

export async function register({ app }: TestApp, body: object): Promise<TestReply> {
  const reply = await app.server.inject({ method: 'POST', url: '/oauth/register', payload: body })
  return { status: reply.statusCode, headers: reply.headers, body: JSON.parse(reply.payload) }
}

export async function registered(app: TestApp, redirectUris: string[] = [redirectUri]): Promise<string> {
  const { body } = await register(app, { client_name: 'Assistant', redirect_uris: redirectUris })
  return body.client_id
}

/** A proof key, and the address of a consent that goes with it. */
export function authorization(clientId: string, more: Record<string, string> = {}) {
  const verifier = randomToken(40)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return { verifier, query: `?${query}` }
}

export const wholeGrant = (app: TestApp, more: Partial<Grant> = {}): Grant => ({
  workspaceId: app.workspaceId,
  environment: 'live',
  permissions: ['agents:read', 'knowledge:read'],
  agentIds: null,
  collectionIds: null,
  ...more,
})

export const decide = (person: SignedIn, query: string, grant: Grant | null, userId = person.userId) =>
  person.request('POST', '/console/apps/decide', { body: { query, userId, grant } })

/** A code that the person has given to the app, with what goes along to exchange it. */
export async function givenCode(
  app: TestApp,
  person: SignedIn,
  clientId: string,
  grant: Grant = wholeGrant(app),
): Promise<Record<string, string>> {
  const { verifier, query } = authorization(clientId)
  const { status, body } = await decide(person, query, grant)
  if (status !== 200) throw new Error(`No code: ${JSON.stringify(body)}`)
  return {
    grant_type: 'authorization_code',
    code: new URL(body.data.redirectTo).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  }
}

export async function connect(
  app: TestApp,
  person: SignedIn,
  clientId: string,
  grant: Grant = wholeGrant(app),
): Promise<Tokens> {
  const { status, body } = await sendForm(app, '/oauth/token', await givenCode(app, person, clientId, grant))
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`)
  return body
}

export const renew = (
  app: TestApp,
  clientId: string,
  refreshToken: string,
  more: Record<string, string> = {},
) =>
  sendForm(app, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...more,
  })

/** Who a token is at a door; null if it opens nothing there. */
export async function callerAt({ app }: TestApp, door: 'api' | 'mcp', token: string) {
  const found = await app.services.authenticator.find(token, { address: '127.0.0.1', requestId: 'req', door })
  return 'fault' in found || found.refusal !== null ? null : found.caller
}
