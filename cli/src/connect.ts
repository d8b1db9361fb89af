/** The client of a profile: its key, or a person's tokens, which are renewed as they end. */
import { Atrium, ConnectionError } from '@atrium/sdk'
import { Failure } from './failure.ts'
import type { Profile, ProfileStore } from './profiles.ts'

/** The client_id that every Atrium knows its command line by. */
export const clientId = 'atrium-cli'
const usualUrl = 'http://127.0.0.1:8787'
const marginMs = 60_000
const requestMs = 30_000

export type Tokens = { access_token: string; refresh_token: string; expires_in: number }

export type Given = { profile?: string | undefined; env: NodeJS.ProcessEnv; store: ProfileStore }

/** ATRIUM_API_KEY and ATRIUM_URL win over the profile. */
export async function connect({ profile: wanted, env, store }: Given): Promise<Atrium> {
  const { name, profile } = await store.find(wanted)
  const baseUrl = env.ATRIUM_URL ?? profile?.url
  if (profile !== undefined && env.ATRIUM_API_KEY === undefined) checkSameServer(name, profile.url, baseUrl)
  const apiKey = env.ATRIUM_API_KEY ?? profile?.apiKey
  if (apiKey !== undefined) return new Atrium({ baseUrl: baseUrl ?? usualUrl, apiKey })
  if (profile === undefined || baseUrl === undefined) {
    throw new Failure(
      `There is no profile “${name}”. Sign in with \`atrium login\`, or set ATRIUM_API_KEY.`,
      'signIn',
    )
  }
  return new Atrium({ baseUrl, apiKey: () => tokenOf(name, baseUrl, store) })
}

/** Where the server is that `connect` leads to, for links that people follow. */
export async function serverOf({ profile: wanted, env, store }: Given): Promise<string> {
  const { profile } = await store.find(wanted)
  return new URL(env.ATRIUM_URL ?? profile?.url ?? usualUrl).origin
}

/** A profile's secret is for its server alone, whatever address the environment or an option names. */
function checkSameServer(name: string, of: string, wanted: string | undefined): void {
  if (wanted === undefined || URL.parse(wanted)?.origin === new URL(of).origin) return
  throw new Failure(
    `The profile “${name}” is for ${of}, and its secret is not sent to ${wanted}. Sign in there with \`atrium login --url\`, or set ATRIUM_API_KEY.`,
    'signIn',
  )
}

/** The file is read each time: another command may have renewed the token. */
async function tokenOf(
  name: string,
  url: string,
  store: ProfileStore,
): Promise<{ token: string; expiresAt: Date }> {
  const { profile } = await store.find(name)
  if (profile?.accessToken === undefined) throw new Failure('Sign in again with `atrium login`.', 'signIn')
  const { accessToken, refreshToken = '', expiresAt = 0 } = profile
  if (expiresAt - marginMs > Date.now()) return { token: accessToken, expiresAt: new Date(expiresAt) }
  const renewed = await postForm<Tokens>(new URL('/oauth/token', url), {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
  })
  if (!renewed.ok) {
    if (isPassing(renewed.body))
      throw new ConnectionError(`${url} gives no token now. Try again in a moment.`)
    throw new Failure('Your access has ended. Sign in again with `atrium login`.', 'signIn')
  }
  const next = profileOf(profile.url, renewed.body)
  await store.save(name, next)
  return { token: next.accessToken, expiresAt: new Date(next.expiresAt) }
}

export const profileOf = (url: string, tokens: Tokens) =>
  ({
    url,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: Date.now() + tokens.expires_in * 1_000,
  }) satisfies Profile

/** `Body` is what the endpoint answers where `ok` is true. */
export async function postForm<Body>(
  url: URL,
  fields: Record<string, string>,
): Promise<{ ok: true; body: Body } | { ok: false; body: OAuthError }> {
  const reply = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(requestMs),
  }).catch((error: Error & { cause?: { code?: string } }) => {
    const reason = error.cause?.code ?? error.message
    const message = `${url.origin} cannot be reached (${reason}). Name your server with --url or ATRIUM_URL.`
    throw new ConnectionError(message, { cause: error })
  })
  const body: unknown = await reply.json().catch(() => ({}))
  return reply.ok ? { ok: true, body: body as Body } : { ok: false, body: body as OAuthError }
}

type OAuthError = { error?: string; error_description?: string }

/** Whether the server was busy or away: only what it decides is told in the words of OAuth. */
export const isPassing = ({ error }: OAuthError): boolean => error === undefined
