/** Replies as text: what a schema does not name does not leave. */
import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'

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

function compile(schema: object): Serialize {
  const fastJsonStringify: typeof import('fast-json-stringify') = require('fast-json-stringify')
  return fastJsonStringify(schema)
}
