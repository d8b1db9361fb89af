/**
 * CORS: pages of origins that the operator lists, and pages with a browser token, may call the API and read replies.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyBy } from './replies/kept-replies.ts'

/** The headers of resumable uploads, which a browser sends and reads only if CORS allows it. */
const requestsOfTus = 'Tus-Resumable, Upload-Length, Upload-Offset, Upload-Metadata, Upload-Checksum'
const repliesOfTus =
  'Tus-Resumable, Upload-Length, Upload-Offset, Upload-Metadata, Upload-Expires, Atrium-Document-Id'

/** The headers in which an MCP client repeats its request, so that proxies need not read the body. */
const requestsOfMcp = 'Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id'

/** The headers that OpenAI's client sends from a browser; the server reads none of them. */
const requestsOfOpenAi =
  'OpenAI-Organization, OpenAI-Project, OpenAI-Beta, X-Stainless-Lang, X-Stainless-Package-Version, X-Stainless-OS, X-Stainless-Arch, X-Stainless-Runtime, X-Stainless-Runtime-Version, X-Stainless-Retry-Count, X-Stainless-Timeout, X-Stainless-Helper-Method, X-Stainless-Poll-Helper, X-Stainless-Custom-Poll-Interval'

const ofAll = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  requests: `Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Range, If-Range, Prefer, Last-Event-ID, ${requestsOfTus}, ${requestsOfMcp}, ${requestsOfOpenAi}`,
  replies: `ETag, Accept-Ranges, Content-Range, Content-Disposition, Location, Preference-Applied, Retry-After, Retry-After-Ms, X-Should-Retry, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Idempotency-Replayed, WWW-Authenticate, Mcp-Session-Id, ${repliesOfTus}`,
}

/**
 * CORS for the operator's list of origins. A preflight carries no token and is answered here. Other origins get an
 * answer too if the endpoint is open to pages. That reveals nothing: only the token's origins can read the reply to
 * the request itself.
 */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { origins, pageMethods }: { origins: readonly string[]; pageMethods: (url: string) => string[] },
): FastifyReply | undefined {
  const { origin } = request.headers
  // A browser's cache must not hand a reply for a page of this server to a page of another origin.
  if (origins.length > 0) varyBy(reply, 'Origin')
  if (origin === undefined) return undefined
  const isListed = origins.includes(origin)
  if (isListed) allow(reply, origin)
  if (request.method !== 'OPTIONS') return undefined
  const open = isListed ? null : pageMethods(request.url)
  const wanted = request.headers['access-control-request-method']
  if (open !== null && (wanted === undefined || !open.includes(wanted))) return undefined
  answerPage(reply, origin)
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': open?.join(', ') ?? ofAll.methods,
      'access-control-allow-headers': ofAll.requests,
      'access-control-max-age': '600',
    })
    .send()
}

/** Lets the page read the reply, including an error. */
export function answerPage(reply: FastifyReply, origin: string | null): void {
  if (origin === null || reply.hasHeader('access-control-allow-origin')) return
  varyBy(reply, 'Origin')
  allow(reply, origin)
}

const allow = (reply: FastifyReply, origin: string): void => {
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': ofAll.replies })
}
