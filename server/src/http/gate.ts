/**
 * Decides who may pass: bearer token, address and workspace limits, plan and permission. Limit headers are set before
 * anything can fail.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance, Authenticator, Limiter, RefusedToken, RequestMeter } from '../platform/admission.ts'
import {
  browserPageOf,
  type Caller,
  type Door,
  hopsHeader,
  isNarrowed,
  isViewer,
  type RequestCaller,
  type Scope,
} from '../platform/caller.ts'
import type { Clock } from '../platform/clock.ts'
import { forbidden, lacksPermission, ServiceError, tooManyRequests } from '../platform/errors.ts'
import { answerPage } from './cors.ts'
import { bearerToken, misplaced, refusedToken } from './credentials.ts'
import type { Route } from './route.ts'

export type Gate = ReturnType<typeof createGate>

export function createGate(dependencies: {
  authenticator: Authenticator
  limiter: Limiter
  meter: RequestMeter
  clock: Clock
  /** The address of this server's own pages. */
  publicUrl: () => string
}) {
  const { authenticator, limiter, meter, clock, publicUrl } = dependencies

  /** A browser sends no `Origin` when a page only reads from its own server. */
  const originOf = ({ headers, method }: FastifyRequest): string | null => {
    const isOwnRead = headers['sec-fetch-site'] === 'same-origin' && (method === 'GET' || method === 'HEAD')
    return headers.origin ?? (isOwnRead ? new URL(publicUrl()).origin : null)
  }

  const spend = (reply: FastifyReply, allowance: Allowance): void => {
    setLimitHeaders(reply, allowance)
    if (!allowance.allowed) throw rateLimited(allowance, clock)
  }

  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { challenge, refusal }: { challenge: string; refusal: ServiceError },
  ): Promise<never> => {
    // A page must be able to read that its token has ended. The answer tells only the sender of a token about it.
    if (bearerToken(request)?.startsWith('bt_') === true) {
      answerPage(reply, request.headers.origin ?? null)
    }
    spend(reply, await limiter.countAddress(request.ip))
    reply.header('www-authenticate', challenge)
    throw refusal
  }

  const refusalNow = refusalBy(authenticator, originOf)

  return {
    /**
     * Authenticates and counts; throws 401, 403 or 429 with the headers already set. A token for another door than
     * `door` is not valid. `challenge` becomes the header `WWW-Authenticate` of a 401.
     */
    async enter(
      request: FastifyRequest,
      reply: FastifyReply,
      { door = 'api', challenge = 'Bearer' }: { door?: Door; challenge?: string } = {},
    ): Promise<RequestCaller> {
      const token = bearerToken(request)
      if (token === null) return refuse(request, reply, { challenge, refusal: misplaced(request) })
      if (!authenticator.isWellFormed(token)) {
        const refusal = refusedToken(token, { fault: 'malformed' })
        return refuse(request, reply, { challenge, refusal })
      }
      if (!authenticator.wasValid(token)) {
        const allowance = await limiter.peekAddress(request.ip)
        if (!allowance.allowed) spend(reply, allowance)
      }
      const origin = originOf(request)
      const found = await authenticator.find(token, {
        address: request.ip,
        requestId: request.id,
        door,
        origin,
      })
      if ('fault' in found) {
        return refuse(request, reply, { challenge, refusal: refusedToken(token, found) })
      }
      const page = browserPageOf(found.caller)
      if (page?.origins.includes(origin ?? '') === true) answerPage(reply, origin)
      spend(reply, await limiter.count(found.caller))
      if (found.refusal !== null) throw found.refusal
      meter.count(found.caller)
      const hops = hopsOf(request)
      return hops === 0 ? found.caller : { ...found.caller, hops }
    },
    /** Whether `refusalNow` is null: for replies that last long. */
    mayGoOn: async (...asked: Parameters<typeof refusalNow>): Promise<boolean> =>
      (await refusalNow(...asked)) === null,
    refusalNow,
    /** Counts a request outside the API by its address. The limits allow for pages, their files and health probes. */
    async enterVisitor(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // Page visits behind a proxy must not use up the limit of the health probes that come from the proxy.
      const isProbe = /^\/(healthz|readyz)($|\?)/.test(request.url)
      spend(reply, await limiter.countVisit(request.ip, isProbe ? 'probe' : 'page'))
    },
    /**
     * Counts a request to a public route by its address, or by the record that its path opens. With `countedBy`, the
     * address only counts if the path opens nothing, and must not have used up its limit.
     */
    async enterPublic(
      request: FastifyRequest,
      reply: FastifyReply,
      countedBy?: () => Promise<Allowance | null>,
    ): Promise<void> {
      if (countedBy !== undefined) {
        const allowance = await limiter.peekAddress(request.ip)
        if (!allowance.allowed) spend(reply, allowance)
        const own = await countedBy()
        if (own !== null) return spend(reply, own)
      }
      spend(reply, await limiter.countAddress(request.ip))
    },
    /**
     * For callers that only the body names: passes while the address has requests left. `countFailure` counts
     * failures.
     */
    async enterUnknown(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      spend(reply, await limiter.peekAddress(request.ip))
    },
    async countFailure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      setLimitHeaders(reply, await limiter.countAddress(request.ip))
    },
    /** Counts a request outside the API of a person who is signed in. */
    async enterPerson(_request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
      spend(reply, await limiter.countPerson(userId))
    },
  }
}

/**
 * Answers null while the caller could still use the route and reaches as much as before. A null `route` means an
 * address outside the API: there the caller must still have every permission that it had.
 */
const refusalBy =
  (authenticator: Authenticator, originOf: (request: FastifyRequest) => string | null) =>
  async (request: FastifyRequest, route: LetIn | null, caller: Caller): Promise<ServiceError | null> => {
    const token = bearerToken(request)
    const found =
      token === null
        ? noToken
        : await authenticator.find(token, {
            address: request.ip,
            requestId: request.id,
            isUnderWay: true,
            origin: originOf(request),
            door: (caller.kind === 'key' ? caller.keyBounds.door : undefined) ?? 'api',
          })
    if ('fault' in found) return token === null ? misplaced(request) : refusedToken(token, found)
    if (found.refusal !== null) return found.refusal
    const isLetInNow =
      route === null
        ? [...caller.permissions].every(permission => found.caller.permissions.has(permission))
        : isLetIn(route, found.caller)
    return reachesAll(found.caller.scope, caller.scope) && isLetInNow ? null : reachesLess()
  }

/** Throws 403 if the caller may not use the route. */
export function checkPermission(route: Route, caller: Caller): void {
  if (browserPageOf(caller) !== null && !route.opensToPages) {
    const message = 'A browser token does not open this endpoint: let your server ask it, with a key'
    throw forbidden('key', message)
  }
  const { permission } = route
  if (permission !== 'any' && permission !== 'public' && !isLetIn(route, caller)) {
    throw lacksPermission(caller, permission)
  }
  if (caller.scope.documentFilter !== undefined && !isOpenToFilters(route)) {
    const message = 'The key is narrowed to a filter, which this endpoint cannot apply: use a key without one'
    throw forbidden('whole_workspace', message)
  }
  if (route.wholeWorkspace && isNarrowed(caller.scope)) throw needsWholeWorkspace()
  if (route.liveOnly && caller.scope.environment === 'test') {
    throw new ServiceError(
      'sandbox_forbidden',
      caller.kind === 'person'
        ? 'This cannot be done in the test environment: it would change the real workspace. Switch to live.'
        : 'A test key cannot do this: it would change the real workspace. Use a live key.',
      { details: { environment: 'test', needed: 'live' } },
    )
  }
}

const needsWholeWorkspace = (): ServiceError =>
  forbidden(
    'whole_workspace',
    'The key is narrowed to some agents, collections or documents, and this changes what belongs to the whole workspace. Use a key without `agentIds`, `collectionIds` and `filter`, or let an owner or admin do it in the console.',
  )

/** Narrowing keeps agents and their runs apart; any other route must declare that it applies the filter. */
const isOpenToFilters = ({ permission, appliesFilter }: Route): boolean =>
  appliesFilter || permission === 'any' || permission === 'agents:read' || permission === 'agents:run'
/** The parts of a route that decide who may use it. */
type LetIn = Pick<Route, 'permission' | 'viewersToo'>

const isLetIn = ({ permission, viewersToo = false }: LetIn, caller: Caller): boolean =>
  permission === 'any' ||
  permission === 'public' ||
  caller.permissions.has(permission) ||
  (viewersToo && isViewer(caller))

function reachesAll(now: Scope, before: Scope): boolean {
  const covers = (ids: readonly string[] | undefined, wanted: readonly string[] | undefined) =>
    ids === undefined || wanted?.every(id => ids.includes(id)) === true
  // If teams withhold more than before, the client must reconnect, and then gets only what it still reaches.
  const isKept = (now: readonly string[] = [], before: readonly string[] = []) =>
    now.some(id => !before.includes(id))
  return (
    now.endUser?.id === before.endUser?.id &&
    covers(now.agentIds, before.agentIds) &&
    covers(now.collectionIds, before.collectionIds) &&
    !isKept(before.reader?.openedIds, now.reader?.openedIds) &&
    !isKept(now.withheld?.agentIds, before.withheld?.agentIds) &&
    !isKept(now.withheld?.collectionIds, before.withheld?.collectionIds)
  )
}

function setLimitHeaders(reply: FastifyReply, allowance: Allowance): void {
  reply.header('x-ratelimit-limit', allowance.limit)
  reply.header('x-ratelimit-remaining', allowance.remaining)
  reply.header('x-ratelimit-reset', allowance.resetAtSeconds)
}

function rateLimited(allowance: Allowance, clock: Clock): ServiceError {
  const seconds = Math.min(60, Math.max(1, Math.ceil(allowance.resetAtSeconds - clock() / 1000)))
  return tooManyRequests(
    `Too many requests: ${allowance.limit} a minute are allowed. Try again in ${seconds} s.`,
    seconds,
    { limit: allowance.limit, unit: 'requests per minute' },
  )
}

const reachesLess = (): ServiceError =>
  forbidden('key', 'The caller may do or reaches less than when this request began: send it again')

const noToken: RefusedToken = { fault: 'missing' }

/** Any client can leave out the header, just as it can ask in a loop. It stops loops that are made by mistake. */
export function hopsOf({ headers }: FastifyRequest): number {
  const header = headers[hopsHeader]
  return typeof header === 'string' && /^\d{1,4}$/.test(header) ? Number(header) : 0
}
