/** Request bodies that are compressed: which codings are taken, and how they are unpacked while they come. */
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const
type Coding = keyof typeof decoders

const acceptedCodings = ['gzip', 'deflate', 'br']

const isCoding = (text: string): text is Coding => Object.hasOwn(decoders, text)

/** Null if the body comes as it is. Throws 415, with the codings that are taken, for any other coding. */
function codingOfBody({ headers }: FastifyRequest): Coding | null {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return null
  if (!isCoding(coding)) throw unsupported(acceptedCodings)
  return coding
}

/** Throws 415 for a body that this server does not unpack. `takesNone` is set where bytes are stored as they come. */
export function checkContentEncoding(request: FastifyRequest, { takesNone }: { takesNone: boolean }): void {
  if (codingOfBody(request) !== null && takesNone) throw unsupported([])
}

function unsupported(accepted: readonly string[]): ServiceError {
  const message =
    accepted.length === 0
      ? 'Send the body without Content-Encoding: its bytes are stored as they come'
      : `Send the body as ${accepted.join(', ')}, with one coding, or without Content-Encoding`
  return new ServiceError('unsupported_media_type', message, {
    errors: [{ field: 'Content-Encoding', message }],
    details: { accepted: [...accepted, 'identity'] },
    // RFC 7694: the codings for requests.
    headers: { 'accept-encoding': accepted.length === 0 ? 'identity' : accepted.join(', ') },
  })
}

/**
 * The bytes of the body, unpacked. The reader limits them: a small body can hold a large one. Unpacking waits for the
 * reader, and ends when the reader destroys the stream.
 */
export function unpackedBody(request: FastifyRequest): Readable {
  const coding = codingOfBody(request)
  const { raw } = request
  if (coding === null) return raw
  const decoder = decoders[coding]()
  raw.once('error', error => decoder.destroy(error))
  raw.once('aborted', () => decoder.destroy(new Error('The request was cut off')))
  decoder.once('close', () => {
    raw.unpipe(decoder)
    // Otherwise a client that is still sending would not get the reply.
    raw.resume()
  })
  return raw.pipe(decoder)
}

/** Whether the error says that the body is not in the coding that its header names. */
export const isOfCoding = (error: Error): boolean =>
  /^(Z_|ERR__ERROR_FORMAT|ERR_.*BROTLI|ERR_PADDING)/.test(String((error as NodeJS.ErrnoException).code))

export function notInCoding(
  request: FastifyRequest,
  code: 'malformed_json' | 'malformed_multipart',
  cause: Error,
): ServiceError {
  const message = `The body is not valid ${codingOfBody(request) ?? 'identity'}, which Content-Encoding names`
  return new ServiceError(code, message, {
    cause,
    errors: [{ field: 'Content-Encoding', message }],
  })
}
