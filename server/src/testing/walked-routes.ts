/** Every route of a server that lies beside the API, for tests of what must hold for each of them. */
import type { FastifyInstance, InjectOptions } from 'fastify'
import { openAiPrefix } from '../features/openai/errors.ts'
import { exampleOf, pathNamesOf } from '../http/missing/path-names.ts'
import { apiPrefix, type Route, urlOf } from '../http/route.ts'
import { exampleId } from '../platform/schemas.ts'

export type WalkedRoute = { method: NonNullable<InjectOptions['method']>; url: string }

/** However they were registered: read from the tree that Fastify prints. */
export function routesBesideApi(server: FastifyInstance): WalkedRoute[] {
  const lines = server.printRoutes({ commonPrefix: false }).split('\n')
  const parents: string[] = []
  return lines.flatMap(line => {
    const found = /^(?<indent>[\s│]*)[├└]── (?<part>\S*)(?: \((?<methods>[A-Z, ]+)\))?/.exec(line)
    if (found?.groups === undefined) return []
    const { indent = '', part = '', methods = '' } = found.groups
    const depth = indent.length / 4
    const url = `${parents[depth - 1] ?? ''}${part}`
    parents.splice(depth, parents.length, url)
    if ([apiPrefix, openAiPrefix].some(prefix => url.startsWith(`${prefix}/`)) || methods === '') return []
    return methods.split(', ').map(method => ({ method: method as WalkedRoute['method'], url }))
  })
}

/** The URL of a route with an example id of the right kind for each parameter, or with the values given. */
export function exampleUrlOf(route: Route, values: Readonly<Record<string, string>> = {}): string {
  const names = pathNamesOf(route)
  return urlOf(route).replaceAll(/:([A-Za-z]+)/g, (_, parameter: string) => {
    const name = names.find(one => one.parameter === parameter)
    const example = name === undefined ? null : exampleOf(name)
    const text = example ?? route.pathTexts[parameter]?.example ?? exampleId('agent')
    return values[parameter] ?? encodeURIComponent(text)
  })
}
