/** Whether a browser's request comes from our own pages: what changes something beside the API, no other site may ask for. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import { apiPrefix } from '../serve.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A program, which names no origin and sends no cookie, may ask for it as well. */
    answersPrograms?: boolean
  }
}

/**
 * Refuses every request beside the API that changes something and does not come from this server's own pages
 * (`origin_forbidden`), with a cookie or without: a reply can sign its visitor in. It holds for whatever is registered on the
 * server, after the gate has counted and before a byte of the body is read. A key or token in `Authorization` is sent by
 * no browser on its own, so the API needs none of this. No protocol that is spoken here needs an exception: the callbacks
 * of OAuth and of single sign-on are GETs (`response_mode=form_post` is never asked for) and are bound to their browser by a
 * cookie.
 */
export function guardOrigin(server: FastifyInstance, publicUrl: () => string): void {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const { url, config } = request.routeOptions
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    if (isRead || request.is404 || url?.startsWith(`${apiPrefix}/`)) return done(null, payload)
    const own = ownOrigins(publicUrl())
    const isProgram = nameless(request.headers) && request.headers.cookie === undefined
    if (isOurs(request.headers, own) || (isProgram && config.answersPrograms === true)) {
      return done(null, payload)
    }
    const message = `The request must carry the header "Origin: ${own[0]}". Open the console under that address, or set ATRIUM_PUBLIC_URL to the one that people use.`
    return done(new ServiceError('origin_forbidden', message))
  })
}

/** Every browser in use sends one of the two with a POST. A page that hides its address sends `null`. */
function isOurs({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, own: readonly string[]): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  return origin === undefined || origin === 'null' ? site === 'same-origin' : own.includes(origin)
}

const nameless = (headers: IncomingHttpHeaders): boolean =>
  headers.origin === undefined && headers['sec-fetch-site'] === undefined

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** The public address's origin; on loopback its other names too, since people type either. */
function ownOrigins(publicUrl: string): string[] {
  const url = new URL(publicUrl)
  const others = loopback.includes(url.hostname) ? loopback.filter(name => name !== url.hostname) : []
  return [
    url.origin,
    ...others.map(name => `${url.protocol}//${name}${url.port === '' ? '' : `:${url.port}`}`),
  ]
}
