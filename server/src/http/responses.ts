/** The response schemas of a route: what may leave the server under each status. Anything else is filtered out. */

import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'
import { type TSchema, Type } from '../platform/json-schema/type.ts'
import { ErrorBody, envelopeOf, listEnvelopeOf, PreviewSchema } from './envelope.ts'
import type { Route } from './route.ts'

/** By status, in the form that Fastify compiles its serializers from. */
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
 * Compiles a schema when the first reply needs it: all of them at the start took a quarter of it, and most programs use
 * few. Requests are validated by ourselves.
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

/** By the text of the schema: five replies in six have the form of another one, also on other servers of the process. */
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
