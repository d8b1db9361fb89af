/** The fetch of model calls: limited in size and in silence, never redirected, and read as its bytes come. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createScan, isEventStream, type Limits, OutsideFault } from '@atrium/connectors/gate'
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
  let guard: AnswerGuard | null = null
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
        else {
          const answered = new Headers(listed(received))
          guard = createAnswerGuard(answered)
          resolve(new ModelAnswer(arriving, { status, statusText, headers: answered }))
        }
      },
      onResponseData(_, chunk) {
        if (arriving.hasEnded) return
        const pieces = guard?.(chunk) ?? null
        if (pieces === null) breakOff(terminated(tooLarge()))
        else for (const piece of pieces) arriving.add(piece)
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

/** Of one event of a stream, or of an answer that is no stream. Vectors of 16 texts take 3 MB. */
const maxEventBytes = 4 * 1024 * 1024
/** JSON with deeper nesting takes many times as long to parse. */
const maxDepth = 100
/** The providers' packages check each event by a schema. The last event of an answer may repeat all its tools. */
const eventLimits: Limits = { maxBytes: maxEventBytes, maxValues: 10_000, maxDepth }
/** Vectors of 16 texts have up to 65,000 numbers. */
const bodyLimits: Limits = { maxBytes: maxEventBytes, maxValues: 80_000, maxDepth }

const carriageReturn = 0x0d

/** A piece may be handed on at once; before it, other work gets its turn if `isDense`. */
type Piece = { bytes: Buffer; isDense: boolean }

/**
 * Returns the pieces to hand on; null if the answer is more than may be parsed. Carriage returns are left out. They
 * only stand before a line's end, and for each of them a parser would read the line from its beginning.
 */
type AnswerGuard = (chunk: Buffer) => Piece[] | null

function createAnswerGuard(headers: Headers): AnswerGuard {
  const isStream = isEventStream(headers)
  const scan = createScan(isStream ? eventLimits : bodyLimits, isStream ? 'events' : 'json')
  return chunk => {
    const kept = chunk.includes(carriageReturn) ? chunk.filter(byte => byte !== carriageReturn) : chunk
    const pieces: Piece[] = []
    try {
      for (let at = 0; at < kept.length; ) {
        const end = scan.take(kept, at)
        pieces.push({ bytes: Buffer.from(kept.buffer, kept.byteOffset + at, end - at), isDense: at > 0 })
        at = end
      }
    } catch (error) {
      if (error instanceof OutsideFault) return null
      throw error
    }
    return pieces
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
  #waiting: Piece[] = []
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

  add(piece: Piece): void {
    this.#waiting.push(piece)
    this.#waitingBytes += piece.bytes.length
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
      const { bytes, isDense } = piece
      this.#waitingBytes -= bytes.length
      if (this.#waiting.length === 0) this.#flow?.resume()
      const result = { value: bytes, done: false } as const
      return isDense ? nextTurn(result) : Promise.resolve(result)
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
