/** Opens a connector's context outside the server, with a way to the service over `fetch`. */
import { setTimeout as wait } from 'node:timers/promises'
import { authorizationHeaders, type Credentials } from '../auth.ts'
import type { Config, Connector, Context } from '../connector.ts'
import { createHttp } from '../create-http.ts'

export type Opening = {
  connector: Connector
  config: Config
  /** Null if the service needs none. Credentials are not renewed, so a token has to last as long as the work. */
  credentials: Credentials | null
  signal: AbortSignal
  log: Context['log']
}

const usualTimeoutMs = 30_000

export function openContext({ connector, config, credentials, signal, log }: Opening): Context {
  const http = createHttp({
    fetch: async (url, { maxResponseBytes, timeoutMs = usualTimeoutMs, ...request }) => {
      const within = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
      return limited(await fetch(url, { ...request, signal: within }), maxResponseBytes)
    },
    isFinal: error => error instanceof ReplyTooLarge,
    credentials: async refused =>
      refused === null ? authorizationHeaders(connector.auth, config, credentials) : null,
    origins: connector.origins(config),
    signal,
    sleep: async (ms, within) => {
      await wait(ms, undefined, { signal: within })
    },
    random: Math.random,
    now: Date.now,
  })
  return { config, http, signal, now: Date.now, log }
}

class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge'
}

function limited(response: Response, maxBytes: number): Response {
  if (response.body === null) return response
  let bytes = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) {
        controller.error(
          new ReplyTooLarge(`${new URL(response.url).host} answers more than ${maxBytes} bytes`),
        )
      } else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers })
}
