/** The fetch of model calls: limited in size and in silence, never redirected, and read as its bytes come. */
import type { Agent, buildConnector, Dispatcher } from 'undici'

/** The largest answer that is read. A stream spends some two hundred bytes on each token that it brings. */
const maxAnswerBytes = 32 * 1024 * 1024

const usualSilenceMs = 60_000

/** The answers are of the class `ModelAnswer`; a request has a text or no body. */
export type ModelFetch = { fetch: typeof globalThis.fetch; close(): Promise<void> }

/** The run limits how long a call may take as a whole, with its signal. */
export function createModelFetch({
  silenceMs = usualSilenceMs,
  connect = { timeout: 10_000 },
}: {
  /** The longest time without a byte: before the answer begins, and within it. */
  silenceMs?: number
  /** Limits the addresses that may be connected to; anywhere unless given. */
  connect?: buildConnector.connector | { timeout: number }
} = {}): ModelFetch {
  let agent: Agent | null = null
  const fetch = async (address: string | URL, options: RequestInit = {}): Promise<ModelAnswer> => {
    const { Agent, errors } = await import('undici')
    agent ??= new Agent({
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      connect,
      keepAliveTimeout: 30_000,
      maxResponseSize: maxAnswerBytes,
    })
    const tooLarge = () => new errors.ResponseExceededMaxSizeError()
    return await ask(agent, new URL(address), options, tooLarge)
  }
  // Callers use no more of `fetch` than this function offers.
  return { fetch: fetch as unknown as typeof globalThis.fetch, close: async () => agent?.destroy() }
}

/** Rejects with the signal's reason once it is aborted, else like `fetch` with a `TypeError` that has the cause. */
function ask(
  agent: Agent,
  { origin, pathname, search }: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
  tooLarge: () => Error,
): Promise<ModelAnswer> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<ModelAnswer>()
  const guard = createAnswerGuard()
  const arriving = new ArrivingBytes()
  let connection: Dispatcher.DispatchController | null = null

  const end = (error: Error | null): void => {
    signal?.removeEventListener('abort', onAbort)
    arriving.end(error)
    if (error !== null) reject(error)
  }
  /** Also works before there is a connection: the connection is closed as soon as it has been given the request. */
  const breakOff = (error: Error): void => {
    if (arriving.hasEnded) return
    end(error)
    // In a later turn of the event loop, because the connection's parser is the caller here.
    setImmediate(() => connection?.abort(error))
  }
  const onAbort = (): void => breakOff(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })

  agent.dispatch(
    {
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      // The limit above counts bytes as they arrive, so they must arrive uncompressed.
      headers: { ...plain(headers), 'accept-encoding': 'identity' },
      body: typeof body === 'string' ? body : null,
    },
    {
      onRequestStart(controller) {
        connection = controller
        arriving.from(controller)
        if (arriving.hasEnded) controller.abort(new Error('The request is no longer wanted'))
      },
      onResponseStart(_, status, received, statusText = '') {
        if (status < 200) return
        if (redirects.includes(status)) breakOff(failed(new Error(`The server redirects by ${status}`)))
        else
          resolve(new ModelAnswer(arriving, { status, statusText, headers: new Headers(listed(received)) }))
      },
      onResponseData(_, chunk) {
        if (arriving.hasEnded) return
        const kept = guard(chunk)
        if (kept === null) breakOff(terminated(tooLarge()))
        else arriving.add(kept)
      },
      onResponseEnd: () => end(null),
      onResponseError(_, cause) {
        reject(failed(cause))
        end(terminated(cause))
      },
    },
  )
  return promise
}

const redirects = [301, 302, 303, 307, 308]

const failed = (cause: Error): TypeError => new TypeError('fetch failed', { cause })
const terminated = (cause: Error): TypeError => new TypeError('terminated', { cause })

function plain(headers: unknown): Record<string, string> {
  return headers instanceof Headers
    ? Object.fromEntries(headers)
    : ((headers ?? {}) as Record<string, string>)
}

/** Drops values that are not Latin-1: no code reads them, and `Headers` does not accept them. */
const listed = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers)
    .flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]))
    .filter(([, value]) => /^[\t\x20-\xff]*$/.test(value))

// Checks a model server's bytes as they arrive, and cuts off answers that a provider's package would parse for long.

/** The most bytes of one event of a stream, or of an answer that is no stream. Vectors of 16 texts take 3 MB. */
const maxEventBytes = 4 * 1024 * 1024
/** JSON with deeper nesting takes many times as long to parse. */
const maxDepth = 100

const [lineFeed, carriageReturn, quote, backslash] = [0x0a, 0x0d, 0x22, 0x5c]
const [opensList, closesList, opensObject, closesObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the bytes to hand on; null if the answer is more than may be parsed. Carriage returns are left out. They
 * only stand before a line's end, and for each of them a parser would read the line from its beginning.
 */
type AnswerGuard = (chunk: Buffer) => Buffer | null

function createAnswerGuard(): AnswerGuard {
  let eventBytes = 0
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isLineEmpty = true

  return chunk => {
    const kept = chunk.includes(carriageReturn) ? chunk.filter(byte => byte !== carriageReturn) : chunk
    for (const byte of kept) {
      eventBytes++
      if (byte === lineFeed) {
        // An empty line ends an event. A JSON string never goes on in the next line.
        if (isLineEmpty) eventBytes = depth = 0
        isLineEmpty = true
        isInString = isEscaped = false
        continue
      }
      isLineEmpty = false
      if (isEscaped) isEscaped = false
      else if (isInString && byte === backslash) isEscaped = true
      else if (byte === quote) isInString = !isInString
      else if (!isInString && (byte === opensList || byte === opensObject)) depth++
      else if (!isInString && (byte === closesList || byte === closesObject)) depth--
      if (depth > maxDepth || eventBytes > maxEventBytes) return null
    }
    return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  }
}

// An answer of a model's server. Its bytes are taken as they come: a web stream for each answer would cost more than
// the reading.

/** At most so many bytes wait in memory for their reader, unless the server sends larger pieces. */
const mostWaitingBytes = 256 * 1024

/** Controls the connection that the bytes come from. */
type Flow = { pause(): void; resume(): void; abort(reason: Error): void }

/** Bytes between the connection and their reader. */
class ArrivingBytes implements AsyncIterable<Buffer>, AsyncIterator<Buffer> {
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #flow: Flow | null = null
  #end: { error: Error | null } | null = null
  #wake: (() => void) | null = null

  get hasEnded(): boolean {
    return this.#end !== null
  }

  /** Called once the connection has been given the request. */
  from(flow: Flow): void {
    this.#flow = flow
  }

  add(piece: Buffer): void {
    this.#waiting.push(piece)
    this.#waitingBytes += piece.length
    if (this.#waitingBytes > mostWaitingBytes) this.#flow?.pause()
    this.#wake?.()
  }

  /** The reader gets the error after the bytes before it. */
  end(error: Error | null): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const piece = this.#waiting.shift()
    if (piece !== undefined) {
      this.#waitingBytes -= piece.length
      if (this.#waiting.length === 0) this.#flow?.resume()
      return Promise.resolve({ value: piece, done: false })
    }
    if (this.#end === null) return this.#more().then(() => this.next())
    if (this.#end.error !== null) return Promise.reject(this.#end.error)
    return Promise.resolve({ value: undefined, done: true })
  }

  #more(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
    })
  }

  /** If the reader stops, the rest is of no use: the connection is closed. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#waiting = []
    if (this.#end === null) {
      this.end(null)
      this.#flow?.abort(new Error('The rest of the answer is not read'))
    }
    return { value: undefined, done: true }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

type Status = { status: number; statusText: string; headers: Headers }

/** The part of a `Response` that is used. Its body is made from the bytes once it is asked for. */
export class ModelAnswer implements Pick<Response, 'ok' | 'status' | 'statusText' | 'headers' | 'body'> {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly arriving: ArrivingBytes
  #body: ReadableStream | null = null

  constructor(arriving: ArrivingBytes, { status, statusText, headers }: Status) {
    this.arriving = arriving
    this.status = status
    this.statusText = statusText
    this.headers = headers
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get body(): ReadableStream {
    this.#body ??= ReadableStream.from(this.arriving)
    return this.#body
  }

  async text(): Promise<string> {
    return Buffer.concat(await Array.fromAsync(this.arriving)).toString('utf8')
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}
