/** What a request says in its headers. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { FastifyRequest } from 'fastify'
import { prefersEvents } from './accept.ts'
import type { Route } from './route.ts'

export function headerText(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

export const wantsEvents = ({ headers }: FastifyRequest): boolean => prefersEvents(headers.accept)

/** Those that the route knows, under the names that it knows them by. */
export function namedHeaders(route: Route, request: FastifyRequest): Record<string, unknown> {
  const names = Object.keys(route.headers?.properties ?? {})
  return withoutUndefined(Object.fromEntries(names.map(name => [name, request.headers[name.toLowerCase()]])))
}
