/** Requests that no route takes: which methods the path has, and which endpoint was probably meant. */
import type { FastifyRequest } from 'fastify'
import { notFound, ServiceError } from '../../platform/errors.ts'
import { type Route, urlOf } from '../route.ts'
import { nearestEndpoint } from './nearest-endpoint.ts'

const mostShownOfPath = 200

/** The endpoints of a protocol, which is not in the reference; null for a path of no protocol. */
function knownBeside(path: string, routes: readonly Route[]): string | null {
  const prefix = routes.find(({ protocol }) => protocol && path.startsWith(`${protocol.prefix}/`))?.protocol
    ?.prefix
  if (prefix === undefined) return null
  const fixed = routes.flatMap(route =>
    route.protocol?.prefix === prefix && !route.path.includes(':') ? [route.path] : [],
  )
  const heads = fixed.filter(one => !fixed.some(other => one.startsWith(`${other}/`)))
  return `below ${prefix} there are ${[...new Set(heads)].map(one => one.slice(1)).join(', ')}`
}

/** A path that exists under other methods gives a 405 that names them. */
export function unmatched(request: FastifyRequest, routes: readonly Route[]): ServiceError {
  const path = pathOf(request.url)
  const methods = methodsOf(routesAt(routes, path))
  if (methods.length === 0) {
    const id = `${request.method} ${path.slice(0, mostShownOfPath)}`
    const nearest = nearestEndpoint(request.method, path, routes)
    const known = knownBeside(path, routes) ?? '/docs lists all endpoints'
    return nearest === null
      ? notFound(`There is no such endpoint, ${id}; ${known}`, { resource: 'endpoint', id })
      : notFound(`There is no such endpoint, ${id}: did you mean ${nearest}? (${known})`, {
          resource: 'endpoint',
          id,
          nearest,
        })
  }
  const allow = methods.join(', ')
  const other = nearestEndpoint(request.method, path, routes, { onlyOfMethod: true })
  const meant = other === null ? '' : `; did you mean ${other}?`
  const shownMethod = request.method.slice(0, mostShownOfPath)
  return new ServiceError(
    'method_not_allowed',
    `${shownMethod} is not allowed here; allowed: ${allow}${meant}`,
    {
      headers: { allow },
      details: { allow: methods },
    },
  )
}

export const pathOf = (url: string): string => url.split('?')[0] ?? ''

export const methodsOf = (routes: readonly Route[]): string[] =>
  [...new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort()

/** The routes of the one pattern that a path belongs to: `/agents/tools` does not belong to `/agents/:id`. */
export function routesAt(routes: readonly Route[], path: string): Route[] {
  const segments = path.split('/')
  const fitting = routes.filter(route => fits(urlOf(route).split('/'), segments))
  const [nearest] = fitting.map(urlOf).sort(byWords)
  return fitting.filter(route => urlOf(route) === nearest)
}

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''))

/** As the router decides: at the first place where two patterns differ, a word goes before a parameter. */
function byWords(one: string, other: string): number {
  const parameters = (url: string) => url.split('/').map(part => (part.startsWith(':') ? '1' : '0'))
  const [left, right] = [parameters(one).join(''), parameters(other).join('')]
  return left === right ? 0 : left < right ? -1 : 1
}

/**
 * The methods that a path lacks, but a pattern with parameters that fits it has. Without a route of their own, such
 * requests would get to that pattern, with a word of the path as its id.
 */
export function shadowed(routes: readonly Route[]): { method: Route['method']; url: string }[] {
  const known = [...Map.groupBy(routes, urlOf)].map(([url, own]) => ({
    url,
    segments: url.split('/'),
    methods: new Set(own.map(({ method }) => method)),
  }))
  return known.flatMap(({ url, segments, methods }) => {
    const others = known.filter(other => other.url !== url && fits(other.segments, segments))
    const lacking = new Set(
      others.flatMap(other => [...other.methods]).filter(method => !methods.has(method)),
    )
    return [...lacking].map(method => ({ method, url }))
  })
}
