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
import type { Works } from '../platform/watch/works.ts'
import { type BodyMemoryLimits, createBodyMemory } from './bodies/body-memory.ts'
import { checkContentEncoding } from './bodies/content-encoding.ts'
import { checkContentType } from './bodies/content-type.ts'
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
import { answerClientError, answerErrors, shapeOf } from './failures.ts'
import { checkPermission, type Gate } from './gate.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import { createInvoke, type Exchange, type Invoke } from './invoke.ts'
import { methodsOf, pathOf, routesAt, shadowed, unmatched } from './missing/endpoints.ts'
import type { InOtherEnvironment } from './missing/missing-records.ts'
import { type Compressor, codingIn, createCompressor } from './replies/compression.ts'
import { createEventStreams } from './replies/event-stream.ts'
import { checkHeaderNames, eventStreamType, idempotencyKeyOf, jsonType, weightOf } from './request-headers.ts'
import { responseSchemas, serializers } from './responses.ts'
import { apiPrefix, isRead, type Protocol, type Route, urlOf } from './route.ts'

const closingSweepMs = 50

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the gate has let the request in, and for public routes. */
    exchange: Exchange | null
  }
  interface FastifyContextConfig {
    operationId?: string
  }
}

type ServeDependencies = BodyMemoryLimits &
  Pick<Platform, 'blobs' | 'newId' | 'log' | 'clock' | 'faults' | 'works'> & {
    gate: Gate
    idempotency: Idempotency
    inOtherEnvironment: InOtherEnvironment
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
  const { gate, newId, trustedProxies, works, connectionTimes = usualTimes } = dependencies
  const headers = commonHeaders(dependencies.hstsMs)
  const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers({ ...headers, 'x-request-id': request.id })
  const protocols = [...new Set(routes.flatMap(({ protocol }) => protocol ?? []))]
  const folders = [apiPrefix, ...protocols.map(({ prefix }) => prefix)].map(prefix => `${prefix}/`)
  const isOfApi = ({ url }: FastifyRequest) => folders.some(folder => url.startsWith(folder))
  // The router would take what is behind the slash for an empty id.
  const endsInSlash = (request: FastifyRequest) => isOfApi(request) && pathOf(request.url).endsWith('/')
  const answerError = answerErrors(dependencies.log, shapeOf(protocols))
  const inTurn = takeRequestsInTurn({ ...dependencies, times: connectionTimes })
  const server = Fastify({
    logger: false,
    schemaController: serializers,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: maxJsonBytes,
    serverFactory: inTurn.createServer,
    rewriteUrl: ({ url = '/' }) => withWholeName(url, protocols),
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
  const pageMethods = (url: string): string[] =>
    methodsOf(routesAt(routes, pathOf(url)).filter(({ opensToPages }) => opensToPages))
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
    if (request.is404 || endsInSlash(request)) await refuseUnmatched(request, reply)
    return undefined
  }
  listRequests(server, works)
  server.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    // A route of the API counts by itself, so nothing has to be waited for here.
    const isUsual = isOfApi(request) && !request.is404 && !endsInSlash(request)
    if (!isUsual || request.method === 'OPTIONS') return admit(request, reply)
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
  const invoke = createInvoke({ ...within, routes, streams, compressor })
  for (const route of routes) registerRoute(server, route, { ...dependencies, invoke, compressor })
  for (const { method, url } of shadowed(routes)) {
    // The refusal counts like that of any unknown path, and comes before a byte of the body is read.
    server.route({ method, url, onRequest: refuseUnmatched, handler: refuseUnmatched })
  }
  return server
}

/** Tells the watcher of this process which requests it works on, and which code belongs to which of them. */
function listRequests(server: FastifyInstance, works: Works): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { url = 'unknown', config } = request.routeOptions
    const operationId = config.operationId ?? `${request.method} ${url}`
    const work = { kind: 'request', id: request.id, operationId } as const
    const end = works.begin(work)
    // A reply that is sent finishes, and the reply of a client that has left only closes.
    reply.raw.once('finish', end)
    reply.raw.once('close', end)
    works.within(work, done)
  })
}

type RegisterContext = ServeDependencies & {
  invoke: Invoke
  compressor: Compressor
}

function registerRoute(server: FastifyInstance, route: Route, context: RegisterContext): void {
  const { gate, idempotency, invoke, compressor, log, faults } = context
  const isWrite = !isRead(route)
  const options: RouteOptions = {
    method: route.method,
    url: urlOf(route),
    config: { isOfApi: true, operationId: route.operationId },
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
      checkContentType(request, route)
      checkContentEncoding(request, { takesNone: route.streamedBody !== undefined })
      if (isWrite && route.protocol === undefined) checkHeaderNames(request)
      const key = isWrite ? idempotencyKeyOf(request) : null
      // A dry run changes nothing, so there is nothing to repeat, and its stored reply would only take space.
      const { dryRun } = request.query as Record<string, unknown>
      const lock =
        key === null || dryRun === 'true' ? null : await idempotency.lock(caller, key, route.operationId)
      const known = lock?.kind === 'locked' ? { ...caller, idempotencyId: lock.id } : caller
      request.exchange = { caller: known, admittedAtMs: performance.now(), lock, fingerprint: null }
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

/** The address with the slashes of a name encoded, where a protocol has names with slashes. */
function withWholeName(url: string, protocols: readonly Protocol[]): string {
  const folder = protocols
    .map(({ namesBehind }) => namesBehind)
    .find(one => one !== undefined && url.startsWith(one))
  if (folder === undefined) return url
  const [path = '', ...query] = url.slice(folder.length).split('?')
  return [`${folder}${path.replaceAll('/', '%2F')}`, ...query].join('?')
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
