/** Reads JSON bodies within the limits of memory, and parses them strictly. The number of values is limited. */
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError, tooLarge } from '../../platform/errors.ts'
import { shapeFault, usualMaxValues } from '../../platform/text/json-text.ts'
import { createTurns } from '../../platform/turns.ts'
import { malformedJson, maxJsonBytes } from '../envelope.ts'
import { type Route, urlOf } from '../route.ts'
import { type BodyMemory, type BodyOwner, type BodyShare, freeBodyBytes } from './body-memory.ts'
import { isOfCoding, notInCoding, unpackedBody } from './content-encoding.ts'

type JsonBodies = {
  memory: BodyMemory
  ownerOf: (request: FastifyRequest) => BodyOwner
  /** How many values a body may hold, for the routes that take more than usual; by method and path. */
  maxValues: ReadonlyMap<string, number>
  /** The routes that also need the bytes, by method and path. */
  kept: ReadonlySet<string>
}

export const placeOf = (method: string, url = ''): string => `${method} ${url}`

/** The values that a body may hold, for the routes that have limits of their own. */
export const maxValuesOf = (routes: readonly Route[]): Map<string, number> =>
  new Map(
    routes.flatMap(route =>
      route.bodyLimits === undefined
        ? []
        : [[placeOf(route.method, urlOf(route)), route.bodyLimits.maxValues]],
    ),
  )

export const keptPlaces = (routes: readonly Route[]): Set<string> =>
  new Set(routes.filter(({ keepsBytes }) => keepsBytes).map(route => placeOf(route.method, urlOf(route))))

const keptBytes = new WeakMap<FastifyRequest, Buffer>()

/** The bytes of a JSON body as they came; empty if the request's route does not keep them. */
export const bytesOf = (request: FastifyRequest): Buffer => keptBytes.get(request) ?? noBytes

const noBytes = Buffer.alloc(0)

/** Registers the parser. JSON must be UTF-8 and free of `__proto__`. A body counts until its request is answered. */
export function parseJsonBodies(server: FastifyInstance, { memory, ownerOf, maxValues, kept }: JsonBodies) {
  const parseText = server.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, text: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      void parseText(request, text, (error, value) =>
        error === null ? resolve(value) : reject(malformedJson(text)),
      )
    })
  const replies = new WeakMap<FastifyRequest, FastifyReply>()
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (hasJson(request)) replies.set(request, reply)
    done(null, payload)
  })
  server.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const share = memory.open(ownerOf(request))
    const reply = replies.get(request)?.raw
    // The body is held, as text or as values, until its request is over.
    reply?.once('finish', share.release)
    reply?.once('close', share.release)
    const body = await readBody(request, unpackedBody(request), share)
    if (body.byteLength === 0) return undefined
    const othersTurn = createTurns()
    if (!isUtf8(body)) throw notUtf8(request, body)
    const place = placeOf(request.method, request.routeOptions.url)
    if (kept.has(place)) keptBytes.set(request, body)
    const fault = await shapeFault(body, maxValues.get(place) ?? usualMaxValues)
    if (fault !== null) throw new ServiceError('validation_failed', undefined, { errors: [fault] })
    await othersTurn()
    const value = await parse(request, body.toString('utf8'))
    await othersTurn()
    return value
  })
}

const hasJson = ({ headers }: FastifyRequest): boolean => headers['content-type'] !== undefined

/**
 * Returns the whole body, in one buffer that grows: a million pieces of one byte would take a hundred bytes each.
 * Throws if the body is longer than its route takes. A body that is refused for its memory is read to its end and
 * dropped. Otherwise a client that is still sending would not get the reply.
 */
async function readBody(request: FastifyRequest, payload: Readable, share: BodyShare): Promise<Buffer> {
  const maxBytes = request.routeOptions.bodyLimit ?? maxJsonBytes
  const declared = request.headers['content-length']
  const isPacked = payload !== request.raw
  if (Number(declared ?? 0) > maxBytes) {
    if (isPacked) payload.destroy()
    throw tooLarge('The JSON body', maxBytes, { actual: Number(declared) })
  }
  const mostBytes = isPacked ? maxBytes : Number(declared ?? maxBytes)
  let refusal: unknown = null
  let buffer = Buffer.alloc(0)
  let length = 0

  const makeRoom = (neededBytes: number): void => {
    const bytes = Math.min(Math.max(neededBytes, buffer.length * 2, freeBodyBytes), mostBytes)
    share.growTo(bytes)
    const larger = Buffer.allocUnsafe(bytes)
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }
  const refuse = (error: unknown): void => {
    refusal = error
    share.release()
    buffer = Buffer.alloc(0)
  }
  // The client may have left while its key was looked up. Such a stream emits no further event.
  if (payload.destroyed) throw cutOff()
  await new Promise<void>((resolve, reject) => {
    const stop = (error: ServiceError): void => {
      payload.off('data', take)
      if (isPacked) payload.destroy()
      reject(error)
    }
    const take = (piece: Buffer): void => {
      const needed = length + piece.byteLength
      try {
        if (refusal === null && needed > buffer.length) makeRoom(needed)
      } catch (error) {
        refuse(error)
      }
      if (refusal === null) piece.copy(buffer, length)
      length = needed
      if (length > maxBytes) stop(tooLarge('The JSON body', maxBytes))
    }
    payload.on('data', take)
    payload.once('end', resolve)
    payload.once('error', cause =>
      stop(isPacked && isOfCoding(cause) ? notInCoding(request, 'malformed_json', cause) : cutOff(cause)),
    )
  })
  if (refusal !== null) throw refusal
  if (!isPacked && declared !== undefined && length !== Number(declared)) {
    throw new ServiceError('malformed_json', 'The body has another length than Content-Length says')
  }
  return buffer.subarray(0, length)
}

const cutOff = (cause?: Error): ServiceError =>
  new ServiceError('malformed_request', 'The request was cut off', { cause })

/** A packed body without its header is a common slip, and its bytes show it. */
function notUtf8({ headers }: FastifyRequest, body: Buffer): ServiceError {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  return new ServiceError(
    'malformed_json',
    isGzip && headers['content-encoding'] === undefined
      ? 'The body is packed by gzip: send the header Content-Encoding: gzip too'
      : 'The body is not valid UTF-8',
  )
}
