/** A file that goes on where its connection broke, instead of beginning again. */
import { ConnectionError } from './errors.ts'
import { delayBeforeRetry, pause } from './retry.ts'
import type { CallOptions, Outgoing, Transport } from './transport.ts'

/** How often in a row a broken connection is taken up again without a byte in between. */
const usualMaxRetries = 10

/**
 * The reply, whose body asks for the rest of the file (`Range`) whenever the connection breaks, as long as it is the same
 * file (`If-Range`). A reply whose parts cannot be asked for is returned as it is.
 */
export async function download(
  transport: Transport,
  outgoing: Outgoing,
  options: CallOptions = {},
): Promise<Response> {
  const first = await transport.open(outgoing, options)
  const { status, statusText, headers } = first
  const etag = headers.get('etag')
  const length = Number(headers.get('content-length'))
  // What a proxy has compressed has other bytes than the file.
  const hasParts = headers.get('accept-ranges') === 'bytes' && !headers.has('content-encoding') && length > 0
  if (first.body === null || etag === null || !hasParts) return first
  const { signal, maxRetries = usualMaxRetries } = options
  let reader = first.body.getReader()
  let received = 0
  let failures = 0

  const readOn = async (error: unknown): Promise<void> => {
    signal?.throwIfAborted()
    const delayMs = failures < maxRetries ? delayBeforeRetry(failures, null) : null
    failures += 1
    if (delayMs === null)
      throw new ConnectionError(`The connection broke after ${received} bytes`, { cause: error })
    await pause(delayMs, signal)
    const range = { range: `bytes=${received}-`, 'if-range': etag }
    const rest = await transport.open({ ...outgoing, headers: { ...outgoing.headers, ...range } }, options)
    if (rest.status !== 206 || rest.body === null) {
      await rest.body?.cancel()
      throw new ConnectionError('The file has changed while it was downloaded', { cause: error })
    }
    reader = rest.body.getReader()
  }

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (true) {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            received += value.byteLength
            failures = 0
            return controller.enqueue(value)
          }
          if (received >= length) return controller.close()
          throw new TypeError('The body ended before the file')
        } catch (error) {
          if (received >= length) return controller.close()
          await readOn(error)
        }
      }
    },
    cancel: reason => reader.cancel(reason),
  })
  return new Response(body, { status, statusText, headers })
}
