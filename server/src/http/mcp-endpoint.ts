/**
 * The address of the Model Context Protocol: checks who may ask, and from where. The replies come from a web handler.
 */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserPageOf, type RequestCaller } from '../platform/caller.ts'
import { forbidden, ServiceError } from '../platform/errors.ts'
import type { Platform } from '../platform/platform.ts'
import { errorBody } from './envelope.ts'
import { answerErrors, type ErrorShape } from './failures.ts'
import type { Gate } from './gate.ts'
import { checkOrigin } from './pages/origin.ts'
import { eventStreamType } from './request-headers.ts'

export const mcpPath = '/mcp'

/** Where a client finds out which server issues tokens for this address (RFC 9728). */
const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** The permissions that a client asks for if it names none. */
const scopes = 'agents:read agents:run knowledge:read'

/** One message: a prompt of 100,000 characters in its longest JSON form, and the fields beside it. */
const maxBodyBytes = 1_000_000

/**
 * `request` has the headers of the message and a signal. The signal aborts once the client has left or may no longer
 * read the reply. `body` is parsed. `closing` aborts once the server closes: calls in progress are then answered in
 * their current state.
 */
export type AnswerMcp = (exchange: {
  caller: RequestCaller
  request: Request
  body: unknown
  closing: AbortSignal
}) => Promise<Response>

type Dependencies = Pick<Platform, 'publicUrl' | 'log'> & {
  gate: Gate
  corsOrigins: readonly string[]
  /** How often the caller of a request in progress is looked up again. */
  callerCheckMs: number
}

/** Registers the address. Every message is a separate request, and none depends on an earlier one. */
export function registerMcp(server: FastifyInstance, answer: AnswerMcp, dependencies: Dependencies): void {
  const { gate, publicUrl, corsOrigins, callerCheckMs, log } = dependencies
  const admitted = new WeakMap<FastifyRequest, { caller: RequestCaller; atMs: number }>()
  const closing = new AbortController()
  server.addHook('preClose', async () => closing.abort())

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      checkOrigin(request.headers, { publicUrl: publicUrl(), corsOrigins })
    } catch (refusal) {
      await gate.enterPublic(request, reply)
      throw refusal
    }
    const challenge = `Bearer resource_metadata="${publicUrl()}${resourceMetadataPath}", scope="${scopes}"`
    const caller = await gate.enter(request, reply, { door: 'mcp', challenge })
    if (browserPageOf(caller) !== null) {
      throw forbidden('key', 'A browser token does not open /mcp: use a key')
    }
    admitted.set(request, { caller, atMs: performance.now() })
    if (request.method !== 'POST') throw onlyPost()
  }

  /** Aborts once the caller may not go on: a key that is revoked ends its calls within seconds. */
  const watch = async (request: FastifyRequest, caller: RequestCaller, over: AbortController) => {
    while (!over.signal.aborted) {
      // The signal only ends the wait; the loop checks it next.
      await sleep(callerCheckMs, undefined, { signal: over.signal }).catch(() => undefined)
      if (over.signal.aborted) return
      try {
        if (!(await gate.mayGoOn(request, null, caller))) over.abort()
      } catch (error) {
        log.warn('Whether a client of MCP may go on could not be asked', { error })
      }
    }
  }

  server.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: mcpPath,
    exposeHeadRoute: false,
    bodyLimit: maxBodyBytes,
    config: { takesKeys: true },
    errorHandler: answerErrors(log, jsonRpcError),
    onRequest: admit,
    handler: async (request, reply) => {
      const known = admitted.get(request)
      if (known === undefined) throw new Error('A request came past the gate')
      const { caller, atMs } = known
      // The message may have taken long to come.
      const isFresh = performance.now() - atMs < callerCheckMs
      const refusal = isFresh ? null : await gate.refusalNow(request, null, caller)
      if (refusal !== null) throw refusal
      const over = new AbortController()
      // The client has left or has its reply: nothing more is to be done or watched.
      reply.raw.once('close', () => over.abort())
      // The client may have left while its message was read.
      if (reply.raw.destroyed) over.abort()
      void watch(request, caller, over)
      const response = await answer({
        caller,
        request: webRequest(request, `${publicUrl()}${mcpPath}`, over.signal),
        body: request.body,
        closing: closing.signal,
      })
      return sendWeb(reply, response)
    },
  })
}

/** Begins a stream with a comment. Otherwise its head would wait for the first message, which may take minutes. */
function sendWeb(reply: FastifyReply, response: Response): FastifyReply {
  const { body, headers, status } = response
  if (body === null || headers.get('content-type') !== eventStreamType) return reply.send(response)
  const begun = async function* () {
    yield ':\n'
    yield* body
  }
  return reply.code(status).headers(Object.fromEntries(headers)).send(Readable.from(begun()))
}

/** Gives an error the shape of the protocol; `data` is the body of any other error of the API. */
const jsonRpcError: ErrorShape = (error, { id }) => {
  const code = error.code === 'malformed_json' ? parseError : serverError
  return {
    body: { jsonrpc: '2.0', id: null, error: { code, message: error.message, data: errorBody(error, id) } },
  }
}

/** Codes of JSON-RPC: the body is not JSON; any other fault of the server or the request. */
const parseError = -32_700
const serverError = -32_000

const onlyPost = (): ServiceError =>
  new ServiceError('method_not_allowed', 'Send each message by POST: there are no sessions here', {
    headers: { allow: 'POST' },
    details: { allow: ['POST'] },
  })

/** Leaves out the headers that identify the caller: the caller is already known. */
function webRequest(request: FastifyRequest, url: string, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') headers.set(name, value)
  }
  return new Request(url, { method: 'POST', headers, signal })
}
