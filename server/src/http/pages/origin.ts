/** Whether a browser's request comes from our own pages: what changes something beside the API, no other site may ask for. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A program, which names no origin and sends no cookie, may ask for it as well. */
    answersPrograms?: boolean
    /** Who asks for it names a key: it counts its requests by itself, and checks where they come from. */
    takesKeys?: boolean
    /** Neither reads nor sets a cookie, so that a page of another origin can do no more than a program. */
    ignoresCookies?: boolean
    /** A route of the API: what it does needs a key, which no browser sends on its own. */
    isOfApi?: boolean
  }
}

/**
 * Refuses every request beside the API that changes something and does not come from this server's own pages
 * (`origin_forbidden`), with a cookie or without: a reply can sign its visitor in. It holds for whatever is registered on the
 * server, after the gate has counted and before a byte of the body is read. A key or token in `Authorization` is sent by
 * no browser on its own, so the API needs none of this. Nor do the endpoints of OAuth that apps call, which know no cookie.
 * The callbacks of OAuth and of single sign-on are GETs (`response_mode=form_post` is never asked for) and are bound to their browser by a
 * cookie.
 */
export function guardOrigin(server: FastifyInstance, publicUrl: () => string): void {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    if (isRead || request.is404) return done(null, payload)
    const { config } = request.routeOptions
    const needsKey = config.isOfApi === true || config.takesKeys === true
    if (needsKey || config.ignoresCookies === true) return done(null, payload)
    const own = ownOrigins(publicUrl())
    const isProgram = nameless(request.headers) && request.headers.cookie === undefined
    if (isOurs(request.headers, own) || (isProgram && config.answersPrograms === true)) {
      return done(null, payload)
    }
    const message = `The request must carry the header "Origin: ${own[0]}". Open the console under that address, or set ATRIUM_PUBLIC_URL to the one that people use.`
    return done(new ServiceError('origin_forbidden', message))
  })
}

/**
 * Throws `origin_forbidden` where a page of another site asks, unless the operator lists its origin, and where the name in
 * `Host` could be that of an attacker who had it point to this machine (DNS rebinding). Programs name no origin.
 */
export function checkOrigin(
  headers: IncomingHttpHeaders,
  { publicUrl, corsOrigins }: { publicUrl: string; corsOrigins: readonly string[] },
): void {
  const { origin = '', host = '' } = headers
  if (!nameless(headers) && !isOurs(headers, ownOrigins(publicUrl)) && !corsOrigins.includes(origin)) {
    throw new ServiceError(
      'origin_forbidden',
      'Pages of this origin may not call the server: the operator lists those that may in ATRIUM_CORS_ORIGINS',
    )
  }
  if (!isTrustedHost(host, publicUrl)) {
    throw new ServiceError(
      'origin_forbidden',
      `The server is not called ${JSON.stringify(host)}: set ATRIUM_PUBLIC_URL to the address that clients use`,
    )
  }
}

/**
 * Only a server that knows itself by a name of loopback is worth an attack by DNS. It goes by addresses and by names that no
 * registrar sells, such as those of containers.
 */
function isTrustedHost(host: string, publicUrl: string): boolean {
  if (!loopback.includes(new URL(publicUrl).hostname)) return true
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  return isAddress || !hostname.includes('.') || /\.(localhost|local|internal)$/.test(hostname)
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
