/** The floor under a list: a bare Fastify that says hello through a response schema. */
import Fastify from 'fastify'

const server = Fastify({ logger: false })
server.get(
  '/',
  {
    schema: {
      response: {
        200: { type: 'object', properties: { hello: { type: 'string' } }, additionalProperties: false },
      },
    },
  },
  async () => ({ hello: 'world' }),
)
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
