/** From an admitted request to its reply: parse and validate, call the handler, add the envelope, keep the reply. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Caller, RequestCaller } from '../platform/caller.ts'
import { invalidField, notFound, ServiceError } from '../platform/errors.ts'
import { idPattern } from '../platform/ids.ts'
import type { TObject } from '../platform/json-schema/type.ts'
import { createTurns } from '../platform/turns.ts'
import { bytesOf } from './bodies/json-bodies.ts'
import { type ReceivedUpload, receiveText, receiveUpload, type TextBody } from './bodies/multipart.ts'
import type { ErrorBody } from './envelope.ts'
import type { EventStreams } from './event-stream.ts'
import { fullQuery, pageRequest } from './full-query.ts'
import { type Gate, hopsOf } from './gate.ts'
import { type Idempotency, type IdempotencyLock, requestFingerprint } from './idempotency/idempotency.ts'
import type { Compressor } from './replies/compression.ts'
import { eventsType, keptHeaders, type Sending, send, sendText, withoutSecrets } from './reply.ts'
import {
  goneSignal,
  headerText,
  idempotencyKeyOf,
  jsonType,
  mediaTypeOf,
  namedHeaders,
  patienceOf,
  wantsEvents,
} from './request-headers.ts'
import type { Route, RouteRequest } from './route.ts'
import { checkAll, type Validate, validation } from './validation.ts'

/** What the gate found out about a request, and the state of its idempotency key. */
export type Exchange = { caller: RequestCaller; lock: IdempotencyLock | null; fingerprint: string | null }

export type Invoke = {
  /** Sends the reply; throws the error to send instead. */
  (route: Route, exchange: Exchange | null, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Keeps or releases the idempotency key once the reply is final. */
  settle(route: Route, exchange: Exchange, reply: FastifyReply, payload: unknown): Promise<void>
}

type Validators = {
  query: Validate
  headers: Validate | null
  body: Validate | null
  fields: Validate | null
}

/**
 * In characters: a limit, since kept replies count towards no quota. A page of a sync with its ids is the longest.
 */
const maxKeptLength = 2_000_000

export function createInvoke(dependencies: {
  idempotency: Idempotency
  blobs: BlobStore
  uploadLimitBytes: (caller: Caller) => number
  streams: EventStreams
  mayGoOn: Gate['mayGoOn']
  compressor: Compressor
  closing: AbortSignal
}): Invoke {
  const { idempotency, blobs, uploadLimitBytes, streams, mayGoOn, compressor, closing } = dependencies
  const compiled = new Map<Route, Validators>()
  const validatorsOf = (route: Route): Validators => {
    let found = compiled.get(route)
    if (found === undefined) {
      found = validatorsFor(route)
      compiled.set(route, found)
    }
    return found
  }

  const sendingOf = (route: Route, exchange: Exchange | null, request: FastifyRequest): Sending => ({
    route,
    compressor,
    streams,
    mayGoOn: async () => exchange === null || (await mayGoOn(request, route, exchange.caller)),
  })

  /** Neither a stream nor a 202 is repeated word for word: the client follows the current state of the same work. */
  const repeat = async (
    route: Route,
    exchange: Exchange,
    { reply: stored, refusal }: Extract<IdempotencyLock, { kind: 'stored' }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    if (stored.fingerprint !== exchange.fingerprint) throw new ServiceError('idempotency_mismatch')
    if (refusal !== null) throw refusal
    const { status, headers, body } = stored
    reply.header('idempotency-replayed', 'true')
    const asEvents = headers['content-type'] === eventsType
    if ((asEvents || status === 202) && route.followAgain !== undefined) {
      const answer = await route.followAgain({
        caller: exchange.caller,
        location: headers.location ?? '',
        asEvents,
        lastEventId: headerText(request, 'last-event-id'),
        patience: patienceOf(request, reply, closing),
      })
      await send(reply, answer, sendingOf(route, exchange, request))
      return
    }
    sendText(reply.code(status).headers(headers), body, { route, compressor })
  }

  const invoke = async (
    route: Route,
    exchange: Exchange | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const check = validatorsOf(route)
    // A large body is parsed, checked, hashed, processed and answered in separate turns of the event loop.
    const othersTurn = route.bodyLimits === undefined ? undefined : createTurns()
    const params = request.params as Record<string, string>
    checkPath(route, params)
    const query = queryOf(route, request)
    const headers = namedHeaders(route, request)
    const body = request.body ?? (mayBeEmpty(route) ? {} : undefined)
    const asJson = route.upload && mediaTypeOf(request) === jsonType ? route.upload.asJson : undefined
    const checkBody = () => {
      checkWrittenBody(asJson ?? route, body)
      if (route.upload === undefined || asJson !== undefined) check.body?.(body)
    }
    checkAll([() => check.query(query), () => check.headers?.(headers), checkBody])
    if (othersTurn !== undefined) await othersTurn()
    const upload =
      route.upload &&
      (await receive(request, route.upload, asJson === undefined ? null : body, {
        blobs,
        maxFileBytes: exchange === null ? 0 : uploadLimitBytes(exchange.caller),
        checkFields: fields => check.fields?.(fields),
      }))
    try {
      if (exchange?.lock != null) {
        exchange.fingerprint = await requestFingerprint(route, request, headers, upload ?? null)
        if (exchange.lock.kind === 'stored') {
          await repeat(route, exchange, exchange.lock, request, reply)
          return
        }
      }
      const parts = { params, query, headers, body, upload: upload ?? noUpload }
      const answer = await route.handle(handed(route, exchange, request, reply, parts, closing))
      if (othersTurn !== undefined) await othersTurn()
      const sent = send(reply, answer, sendingOf(route, exchange, request))
      if (sent instanceof Promise) await sent
    } finally {
      // Adopted files have been moved away. Files that are still in staging are no longer needed.
      for (const { file } of upload?.parts ?? []) if (file !== null) await blobs.discard(file)
    }
  }

  const settle: Invoke['settle'] = async (route, exchange, reply, payload) => {
    const { lock } = exchange
    if (lock?.kind !== 'locked') return
    const { fingerprint } = exchange
    const body = typeof payload === 'string' ? payload : ''
    const isKept = !mayPass(reply.statusCode, body) && body.length <= maxKeptLength
    if (fingerprint === null || !isKept) return await idempotency.release(lock.id)
    await idempotency.finish(lock.id, {
      fingerprint,
      status: reply.statusCode,
      headers: keptHeaders(reply),
      body: withoutSecrets(route, body),
    })
  }
  return Object.assign(invoke, { settle })
}

/** Clients of another protocol may send parameters that this server does not know. */
function queryOf(route: Route, request: FastifyRequest): Record<string, unknown> {
  const query = { ...(request.query as Record<string, unknown>) }
  if (route.protocol === undefined) return query
  return Object.fromEntries(Object.entries(query).filter(([name]) => name in (route.query?.properties ?? {})))
}

type Handed = RouteRequest<string, unknown, unknown, unknown>

/** The request as the handler gets it. */
const handed = (
  route: Route,
  exchange: Exchange | null,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Pick<Handed, 'params' | 'headers' | 'body' | 'upload'> & { query: Record<string, unknown> },
  closing: AbortSignal,
): Handed => ({
  ...parts,
  // A public route's handler gets no caller, and its type does not let it use one.
  caller: exchange?.caller as RequestCaller,
  bytes: request.raw,
  bodyBytes: bytesOf(request),
  isHead: request.method === 'HEAD',
  ifMatch: headerText(request, 'if-match'),
  page: pageRequest(parts.query, route.list),
  dryRun: parts.query.dryRun === true,
  wantsEvents: wantsEvents(request),
  lastEventId: headerText(request, 'last-event-id'),
  patience: patienceOf(request, reply, closing),
  // These are functions because accessors in a literal cost more than everything else here.
  origin: () => ({
    requestId: request.id,
    address: request.ip,
    idempotencyKey: idempotencyKeyOf(request),
    page: headerText(request, 'origin'),
    hops: hopsOf(request),
  }),
  signal: () => goneSignal(reply),
})

/**
 * Receives the file and the fields of an upload, or the JSON text that stands for them. The JSON has been checked.
 */
const receive = (
  request: FastifyRequest,
  upload: NonNullable<Route['upload']>,
  text: unknown,
  options: { blobs: BlobStore; maxFileBytes: number; checkFields: Validate },
): Promise<ReceivedUpload> =>
  text === null
    ? receiveUpload(request, upload, options)
    : receiveText(text as TextBody & Record<string, unknown>, options)

function validatorsFor(route: Route): Validators {
  const { headers, upload, bodyLimits, body = upload?.asJson?.body } = route
  return {
    query: validation.text(fullQuery(route)),
    headers: headers === undefined ? null : validation.text(headers),
    body: body === undefined ? null : validation.body(body, bodyLimits?.maxValues),
    // Text parts are strings, and parts of JSON have their types: nothing is coerced.
    fields: upload === undefined ? null : validation.body(upload.fields),
  }
}

/** A refusal that may pass is not stored: the client should send the request again. */
const mayPass = (status: number, body: string): boolean =>
  status >= 400 && (JSON.parse(body) as ErrorBody).retryable

const maxPathTextLength = 500

/** An impossible id gives the same 404 as an unknown one. A request that would create the record gets the fault. */
function checkPath(route: Route, params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    if (name in route.pathTexts) {
      // Characters are counted as in a body: one beyond 16 bits counts once.
      if ([...value].length <= maxPathTextLength && !value.includes('\0')) continue
      if (route.method !== 'PUT') throw notFound()
      throw invalidField(name, `must have at most ${maxPathTextLength} characters, none of them NUL`, {
        rule: 'maxLength',
        limit: maxPathTextLength,
      })
    }
    const isId = name === 'id' || name.endsWith('Id')
    if (isId && !idPattern.test(value)) throw notFound()
  }
}

function checkWrittenBody(route: Pick<Route, 'body'>, body: unknown): void {
  if (route.body === undefined && body !== undefined && body !== null && !isEmptyObject(body)) {
    throw new ServiceError('validation_failed', undefined, {
      errors: [{ field: 'body', message: 'this endpoint takes no body' }],
    })
  }
  if (route.body !== undefined && body === undefined) {
    throw new ServiceError('validation_failed', undefined, {
      errors: [
        { field: 'body', message: 'is required: send a JSON object with Content-Type application/json' },
      ],
    })
  }
}

/** If every field is optional, a missing body means the same as an empty one. */
function mayBeEmpty({ body }: Route): boolean {
  const {
    properties,
    required = [],
    minProperties = 0,
  } = (body ?? {}) as Partial<TObject> & {
    minProperties?: number
  }
  return properties !== undefined && required.length === 0 && minProperties === 0
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const noUpload: ReceivedUpload = {
  fields: {},
  file: { name: '', statedMediaType: '', path: '', sizeBytes: 0, sha256: '' },
  parts: [],
}
