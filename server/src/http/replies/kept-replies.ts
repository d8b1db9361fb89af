/** What clients may keep of a read, and the 304 for a client that has it as it is (RFC 9110, 13.1.2). */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tagsIn } from '../../platform/revision.ts'
import { headerText } from '../request-headers.ts'
import type { Route } from '../route.ts'

/** Kept by this client alone, and asked for each time: what a caller may see can end at any moment. */
export const keepHeaders = { 'cache-control': 'private, no-cache' }

/** Reads that are the same for all need no `private`. */
export const keepHeadersOf = ({ permission }: Route): Record<string, string> =>
  permission === 'public' ? keepPublicHeaders : keepHeaders

const keepPublicHeaders = { 'cache-control': 'no-cache' }

export const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Whether the client has what this tag stands for; `etag` is a strong one. */
export function isUnchanged(request: FastifyRequest, etag: string): boolean {
  const header = headerText(request, 'if-none-match')
  if (header === null || !isReading(request)) return false
  const tags = tagsIn(header)
  return tags === 'any' || tags.includes(etag)
}

/** With the headers of the reply that it stands for, except those of a body. */
export function sendUnchanged(reply: FastifyReply): FastifyReply {
  for (const name of ['content-type', 'content-encoding', 'content-disposition']) reply.removeHeader(name)
  reply.code(304)
  // For a HEAD, Fastify would state a length of 0 where there is no body at all.
  return reply.request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send()
}

/** Adds to the names of request headers on which the reply depends. */
export function varyBy(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary')
  reply.header('vary', known === undefined ? name : `${String(known)}, ${name}`)
}
