/** From a handler's answer to the reply that leaves the server, and the part of it that is kept for a repetition. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../platform/errors.ts'
import { bodyTag, wantedTags } from '../platform/revision.ts'
import type { Compressor } from './replies/compression.ts'
import type { EventStreams } from './replies/event-stream.ts'
import {
  isReading,
  isUnchanged,
  keepHeaders,
  keepHeadersOf,
  sendUnchanged,
  varyBy,
} from './replies/kept-replies.ts'
import { headerText } from './request-headers.ts'
import type { PageMeta, Reply, Route, StoredFile } from './route.ts'

export const eventsType = 'text/event-stream; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

/** The parts that sending needs besides the answer. */
export type Sending = {
  route: Route
  compressor: Compressor
  /** How a stream of events is opened, and whether its reader may go on reading. */
  streams: EventStreams
  mayGoOn: () => Promise<boolean>
}

/** Returns a promise only if a file has to be opened first. */
export function send(
  reply: FastifyReply,
  answer: Reply<unknown>,
  sending: Sending,
): FastifyReply | Promise<FastifyReply> {
  switch (answer.kind) {
    case 'data':
      return sendData(reply.code(answer.status), { data: answer.data }, answer.headers, sending)
    case 'list':
      return sendData(
        reply.code(200),
        { data: answer.data, meta: answer.meta satisfies PageMeta },
        {},
        sending,
      )
    case 'preview':
      return sendData(reply.code(200), { data: { dryRun: true, effects: answer.effects } }, {}, sending)
    case 'raw':
      return sendRead(reply.code(200), answer.json, answer.headers, sending)
    case 'bare':
      return sendText(reply.code(answer.status).headers(answer.headers), JSON.stringify(answer.body), sending)
    case 'empty':
      return reply.code(204).headers(answer.headers).send()
    case 'events':
      return reply
        .code(200)
        .headers({ ...answer.headers, 'x-accel-buffering': 'no' })
        .type(eventsType)
        .send(wanted(reply, sending.streams.open(answer.follow, sending.mayGoOn, answer.cutOff)))
    case 'file':
      return reply
        .code(200)
        .headers({ ...answer.headers, 'accept-ranges': 'none' })
        .send(wanted(reply, answer.stream))
    case 'stored':
      return sendStored(reply, answer.file)
  }
}

/** Passes the data through the response schema, and completes the record's tag with a hash of the filtered data. */
function sendData(
  reply: FastifyReply,
  body: { data: unknown; meta?: PageMeta },
  headers: Record<string, string>,
  sending: Sending,
): FastifyReply {
  const json = String(reply.serialize(body))
  const isRead = isReading(reply.request)
  if (!isRead && headers.etag === undefined) return sendText(reply.headers(headers), json, sending)
  // The tag leaves out secrets that are shown once: the next read has the same tag.
  const etag = bodyTag(headers.etag, withoutSecrets(sending.route, json))
  const tagged = { ...headers, etag }
  return isRead ? sendRead(reply, json, tagged, sending) : sendText(reply.headers(tagged), json, sending)
}

/** Sends a reply that a client may keep, or a 304 if the client already has it. */
function sendRead(
  reply: FastifyReply,
  json: string,
  headers: { etag: string },
  { route, compressor }: Sending,
): FastifyReply {
  if (route.permission !== 'public') varyBy(reply, 'Authorization')
  if (compressor.isFor(route)) varyBy(reply, 'Accept-Encoding')
  reply.headers(keepHeadersOf(route)).headers(headers)
  if (!isUnchanged(reply.request, headers.etag)) return sendText(reply, json, { route, compressor })
  markCoding(reply, json, { route, compressor })
  return sendUnchanged(reply)
}

/** Sends text that is already JSON. */
export function sendText(reply: FastifyReply, json: string, sending: Pick<Sending, 'route' | 'compressor'>) {
  markCoding(reply, json, sending)
  return reply.type(jsonType).send(json)
}

/** Sets the coding. The tag was made from the uncompressed bytes, so it becomes a weak one. */
function markCoding(
  reply: FastifyReply,
  json: string,
  { route, compressor }: Pick<Sending, 'route' | 'compressor'>,
): void {
  const coding = compressor.codingFor(route, reply.request, json)
  if (coding === null) return
  reply.header('content-encoding', coding)
  const etag = reply.getHeader('etag')
  if (etag !== undefined) reply.header('etag', `W/${String(etag).replace(/^W\//, '')}`)
}

/** For a HEAD request Fastify would otherwise read the whole file, or make a whole archive in vain. */
function wanted({ request }: FastifyReply, stream: Readable): Readable {
  if (request.method !== 'HEAD') return stream
  stream.destroy()
  return Readable.from([])
}

export function keptHeaders(reply: FastifyReply): Record<string, string> {
  const kept = [
    ...['content-type', 'etag', 'location', 'retry-after', 'x-should-retry'],
    ...['upload-offset', 'upload-expires', 'atrium-document-id'],
  ]
  const present = kept.flatMap(name => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return Object.fromEntries(present)
}

/** A secret is shown once, so the reply that is kept for a repetition leaves it out. */
export function withoutSecrets(route: Route, payload: string): string {
  if (route.secrets.length === 0 || payload === '') return payload
  const reply = JSON.parse(payload) as { data?: Record<string, unknown> }
  for (const field of route.secrets) delete reply.data?.[field]
  return JSON.stringify(reply)
}

/** Throws `validation_failed`, `precondition_failed` and `range_not_satisfiable`. */
async function sendStored(reply: FastifyReply, file: StoredFile): Promise<FastifyReply> {
  const { request } = reply
  const { sizeBytes } = file
  const etag = `"${file.sha256}"`
  const ifMatch = wantedTags(headerText(request, 'if-match') ?? '*')
  if (ifMatch !== 'any' && !ifMatch.includes(etag)) throw new ServiceError('precondition_failed')
  const headers = { ...file.headers, ...keepHeaders, etag, 'accept-ranges': 'bytes' }
  if (isUnchanged(request, etag)) {
    varyBy(reply, 'Authorization')
    return sendUnchanged(reply.headers(headers))
  }
  // Ranges are defined only for GET.
  const part = request.method === 'GET' ? partOf(request.headers, etag, sizeBytes) : null
  const { start, end } = part ?? { start: 0, end: sizeBytes - 1 }
  const stream = request.method === 'HEAD' ? Readable.from([]) : await file.open(part ?? undefined)
  varyBy(reply, 'Authorization')
  reply.headers({ ...headers, 'content-length': String(end - start + 1) })
  if (part === null) return reply.code(200).send(stream)
  return reply.code(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`).send(stream)
}

/**
 * The part to send, inclusive at both ends; null means the whole file. Several ranges get the whole file too: it
 * costs one reading. Overlapping ranges could make a reply many times as long.
 */
function partOf(
  { range, 'if-range': ifRange }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  etag: string,
  sizeBytes: number,
) {
  const [, first, last = '', suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(range ?? '') ?? []
  // The file has changed since: a part of the new file would not fit the client's part of the old one.
  if (ifRange !== undefined && ifRange !== etag) return null
  if (suffix !== undefined) {
    if (Number(suffix) === 0) throw notSatisfiable(sizeBytes)
    return sizeBytes === 0 ? null : { start: Math.max(0, sizeBytes - Number(suffix)), end: sizeBytes - 1 }
  }
  if (first === undefined || (last !== '' && Number(last) < Number(first))) return null
  if (Number(first) >= sizeBytes) throw notSatisfiable(sizeBytes)
  return { start: Number(first), end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) }
}

const notSatisfiable = (sizeBytes: number): ServiceError =>
  new ServiceError('range_not_satisfiable', `The file ends before the range: it has ${sizeBytes} bytes`, {
    headers: { 'content-range': `bytes */${sizeBytes}` },
    details: { sizeBytes },
  })
