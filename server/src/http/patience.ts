/** How long a client waits for its reply: as long as it says, and no longer than it is there. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { secondMs } from '../platform/clock.ts'
import { ServiceError } from '../platform/errors.ts'
import type { Patience } from '../platform/patience.ts'

const maxWaitSeconds = 60

/** Of RFC 7240: `respond-async` never waits, `wait=N` up to N seconds. A server that closes answers at once how things stand. */
export const patienceOf =
  (request: FastifyRequest, reply: FastifyReply, closing: AbortSignal) =>
  (unlessSaidSeconds = 0): Patience => {
    const prefer = String(request.headers.prefer ?? '')
      .toLowerCase()
      .split(',')
    const parts = prefer.map(part => part.trim())
    const said = parts.find(part => /^wait=\d{1,9}$/.test(part))?.slice('wait='.length)
    const seconds = parts.includes('respond-async')
      ? 0
      : Math.min(Number(said ?? unlessSaidSeconds), maxWaitSeconds)
    return { waitMs: seconds * secondMs, signal: AbortSignal.any([goneSignal(reply), closing]) }
  }

/** Made only when a handler asks for it, since most never do. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(clientGone())
  })
  return controller.signal
}

/** The client has left before its answer: that is not our error, so it is not logged as one. */
const clientGone = (): ServiceError =>
  new ServiceError('request_timeout', 'The client went away before the request was answered')
