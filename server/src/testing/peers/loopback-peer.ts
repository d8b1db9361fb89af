/** The ground of every peer: an HTTP server on loopback that logs what reaches it, and can be told to misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export type PeerRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

export type PeerReply = {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  body?: string | Uint8Array
  /** Sends the body itself, or never. */
  stream?(response: ServerResponse): void
}

export type LoopbackPeer = {
  origin: string
  requests: PeerRequest[]
  /** Asked first: what it answers is sent instead of the peer's own reply. */
  interrupt: ((request: PeerRequest) => PeerReply | null) | null
}

export const tooManyRequests = (retryAfterSeconds: number, json: unknown = {}): PeerReply => ({
  status: 429,
  headers: { 'retry-after': String(retryAfterSeconds) },
  json,
})

export const outOfOrder: PeerReply = { status: 500, json: { error: 'Internal error' } }

export const htmlPage: PeerReply = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Sign in</title>',
}

/** An `interrupt` that lets all through after the first `times` requests that `concerns`. */
export function interruptTimes(
  times: number,
  reply: PeerReply,
  concerns: (request: PeerRequest) => boolean = () => true,
): (request: PeerRequest) => PeerReply | null {
  let left = times
  return request => {
    if (left === 0 || !concerns(request)) return null
    left -= 1
    return reply
  }
}

/** Stops with the test. */
export async function startLoopbackPeer(
  t: TestContext,
  answer: (request: PeerRequest) => PeerReply,
): Promise<LoopbackPeer> {
  const peer: LoopbackPeer = { origin: '', requests: [], interrupt: null }
  const server = createServer((incoming, response) => {
    serve(peer, answer, incoming, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server that listens has an address with a port.
  peer.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return peer
}

async function serve(
  peer: LoopbackPeer,
  answer: (request: PeerRequest) => PeerReply,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? '/', peer.origin)
  let body = ''
  for await (const chunk of incoming) body += chunk
  const { method = 'GET', headers } = incoming
  const request = { method, path: url.pathname, query: url.searchParams, headers, body }
  peer.requests.push(request)
  const reply = peer.interrupt?.(request) ?? answer(request)
  const type = reply.json === undefined ? 'application/octet-stream' : 'application/json; charset=UTF-8'
  response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers })
  if (reply.stream !== undefined) reply.stream(response)
  else response.end(reply.json === undefined ? reply.body : JSON.stringify(reply.json))
}
