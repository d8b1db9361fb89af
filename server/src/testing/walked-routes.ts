/** Every route of a server that lies beside the API, for tests of what must hold for each of them. */
import type { FastifyInstance, InjectOptions } from 'fastify'
import { openAiPrefix } from '../features/openai/errors.ts'
import { apiPrefix } from '../http/route.ts'

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
