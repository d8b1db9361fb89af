/** Limits how many connections are open at once, and how slowly a request may arrive. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, isWithin } from '../../platform/client-address.ts'
import { type Clock, minuteMs, secondMs } from '../../platform/clock.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'

/**
 * The parts of Node's `http` that the server uses. An `import` would read all exports of `http`. That loads a client
 * and WebSockets that nothing here uses: 40 ms at the start, and 11 MB.
 */
export const { createServer, maxHeaderSize, STATUS_CODES } = process.getBuiltinModule('node:http')

export type ConnectionTimes = {
  /** How long the headers of a request may take. */
  headersMs: number
  /**
   * How long a connection is kept for its next request. Longer than proxies keep it, so that a proxy never meets a
   * closed one.
   */
  keepAliveMs: number
  /** How often connections are checked. */
  checkMs: number
  /** A body must bring this many bytes, or its rest, within this many checks. The first check may come at once. */
  bodyChecks: number
  bodyBytes: number
  /** Addresses that are exempt from the limit per address: those of this machine, where proxies and probes may be. */
  sparedNetworks: readonly string[]
}

export const usualTimes: ConnectionTimes = {
  headersMs: 20 * secondMs,
  keepAliveMs: 72 * secondMs,
  checkMs: 5 * secondMs,
  bodyChecks: 7,
  bodyBytes: 30_000,
  sparedNetworks: ['127.0.0.0/8', '::1'],
}

/** Closes connections beyond the limits at once. A trusted proxy's connections belong to many clients. */
export function guardConnections(
  server: Server,
  dependencies: {
    maxConnections: number
    maxConnectionsPerAddress: number
    trustedProxies: readonly string[]
    times: ConnectionTimes
    log: Log
    clock: Clock
  },
): void {
  const { maxConnections, maxConnectionsPerAddress, trustedProxies, times } = dependencies
  const open = new Map<string, number>()
  const tell = createTeller(dependencies)
  const isSpared = (address: string): boolean =>
    isWithin(times.sparedNetworks, address) || isWithin(trustedProxies, address)

  server.maxConnections = maxConnections
  server.on('drop', () =>
    tell('A connection was closed: ATRIUM_MAX_CONNECTIONS are open', { maxConnections }),
  )
  server.on('connection', socket => {
    const address = socket.remoteAddress ?? ''
    if (isSpared(address)) return
    const key = addressKey(address)
    const count = (open.get(key) ?? 0) + 1
    open.set(key, count)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left === 0) open.delete(key)
      else open.set(key, left)
    })
    if (count <= maxConnectionsPerAddress) return
    tell('A connection was closed: its address has ATRIUM_MAX_CONNECTIONS_PER_ADDRESS open', { address })
    socket.destroy()
  })
}

/** Logs at most one line a minute: a client that makes many connections would otherwise fill the log. */
export function createTeller({ log, clock }: { log: Log; clock: Clock }): Log['warn'] {
  let silentUntil = 0
  return (message, details) => {
    if (clock() < silentUntil) return
    silentUntil = clock() + minuteMs
    log.warn(message, details)
  }
}

type Arriving = {
  request: IncomingMessage
  reply: ServerResponse
  bytesBefore: number
  checksLeft: number
  isRefused: boolean
}

/** How many checks a body is given, and how many bytes, or its rest, it must bring within them. */
type Pace = { lookMs: number; looks: number; bytes: number; refusal: () => Error }

const closingLooks = 3

/** The same bytes a second, checked sooner: a closing server does not wait half a minute for each body. */
function closingPace({ checkMs, bodyChecks, bodyBytes }: ConnectionTimes): Pace {
  const lookMs = Math.min(secondMs, checkMs)
  const usualMs = (bodyChecks - 1) * checkMs
  const bytes = Math.ceil((bodyBytes * closingLooks * lookMs) / usualMs)
  return { lookMs, looks: closingLooks, bytes, refusal: ending }
}

/**
 * Ends requests whose body comes too slowly, answered or not. A request that is not answered yet gets a 408, or a 503
 * if the server is closing. A body that waits for this server is never slow.
 */
export function watchBodies(server: Server, times: ConnectionTimes) {
  const arriving = new Map<Socket, Arriving>()
  let isClosing = false
  let pace: Pace = {
    lookMs: times.checkMs,
    looks: times.bodyChecks,
    bytes: times.bodyBytes,
    refusal: tooSlow,
  }
  const begin = (socket: Socket, found: Arriving): void => {
    found.bytesBefore = socket.bytesRead
    found.checksLeft = pace.looks
  }
  const refuse = (socket: Socket, found: Arriving): void => {
    found.isRefused = true
    if (found.reply.headersSent) socket.destroy()
    else server.emit('clientError', pace.refusal(), socket)
  }
  const check = (socket: Socket, found: Arriving): void => {
    const { request, reply, bytesBefore, isRefused } = found
    if (request.complete || socket.destroyed) {
      arriving.delete(socket)
      return
    }
    // A client that still sends this long after its reply does not read the reply.
    if (isRefused) {
      socket.destroy()
      return
    }
    if (isClosing && reply.writableFinished) {
      found.isRefused = true
      socket.end()
      return
    }
    if (request.readableLength >= request.readableHighWaterMark) {
      begin(socket, found)
      return
    }
    found.checksLeft--
    if (found.checksLeft > 0) return
    if (socket.bytesRead - bytesBefore >= pace.bytes) begin(socket, found)
    else refuse(socket, found)
  }
  const checkAll = (): void => {
    for (const [socket, found] of arriving) check(socket, found)
  }

  server.on('request', (request, reply) => {
    if (!hasBody(request)) return
    const found = { request, reply, bytesBefore: 0, checksLeft: 0, isRefused: false }
    begin(request.socket, found)
    arriving.set(request.socket, found)
  })
  let timer = setInterval(checkAll, pace.lookMs).unref()
  return {
    /** For a closing server: slow senders get an error soon, and answered clients are not waited for. */
    hurry(): void {
      isClosing = true
      pace = closingPace(times)
      for (const [socket, found] of arriving) begin(socket, found)
      clearInterval(timer)
      timer = setInterval(checkAll, pace.lookMs).unref()
    },
    stop: (): void => clearInterval(timer),
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The error that Node gives a request that took longer than `requestTimeout`. */
const tooSlow = (): Error =>
  Object.assign(new Error('The body comes too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

const ending = (): ServiceError =>
  new ServiceError('unavailable', 'The server is ending: send the request again', {
    headers: { 'Retry-After': '1' },
  })
