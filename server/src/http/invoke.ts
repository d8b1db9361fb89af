/** From an admitted request to its reply: parse and validate, call the handler, add the envelope, keep the reply. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Caller, RequestCaller } from '../platform/caller.ts'
import { invalidField, notFound, ServiceError } from '../platform/errors.ts'
import { createTurns } from '../platform/turns.ts'
import { bytesOf } from './bodies/json-bodies.ts'
import { type ReceivedUpload, receiveText, receiveUpload, type TextBody } from './bodies/multipart.ts'
import type { ErrorBody } from './envelope.ts'
import { hintFor, namesIn } from './foreign-words.ts'
import { fullQuery, pageRequest } from './full-query.ts'
import { type Gate, hopsOf } from './gate.ts'
import { type Idempotency, type IdempotencyLock, requestFingerprint } from './idempotency/idempotency.ts'
import {
  createMissingRecords,
  type InOtherEnvironment,
  isBare,
  type Reaches,
} from './missing/missing-records.ts'
import type { Compressor } from './replies/compression.ts'
import type { EventStreams } from './replies/event-stream.ts'
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
import { isRead, mayBeEmpty, type Route, type RouteRequest } from './route.ts'
import { checkAll, type Validate, validation } from './validation.ts'

/** What the gate found out about a request, and the state of its idempotency key. */
export type Exchange = {
  caller: RequestCaller
  /** By the clock of `performance`. */
  admittedAtMs: number
  lock: IdempotencyLock | null
  fingerprint: string | null
}

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
  routes: readonly Route[]
  inOtherEnvironment: InOtherEnvironment
  idempotency: Idempotency
  blobs: BlobStore
  uploadLimitBytes: (caller: Caller) => number
  streams: EventStreams
  gate: Pick<Gate, 'mayGoOn' | 'refusalNow'>
  /** A body that comes for longer than this has its caller looked up again. */
  callerCheckMs: number
  compressor: Compressor
  closing: AbortSignal
}): Invoke {
  const { idempotency, blobs, uploadLimitBytes, streams, gate, compressor, closing } = dependencies
  const compiled = new Map<Route, Validators>()
  const validatorsOf = (route: Route): Validators => {
    let found = compiled.get(route)
    if (found === undefined) {
      found = validatorsFor(route, readOnlyFieldsOf(route, dependencies.routes))
      compiled.set(route, found)
    }
    return found
  }

  const sendingOf = (route: Route, exchange: Exchange | null, request: FastifyRequest): Sending => ({
    route,
    compressor,
    streams,
    mayGoOn: async () => exchange === null || (await gate.mayGoOn(request, route, exchange.caller)),
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

  const answer = async (
    route: Route,
    exchange: Exchange | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const check = validatorsOf(route)
    // A large body is parsed, checked, hashed, processed and answered in separate turns of the event loop.
    const othersTurn = route.bodyLimits === undefined ? undefined : createTurns()
    const params = request.params as Record<string, string>
    missingRecords.checkForm(route, params)
    checkPathTexts(route, params)
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
    if (asJson !== undefined) reply.headers(deprecation(request.url, asJson.below))
    const upload = await receive(request, route, asJson === undefined ? null : body, {
      blobs,
      maxFileBytes: exchange === null ? 0 : uploadLimitBytes(exchange.caller),
      checkFields: fields => check.fields?.(fields),
    })
    const checkCaller = callerCheck(dependencies, route, exchange, request)
    try {
      await checkCaller()
      if (exchange?.lock != null) {
        exchange.fingerprint = await requestFingerprint(route, request, headers, upload)
        if (exchange.lock.kind === 'stored') {
          await repeat(route, exchange, exchange.lock, request, reply)
          return
        }
      }
      const parts = { params, query, headers, body, checkCaller, upload: upload ?? noUpload }
      const answered = await route.handle(handed(route, exchange, request, reply, parts, closing))
      if (othersTurn !== undefined) await othersTurn()
      const sent = send(reply, answered, sendingOf(route, exchange, request))
      if (sent instanceof Promise) await sent
    } finally {
      // Adopted files have been moved away. Files that are still in staging are no longer needed.
      for (const { file } of upload?.parts ?? []) if (file !== null) await blobs.discard(file)
    }
  }

  const missingRecords = createMissingRecords(dependencies.routes, {
    inOtherEnvironment: dependencies.inOtherEnvironment,
    reaches: reachesBy(validatorsOf),
  })

  const invoke = async (
    route: Route,
    exchange: Exchange | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    try {
      await answer(route, exchange, request, reply)
    } catch (error) {
      if (!isBare(error)) throw error
      throw await missingRecords.name(
        route,
        exchange?.caller ?? null,
        request.params as Record<string, string>,
      )
    }
  }

  return Object.assign(invoke, { settle: settleBy(idempotency) })
}

/** A body may take a quarter of an hour: a caller that lost its key or its reach meanwhile must not change anything. */
function callerCheck(
  { gate, callerCheckMs }: { gate: Pick<Gate, 'refusalNow'>; callerCheckMs: number },
  route: Route,
  exchange: Exchange | null,
  request: FastifyRequest,
): () => Promise<void> {
  let checkedAtMs = exchange?.admittedAtMs ?? 0
  return async () => {
    if (exchange === null || performance.now() - checkedAtMs < callerCheckMs) return
    const refusal = await gate.refusalNow(request, route, exchange.caller)
    if (refusal !== null) throw refusal
    checkedAtMs = performance.now()
  }
}

const settleBy =
  (idempotency: Idempotency): Invoke['settle'] =>
  async (route, exchange, reply, payload) => {
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
  parts: Pick<Handed, 'params' | 'headers' | 'body' | 'upload' | 'checkCaller'> & {
    query: Record<string, unknown>
  },
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
 * Receives the file and the fields of an upload, or the text that stands for them, which has been checked. Null for a
 * request without either.
 */
async function receive(
  request: FastifyRequest,
  { upload, storesText }: Route,
  text: unknown,
  options: { blobs: BlobStore; maxFileBytes: number; checkFields: Validate },
): Promise<ReceivedUpload | null> {
  const written = storesText === true ? request.body : text
  if (written !== null) return receiveText(written as TextBody & Record<string, unknown>, options)
  return upload === undefined ? null : receiveUpload(request, upload, options)
}

/** RFC 9745: since when, and which path takes this kind of request instead. */
const deprecation = (url: string, below: string): Record<string, string> => ({
  deprecation: '@1795824000',
  link: `<${url.split('?')[0]}${below}>; rel="successor-version"`,
})

/** `readOnly` are the fields of the route's record. */
function validatorsFor(route: Route, readOnly: readonly string[]): Validators {
  const { headers, upload, bodyLimits, body = upload?.asJson?.body, needsOneOf } = route
  const query = fullQuery(route)
  const names = {
    body: namesIn(body),
    query: namesIn(query),
    headers: [
      ...Object.keys(headers?.properties ?? {}),
      ...(isRead(route) ? [] : ['Idempotency-Key']),
      ...(route.waits ? ['Prefer'] : []),
    ],
  }
  const checkBody =
    body === undefined
      ? null
      : validation.body(body, {
          maxValues: bodyLimits?.maxValues,
          hint: (name, path) =>
            hintFor(name, 'body', names) ?? (path === '' ? readOnlyHint(name, readOnly) : null),
        })
  return {
    query: validation.text(query, name => hintFor(name, 'query', names)),
    headers: headers === undefined ? null : validation.text(headers),
    body: needsOneOf === undefined ? checkBody : also(checkBody, needsOneOf),
    // Text parts are strings, and parts of JSON have their types: nothing is coerced.
    fields: upload === undefined ? null : validation.body(upload.fields),
  }
}

const readOnlyHint = (name: string, readOnly: readonly string[]): string | null =>
  readOnly.includes(name) ? 'it is read-only: leave it out' : null

/** Checks also that one of the fields is there, so that a wrong name for it is not the only fault that is reported. */
const also =
  (check: Validate | null, names: readonly [string, string]): Validate =>
  value => {
    const isThere = typeof value !== 'object' || value === null || names.some(name => name in value)
    const missing = () => {
      throw invalidField(names[0], `is needed, or \`${names[1]}\` in its place`, { rule: 'required' })
    }
    checkAll([...(check === null ? [] : [() => check(value)]), ...(isThere ? [] : [missing])])
  }

/** The fields of the record that the route answers, or that a GET of its path answers. */
const readOnlyFieldsOf = (route: Route, routes: readonly Route[]): string[] => {
  if (isRead(route)) return []
  const reading = routes.filter(
    ({ method, path, protocol }) => method === 'GET' && path === route.path && protocol === route.protocol,
  )
  return [route, ...reading].flatMap(({ data }) => namesIn(data))
}

/** A refusal that may pass is not stored: the client should send the request again. */
const mayPass = (status: number, body: string): boolean =>
  status >= 400 && (JSON.parse(body) as ErrorBody).retryable

const maxPathTextLength = 500

/** A request that would create the record gets the fault; for any other, a text that is too long names nothing. */
function checkPathTexts(route: Route, params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    if (!(name in route.pathTexts)) continue
    // Many clients drop such a step before they send the request, so the record could not be reached.
    const isStep = value === '.' || value === '..'
    // Characters are counted as in a body: one beyond 16 bits counts once.
    if (!isStep && [...value].length <= maxPathTextLength && !value.includes('\0')) continue
    if (route.method !== 'PUT') throw notFound()
    if (isStep) throw invalidField(name, 'must be neither `.` nor `..`, which programs drop from addresses')
    throw invalidField(name, `must have at most ${maxPathTextLength} characters, none of them NUL`, {
      rule: 'maxLength',
      limit: maxPathTextLength,
    })
  }
}

/** Asks the handler of a record's route, so that the record is there for the same callers as by that route. */
const reachesBy =
  (validatorsOf: (route: Route) => Validators): Reaches =>
  async (route, caller, params) => {
    const query = {}
    validatorsOf(route).query(query)
    return route.handle(askingOf(caller, params, query)).then(
      () => true,
      error => {
        if (error instanceof ServiceError && error.code === 'not_found') return false
        throw error
      },
    )
  }

/** A question for one record without a request, for a handler that reads nothing but its path. */
const askingOf = (
  caller: RequestCaller,
  params: Record<string, string>,
  query: Record<string, unknown>,
): Handed => {
  const over = new AbortController()
  return {
    caller,
    params,
    query,
    headers: {},
    body: undefined,
    upload: noUpload,
    bytes: Readable.from([]),
    checkCaller: async () => undefined,
    bodyBytes: Buffer.alloc(0),
    isHead: false,
    ifMatch: null,
    page: { page: 1, pageSize: 1 },
    dryRun: false,
    wantsEvents: false,
    lastEventId: null,
    patience: () => ({ waitMs: 0, signal: over.signal }),
    origin: () => ({ requestId: caller.requestId, address: '', idempotencyKey: null, page: null, hops: 0 }),
    signal: () => over.signal,
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

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const noUpload: ReceivedUpload = {
  fields: {},
  file: { name: '', statedMediaType: '', path: '', sizeBytes: 0, sha256: '' },
  parts: [],
}
