/** Errors of every layer as one reply shape: handlers, parsers, the framework and the socket itself. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../platform/errors.ts'
import type { NewId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { errorBody, toServiceError } from './envelope.ts'

/** Fastify's error handler: the envelope for the client, the cause for the log. */
export const answerErrors =
  (log: Log) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toServiceError(error)
    if (known.statusCode >= 500) {
      log.error(known.message, {
        requestId: request.id,
        method: request.method,
        path: pathOf(request),
        error: known,
      })
    }
    return reply
      .code(known.statusCode)
      .headers(known.headers)
      .type('application/json; charset=utf-8')
      .send(errorBody(known, request.id))
  }

/** For what never became a request: bytes that are not HTTP, headers too large, a request that took too long. */
export const answerClientError =
  (newId: NewId) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const known = clientError(error)
    const requestId = newId('request')
    const body = JSON.stringify(errorBody(known, requestId))
    const head = [
      `HTTP/1.1 ${known.statusCode} ${STATUS_CODES[known.statusCode]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      // No caller is known and nothing was counted: the request never arrived whole.
      'X-RateLimit-Limit: 0',
      'X-RateLimit-Remaining: 0',
      `X-RateLimit-Reset: ${Math.ceil(Date.now() / 1000)}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }

function clientError(error: NodeJS.ErrnoException): ServiceError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout')
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('malformed_request', 'The headers are larger than 16 KiB')
    default:
      return new ServiceError('malformed_request')
  }
}

/** The route's pattern: a path can hold a secret, such as the token of an invitation. */
const pathOf = (request: FastifyRequest): string =>
  request.routeOptions?.url ?? request.url.split('?')[0] ?? ''
