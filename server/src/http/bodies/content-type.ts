/** Whether a request's body comes in a form that its route takes; checked before a byte of it is read. */
import type { FastifyRequest } from 'fastify'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import { unsupportedType } from '../envelope.ts'
import { jsonType, mediaTypeOf } from '../request-headers.ts'
import type { Route } from '../route.ts'

/** Throws 415 for a type or a character set that is not taken, and 400 for a body that nothing would read. */
export function checkContentType(request: FastifyRequest, route: Route): void {
  const type = mediaTypeOf(request)
  const { streamedBody, upload } = route
  if (route.method === 'GET') {
    // Clients of other protocols may send what is not read.
    if (route.protocol === undefined && hasBody(request)) throw unreadBody(request)
    return
  }
  const mayBeAbsent = streamedBody?.isOptional === true && type === ''
  const wanted =
    streamedBody !== undefined
      ? [streamedBody.mediaType]
      : upload !== undefined
        ? ['multipart/form-data', ...(upload.asJson === undefined ? [] : [jsonType])]
        : null
  if (wanted !== null && !wanted.includes(type) && !mayBeAbsent) throw unsupportedType(wanted, type)
  if (wanted === null && type !== jsonType && hasBody(request)) throw unsupportedType([jsonType], type)
  if (type === jsonType) checkCharset(request)
}

const emptyObjectBytes = 2

/** Some clients send an empty object with every request. */
const hasBody = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? 0) > emptyObjectBytes || headers['transfer-encoding'] !== undefined

const unreadBody = ({ method }: FastifyRequest): ServiceError =>
  invalidField('body', `is not read from a ${method}: send its fields as parameters in the URL`)

/** JSON is always UTF-8 (RFC 8259), so a text in another character set would be read as another text. */
function checkCharset({ headers }: FastifyRequest): void {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return
  throw new ServiceError(
    'unsupported_media_type',
    `JSON is read as UTF-8, not as ${charset}: send it so, and leave charset out of Content-Type`,
    { details: { accepted: [jsonType] } },
  )
}
