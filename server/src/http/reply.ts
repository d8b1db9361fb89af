/** From what a handler answered to what leaves the server, and what of it is kept for a repetition. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { EventStreams } from './event-stream.ts'
import type { PageMeta, Reply, Route } from './route.ts'

export const eventsType = 'text/event-stream; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

/** How a stream of events is opened, and whether its reader may go on reading. */
type Streaming = { streams: EventStreams; mayGoOn: () => Promise<boolean> }

export function send(reply: FastifyReply, answer: Reply<unknown>, streaming: Streaming): FastifyReply {
  switch (answer.kind) {
    case 'data':
      return reply.code(answer.status).headers(answer.headers).type(jsonType).send({ data: answer.data })
    case 'list':
      return reply
        .code(200)
        .type(jsonType)
        .send({ data: answer.data, meta: answer.meta satisfies PageMeta })
    case 'preview':
      return reply
        .code(200)
        .type(jsonType)
        .send({ data: { dryRun: true, effects: answer.effects } })
    case 'raw':
      return sendText(reply.code(200).type(jsonType), answer.json)
    case 'empty':
      return reply.code(204).headers(answer.headers).send()
    case 'events':
      return reply
        .code(200)
        .headers({ ...answer.headers, 'x-accel-buffering': 'no' })
        .type(eventsType)
        .send(wanted(reply, streaming.streams.open(answer.follow, streaming.mayGoOn)))
    case 'file':
      return reply.code(200).headers(answer.headers).send(wanted(reply, answer.stream))
  }
}

/** Sends what is JSON already. */
export const sendText = (reply: FastifyReply, json: string): FastifyReply =>
  reply.serializer((payload: unknown) => String(payload)).send(json)

/** For a HEAD request Fastify would read the whole file to its end, or make a whole archive in vain. */
function wanted({ request }: FastifyReply, stream: Readable): Readable {
  if (request.method !== 'HEAD') return stream
  stream.destroy()
  return Readable.from([])
}

export function keptHeaders(reply: FastifyReply): Record<string, string> {
  const kept = [
    ...['content-type', 'etag', 'location', 'retry-after'],
    ...['upload-offset', 'upload-expires', 'atrium-document-id'],
  ]
  const present = kept.flatMap(name => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return Object.fromEntries(present)
}

/** A secret is shown once: the reply that is kept for repeating does not hold it. */
export function withoutSecrets(route: Route, payload: string): string {
  if (route.secrets.length === 0 || payload === '') return payload
  const reply = JSON.parse(payload) as { data?: Record<string, unknown> }
  for (const field of route.secrets) delete reply.data?.[field]
  return JSON.stringify(reply)
}
