/** The listening socket of a server that is still starting: it answers that the server starts, then hands itself over. */
import type { Server } from 'node:http'
import { ServiceError } from '../platform/errors.ts'
import type { NewId } from '../platform/ids.ts'
import { createServer } from './connections/connections.ts'
import { refusalOf } from './failures.ts'

export type Address = { host: string; port: number }

export type Entrance = {
  /** What Fastify's `listen` takes, so that no connection is refused between the two servers. */
  handOver(): Address
}

const requestTimeoutMs = 10_000
const maxConnections = 1_000

/** Rejects with the system's error if the address cannot be listened on. */
export async function openEntrance(address: Address, newId: NewId): Promise<Entrance> {
  const server = createServer(
    { requestTimeout: requestTimeoutMs, requireHostHeader: false },
    (request, reply) => {
      const path = request.url?.split('?')[0]
      if (request.headers.origin !== undefined) reply.setHeaders(openToPages)
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
        const wanted = request.headers['access-control-request-headers'] ?? ''
        const allowed = { 'Access-Control-Allow-Methods': '*', 'Access-Control-Allow-Headers': wanted }
        return reply.writeHead(204, { ...allowed, 'Access-Control-Max-Age': '0', Connection: 'close' }).end()
      }
      // The process lives, so nothing should end it for being slow.
      if (path === '/healthz') return send(200, {}, { status: 'ok' })
      if (path === '/readyz') return send(503, { 'Retry-After': '1' }, { status: 'starting', checks: {} })
      const { status, headers, body } = refusalOf(starting(), newId)
      return reply.writeHead(status, headers).end(body)

      function send(status: number, headers: Record<string, string>, body: object) {
        const common = {
          Connection: 'close',
          'Content-Type': 'application/json; charset=utf-8',
          'X-Request-Id': newId('request'),
        }
        return reply.writeHead(status, { ...common, ...headers }).end(JSON.stringify(body))
      }
    },
  )
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve))
  return { handOver: () => listeningOn(server, address) }
}

/** A page may read that the server starts, and tries again. Which origins are allowed is not known yet. */
const openToPages = new Map([
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'Retry-After, X-Request-Id'],
])

const starting = (): ServiceError =>
  new ServiceError('unavailable', 'The server is starting: try again in a moment', {
    headers: { 'Retry-After': '1' },
  })

/**
 * `net.Server.listen` takes "anything with an underlying `_handle` member" that listens already. The member is
 * inherited, since Fastify copies the options for its own further servers.
 */
function listeningOn(server: Server, address: Address): Address {
  // Node documents the member for `listen`, but its types do not have it.
  const { _handle } = server as Server & { _handle: unknown }
  return Object.assign(Object.create({ _handle }), address)
}
