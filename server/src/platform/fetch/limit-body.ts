/** A response whose body ends with an error once it is too large or too late. */
import { ServiceError } from '../errors.ts'
import type { Deadline } from './deadline.ts'

type Limits = { host: string; maxBytes: number; deadline: Deadline }

/** The same response; its body counts the decompressed bytes, and reading it throws what `Deadline.explain` says. */
export function limitBody(response: Response, { host, maxBytes, deadline }: Limits): Response {
  const { status, statusText, headers } = response
  if (response.body === null) {
    deadline.clear()
    return new Response(null, { status, statusText, headers })
  }
  const reader = response.body.getReader()
  let receivedBytes = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          deadline.clear()
          return controller.close()
        }
        receivedBytes += value.byteLength
        if (receivedBytes > maxBytes) throw tooLarge(host, maxBytes)
        controller.enqueue(value)
      } catch (error) {
        controller.error(deadline.explain(error, host, true))
        deadline.clear()
        // The body is given up; that giving it up fails too is no news.
        await reader.cancel().catch(() => undefined)
      }
    },
    cancel(reason) {
      deadline.clear()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status, statusText, headers })
}

const tooLarge = (host: string, maxBytes: number): ServiceError =>
  new ServiceError('integration_unreachable', `${host} answered more than ${maxBytes} bytes`)
