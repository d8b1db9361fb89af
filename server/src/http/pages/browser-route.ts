/** Routes for our own pages outside the API: a cookie instead of a key, JSON in and out, from our own origin only. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import type { Static, TObject } from '../../platform/json-schema/type.ts'
import type { Gate } from '../gate.ts'
import { validation } from '../validation.ts'

type Session = { sessionId: string; userId: string }

export type BrowserRequest<Body> = {
  /** Validated; a GET has none. */
  body: Body
  params: Record<string, string>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The path and query as they were sent. */
  url: string
  address: string
  requestId: string
  /** Null if the route does not ask for it, or if the visitor is not signed in. */
  session: Session | null
}

/** `data` is answered as `{"data": …}`; undefined gives an empty body, with 204 unless `status` is set. */
export type BrowserReply = {
  status?: number
  data?: unknown
  headers?: Record<string, string>
  /** Whole `Set-Cookie` headers. */
  cookies?: readonly string[]
}

type BrowserEndpoint = {
  method: 'GET' | 'POST'
  path: string
  /**
   * Whether the route looks for a session; `required` refuses a visitor without one. Then requests of people who are
   * signed in are counted for the person, all others by address.
   */
  session?: 'optional' | 'required'
}

export type BrowserRoute = BrowserEndpoint & {
  body?: TObject
  handle: (request: BrowserRequest<never>) => Promise<BrowserReply>
}

const maxBodyBytes = 20_000

/** Forgets the exact type of a route's body, so that routes form one list. */
export const defineBrowserRoute = <Body extends TObject = TObject<Record<never, never>>>(
  parts: BrowserEndpoint & {
    body?: Body
    handle: (request: BrowserRequest<Static<Body>>) => Promise<BrowserReply>
  },
): BrowserRoute => parts as unknown as BrowserRoute

export function registerBrowserRoutes(
  server: FastifyInstance,
  routes: readonly BrowserRoute[],
  {
    gate,
    findSession,
  }: { gate: Gate; findSession: (cookieHeader: string | undefined) => Promise<Session | null> },
): void {
  const sessions = new WeakMap<FastifyRequest, Session>()
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const session = await findSession(request.headers.cookie)
    if (session === null) return gate.enterPublic(request, reply)
    await gate.enterPerson(request, reply, session.userId)
    sessions.set(request, session)
  }
  for (const route of routes) {
    const validate =
      route.body === undefined ? null : validation.body({ ...route.body, additionalProperties: false })
    server.route({
      method: route.method,
      url: route.path,
      bodyLimit: maxBodyBytes,
      // A GET may use up a link; a HEAD must not.
      exposeHeadRoute: route.session !== undefined,
      onRequest: (request, reply) =>
        route.session === undefined ? gate.enterPublic(request, reply) : admit(request, reply),
      // After the check of the origin: another site must not learn whether a person is signed in.
      preParsing: async request => {
        if (route.session === 'required' && !sessions.has(request)) throw new ServiceError('sign_in_required')
      },
      handler: async (request, reply) => {
        const body = request.body ?? {}
        validate?.(body)
        const session = sessions.get(request) ?? null
        return answer(reply, await route.handle({ ...requestOf(request, body), session }))
      },
    })
  }
}

/** The route's own schema has validated the body; the list of routes has forgotten its type. */
const requestOf = (request: FastifyRequest, body: unknown): Omit<BrowserRequest<never>, 'session'> => ({
  body: body as never,
  params: request.params as Record<string, string>,
  query: new URLSearchParams(request.url.split('?')[1]),
  headers: request.headers,
  url: request.url,
  address: request.ip,
  requestId: request.id,
})

function answer(reply: FastifyReply, { status, data, headers = {}, cookies = [] }: BrowserReply) {
  reply.headers(headers)
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
  if (data === undefined) return reply.code(status ?? 204).send()
  return reply
    .code(status ?? 200)
    .type('application/json; charset=utf-8')
    .send({ data })
}
