/** The only way out: a `fetch` that reaches allowed addresses only, checks redirects, and limits size and time. */
import type { Dispatcher } from 'undici'
import { ServiceError } from '../errors.ts'
import { createFairQueue, type FairQueue } from '../fair-queue.ts'
import { createAddressRule, createGuardedConnector, type Lookup, systemLookup } from './connector.ts'
import { withoutCrumbs } from './crumbs.ts'
import { FaultyReply, faultIn, isRedirect, nextRequest, type SafeRequest } from './requests.ts'

/**
 * Like `fetch`, for addresses that come from users, providers and documents.
 * Throws `address_forbidden`, or `integration_unreachable` (refused, too slow, too large). The latter is a
 * `FaultyReply` if the peer redirects too often, speaks no HTTP or ends too soon.
 * If the caller's own `signal` is aborted, throws that signal's reason.
 */
export type SafeFetch = (url: string | URL, request: OwnedRequest) => Promise<Response>

/** `owner` is the workspace for which the request is sent. Owners take turns for the connections to an origin. */
export type OwnedRequest = SafeRequest & { owner: string }

export type SafeFetchOptions = {
  /** CIDRs that may be reached besides the public internet. */
  allowedPrivateNetworks: readonly string[]
  /** From the call to the last byte of the body, the wait for a turn included. */
  timeoutMs?: number | undefined
  connectTimeoutMs?: number
  /** Counted after decompression. */
  maxResponseBytes?: number
  maxRedirects?: number
  lookup?: Lookup
}

const maxConnectionsPerOrigin = 16

export function createSafeFetch({
  allowedPrivateNetworks,
  timeoutMs = 30_000,
  connectTimeoutMs = 10_000,
  maxResponseBytes = 10 * 1024 * 1024,
  maxRedirects = 5,
  lookup = systemLookup,
}: SafeFetchOptions): SafeFetch {
  const isAllowed = createAddressRule(allowedPrivateNetworks)
  const connect = createGuardedConnector(isAllowed, lookup, connectTimeoutMs)
  let agent: Dispatcher | null = null

  const turns = createOriginTurns(maxConnectionsPerOrigin)

  return async (address, { owner, ...request }) => {
    let url = checkedUrl(address)
    let next: SafeRequest = { ...request, headers: withUserAgent(request.headers) }
    const deadline = createDeadline(request.timeoutMs ?? timeoutMs, request.signal)
    const maxBytes = request.maxResponseBytes ?? maxResponseBytes
    try {
      for (let redirects = 0; ; redirects++) {
        const endTurn = await turns.take(url.origin, owner, deadline.signal)
        deadline.atEnd(endTurn)
        const response = await send(url, next, deadline.signal)
        if (!isRedirect(response) || next.redirect === 'manual') {
          return limitBody(response, { host: url.host, maxBytes, deadline })
        }
        await response.body?.cancel()
        endTurn()
        if (next.redirect === 'error' || redirects === maxRedirects) {
          throw new FaultyReply(`${url.host} redirects too often`)
        }
        const target = checkedUrl(response.headers.get('location') ?? '', url)
        next = nextRequest(next, url, target, response.status)
        url = target
      }
    } catch (error) {
      deadline.clear()
      throw deadline.explain(error, url.host)
    }
  }

  async function send(url: URL, request: SafeRequest, signal: AbortSignal): Promise<Response> {
    const undici = await import('undici')
    agent ??= new undici.Agent({ connect, connections: maxConnectionsPerOrigin }).compose(withoutCrumbs)
    const response = await undici.fetch(url, {
      method: request.method ?? 'GET',
      headers: [...new Headers(request.headers)],
      body: request.body ?? null,
      redirect: 'manual',
      signal,
      dispatcher: agent,
    })
    // undici's Response and Node's are the same class, declared in two packages of types.
    return response as unknown as Response
  }
}

/** Refuses addresses that no request may name, before anything is sent. */
function checkedUrl(text: string | URL, base?: URL): URL {
  const url = URL.parse(String(text), base?.href)
  if (url === null) throw forbiddenAddress('The address is not a valid URL', String(text))
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw forbiddenAddress(`Only http and https can be reached, not ${url.protocol}`, url.protocol)
  }
  if (url.username !== '' || url.password !== '') {
    throw forbiddenAddress('An address must not contain a user name or a password', url.host)
  }
  return url
}

/** `address` never holds credentials. */
const forbiddenAddress = (message: string, address: string): ServiceError =>
  new ServiceError('address_forbidden', message, { details: { address: address.slice(0, maxShownAddress) } })

const maxShownAddress = 200

function withUserAgent(headers: SafeRequest['headers']): Headers {
  const all = new Headers(headers)
  if (!all.has('user-agent')) all.set('user-agent', 'Atrium')
  return all
}

type BodyLimits = { host: string; maxBytes: number; deadline: Deadline }

/** The same response; its body counts the decompressed bytes, and reading it throws what `Deadline.explain` says. */
function limitBody(response: Response, { host, maxBytes, deadline }: BodyLimits): Response {
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
        // The body is given up. It does not matter if cancelling it fails too.
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

// One time limit over a whole exchange, and the error that tells why the exchange ended.

type Deadline = {
  signal: AbortSignal
  /** The exchange is over: the deadline aborts nothing any more. */
  clear(): void
  /** Runs the task once the exchange is over, whether it is cleared or aborted. */
  atEnd(task: () => void): void
  /**
   * What to throw for an error of the exchange with `host`: the caller's reason, the time limit, or what went wrong.
   * `hasBegun` is true once the head of the reply has come.
   */
  explain(error: unknown, host: string, hasBegun?: boolean): unknown
}

function createDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const tasks: (() => void)[] = []
  const end = () => {
    for (const task of tasks.splice(0)) task()
  }
  controller.signal.addEventListener('abort', end, { once: true })
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, timeoutMs)
  // An unread body must not keep the process from ending.
  timer.unref()
  const abort = () => controller.abort()
  callerSignal?.addEventListener('abort', abort)
  if (callerSignal?.aborted) abort()

  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      callerSignal?.removeEventListener('abort', abort)
      end()
    },
    atEnd: task => {
      tasks.push(task)
      if (controller.signal.aborted) end()
    },
    explain: (error, host, hasBegun = false) => {
      if (callerSignal?.aborted) return callerSignal.reason
      if (isOver) {
        const within = `within ${timeoutMs / 1_000} s`
        const message =
          error instanceof NoTurn
            ? `No connection to ${host} became free ${within}: other requests use them all`
            : `${host} did not answer ${within}`
        return new ServiceError('integration_unreachable', message)
      }
      return serviceErrorIn(error) ?? faultIn(error, host, hasBegun) ?? unreachable(host, error)
    },
  }
}

const unreachable = (host: string, cause: unknown): ServiceError =>
  new ServiceError('integration_unreachable', `${host} could not be reached`, { cause })

/** `fetch` wraps the error that its connector threw. */
function serviceErrorIn(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  return error instanceof Error && error.cause !== undefined ? serviceErrorIn(error.cause) : null
}

/** Turns for the few connections to an origin. The owners of the requests take them. */
type OriginTurns = {
  /**
   * Resolves once the owner's turn has come. The turn lasts until the returned function is called. Throws `NoTurn` if
   * `signal` is aborted before.
   */
  take(origin: string, owner: string, signal: AbortSignal): Promise<() => void>
}

class NoTurn extends Error {}

/** At most `width` turns are in progress at each origin. */
function createOriginTurns(width: number): OriginTurns {
  /** The origins that have requests; nothing is kept of others. */
  const origins = new Map<string, { queue: FairQueue; requests: number }>()
  return {
    take(origin, owner, signal) {
      const busy = origins.get(origin) ?? { queue: createFairQueue(width), requests: 0 }
      origins.set(origin, busy)
      busy.requests += 1
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const turn = () => new Promise<void>(end => resolve(end))
      busy.queue
        .run(owner, turn, signal)
        .catch(cause => reject(new NoTurn('No turn in time', { cause })))
        .finally(() => {
          busy.requests -= 1
          if (busy.requests === 0) origins.delete(origin)
        })
      return promise
    },
  }
}
