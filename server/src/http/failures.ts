/** Gives the errors of every layer one reply shape: handlers, parsers, the framework and the socket itself. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../platform/errors.ts'
import type { NewId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { sizeInWords } from '../platform/text/sizes.ts'
import { maxHeaderSize, STATUS_CODES } from './connections/connections.ts'
import { errorBody, toServiceError } from './envelope.ts'
import type { Protocol } from './route.ts'

/** The body of an error, and the headers that its protocol adds. */
export type ErrorShape = (
  error: ServiceError,
  request: FastifyRequest,
) => { body: unknown; headers?: Record<string, string> }

/**
 * The API's envelope; below the prefix of another protocol it also has the fields that this protocol's clients read.
 */
export const shapeOf =
  (protocols: readonly Protocol[]): ErrorShape =>
  (error, { url, id }) => {
    const protocol = protocols.find(({ prefix }) => url.startsWith(`${prefix}/`))
    const { fields = {}, headers = {} } = protocol?.describeError(error) ?? {}
    return { body: { ...errorBody(error, id), ...fields }, headers }
  }

/** Fastify's error handler: sends a body to the client and logs the cause. */
export const answerErrors =
  (log: Log, shape: ErrorShape) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toServiceError(error)
    if (known.statusCode >= 500) {
      log[levelOf(known)](known.message, {
        requestId: request.id,
        method: request.method,
        path: pathOf(request),
        error: known,
      })
    }
    const { body, headers = {} } = shape(known, request)
    return reply
      .code(known.statusCode)
      .headers({ ...known.headers, ...headers })
      .type('application/json; charset=utf-8')
      .send(body)
  }

function levelOf({ code }: ServiceError): 'info' | 'warn' | 'error' {
  // A client's address that does not answer is no fault of this server.
  if (code === 'integration_unreachable') return 'info'
  return code === 'overloaded' ? 'warn' : 'error'
}

/**
 * For input that never became a request: bytes that are not HTTP, headers too large, a request that took too long. If
 * a reply is in progress on the connection, the connection is cut off. An error written into that reply would be
 * taken for a part of it.
 */
export const answerClientError =
  (newId: NewId, hasBegunReply: (socket: Socket) => boolean) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegunReply(socket)) {
      socket.destroy()
      return
    }
    const { status, headers, body } = refusalOf(clientError(error), newId)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }

/** A reply to a request that no route and no hook sees. The connection is closed after it. */
export function refusalOf(
  error: ServiceError,
  newId: NewId,
): { status: number; headers: Record<string, string | number>; body: string } {
  const requestId = newId('request')
  const body = JSON.stringify(errorBody(error, requestId))
  const headers = {
    ...error.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    // The caller is unknown, and the request was not counted.
    'X-RateLimit-Limit': 0,
    'X-RateLimit-Remaining': 0,
    'X-RateLimit-Reset': Math.ceil(Date.now() / 1000),
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  }
  return { status: error.statusCode, headers, body }
}

function clientError(error: NodeJS.ErrnoException): ServiceError {
  if (error instanceof ServiceError) return error
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout')
    case 'HPE_HEADER_OVERFLOW':
      return headTooLarge(error)
    default:
      return new ServiceError('malformed_request', `The request is not valid HTTP: ${error.message}`)
  }
}

/** Node limits the request line and the headers together. Only bytes that arrived at once show which is too long. */
function headTooLarge(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): ServiceError {
  const details = { limit: maxHeaderSize, unit: 'bytes' }
  const limit = sizeInWords(maxHeaderSize)
  const isOfUrl = error.rawPacket?.subarray(0, maxHeaderSize).includes('\r\n') === false
  return isOfUrl
    ? new ServiceError('uri_too_long', `The URL and the headers are larger than ${limit}`, { details })
    : new ServiceError('headers_too_large', `The headers are larger than ${limit}, with the URL`, { details })
}

/** The route's pattern: a path can hold a secret, such as the token of an invitation. */
const pathOf = (request: FastifyRequest): string =>
  request.routeOptions?.url ?? request.url.split('?')[0] ?? ''
