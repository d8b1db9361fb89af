/** Begins the requests of one connection one after another, and refuses the requests that Node would refuse. */
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { refusalOf } from '../failures.ts'
import { type ConnectionTimes, createServer, createTeller } from './connections.ts'

/** How many requests of one connection may wait while another is answered. Each waiting request is held in memory. */
export const mostWaitingRequests = 100

type Exchange = { request: IncomingMessage; reply: ServerResponse; handle: RequestListener }
/** The requests of a connection: `current` is being answered, the others wait in order. */
type Line = { current: ServerResponse | null; waiting: Exchange[] }

/**
 * Without this, requests that arrive in one piece on one connection would all begin in one turn of the event loop. A
 * connection on which too many wait is closed: the client would take a refusal for the reply in progress.
 */
export function takeRequestsInTurn(
  dependencies: Pick<Platform, 'newId' | 'log' | 'clock'> & {
    requestTimeoutMs: number
    times: ConnectionTimes
  },
) {
  const { newId, requestTimeoutMs, times } = dependencies
  const tell = createTeller(dependencies)
  const lines = new WeakMap<Socket, Line>()

  const begin = (line: Line, { request, reply, handle }: Exchange): void => {
    line.current = reply
    reply.once('close', () => {
      line.current = null
      if (line.waiting.length > 0) setImmediate(beginNext, line)
    })
    const refusal = faultOfHead(request)
    if (refusal === null) handle(request, reply)
    else {
      const { status, headers, body } = refusalOf(refusal, newId)
      reply.writeHead(status, headers).end(body)
    }
  }
  const beginNext = (line: Line): void => {
    const next = line.waiting.shift()
    if (next === undefined) return
    if (next.request.socket.destroyed) line.waiting = []
    else begin(line, next)
  }

  const take = (exchange: Exchange): void => {
    const { socket } = exchange.request
    // Node reads the piece to its end even if it holds too many requests.
    if (socket.destroyed) return
    let line = lines.get(socket)
    if (line === undefined) {
      line = { current: null, waiting: [] }
      lines.set(socket, line)
    }
    if (line.current === null && line.waiting.length === 0) begin(line, exchange)
    else if (line.waiting.length < mostWaitingRequests) line.waiting.push(exchange)
    else {
      line.waiting = []
      tell('A connection was closed: too many requests waited on it', {
        mostWaitingRequests,
        address: socket.remoteAddress,
      })
      socket.destroy()
    }
  }

  return {
    /** Makes the server that hands its requests to `handle`. */
    createServer(handle: RequestListener): Server {
      const options: ServerOptions = {
        requestTimeout: requestTimeoutMs,
        keepAliveTimeout: times.keepAliveMs,
        headersTimeout: times.headersMs,
        connectionsCheckingInterval: times.checkMs,
        // Node's own refusals have no error body.
        requireHostHeader: false,
      }
      const listener: RequestListener = (request, reply) => take({ request, reply, handle })
      const server = createServer(options, listener).on('checkExpectation', listener)
      // Without this, Node closes the connection and sends nothing.
      return server.on('connect', (_request, socket) => server.emit('clientError', noProxy(), socket))
    },
    /** Whether a reply is in progress on the connection; no other reply may be written into it. */
    hasBegunReply: (socket: Socket): boolean => lines.get(socket)?.current?.headersSent === true,
  }
}

const noProxy = (): ServiceError =>
  new ServiceError('method_not_allowed', 'This server is no proxy: it does not take CONNECT', {
    details: { allow: [] },
  })

/** The faults that Node refuses by default, and a second Host. HTTP/1.0 needs no Host and knows no Expect. */
function faultOfHead({ httpVersion, headers, rawHeaders }: IncomingMessage): ServiceError | null {
  // Node keeps the first Host. A proxy that uses the last one would check another request than we answer.
  if (countHosts(rawHeaders) > 1) {
    return new ServiceError('malformed_request', 'The header Host is given more than once: send it once')
  }
  if (httpVersion !== '1.1') return null
  if (headers.host === undefined) {
    return new ServiceError('malformed_request', 'The header Host is missing: HTTP/1.1 needs it')
  }
  if (headers.expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)) return null
  return new ServiceError('expectation_failed')
}

/** Names and values alternate in `rawHeaders`. Node would build its list of values by name again for each request. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}
