/** The route that publishes the OpenAPI document; it describes itself, too. */
import { Type } from '../platform/json-schema/type.ts'
import { buildOpenApi } from './openapi.ts'
import { defineRoute, type Route, rawJson } from './route.ts'

export function openApiRoute(routes: readonly Route[]): Route {
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'meta',
    summary: 'Get the OpenAPI document',
    description: 'This document, generated from the routes that serve the API. It needs no key.',
    permission: 'public',
    data: Type.Object({}, { additionalProperties: true }),
    success: [200],
    errors: [],
    handle: async () => rawJson(document()),
  })
  let built: string | null = null
  const document = (): string => {
    built ??= JSON.stringify(buildOpenApi([...routes, route]))
    return built
  }
  return route
}
