/** Reads a request's headers: the types that it accepts (RFC 9110, 12.5.1), and how long it waits (RFC 7240). */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Patience, secondMs } from '../platform/clock.ts'
import { ServiceError } from '../platform/errors.ts'
import type { Route } from './route.ts'

export function headerText(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

/** Throws a 400 if the header is not a valid key. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new ServiceError('validation_failed', undefined, {
    errors: [{ field: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
  })
}

/** The headers of this API whose loss would change what a request does, by their letters. */
const spellings: Readonly<Record<string, string>> = {
  idempotencekey: 'Idempotency-Key',
  idempotencykey: 'Idempotency-Key',
  idempotencytoken: 'Idempotency-Key',
  idempotentkey: 'Idempotency-Key',
  ifmatch: 'If-Match',
  ifnonematch: 'If-None-Match',
  prefer: 'Prefer',
}

/** Throws a 400 for another spelling of such a header: a client would take the request for safe that is not. */
export function checkHeaderNames({ headers }: FastifyRequest): void {
  for (const name of Object.keys(headers)) {
    if (!/^(x[-_])?(idempoten|if[-_]?(none|match)|prefer)/.test(name)) continue
    const letters = name.replace(/^x[-_]/, '').replaceAll(/[-_]/g, '')
    const ours = Object.hasOwn(spellings, letters) ? spellings[letters] : undefined
    if (ours === undefined || ours.toLowerCase() === name) continue
    throw new ServiceError('validation_failed', undefined, {
      errors: [{ field: name, message: `is not read: send it as the header ${ours}` }],
    })
  }
}

/** The media type of the body, without parameters; empty if none is named. */
export const mediaTypeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

export const wantsEvents = ({ headers }: FastifyRequest): boolean => prefersEvents(headers.accept)

/** The headers that the route knows, under the route's spelling of their names. */
export function namedHeaders(route: Route, request: FastifyRequest): Record<string, unknown> {
  if (route.headers === undefined) return {}
  const names = Object.keys(route.headers.properties)
  return withoutUndefined(Object.fromEntries(names.map(name => [name, request.headers[name.toLowerCase()]])))
}

export const jsonType = 'application/json'
export const eventStreamType = 'text/event-stream'

/** A media range of a header such as `Accept`, and its weight. */
type Range = { type: string; weight: number }

/**
 * From 0, not accepted, to 1. The most specific range that fits the type decides; without a header all types have 1.
 */
export function weightOf(accept: string | undefined, mediaType: string): number {
  if (accept === undefined || accept === '*/*') return 1
  const ranges = rangesOf(accept)
  const names = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*']
  const deciding = names.flatMap(name => ranges.find(({ type }) => type === name) ?? [])[0]
  return deciding?.weight ?? 0
}

/**
 * Whether the client names the media type of events, and weighs it no lower than JSON. Of equals the first one counts:
 * generated clients name all types of the document, and read JSON.
 */
function prefersEvents(accept: string | undefined): boolean {
  const types = rangesOf(accept ?? '').map(({ type }) => type)
  if (accept === undefined || !types.includes(eventStreamType)) return false
  const [weight, weightOfJson] = [weightOf(accept, eventStreamType), weightOf(accept, jsonType)]
  if (weight !== weightOfJson) return weight > weightOfJson
  const json = types.indexOf(jsonType)
  return weight > 0 && (json < 0 || types.indexOf(eventStreamType) < json)
}

export type Coding = 'br' | 'gzip'

/** The coding that the client prefers; null if it accepts neither, or prefers uncompressed bytes. */
export function codingOf(acceptEncoding: string | null): Coding | null {
  const ranges = rangesOf(acceptEncoding ?? 'identity')
  const weightFor = (name: string): number | undefined => ranges.find(({ type }) => type === name)?.weight
  const of = (coding: Coding): number => weightFor(coding) ?? weightFor('*') ?? 0
  const best = of('br') >= of('gzip') ? 'br' : 'gzip'
  return of(best) > 0 && of(best) >= (weightFor('identity') ?? 0) ? best : null
}

const rangesOf = (accept: string): Range[] =>
  accept.split(',').map(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(parameter => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
    // A weight that is not a number is ignored.
    return { type, weight: weight === undefined || Number.isNaN(Number(weight)) ? 1 : Number(weight) }
  })

const maxWaitSeconds = 60

/**
 * The preferences of RFC 7240: `respond-async` never waits, `wait=N` waits up to N seconds, and the reply says which
 * was applied. A closing server answers at once with the current state.
 */
export const patienceOf =
  (request: FastifyRequest, reply: FastifyReply, closing: AbortSignal) =>
  (unlessSaidSeconds = 0): Patience => {
    const prefer = String(request.headers.prefer ?? '')
      .toLowerCase()
      .split(',')
    const parts = prefer.map(part => part.trim())
    const said = parts.find(part => /^wait=\d{1,9}$/.test(part))?.slice('wait='.length)
    const isAsync = parts.includes('respond-async')
    const seconds = isAsync ? 0 : Math.min(Number(said ?? unlessSaidSeconds), maxWaitSeconds)
    if (isAsync) reply.header('preference-applied', 'respond-async')
    else if (said !== undefined) reply.header('preference-applied', `wait=${seconds}`)
    let signal: AbortSignal | undefined
    return {
      waitMs: seconds * secondMs,
      // Most requests do not wait, and a signal costs more than the answer to many of them.
      get signal() {
        signal ??= AbortSignal.any([goneSignal(reply), closing])
        return signal
      },
    }
  }

/** Made only when a handler asks for it, since most handlers never do. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const close = () => {
    if (!raw.writableFinished) controller.abort(clientGone())
  }
  if (raw.destroyed) close()
  else raw.once('close', close)
  return controller.signal
}

/** The client has left before its answer. That is not our error, so it is not logged as one. */
const clientGone = (): ServiceError =>
  new ServiceError('request_timeout', 'The client went away before the request was answered')
