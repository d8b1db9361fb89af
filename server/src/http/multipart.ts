/** Reads a multipart upload: text parts into memory within limits, the one file part straight into staging. */
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { BlobStore, ReceivedFile } from '../platform/blobs/blobs.ts'
import { type FieldError, invalidField, ServiceError } from '../platform/errors.ts'
import type { Route } from './route.ts'
import { nearestName } from './validation.ts'

const maxFieldBytes = 256 * 1024
const maxParts = 50
const maxFileNameLength = 255

export type ReceivedUpload = { fields: Record<string, unknown>; file: ReceivedFile }

type Upload = NonNullable<Route['upload']>

/**
 * Resolves once the whole body has arrived. Throws `validation_failed` with every faulty part, `malformed_multipart`
 * or `payload_too_large`; then nothing is left in staging.
 */
export async function receiveUpload(
  request: FastifyRequest,
  upload: Upload,
  options: { blobs: BlobStore; maxFileBytes: number },
): Promise<ReceivedUpload> {
  refuseDeclaredLength(request, options.maxFileBytes)
  const parts = await readParts(request, upload, options)
  const errors = [...parts.errors]
  const fields = parseJsonFields(parts.fields, upload, errors)
  const { file } = parts
  if (file === null && !errors.some(error => error.field === upload.file)) {
    errors.unshift({ field: upload.file, message: 'is required: send the file as a part of this name' })
  }
  if (file === null || errors.length > 0) {
    if (file !== null) await options.blobs.discard(file)
    throw new ServiceError('validation_failed', undefined, { errors })
  }
  return { fields, file }
}

/** Who says beforehand that it is too much need not send it first. */
function refuseDeclaredLength(request: FastifyRequest, maxFileBytes: number): void {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxFileBytes + maxParts * maxFieldBytes) {
    throw new ServiceError(
      'payload_too_large',
      `The file is larger than ${maxFileBytes} bytes, the limit of the plan`,
    )
  }
}

type Parts = { fields: Record<string, string>; file: ReceivedFile | null; errors: FieldError[] }

function readParts(
  request: FastifyRequest,
  upload: Upload,
  { blobs, maxFileBytes }: { blobs: BlobStore; maxFileBytes: number },
): Promise<Parts> {
  const parser = newParser(request)
  const known = [upload.file, ...Object.keys(upload.fields.properties)]
  const parts: Parts = { fields: {}, file: null, errors: [] }
  const blame = (field: string, message: string): void => {
    if (parts.errors.length < maxParts && !parts.errors.some(error => error.field === field)) {
      parts.errors.push({ field, message })
    }
  }
  let receiving: Promise<void> | null = null

  return new Promise<Parts>((resolve, reject) => {
    const fail = (error: unknown): void => {
      request.raw.unpipe(parser)
      request.raw.resume()
      // What is still arriving must be gone before the refusal is sent, or it would stay in staging.
      const settled = receiving ?? Promise.resolve()
      parser.destroy()
      settled
        .catch(() => undefined)
        .then(() => (parts.file === null ? undefined : blobs.discard(parts.file)))
        .finally(() => reject(error))
    }
    parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
      if (name !== upload.file || receiving !== null) {
        blame(name, receiving === null ? unknownPart(name, known) : 'must be sent only once')
        stream.resume()
        return
      }
      if (!isFileName(fileName ?? '')) {
        blame(
          name,
          `must have a file name of at most ${maxFileNameLength} characters, none of them a control character`,
        )
        stream.resume()
        return
      }
      receiving = blobs
        .receive(stream, { name: fileName ?? '', statedMediaType: mediaType, maxBytes: maxFileBytes })
        .then(file => {
          parts.file = file
        })
      receiving.catch(fail)
    })
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (name === upload.file) blame(name, 'must be a file part (with a file name), not a text part')
      else if (!known.includes(name)) blame(name, unknownPart(name, known))
      else if (name in parts.fields) blame(name, 'must be sent only once')
      else if (valueTruncated) blame(name, `must have at most ${maxFieldBytes} bytes`)
      parts.fields[name] = value
    })
    parser.on('partsLimit', () => fail(invalidField('body', `must have at most ${maxParts} parts`)))
    parser.on('error', error => fail(new ServiceError('malformed_multipart', undefined, { cause: error })))
    parser.on('finish', () => {
      ;(receiving ?? Promise.resolve()).then(() => resolve(parts), fail)
    })
    request.raw.on('aborted', () => fail(new ServiceError('malformed_multipart', 'The upload was cut off')))
    request.raw.on('error', fail)
    request.raw.pipe(parser)
  })
}

/** Whatever folders stand before it, which are not kept. The name goes into a header when the file is downloaded. */
function isFileName(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name.length <= maxFileNameLength && name.isWellFormed() && !/\p{Cc}/u.test(name)
}

function newParser(request: FastifyRequest): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fieldSize: maxFieldBytes, parts: maxParts, fieldNameSize: 100, headerPairs: 50 },
    })
  } catch (error) {
    throw new ServiceError('malformed_multipart', undefined, { cause: error })
  }
}

function parseJsonFields(
  fields: Record<string, string>,
  upload: Upload,
  errors: FieldError[],
): Record<string, unknown> {
  const parsed: Record<string, unknown> = { ...fields }
  for (const name of upload.jsonFields) {
    const text = fields[name]
    if (text === undefined) continue
    try {
      parsed[name] = JSON.parse(text)
    } catch {
      errors.push({ field: name, message: 'must be valid JSON' })
    }
  }
  return parsed
}

function unknownPart(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === null ? 'is not a known part' : `is not a known part; did you mean \`${nearest}\`?`
}
