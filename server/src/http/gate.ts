/** Who may pass: bearer token, address and workspace limits, plan and permission, with the limit headers set before anything can fail. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance, Authenticator, Limiter, RequestMeter } from '../platform/admission.ts'
import {
  browserPageOf,
  type Caller,
  type Door,
  hopsHeader,
  isViewer,
  type RequestCaller,
  type Scope,
} from '../platform/caller.ts'
import type { Clock } from '../platform/clock.ts'
import { lacksPermission, ServiceError } from '../platform/errors.ts'
import { answerPage } from './cors.ts'
import type { Route } from './route.ts'

export type Gate = ReturnType<typeof createGate>

export function createGate(dependencies: {
  authenticator: Authenticator
  limiter: Limiter
  meter: RequestMeter
  clock: Clock
  /** Where this server's own pages are. */
  publicUrl: () => string
}) {
  const { authenticator, limiter, meter, clock, publicUrl } = dependencies

  /** A browser names no origin where a page only reads from its own server. */
  const originOf = ({ headers, method }: FastifyRequest): string | null => {
    const isOwnRead = headers['sec-fetch-site'] === 'same-origin' && (method === 'GET' || method === 'HEAD')
    return headers.origin ?? (isOwnRead ? new URL(publicUrl()).origin : null)
  }

  const spend = (reply: FastifyReply, allowance: Allowance): void => {
    setLimitHeaders(reply, allowance)
    if (!allowance.allowed) throw rateLimited(allowance, clock)
  }

  const refuse = async (request: FastifyRequest, reply: FastifyReply, challenge: string): Promise<never> => {
    // A page has to read that its token has ended. The answer tells nothing: it is the same for whatever was sent.
    if (bearerToken(request.headers.authorization)?.startsWith('bt_') === true) {
      answerPage(reply, request.headers.origin ?? null)
    }
    spend(reply, await limiter.countAddress(request.ip))
    throw unauthenticated(challenge)
  }

  return {
    /**
     * Authenticates and counts; throws 401, 403 or 429 with the headers already set. What is good for another door than
     * `door` is not valid. `challenge` is what a 401 says in `WWW-Authenticate`.
     */
    async enter(
      request: FastifyRequest,
      reply: FastifyReply,
      { door = 'api', challenge = 'Bearer' }: { door?: Door; challenge?: string } = {},
    ): Promise<RequestCaller> {
      const token = bearerToken(request.headers.authorization)
      if (token === null || !authenticator.isWellFormed(token)) return refuse(request, reply, challenge)
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
      if (found === null) return refuse(request, reply, challenge)
      const page = browserPageOf(found.caller)
      if (page?.origins.includes(origin ?? '') === true) answerPage(reply, origin)
      spend(reply, await limiter.count(found.caller))
      if (found.refusal !== null) throw found.refusal
      meter.count(found.caller)
      const hops = hopsOf(request)
      return hops === 0 ? found.caller : { ...found.caller, hops }
    },
    /**
     * Whether who was let in could still use the route, and reaches as much: for replies that go on for long. Null is no
     * route of the API: there it must have every permission that it had.
     */
    async mayGoOn(request: FastifyRequest, route: LetIn | null, caller: Caller): Promise<boolean> {
      const token = bearerToken(request.headers.authorization)
      const found =
        token === null
          ? null
          : await authenticator.find(token, {
              address: request.ip,
              requestId: request.id,
              isUnderWay: true,
              origin: originOf(request),
              door: (caller.kind === 'key' ? caller.keyBounds.door : undefined) ?? 'api',
            })
      if (found === null || found.refusal !== null) return false
      const isLetInNow =
        route === null
          ? [...caller.permissions].every(permission => found.caller.permissions.has(permission))
          : isLetIn(route, found.caller)
      return reachesAll(found.caller.scope, caller.scope) && isLetInNow
    },
    /** Counts any request beside the API by its address, within what pages with their files and probes of health need. */
    async enterVisitor(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // Visits of pages behind a proxy must not use up the health probes that come from it.
      const isProbe = /^\/(healthz|readyz)($|\?)/.test(request.url)
      spend(reply, await limiter.countVisit(request.ip, isProbe ? 'probe' : 'page'))
    },
    /**
     * Counts a request to a public route by its address, or by what its path opens: then the address only counts where that
     * is nothing, and must not have used up what it has.
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
    /** Lets in whom only the body will tell, as long as the address has requests left; `countFailure` then counts those that fail. */
    async enterUnknown(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      spend(reply, await limiter.peekAddress(request.ip))
    },
    async countFailure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      setLimitHeaders(reply, await limiter.countAddress(request.ip))
    },
    /** Counts a request beside the API of a person who is signed in. */
    async enterPerson(_request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
      spend(reply, await limiter.countPerson(userId))
    },
  }
}

/** Throws 403 if the caller may not use the route. */
export function checkPermission(route: Route, caller: Caller): void {
  if (browserPageOf(caller) !== null && !route.opensToPages) {
    const message = 'A browser token does not open this endpoint: let your server ask it, with a key'
    throw new ServiceError('permission_missing', message)
  }
  if (!isLetIn(route, caller)) throw lacksPermission(caller, route.permission)
  if (caller.scope.documentFilter !== undefined && !isOpenToFilters(route)) {
    const message = 'The key is narrowed to a filter, which this endpoint cannot apply: use a key without one'
    throw new ServiceError('permission_missing', message)
  }
  if (route.liveOnly && caller.scope.environment === 'test') {
    throw new ServiceError(
      'sandbox_forbidden',
      caller.kind === 'person'
        ? 'This cannot be done in the test environment: it would change the real workspace. Switch to live.'
        : 'A test key cannot do this: it would change the real workspace. Use a live key.',
    )
  }
}

/** Agents and their runs are kept apart by narrowing; any other route has to say that it applies the filter. */
const isOpenToFilters = ({ permission, appliesFilter }: Route): boolean =>
  appliesFilter || permission === 'any' || permission === 'agents:read' || permission === 'agents:run'
/** What decides who may use a route. */
type LetIn = Pick<Route, 'permission' | 'viewersToo'>

const isLetIn = ({ permission, viewersToo = false }: LetIn, caller: Caller): boolean =>
  permission === 'any' ||
  permission === 'public' ||
  caller.permissions.has(permission) ||
  (viewersToo && isViewer(caller))

function reachesAll(now: Scope, before: Scope): boolean {
  const covers = (ids: readonly string[] | undefined, wanted: readonly string[] | undefined) =>
    ids === undefined || wanted?.every(id => ids.includes(id)) === true
  // Where teams withhold more than before, the client begins again, and gets what it reaches now.
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
  return new ServiceError(
    'rate_limited',
    `Too many requests: ${allowance.limit} a minute are allowed. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}

const unauthenticated = (challenge: string): ServiceError =>
  new ServiceError('unauthenticated', undefined, { headers: { 'www-authenticate': challenge } })

/** Anybody can leave it out, as anybody can ask in a loop: it stops those who do not mean to. */
export function hopsOf({ headers }: FastifyRequest): number {
  const header = headers[hopsHeader]
  return typeof header === 'string' && /^\d{1,4}$/.test(header) ? Number(header) : 0
}

function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null
}
