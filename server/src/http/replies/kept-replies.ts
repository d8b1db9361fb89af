/** The caching headers of reads, and the 304 for a client whose copy is unchanged (RFC 9110, 13.1.2). */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tagsIn } from '../../platform/revision.ts'
import { headerText } from '../request-headers.ts'
import type { Route } from '../route.ts'

/** Only this client may keep the reply, and must ask each time: a caller's access can end at any moment. */
export const keepHeaders = { 'cache-control': 'private, no-cache' }

/** Reads that are the same for all callers need no `private`. */
export const keepHeadersOf = ({ permission }: Route): Record<string, string> =>
  permission === 'public' ? keepPublicHeaders : keepHeaders

const keepPublicHeaders = { 'cache-control': 'no-cache' }

export const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Whether the client already has the reply with this tag; `etag` is a strong tag. */
export function isUnchanged(request: FastifyRequest, etag: string): boolean {
  const header = headerText(request, 'if-none-match')
  if (header === null || !isReading(request)) return false
  const tags = tagsIn(header)
  return tags === 'any' || tags.includes(etag)
}

/** Sends a 304 with the headers of the reply that it stands for, except the headers of a body. */
export function sendUnchanged(reply: FastifyReply): FastifyReply {
  for (const name of ['content-type', 'content-encoding', 'content-disposition']) reply.removeHeader(name)
  reply.code(304)
  // For a HEAD, Fastify would otherwise state a length of 0, although there is no body at all.
  return reply.request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send()
}

/** Adds a name to the request headers on which the reply depends. */
export function varyBy(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary')
  reply.header('vary', known === undefined ? name : `${String(known)}, ${name}`)
}
