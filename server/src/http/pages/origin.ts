/** Checks that a browser's request comes from our own pages. Other sites must not change anything outside the API. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A program, which names no origin and sends no cookie, may call the route too. */
    answersPrograms?: boolean
    /** The caller sends a key. The route counts its requests and checks their origin itself. */
    takesKeys?: boolean
    /** Neither reads nor sets a cookie, so a page of another origin can do no more than a program. */
    ignoresCookies?: boolean
    /** A route of the API: its work needs a key, which no browser sends automatically. */
    isOfApi?: boolean
  }
}

/**
 * Refuses every request outside the API that changes something and does not come from this server's own pages
 * (`origin_forbidden`). A cookie makes no difference: a reply can sign its visitor in. The check holds for everything
 * that is registered on the server, after the gate has counted and before a byte of the body is read. No browser
 * sends a key or token in `Authorization` automatically, so the API does not need the check. Nor do the OAuth
 * endpoints that apps call, which use no cookie. The callbacks of OAuth and of single sign-on are GETs
 * (`response_mode=form_post` is never asked for), and a cookie binds them to their browser.
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
 * Throws `origin_forbidden` if a page of another site asks and the operator does not list its origin. Throws it too
 * if an attacker may have pointed the name in `Host` at this machine (DNS rebinding). Programs name no origin.
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
 * Only a server whose public address is a loopback name is worth a DNS attack. Such a server accepts addresses and
 * names that no registrar sells, such as those of containers.
 */
function isTrustedHost(host: string, publicUrl: string): boolean {
  if (!loopback.includes(new URL(publicUrl).hostname)) return true
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  return isAddress || !hostname.includes('.') || /\.(localhost|local|internal)$/.test(hostname)
}

/** Every browser in use sends one of the two headers with a POST. A page that hides its address sends `null`. */
function isOurs({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, own: readonly string[]): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  return origin === undefined || origin === 'null' ? site === 'same-origin' : own.includes(origin)
}

const nameless = (headers: IncomingHttpHeaders): boolean =>
  headers.origin === undefined && headers['sec-fetch-site'] === undefined

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** The origin of the public address. On loopback also the other loopback names, since people type any of them. */
function ownOrigins(publicUrl: string): string[] {
  const url = new URL(publicUrl)
  const others = loopback.includes(url.hostname) ? loopback.filter(name => name !== url.hostname) : []
  return [
    url.origin,
    ...others.map(name => `${url.protocol}//${name}${url.port === '' ? '' : `:${url.port}`}`),
  ]
}
