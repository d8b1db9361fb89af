/** Compresses JSON off the event loop: for clients that accept it, from the size at which it pays. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../platform/log.ts'
import { type Coding, codingOf, headerText } from '../request-headers.ts'
import type { Route } from '../route.ts'

/** Below this size the reply takes as many packets either way, and compression would waste processor time. */
const smallestLength = 1_024
/** Level 4 of 11: the next one costs half as much again, for 8 % less. */
const brotliQuality = 4
/** The encoder's window, as a power of two. It bounds the memory of one reply in progress. */
const brotliWindow = 18

/**
 * A window as long as the text finds everything that a longer one would. The full window takes 256 KB of memory; the
 * window for a reply of 4 KB takes 32 KB.
 */
function gzipWindow(length: number): { windowBits: number; memLevel: number } {
  const windowBits = Math.min(15, Math.max(10, Math.ceil(Math.log2(length))))
  // Window and hash table have the same size, as in zlib's defaults for a whole window.
  return { windowBits, memLevel: windowBits - 7 }
}

const compressors: Record<Coding, (text: string) => Promise<Buffer>> = {
  br: text =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_LGWIN]: brotliWindow,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: text => promisify(gzip)(text, gzipWindow(text.length)),
}

/** Compresses a text that is kept for good. */
export const compressText = (coding: Coding, text: string): Promise<Buffer> => compressors[coding](text)

/** Undefined if the reply is not to be compressed. */
export const codingIn = (reply: FastifyReply): Coding | undefined =>
  reply.getHeader('content-encoding') as Coding | undefined

export type Compressor = ReturnType<typeof createCompressor>

export function createCompressor({ compression, log }: { compression: 'on' | 'off'; log: Log }) {
  /**
   * Whether replies of the route may be compressed. A reply that shows a secret beside other people's text may not:
   * its length would reveal the secret (BREACH).
   */
  const isFor = (route: Route): boolean => compression === 'on' && route.secrets.length === 0
  return {
    isFor,
    codingFor(route: Route, request: FastifyRequest, json: string): Coding | null {
      if (json.length < smallestLength || !isFor(route)) return null
      return codingOf(headerText(request, 'accept-encoding'))
    },
    /** Compresses the text of a reply whose `Content-Encoding` was set. A fixed reply is compressed only once. */
    hookFor(route: Route) {
      const kept = new Map<Coding, Promise<Buffer>>()
      const compress = (coding: Coding, text: string): Promise<Buffer> => {
        if (!route.isFixed) return compressors[coding](text)
        const compressed = kept.get(coding) ?? compressors[coding](text)
        kept.set(coding, compressed)
        return compressed
      }
      return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
        const coding = codingIn(reply)
        if (coding === undefined || typeof payload !== 'string') return payload
        try {
          return await compress(coding, payload)
        } catch (error) {
          // The work of the request is done, and uncompressed text is as good an answer.
          log.error('A reply could not be compressed', { requestId: request.id, error })
          kept.delete(coding)
          reply.removeHeader('content-encoding')
          return payload
        }
      }
    },
  }
}
