/** The call that shows whether a connection works, and what its outcome means. */
import { ServiceError } from '../../platform/errors.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import type { Account, Config, Manifest } from './manifest.ts'
import type { Credentials } from './vault.ts'

/**
 * `rejected`: the service does not take the credentials. `unusable`: it answered, but not as expected.
 * `unreachable`: no answer, or "later". `forbidden`: the address is not one that this server may reach.
 */
export type ProbeResult =
  | { kind: 'ok'; account: Account }
  | { kind: 'rejected' | 'unusable' | 'unreachable' | 'forbidden'; code: string; message: string }

export async function probe(
  safeFetch: SafeFetch,
  manifest: Manifest,
  config: Config,
  credentials: Credentials | null,
): Promise<ProbeResult> {
  const { url, headers } = manifest.probe.request(config)
  try {
    const response = await safeFetch(url, {
      headers: { accept: 'application/json', ...headers, ...authorization(manifest, config, credentials) },
    })
    if (response.ok) return { kind: 'ok', account: await readAccount(manifest, config, response) }
    await response.body?.cancel()
    return refusalOf(response, new URL(url).host)
  } catch (error) {
    return failureOf(error)
  }
}

function authorization(
  manifest: Manifest,
  config: Config,
  credentials: Credentials | null,
): Record<string, string> {
  if (credentials?.kind === 'oauth2') return { authorization: `Bearer ${credentials.accessToken}` }
  if (credentials?.kind === 'api_key' && manifest.auth.kind === 'api_key') {
    return manifest.auth.header(config, credentials.apiKey)
  }
  return {}
}

async function readAccount(manifest: Manifest, config: Config, response: Response): Promise<Account> {
  const { account } = manifest.probe
  if (account.from === 'config') {
    await response.body?.cancel()
    return account.read(config)
  }
  const reply: unknown = JSON.parse(await response.text())
  const id = textAt(reply, account.idPath)
  return { id, name: textAt(reply, account.namePath) || id }
}

/** What stands at a dotted path, as text; a reply without it is not the service's. */
function textAt(reply: unknown, path: string): string {
  let value = reply
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  if (typeof value !== 'string' && typeof value !== 'number') throw new SyntaxError(`There is no ${path}`)
  return String(value).slice(0, 200)
}

function refusalOf(response: Response, host: string): ProbeResult {
  const { status } = response
  const message = `${host} answered ${status} to the test call`
  if (status === 429 || status >= 500 || isRateLimited(response)) {
    return { kind: 'unreachable', code: 'integration_unreachable', message }
  }
  if (status === 401 || status === 403) return { kind: 'rejected', code: 'credentials_rejected', message }
  return { kind: 'unusable', code: 'unexpected_reply', message }
}

/** GitHub answers 403, not 429, where its limits are reached. */
const isRateLimited = ({ status, headers }: Response): boolean =>
  status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0')

function failureOf(error: unknown): ProbeResult {
  if (error instanceof ServiceError) {
    const kind = error.code === 'address_forbidden' ? 'forbidden' : 'unreachable'
    return { kind, code: error.code, message: error.message }
  }
  if (error instanceof SyntaxError) {
    const message = 'The service answered the test call with something else than expected'
    return { kind: 'unusable', code: 'unexpected_reply', message }
  }
  throw error
}
