/** A stored file as a reply: whole, not at all if the client has it, or the one part of it that was asked for (RFC 9110, 13 and 14). */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import { tagsIn } from '../../platform/revision.ts'
import { headerText } from '../request-headers.ts'
import type { StoredFile } from '../route.ts'
import { isUnchanged, keepHeaders, sendUnchanged, varyBy } from './kept-replies.ts'

/** Throws `precondition_failed` and `range_not_satisfiable`. */
export async function sendStored(reply: FastifyReply, file: StoredFile): Promise<FastifyReply> {
  const { request } = reply
  const { sizeBytes } = file
  const etag = `"${file.sha256}"`
  const ifMatch = tagsIn(headerText(request, 'if-match') ?? '*')
  if (ifMatch !== 'any' && !ifMatch.includes(etag)) throw new ServiceError('precondition_failed')
  const headers = { ...file.headers, ...keepHeaders, etag, 'accept-ranges': 'bytes' }
  if (isUnchanged(request, etag)) {
    varyBy(reply, ['Authorization'])
    return sendUnchanged(reply.headers(headers))
  }
  // Ranges are defined for GET alone.
  const part = request.method === 'GET' ? partOf(request.headers, etag, sizeBytes) : null
  const { start, end } = part ?? { start: 0, end: sizeBytes - 1 }
  const stream = request.method === 'HEAD' ? Readable.from([]) : await file.open(part ?? undefined)
  varyBy(reply, ['Authorization'])
  reply.headers({ ...headers, 'content-length': String(end - start + 1) })
  if (part === null) return reply.code(200).send(stream)
  return reply.code(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`).send(stream)
}

type Part = { start: number; end: number }

/**
 * The part to send, inclusive at both ends; null for the whole file. Several ranges get the whole file too: it costs one
 * reading, and their overlaps could make a reply many times as long.
 */
function partOf(
  { range, 'if-range': ifRange }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  etag: string,
  sizeBytes: number,
): Part | null {
  const [, first, last = '', suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(range ?? '') ?? []
  // A part of the file as it was would not fit behind what the client has.
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
