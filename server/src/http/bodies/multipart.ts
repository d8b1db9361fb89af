/** Reads a multipart upload: text parts into memory within limits, file parts straight into staging. */

import { Readable } from 'node:stream'
import { type Limits, OutsideFault, readJson, smallLimits } from '@atrium/connectors/gate'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { BlobStore, ReceivedFile } from '../../platform/blobs/blobs.ts'
import { faultOfName, maxNameLength } from '../../platform/blobs/file-name.ts'
import { type FieldError, invalidField, ServiceError, tooLarge } from '../../platform/errors.ts'
import { jsonFault, usualMaxValues } from '../../platform/text/json-text.ts'
import { nearestName } from '../../platform/text/nearest-name.ts'
import { sizeInWords } from '../../platform/text/sizes.ts'
import type { ReceivedPart, Route } from '../route.ts'
import { faultsOf, type Validate } from '../validation.ts'
import { isOfCoding, notInCoding, unpackedBody } from './content-encoding.ts'

const maxFieldBytes = 256 * 1024
/** How many text parts an upload may have besides its files. */
const maxTextParts = 49
const maxPathLength = 500
/** The limit for all files of one request together, as a number of files of the largest size. */
const maxFilesOfFullSize = 4

export type ReceivedUpload = {
  fields: Record<string, unknown>
  /** The first file. */
  file: ReceivedFile
  parts: ReceivedPart[]
}

type Upload = NonNullable<Route['upload']>
type Options = {
  blobs: BlobStore
  maxFileBytes: number
  /** Throws `validation_failed` if the route's schema refuses the text parts. */
  checkFields: Validate
}

/**
 * Resolves once the whole body has arrived. Throws `validation_failed` with every faulty part, `malformed_multipart`
 * or `payload_too_large`; then nothing is left in staging. A route that takes many files gets a faulty file as a
 * refused part.
 */
export async function receiveUpload(
  request: FastifyRequest,
  upload: Upload,
  options: Options,
): Promise<ReceivedUpload> {
  refuseDeclaredLength(request, upload, options.maxFileBytes)
  const { texts, parts, errors } = await readParts(request, upload, options)
  const fields = parseJsonFields(texts, upload, errors)
  if (parts.length === 0 && !errors.some(error => error.field === upload.file)) {
    errors.unshift({ field: upload.file, message: 'is required: send the file as a part of this name' })
  }
  for (const fault of faultsOf(() => options.checkFields(fields))) {
    // A part that has a fault already is neither missing nor of the wrong type.
    if (!errors.some(error => error.field === fault.field)) errors.push(fault)
  }
  if (errors.length > 0) {
    await discardAll(options.blobs, parts)
    throw new ServiceError('validation_failed', undefined, { errors })
  }
  return { fields, file: parts.find(({ file }) => file !== null)?.file ?? noFile, parts }
}

/** The file of an upload whose files were all refused. */
const noFile: ReceivedFile = { name: '', statedMediaType: '', path: '', sizeBytes: 0, sha256: '' }

/** A client that declares too large a body is refused before it sends the body. */
function refuseDeclaredLength(request: FastifyRequest, upload: Upload, maxFileBytes: number): void {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBodyBytes(upload, maxFileBytes)) throw bodyTooLarge(upload, maxFileBytes, declared)
}

const maxBodyBytes = ({ many }: Upload, maxFileBytes: number): number =>
  maxFileBytes * (many === undefined ? 1 : maxFilesOfFullSize) + (maxTextParts + 1) * maxFieldBytes

const fileTooLarge = (field: string, maxFileBytes: number, actual?: number): ServiceError =>
  tooLarge('The file', maxFileBytes, withoutUndefined({ remedy: ', the limit of the plan', field, actual }))

const bodyTooLarge = ({ many, file }: Upload, maxFileBytes: number, actual?: number): ServiceError =>
  many === undefined
    ? fileTooLarge(file, maxFileBytes, actual)
    : tooLarge(
        'The sum of the files',
        maxFilesOfFullSize * maxFileBytes,
        withoutUndefined({ remedy: ': send them in several requests', field: file, actual }),
      )

type Received = { texts: Record<string, string>; parts: ReceivedPart[]; errors: FieldError[] }

function readParts(request: FastifyRequest, upload: Upload, options: Options): Promise<Received> {
  // The client may have left while its key was looked up. Such a request emits no further event.
  if (request.raw.destroyed) return Promise.reject(cutOff())
  const { blobs, maxFileBytes } = options
  const parser = newParser(request, upload, maxFileBytes)
  const body = unpackedBody(request)
  const received: Received = { texts: {}, parts: [], errors: [] }
  const maxFiles = upload.many?.maxFiles ?? 1
  const files: Promise<ReceivedPart>[] = []
  const streams: BusboyFileStream[] = []
  let bodyBytes = 0

  return new Promise<Received>((resolve, reject) => {
    const fail = (error: unknown): void => {
      body.unpipe(parser)
      if (body === request.raw) body.resume()
      else body.destroy()
      // Files that are still arriving must be gone before the refusal is sent, or they would stay in staging.
      parser.destroy()
      // The parser does not end a file that it has begun. The file's reader would wait for ever, with a file open.
      for (const stream of streams) stream.destroy()
      void Promise.allSettled(files)
        .then(settled => settled.flatMap(file => (file.status === 'fulfilled' ? [file.value] : [])))
        .then(parts => discardAll(blobs, parts))
        .finally(() => reject(error))
    }
    parser.on('file', (name, stream, sentName: string | undefined, _encoding, mediaType) => {
      const path = sentName ?? ''
      const fault = faultOfFile(name, path, files.length, upload, received)
      if (fault !== null) {
        stream.resume()
        if (fault instanceof ServiceError) {
          files.push(Promise.resolve({ sentAs: shown(path), file: null, refusal: fault }))
        }
        return
      }
      if (maxFiles === 1) stream.on('limit', () => fail(fileTooLarge(name, maxFileBytes)))
      const part = receiveFile(stream, { path, mediaType, ...options })
      part.catch(fail)
      files.push(part)
      streams.push(stream)
    })
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      const fault = faultOfText(name, valueTruncated, upload, received)
      // A refused part is not kept. Otherwise a hundred of them would be held until the rest of the body has come.
      if (fault === null) received.texts[name] = value
      else blamePart(received, name, fault)
    })
    parser.on('partsLimit', () => fail(tooManyParts(upload)))
    parser.on('error', error => fail(malformed(error as Error)))
    parser.on('finish', () => {
      Promise.all(files).then(parts => resolve({ ...received, parts }), fail)
    })
    request.raw.on('aborted', () => fail(cutOff()))
    body.on('error', (error: Error) =>
      fail(isOfCoding(error) ? notInCoding(request, 'malformed_multipart', error) : error),
    )
    body.pipe(parser)
    body.on('data', (piece: Buffer) => {
      bodyBytes += piece.byteLength
      if (bodyBytes > maxBodyBytes(upload, maxFileBytes)) fail(bodyTooLarge(upload, maxFileBytes))
    })
  })
}

const cutOff = (): ServiceError => new ServiceError('malformed_multipart', 'The upload was cut off')

function malformed(cause: Error): ServiceError {
  const isShort = /unexpected end/i.test(cause.message)
  return new ServiceError(
    'malformed_multipart',
    isShort
      ? 'The body ends before its closing boundary: the upload was cut off, or the boundary is not the one that Content-Type names'
      : 'The body is not valid multipart/form-data',
    { cause },
  )
}

/** A `ServiceError` refuses this file alone; `blamed` means that the whole request now has a fault. */
function faultOfFile(name: string, path: string, filesBefore: number, upload: Upload, received: Received) {
  const blame = (message: string, limit?: number): 'blamed' => {
    blamePart(received, name, message, limit)
    return 'blamed'
  }
  if (name !== upload.file) return blame(`is not a known file part: send the file as \`${upload.file}\``)
  const maxFiles = upload.many?.maxFiles ?? 1
  if (filesBefore >= maxFiles) {
    return blame(
      maxFiles === 1 ? 'must be sent only once' : `must be sent at most ${maxFiles} times`,
      maxFiles,
    )
  }
  const tooLong = path.length > maxPathLength ? `must be a path of at most ${maxPathLength} characters` : null
  const fault = tooLong ?? faultOfName(path)
  if (fault === null) return null
  const message = `has a file name that cannot be taken: it ${fault}`
  return upload.many === undefined ? blame(message) : invalidField(name, message)
}

async function receiveFile(
  stream: BusboyFileStream,
  { path, mediaType, blobs, maxFileBytes }: Options & { path: string; mediaType: string },
): Promise<ReceivedPart> {
  const file = await blobs.receive(stream, { name: path, statedMediaType: mediaType, maxBytes: maxFileBytes })
  if (!stream.truncated) return { sentAs: path, file, refusal: null }
  await blobs.discard(file)
  return { sentAs: path, file: null, refusal: fileTooLarge('file', maxFileBytes) }
}

function faultOfText(name: string, isTruncated: boolean, upload: Upload, { texts }: Received): string | null {
  if (name === upload.file) return 'must be a file part (with a file name), not a text part'
  if (!namesOf(upload).includes(name)) return unknownPart(name, namesOf(upload))
  if (name in texts) return 'must be sent only once'
  return isTruncated ? `must have at most ${sizeInWords(maxFieldBytes)}` : null
}

const textPartsOf = (upload: Upload): string[] => Object.keys(upload.fields.properties)

const namesOf = (upload: Upload): string[] => [upload.file, ...textPartsOf(upload)]

function blamePart({ errors }: Received, field: string, message: string, limit?: number): void {
  if (errors.length <= maxTextParts && !errors.some(error => error.field === field)) {
    errors.push(withoutUndefined({ field, message, limit }))
  }
}

/** The refused name in a form that can be shown. */
const shown = (path: string): string =>
  path
    .slice(0, maxNameLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd')

function newParser(request: FastifyRequest, upload: Upload, maxFileBytes: number): BusboyInstance {
  const { headers } = request
  if (!/boundary=./i.test(headers['content-type'] ?? '')) throw noBoundary()
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // Many files are told apart by their folders. The folder of a single file is checked and then left out.
      preservePath: true,
      // A browser can give a part its type, such as JSON, only as a file.
      isPartAFile: (name, mediaType, sentName) =>
        !textPartsOf(upload).includes(name ?? '') &&
        (sentName !== undefined || mediaType === 'application/octet-stream'),
      limits: {
        fieldSize: maxFieldBytes,
        fileSize: maxFileBytes,
        parts: maxPartsOf(upload),
        fieldNameSize: 100,
        headerPairs: 50,
      },
    })
  } catch (error) {
    throw new ServiceError('malformed_multipart', undefined, { cause: error })
  }
}

function noBoundary(): ServiceError {
  const message = 'The Content-Type names no boundary: let your client set this header'
  return new ServiceError('malformed_multipart', message, { errors: [{ field: 'Content-Type', message }] })
}

const maxPartsOf = ({ many }: Upload): number => maxTextParts + (many?.maxFiles ?? 1)

const tooManyParts = (upload: Upload): ServiceError =>
  invalidField('body', `must have at most ${maxPartsOf(upload)} parts`)

async function discardAll(blobs: BlobStore, parts: readonly ReceivedPart[]): Promise<void> {
  for (const { file } of parts) if (file !== null) await blobs.discard(file)
}

/** What a parser reads in a few milliseconds. The exact limits are those of the record, which names the field at fault. */
const fieldLimits: Limits = { ...smallLimits, maxValues: 4 * usualMaxValues, maxDepth: 1_000 }

function parseJsonFields(fields: Record<string, string>, upload: Upload, errors: FieldError[]) {
  const parsed: Record<string, unknown> = { ...fields }
  for (const name of upload.jsonFields) {
    const text = fields[name]
    if (text === undefined) continue
    try {
      parsed[name] = readJson(text, fieldLimits)
    } catch (error) {
      delete parsed[name]
      const message =
        error instanceof OutsideFault
          ? `must not be ${error.message}`
          : `must be valid JSON, such as {"department":"people"}: ${jsonFault(text)}`
      errors.push({ field: name, message })
    }
  }
  return parsed
}

function unknownPart(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === null ? 'is not a known part' : `is not a known part; did you mean \`${nearest}\`?`
}

/** The fields of a JSON body that stand for the file; the others are the upload's text parts. */
export type TextBody = { text: string; name?: string }

/** Throws `validation_failed` for a name that a file must not have, and `payload_too_large`. */
export async function receiveText(
  { text, name = '', ...fields }: TextBody & Record<string, unknown>,
  { blobs, maxFileBytes }: { blobs: BlobStore; maxFileBytes: number },
): Promise<ReceivedUpload> {
  const fault = faultOfName(name)
  if (fault !== null) throw invalidField('name', fault)
  const bytes = Buffer.from(text)
  if (bytes.byteLength > maxFileBytes) {
    throw tooLarge('The text', maxFileBytes, {
      remedy: ', the limit of the plan',
      field: 'text',
      actual: bytes.byteLength,
    })
  }
  const options = { name, statedMediaType: 'text/plain', maxBytes: maxFileBytes }
  const file = await blobs.receive(Readable.from([bytes]), options)
  return { fields, file, parts: [{ sentAs: name, file, refusal: null }] }
}
