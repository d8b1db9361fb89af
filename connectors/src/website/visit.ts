/** One request for one page, and what came of it. */
import type { Context } from '../connector.ts'
import { HttpFailure, type HttpRequest } from '../http.ts'
import { firstBytes } from './first-bytes.ts'
import { read, Unreadable } from './reading/reader.ts'
import { agentName, type PageReading } from './reading/tasks.ts'
import { agentHeaders } from './robots.ts'

export type Visit =
  | { kind: 'page'; reading: PageReading; lastModified: string | null }
  /** A file that is not a page. Its body has not been read yet. */
  | {
      kind: 'file'
      response: Response
      mediaType: string
      validator: string | null
      lastModified: string | null
    }
  /** The `location`, which may be relative; null if the reply has none. */
  | { kind: 'moved'; to: string | null }
  /** The page is missing, not public, closed to robots, or no page. */
  | { kind: 'gone' }
  /** The page may still exist, so a stored copy is kept. `isSilent` is true if the site did not answer at all. */
  | { kind: 'unread'; why: string; isSilent: boolean }

const maxPageBytes = 5 * 1024 * 1024
export const maxFileBytes = 25 * 1024 * 1024

/** Throws the `HttpFailure` `rate_limited`, which concerns all requests to the site. */
export async function visit(
  context: Context<unknown>,
  address: string,
  everyMs: number,
  timeoutMs?: number,
): Promise<Visit> {
  const response = await ask(context, address, { everyMs, timeoutMs })
  if (!(response instanceof Response)) return response
  const refusal = refusalIn(response)
  if (refusal !== null) {
    await response.body?.cancel()
    return refusal
  }
  const mediaType = mediaTypeOf(response)
  const lastModified = instantOf(response.headers.get('last-modified'))
  if (!pageTypes.has(mediaType)) {
    return { kind: 'file', response, mediaType, validator: validatorOf(response), lastModified }
  }
  const reading = await readPage(context, address, response)
  if (!('title' in reading)) return reading
  if (reading.movedTo !== null) return { kind: 'moved', to: reading.movedTo }
  return { kind: 'page', reading, lastModified }
}

/**
 * An `etag` or a time of change, which tells whether a page changed without reading it. Null if the site gives none.
 */
export async function askForValidator(context: Context<unknown>, address: string, everyMs: number) {
  const response = await ask(context, address, { everyMs, method: 'HEAD' })
  if (!(response instanceof Response) || refusalIn(response) !== null) return null
  return pageTypes.has(mediaTypeOf(response)) ? validatorOf(response) : null
}

async function ask(
  { http, signal }: Context<unknown>,
  address: string,
  how: Pick<HttpRequest, 'everyMs' | 'timeoutMs' | 'method'>,
): Promise<Response | Visit> {
  const headers = { ...agentHeaders, accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5' }
  const request: HttpRequest = { ...how, headers, redirects: 'answer', maxBytes: maxFileBytes + 1 }
  try {
    return await http.send(address, request)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof HttpFailure) || error.kind === 'rate_limited') throw error
    if (['missing', 'forbidden', 'not_authorized'].includes(error.kind) || error.status === 451) {
      return { kind: 'gone' }
    }
    return { kind: 'unread', why: error.message, isSilent: error.status === null }
  }
}

const pageTypes = new Set(['text/html', 'application/xhtml+xml'])

/** A reply without a media type is taken for a page. */
const mediaTypeOf = ({ headers }: Response): string =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || 'text/html'

function refusalIn({ status, headers }: Response): Visit | null {
  if (status >= 300 && status < 400) return { kind: 'moved', to: headers.get('location') }
  return isIndexable(headers.get('x-robots-tag')) ? null : { kind: 'gone' }
}

/** False for `noindex` that addresses every robot or this one. `otherbot: noindex` addresses another robot. */
function isIndexable(header: string | null): boolean {
  const rules = (header ?? '').toLowerCase().split(',')
  return !rules.some(rule => {
    const [name, value] = rule.includes(':') ? rule.split(':', 2) : [agentName.toLowerCase(), rule]
    return name?.trim() === agentName.toLowerCase() && ['noindex', 'none'].includes(value?.trim() ?? '')
  })
}

const validatorOf = ({ headers }: Response): string | null =>
  headers.get('etag') ?? headers.get('last-modified')

const instantOf = (date: string | null): string | null =>
  date === null || Number.isNaN(Date.parse(date)) ? null : new Date(date).toISOString()

async function readPage(
  { signal }: Context<unknown>,
  url: string,
  response: Response,
): Promise<PageReading | Visit> {
  try {
    const { bytes, isWhole } = await firstBytes(response, maxPageBytes)
    if (!isWhole) throw new Unreadable(`is larger than ${maxPageBytes} bytes`)
    return await read({ kind: 'page', bytes, contentType: response.headers.get('content-type') ?? '', url })
  } catch (error) {
    signal.throwIfAborted()
    // A fault while the body is read concerns this page alone.
    const why = error instanceof Error ? error.message : String(error)
    return {
      kind: 'unread',
      why: `${url} ${error instanceof Unreadable ? why : `broke off: ${why}`}`,
      isSilent: false,
    }
  }
}
