/** What a refusal means, and how long to wait after it. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { HttpFailure, type HttpFailureKind } from './http.ts'

const shownCharacters = 2_000
const shownReasonCharacters = 200
const firstPauseMs = 500

/** The failure that a reply means. Reads the reply's body. */
export async function failureOf(response: Response, host: string, nowMs: number): Promise<HttpFailure> {
  const body = (await response.text().catch(() => '')).slice(0, shownCharacters)
  if (response.status === 403 && secondaryLimit.test(body)) return slowedDown(response, body, host, nowMs)
  const kind = kindOf(response)
  const retryAfterSeconds = kind === 'rate_limited' || kind === 'unavailable' ? waitOf(response, nowMs) : null
  return new HttpFailure(
    kind,
    `${host} answered ${response.status}${reasonIn(body)}`,
    withoutUndefined({
      status: response.status,
      body,
      retryAfterSeconds: retryAfterSeconds ?? undefined,
      challenge: response.headers.get('www-authenticate') ?? undefined,
    }),
  )
}

/** The reason that most services give in JSON for people: `message` or `error_description`. */
function reasonIn(body: string): string {
  const [, quoted = ''] = /"(?:message|error_description)"\s*:\s*("(?:[^"\\]|\\.){1,500}")/.exec(body) ?? []
  if (!body.trimStart().startsWith('{') || quoted === '') return ''
  try {
    const text = String(JSON.parse(quoted))
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
    return text === '' ? '' : `: ${text.slice(0, shownReasonCharacters)}`
  } catch {
    // The body is not JSON, so the status has to do.
    return ''
  }
}

/** GitHub sometimes states this limit only in the reply's text. It then expects a pause of at least a minute. */
const secondaryLimit = /secondary rate limit/i
const leastRestSeconds = 60

function slowedDown(response: Response, body: string, host: string, nowMs: number): HttpFailure {
  const retryAfterSeconds =
    (isOverLimit(response.headers) ? waitOf(response, nowMs) : null) ?? leastRestSeconds
  return new HttpFailure('rate_limited', `${host} answered 403`, { status: 403, body, retryAfterSeconds })
}

function kindOf({ status, headers }: Response): HttpFailureKind {
  if (status === 429 || (status === 403 && isOverLimit(headers))) return 'rate_limited'
  if (status === 401) return 'not_authorized'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'missing'
  return status >= 500 || status === 408 ? 'unavailable' : 'unexpected_reply'
}

/** GitHub answers 403 instead of 429 when its limits are reached. */
const isOverLimit = (headers: Headers): boolean =>
  headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'

/**
 * Seconds to wait: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). Else the time until GitHub's next
 * window, which is given in seconds since 1970.
 */
function waitOf({ headers }: Response, nowMs: number): number | null {
  const wanted = headers.get('retry-after')
  if (wanted !== null && /^\d+$/.test(wanted.trim())) return Number(wanted)
  if (wanted !== null && !Number.isNaN(Date.parse(wanted))) return secondsUntil(Date.parse(wanted), nowMs)
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  // Other services count seconds from now under the same name; no such window is longer than a day.
  if (Number.isNaN(reset)) return null
  return reset > 1_000_000_000 ? secondsUntil(reset * 1_000, nowMs) : reset
}

const secondsUntil = (atMs: number, nowMs: number): number => Math.max(0, Math.ceil((atMs - nowMs) / 1_000))

/** Milliseconds before another try; null if another try cannot help. */
export function pauseAfter(failure: HttpFailure, tries: number, random: number): number | null {
  if (failure.kind !== 'rate_limited' && failure.kind !== 'unavailable') return null
  if (failure.retryAfterSeconds !== null) return failure.retryAfterSeconds * 1_000
  return Math.round(firstPauseMs * 2 ** (tries - 1) * (1 + random))
}

// Reads the `Link` header (RFC 8288) in one walk. A stranger's text could make a regular expression go back and forth
// for long.

/**
 * The first address of `<https://api.example.com/things?page=2>; rel="next", <…>; rel="last"`. A relative address is
 * resolved against `url`.
 */
export function nextAddress(header: string, url: string): string | null {
  for (let start = header.indexOf('<'); start !== -1; ) {
    const end = header.indexOf('>', start)
    if (end === -1) return null
    const { isNext, next } = linkAt(header, end + 1)
    if (isNext) return URL.parse(header.slice(start + 1, end), url)?.href ?? null
    start = header.indexOf('<', next)
  }
  return null
}

/** Reads the parameters of a link, up to the comma before the next link. Separators within quotes do not count. */
function linkAt(header: string, start: number): { isNext: boolean; next: number } {
  let [from, isQuoted, isNext] = [start, false, false]
  for (let at = start; at < header.length; at++) {
    const sign = header[at]
    if (sign === '"') isQuoted = !isQuoted
    if (isQuoted || (sign !== ';' && sign !== ',')) continue
    isNext ||= namesNext(header.slice(from, at))
    from = at + 1
    if (sign === ',') return { isNext, next: from }
  }
  return { isNext: isNext || namesNext(header.slice(from)), next: header.length }
}

/** `rel` may name several relations. */
function namesNext(parameter: string): boolean {
  const equals = parameter.indexOf('=')
  if (equals === -1 || parameter.slice(0, equals).trim().toLowerCase() !== 'rel') return false
  const value = parameter.slice(equals + 1).trim()
  const isWhole = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  const relations = isWhole ? value.slice(1, -1) : value
  return /(?:^|\s)next(?:\s|$)/i.test(relations)
}
