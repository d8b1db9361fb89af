/** The response schemas of a route, by status. Fields that are not in a schema do not leave the server. */

import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'
import { type TSchema, Type } from '../platform/json-schema/type.ts'
import { ErrorBody, envelopeOf, listEnvelopeOf, PreviewSchema } from './envelope.ts'
import type { Route } from './route.ts'

/** By status, in the form from which Fastify compiles its serializers. */
export function responseSchemas(route: Route): Record<string, TSchema> {
  const schemas: Record<string, TSchema> = { '4xx': ErrorBody, '5xx': ErrorBody }
  for (const [status, schema] of successSchemas(route)) schemas[status] = schema
  return schemas
}

/** The JSON success replies of a route; a file and an empty reply have none. */
export function successSchemas(route: Route): [status: number, schema: TSchema][] {
  const { data } = route
  const schemas: [number, TSchema][] = []
  if (data !== undefined) {
    for (const status of route.success) {
      const shown = route.destructive && status === 200 ? Type.Union([data, PreviewSchema]) : data
      if (status !== 204)
        schemas.push([status, route.list === undefined ? envelopeOf(shown) : listEnvelopeOf(shown)])
    }
  }
  if (route.destructive && !route.success.includes(200)) schemas.push([200, envelopeOf(PreviewSchema)])
  return schemas
}

const require = createRequire(import.meta.url)

type Serialize = (value: unknown) => string

/**
 * Compiles a schema when the first reply needs it. Compiling all at the start took a quarter of the start, and most
 * programs use few. Our own code validates requests.
 */
export const serializers: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildSerializer:
      () =>
      ({ schema }) => {
        let serialize: Serialize | undefined
        return value => {
          serialize ??= compile(schema as object)
          return serialize(value)
        }
      },
    buildValidator: () => () => {
      throw new Error(
        'Requests are validated by http/validation.ts: a route must give Fastify none of their schemas',
      )
    },
  },
}

/** By the schema's text: five replies in six share the form of another one, also across servers of the process. */
const compiled = new Map<string, Serialize>()

function compile(schema: object): Serialize {
  const text = JSON.stringify(schema)
  const known = compiled.get(text)
  if (known !== undefined) return known
  const fastJsonStringify: typeof import('fast-json-stringify') = require('fast-json-stringify')
  const serialize: Serialize = fastJsonStringify(schema)
  compiled.set(text, serialize)
  return serialize
}
