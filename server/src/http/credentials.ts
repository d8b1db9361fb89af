/** Reads the key or token of a request, and says in words why a request has no valid one. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { FastifyRequest } from 'fastify'
import type { RefusedToken } from '../platform/admission.ts'
import { toTimestamp } from '../platform/clock.ts'
import { type ErrorDetails, ServiceError, type TokenFault } from '../platform/errors.ts'

export function bearerToken({ headers }: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** For a request without a bearer token: where else its key may be. No part of what was sent is repeated. */
export function misplaced({ headers, url, query }: FastifyRequest): ServiceError {
  const scheme = /^\S+/.exec(headers.authorization ?? '')?.[0]
  if (scheme !== undefined) {
    if (kindOf(scheme) !== null) {
      const message =
        'The header Authorization holds the key alone: put the word Bearer and a space before it'
      return unauthenticated({ fault: 'wrong_scheme' }, message)
    }
    const sent = /^(Basic|Digest|Token|ApiKey|Key|AWS4-HMAC-SHA256)$/i.test(scheme) ? scheme : 'other'
    return unauthenticated(
      { fault: 'wrong_scheme' },
      sent === 'other'
        ? `The header Authorization holds no bearer token: ${remedy}`
        : `The header Authorization has the scheme ${sent}: ${remedy}`,
    )
  }
  const header = otherHeaders.find(name => headers[name] !== undefined)
  if (header !== undefined) {
    return unauthenticated(
      { fault: 'wrong_scheme' },
      `Keys are not read from the header ${header}: ${remedy}`,
    )
  }
  const parameter = otherParameters.find(name => Object.hasOwn((query ?? {}) as object, name))
  if (parameter !== undefined && url.includes('?')) {
    return unauthenticated(
      { fault: 'wrong_scheme' },
      `Keys are not read from the URL, which many servers log: leave \`${parameter}\` out, and ${remedy}`,
    )
  }
  return unauthenticated({ fault: 'missing' }, `The request has no key: ${remedy}`)
}

const remedy = 'send "Authorization: Bearer sk_…"'

/** Where the clients of other services put their keys. */
const otherHeaders = ['x-api-key', 'api-key', 'x-api-token', 'x-auth-token', 'apikey', 'x-goog-api-key']
const otherParameters = ['api_key', 'apiKey', 'apikey', 'key', 'token', 'access_token']

/** For a token that does not let its sender in. Its last characters tell the sender which one was sent. */
export function refusedToken(token: string, refused: RefusedToken): ServiceError {
  const end = kindOf(token) === null || token.length < shortestShown ? undefined : token.slice(-shownLength)
  return unauthenticated(refused, inWords(token, refused, end), end)
}

const shownLength = 4
/** Of a shorter text, four characters would be a large part. */
const shortestShown = 24

const prefixes: Readonly<Record<string, string>> = {
  sk: 'key',
  at: "token of the app's",
  rt: 'refresh token',
  bt: 'browser token',
  ct: 'token of the console',
}

const kindOf = (token: string): string | null => prefixes[/^([a-z]{2})_/.exec(token)?.[1] ?? ''] ?? null

function inWords(token: string, { fault, endedAt }: RefusedToken, end: string | undefined): string {
  const kind = kindOf(token) ?? 'key'
  const named = end === undefined ? `The ${kind}` : `The ${kind} that ends in ${end}`
  const isOfPerson = kind === prefixes.ct
  const next = isOfPerson ? 'sign in again' : 'use another one'
  const when = endedAt === undefined ? '' : ` on ${toTimestamp(endedAt)}`
  switch (fault) {
    case 'revoked':
      return isOfPerson
        ? `${named} is of a session that was ended: ${next}`
        : `${named} was revoked${when}: ${next}`
    case 'expired':
      return `${named} has expired${when}: ${next}`
    case 'owner_gone':
      return isOfPerson
        ? `${named} is of a person who is no longer a member of the workspace`
        : `${named} was made by someone who is no longer a member of the workspace: ${next}`
    case 'wrong_door':
      return `${named} is for another address of this server: an app's token for /mcp does not open the API`
    case 'unknown':
      return `${named} is not known here: check that it was made on this server, and was not replaced or deleted`
    case 'malformed':
    case 'missing':
    case 'wrong_scheme':
      return (
        slipIn(token) ??
        `${named} is not whole: a key is sk_live_ or sk_test_ and 49 letters and digits, the last six of them a checksum`
      )
  }
}

/** What stands where a key should, if it is a common slip; no part of the token is repeated. */
function slipIn(token: string): string | null {
  if (/^["'<`\u201c\u2018]/.test(token))
    return 'The key stands in quotation marks or brackets: leave them out of the header'
  if (/^\$|^\{|^%|…|^(undefined|null|none|nil|nan|\[object)$/i.test(token) || /^(your|my)[-_]/i.test(token))
    return 'The header holds the name of a variable, or an example, in place of a key: fill the key in'
  if (/^(sk-|key-|pk_|rk_|ghp_|app-|eyJ)/.test(token))
    return 'The key looks like one of another service: a key of this server begins with sk_live_ or sk_test_'
  return null
}

function unauthenticated(
  { fault, endedAt }: { fault: TokenFault; endedAt?: number },
  message: string,
  tokenEnd?: string,
): ServiceError {
  return new ServiceError('unauthenticated', message, {
    details: withoutUndefined<ErrorDetails['unauthenticated']>({
      reason: fault,
      tokenEnd,
      endedAt: endedAt === undefined ? undefined : toTimestamp(endedAt),
    }),
  })
}
