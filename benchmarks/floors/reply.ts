/** The floor under a read: a bare Fastify that sends one value, which it holds, through the response schema of the route. */
import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'

const { schema, value } = JSON.parse(await readFile(process.env.REPLY_FILE ?? '', 'utf8')) as {
  schema: object
  value: unknown
}
const server = Fastify({ logger: false })
server.get('/', { schema: { response: { 200: schema } } }, async () => value)
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
