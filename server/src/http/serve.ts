/** Registers routes with Fastify: gate, permission, idempotency, strict validation, handler, filter, envelope. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import type { Caller } from '../platform/caller.ts'
import { addressKey } from '../platform/client-address.ts'
import { secondMs } from '../platform/clock.ts'
import { ServiceError } from '../platform/errors.ts'
import type { Platform } from '../platform/platform.ts'
import { type BodyMemoryLimits, createBodyMemory } from './bodies/body-memory.ts'
import { keptPlaces, maxValuesOf, parseJsonBodies } from './bodies/json-bodies.ts'
import {
  type ConnectionTimes,
  guardConnections,
  maxHeaderSize,
  usualTimes,
  watchBodies,
} from './connections/connections.ts'
import { takeRequestsInTurn } from './connections/requests-in-turn.ts'
import { allowOrigin, answerPage } from './cors.ts'
import { maxJsonBytes, toServiceError } from './envelope.ts'
import { createEventStreams } from './event-stream.ts'
import { answerClientError, answerErrors, shapeOf } from './failures.ts'
import { checkPermission, type Gate } from './gate.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import { createInvoke, type Exchange, type Invoke } from './invoke.ts'
import { type Compressor, codingIn, createCompressor } from './replies/compression.ts'
import { eventStreamType, idempotencyKeyOf, jsonType, mediaTypeOf, weightOf } from './request-headers.ts'
import { responseSchemas, serializers } from './responses.ts'
import { apiPrefix, isRead, type Route, urlOf } from './route.ts'

const closingSweepMs = 50

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the gate has let the request in, and for public routes. */
    exchange: Exchange | null
  }
}

type ServeDependencies = BodyMemoryLimits &
  Pick<Platform, 'blobs' | 'newId' | 'log' | 'clock' | 'faults'> & {
    gate: Gate
    idempotency: Idempotency
    /** The size in bytes of the largest file that the caller may upload. */
    uploadLimitBytes: (caller: Caller) => number
    trustedProxies: readonly string[]
    corsOrigins: readonly string[]
    /** How long browsers may use only HTTPS for this host; 0 sends no such header. */
    hstsMs: number
    /** Whether JSON is compressed for clients that accept it; a proxy in front may do that instead. */
    compression: 'on' | 'off'
    requestTimeoutMs: number
    maxConnections: number
    maxConnectionsPerAddress: number
    /** How slow a connection may be before it is closed; the usual times unless given. */
    connectionTimes?: ConnectionTimes
    /** How often a stream's caller is looked up again. */
    callerCheckMs: number
  }

/** Makes the server for these routes. It does not listen yet, and more routes may be registered beside the API. */
export function createHttpServer(routes: readonly Route[], dependencies: ServeDependencies): FastifyInstance {
  const { gate, newId, trustedProxies, connectionTimes = usualTimes } = dependencies
  const headers = commonHeaders(dependencies.hstsMs)
  const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers({ ...headers, 'x-request-id': request.id })
  const protocols = [...new Set(routes.flatMap(({ protocol }) => protocol ?? []))]
  const folders = [apiPrefix, ...protocols.map(({ prefix }) => prefix)].map(prefix => `${prefix}/`)
  const isOfApi = ({ url }: FastifyRequest) => folders.some(folder => url.startsWith(folder))
  const answerError = answerErrors(dependencies.log, shapeOf(protocols))
  const inTurn = takeRequestsInTurn({ ...dependencies, times: connectionTimes })
  const server = Fastify({
    logger: false,
    schemaController: serializers,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: maxJsonBytes,
    serverFactory: inTurn.createServer,
    genReqId: () => newId('request'),
    requestIdHeader: false,
    // As long as a request's head. Each route limits its ids itself, and a longer id does not exist.
    routerOptions: { maxParamLength: maxHeaderSize },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    clientErrorHandler: answerClientError(newId, inTurn.hasBegunReply),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply)
      return gate
        .enterPublic(request, reply)
        .catch((refusal: unknown) => refusal)
        .then(refusal => answerError(refusal ?? error, request, reply))
    },
  })
  const openToPages = routes.filter(({ opensToPages }) => opensToPages)
  const pageMethods = (url: string): string[] => allowedMethods(openToPages, url.split('?')[0] ?? '')
  const cors = { origins: dependencies.corsOrigins, pageMethods }
  const leftOnTheSocket = new Set([
    'multipart/form-data',
    ...routes.flatMap(({ streamedBody }) => streamedBody?.mediaType ?? []),
  ])
  server.removeAllContentTypeParsers()
  for (const mediaType of leftOnTheSocket) {
    server.addContentTypeParser(mediaType, (_request, _payload, done) => done(null))
  }
  closeWithoutWaiting(server)
  guardConnections(server.server, { ...dependencies, times: connectionTimes })
  const bodies = watchBodies(server.server, connectionTimes)
  server.addHook('preClose', async () => bodies.hurry())
  server.addHook('onClose', async () => bodies.stop())
  const refuseUnmatched = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    if (isOfApi(request)) await gate.enter(request, reply)
    else await gate.enterPublic(request, reply)
    throw unmatched(request, routes)
  }
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    // The API counts by key, or by address if there is no key; a preflight never gets to that point.
    const takesKeys = isOfApi(request) || request.routeOptions.config.takesKeys === true
    if (!takesKeys || request.method === 'OPTIONS') {
      await gate.enterVisitor(request, reply)
    }
    const preflight = allowOrigin(request, reply, cors)
    if (preflight !== undefined) return preflight
    // Before a byte of the body is read: Fastify calls its own not-found handler only after the body.
    if (request.is404) await refuseUnmatched(request, reply)
    return undefined
  }
  server.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    // A route of the API counts by itself, so nothing has to be waited for here.
    if (!isOfApi(request) || request.is404 || request.method === 'OPTIONS') return admit(request, reply)
    allowOrigin(request, reply, cors)
    done()
    return undefined
  })
  server.setErrorHandler(answerError)
  server.setNotFoundHandler(refuseUnmatched)
  server.decorateRequest('exchange', null)
  parseJsonBodies(server, {
    memory: createBodyMemory(dependencies),
    maxValues: maxValuesOf(routes),
    kept: keptPlaces(routes),
    ownerOf(request) {
      const workspaceId = request.exchange?.caller.scope.workspaceId
      return workspaceId === undefined
        ? { kind: 'address', id: addressKey(request.ip) }
        : { kind: 'workspace', id: workspaceId }
    },
  })
  const closing = new AbortController()
  server.addHook('preClose', async () => closing.abort())
  const within = { ...dependencies, closing: closing.signal }
  const compressor = createCompressor(dependencies)
  const streams = createEventStreams(within)
  const invoke = createInvoke({ ...within, streams, mayGoOn: gate.mayGoOn, compressor })
  for (const route of routes)
    registerRoute(server, route, {
      ...dependencies,
      invoke,
      compressor,
      leftOnTheSocket,
    })
  return server
}

type RegisterContext = ServeDependencies & {
  invoke: Invoke
  compressor: Compressor
  /** The media types whose bodies only a route's handler reads. */
  leftOnTheSocket: ReadonlySet<string>
}

function registerRoute(server: FastifyInstance, route: Route, context: RegisterContext): void {
  const { gate, idempotency, invoke, compressor, leftOnTheSocket, log, faults } = context
  const isWrite = !isRead(route)
  const options: RouteOptions = {
    method: route.method,
    url: urlOf(route),
    config: { isOfApi: true },
    // Another protocol's replies are made field by field, and its errors have more fields than ours.
    schema: route.protocol === undefined ? { response: responseSchemas(route) } : {},
    onRequest: async (request, reply) => {
      reply.headers(route.replyHeaders ?? {})
      if (route.permission === 'public') {
        const { countedBy } = route
        if (route.opensToPages) answerPage(reply, request.headers.origin ?? null)
        const count = countedBy && (() => countedBy(request.params as Record<string, string>))
        await gate.enterPublic(request, reply, count)
        return
      }
      const caller = await gate.enter(request, reply)
      checkPermission(route, caller)
      checkAccept(request, route)
      checkContentType(request, route, leftOnTheSocket)
      const key = isWrite ? idempotencyKeyOf(request) : null
      // A dry run changes nothing, so there is nothing to repeat, and its stored reply would only take space.
      const { dryRun } = request.query as Record<string, unknown>
      const lock =
        key === null || dryRun === 'true' ? null : await idempotency.lock(caller, key, route.operationId)
      const known = lock?.kind === 'locked' ? { ...caller, idempotencyId: lock.id } : caller
      request.exchange = { caller: known, lock, fingerprint: null }
    },
    // Nothing is returned: otherwise Fastify would wait for a reply that has already been sent.
    handler(request, reply) {
      faults
        .within(route.operationId, () => invoke(route, request.exchange, request, reply))
        .catch((error: unknown) => reply.send(toServiceError(error)))
    },
  }
  if (route.bodyLimits !== undefined) options.bodyLimit = route.bodyLimits.maxBytes
  const compress = compressor.hookFor(route)
  options.onSend = (request, reply, payload, done) => {
    if (codingIn(reply) === undefined) return done(null, payload)
    compress(request, reply, payload).then(sent => done(null, sent), done)
  }
  if (isWrite) {
    options.onSend = async (request, reply, payload) => {
      const { exchange } = request
      try {
        // The reply that is kept for a repetition is not compressed: the repeating client may accept another coding.
        if (exchange !== null) await invoke.settle(route, exchange, reply, payload)
      } catch (error) {
        // The change stays, and its reply is true. A repeated request learns that the first one was carried out.
        log.error('The reply of an Idempotency-Key could not be kept', { requestId: request.id, error })
      }
      return compress(request, reply, payload)
    }
  }
  server.route(options)
}

const commonHeaders = (hstsMs: number): Record<string, string> =>
  withoutUndefined({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': hstsMs === 0 ? undefined : `max-age=${hstsMs / secondMs}; includeSubDomains`,
  })

/**
 * Keep-alive keeps a connection whose reply ends while the server closes, although its next request would be refused.
 * So idle connections are closed repeatedly until none is left.
 */
function closeWithoutWaiting(server: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined
  server.addHook('preClose', async () => {
    sweep = setInterval(() => server.server.closeIdleConnections(), closingSweepMs)
  })
  server.addHook('onClose', async () => clearInterval(sweep))
}

function checkContentType(request: FastifyRequest, route: Route, leftOnTheSocket: ReadonlySet<string>): void {
  const type = mediaTypeOf(request)
  const { streamedBody, upload } = route
  const mayBeAbsent = streamedBody?.isOptional === true && type === ''
  const wanted =
    streamedBody !== undefined
      ? [streamedBody.mediaType]
      : upload !== undefined
        ? ['multipart/form-data', ...(upload.asJson === undefined ? [] : [jsonType])]
        : null
  if (wanted !== null && !wanted.includes(type) && !mayBeAbsent) {
    throw new ServiceError('unsupported_media_type', `Send the body as ${wanted.join(' or ')}`)
  }
  if (wanted === null && leftOnTheSocket.has(type)) {
    throw new ServiceError('unsupported_media_type', `Send the body as ${jsonType}`)
  }
}

function checkAccept(request: FastifyRequest, route: Route): void {
  const { accept } = request.headers
  // Another protocol may choose by the body whether it streams, and its clients send any `Accept`.
  if (accept === undefined || route.answersFile || route.protocol !== undefined) return
  const { answersEvents } = route
  const types = [
    ...(answersEvents === 'always' ? [] : [jsonType]),
    ...(answersEvents === undefined ? [] : [eventStreamType]),
  ]
  if (types.every(type => weightOf(accept, type) === 0)) {
    throw new ServiceError('not_acceptable', `This endpoint answers ${types.join(' or ')}`)
  }
}

/** A path that exists under other methods gives a 405 that names them. */
function unmatched(request: FastifyRequest, routes: readonly Route[]): ServiceError {
  const methods = allowedMethods(routes, request.url.split('?')[0] ?? '')
  if (methods.length === 0)
    return new ServiceError('not_found', 'There is no such endpoint; /docs lists them all')
  const allow = methods.join(', ')
  return new ServiceError('method_not_allowed', `The method is not allowed here; allowed: ${allow}`, {
    headers: { allow },
  })
}

/** The methods of the routes whose pattern fits the path of a URL; empty if no route fits. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const segments = path.split('/')
  const methods = routes.filter(route => fits(urlOf(route).split('/'), segments)).map(route => route.method)
  return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort()
}

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''))
